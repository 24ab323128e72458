#!/bin/sh
# The recording of a run: played by others, judged again, and checked byte for byte.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
clip=fixtures/clip/round.mkv

# record NAME OPTION...: referees the clip, on record in $tmp/NAME.
record() {
    record=$1
    shift
    run run --video "$clip" --mat a2-two --deck fixture --rounds 1 --seed 1 --no-scoreboard \
        --record "$tmp/$record" --rundir "$tmp/$record.run" "$@"
}

# In a language of its own: what is for people goes into the recording, too.
record round --lang sv
check "the clip should be refereed and recorded" [ "$status" -eq 0 ]
video=$tmp/round/video-0001.mkv
ffprobe -v error -show_streams -show_chapters -of json "$video" >"$tmp/probe.json" 2>/dev/null
check "ffprobe should find pictures and texts" jq -e \
    '[.streams[].codec_name] | .[0] == "mjpeg" and .[1] == "subrip"' "$tmp/probe.json"
check "the card should be a chapter, in that language" jq -e '.chapters[0].tags.title | startswith("Kort ")' "$tmp/probe.json"
check "the kit should be attached" jq -e \
    '[.streams[].tags.filename? // empty] == ["set.json", "mat.json", "deck.json"]' "$tmp/probe.json"
ffmpeg -v error -i "$video" -map 0:v -f null - >"$out" 2>"$err"
check "ffmpeg should decode every picture without a word" [ ! -s "$err" ]
pictures=$(ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets \
    -of csv=p=0 "$video" | tr -d ,)
kept=$(grep -c '^frame ' "$tmp/round/frames.idx")
check "every picture of the clip should be kept, and stand in the index" \
    [ "$pictures" -eq "$kept" ] 
check "and no other" [ "$kept" -eq "$(ffprobe -v error -count_packets -select_streams v \
    -show_entries stream=nb_read_packets -of csv=p=0 "$clip" | tr -d ,)" ]
ffmpeg -v error -i "$video" -map 0:s -f srt "$tmp/texts.srt" 2>/dev/null
check "the win should be a text, in that language" grep -q '^vinst .*efter [0-9]*,[0-9]* s' "$tmp/texts.srt"
digest=$(jq -r 'select(.kind == "decision") | .body | select(.decision == "verdict") | .digest' \
    "$tmp/round/journal.jsonl")
check "the verdict's digest should be that of its evidence" \
    [ "$(sha256sum "$tmp"/round/evidence/*.jpg | cut -d' ' -f1)" = "$digest" ]

run replay "$tmp/round"
check "it should be judged again to the same bytes" [ "$status" -eq 0 ] 
check "without a word on standard output" [ ! -s "$out" ]
run replay --option claims=called "$tmp/round"
check "what if players had to claim: nobody wins" lines_are '.decision != "win"'
run replay --set matching-talent "$tmp/round"
check "read as other blocks: nobody wins" lines_are '.decision != "win"'

run match verify "$tmp/round"
check "an untouched match should be sound" [ "$status" -eq 0 ]
check "and each part be named" lines_are '.state == "sound" or .state == "absent"'

# spoilt NAME FILE BYTE PART: that byte of a copy is changed, and the part must be named.
spoilt() {
    cp -r "$tmp/round" "$tmp/spoilt"
    byte=$(od -An -tu1 -j "$3" -N 1 "$tmp/spoilt/$2" | tr -d ' ')
    printf '%b' "\\0$(printf %o $(((byte + 1) % 256)))" |
        dd of="$tmp/spoilt/$2" bs=1 seek="$3" conv=notrunc 2>/dev/null
    run match verify "$tmp/spoilt"
    if [ "$status" -eq 1 ] && jq -e -s --arg part "$4" \
        'any(.[]; .part == $part and .state != "sound")' "$out" >/dev/null; then
        ok "$1"
    else
        not_ok "$1"
    fi
    rm -rf "$tmp/spoilt"
}
evidence=$(cd "$tmp/round" && ls evidence/*)
spoilt "a changed byte of the journal should be named" journal.jsonl 700 journal.jsonl
spoilt "a changed byte of evidence should be named" "$evidence" 4000 "$evidence"
spoilt "a changed byte of the index should be named" frames.idx 900 frames.idx
spoilt "a changed byte of the kit should be named" kit/deck.json 30 kit/deck.json
spoilt "a changed byte of a picture should be named" video-0001.mkv 5000000 video-0001.mkv
spoilt "a changed byte of an attachment should be named" video-0001.mkv \
    "$(grep -abo '"symbols"' "$video" | head -n 1 | cut -d: -f1)" video-0001.mkv
cp -r "$tmp/round" "$tmp/less"
rm "$tmp/less/$evidence"
run match verify "$tmp/less"
check "evidence that is gone should be named" [ "$status" -eq 1 ]

record plain --no-record
check "without a recording the match should be the same" [ "$status" -eq 0 ]
check "and no pictures be kept" [ ! -e "$tmp/plain/frames.idx" ]

# The eyes die in the middle: the recording goes on, the match is the same, and all of it is judged again.
"$program" run --video "$clip" --mat a2-two --deck fixture --rounds 1 --seed 1 --no-scoreboard --paced \
    --record "$tmp/killed" --rundir "$tmp/killed.run" >"$out" 2>"$err" </dev/null &
process=$!
for _ in 1 2 3; do
    sleep 1.3
    pkill -KILL -P "$process" -f 'vision'
done
wait "$process"
status=$?
check "a run whose eyes die should end well" [ "$status" -eq 0 ]
for segment in "$tmp"/killed/video-*.mkv; do
    ffmpeg -v error -i "$segment" -map 0:v -f null - >/dev/null 2>"$err"
    check "a video that broke off should play ($(basename "$segment"))" [ ! -s "$err" ]
done
run match verify "$tmp/killed"
check "and what was kept of it be sound" [ "$status" -eq 0 ]
run replay "$tmp/killed" --journal-only
check "and its journal be ruled on again" [ "$status" -eq 0 ]
finish
