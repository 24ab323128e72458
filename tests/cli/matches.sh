#!/bin/sh
# What lies in a match's folder, looked at, shown and kept.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
clip=fixtures/clip/round.mkv

# The clip with its claims: a wrong one (event $wrong) and a right one ($right).
round=$tmp/matches/round
run run --video "$clip" --mat a2-two --deck fixture --rounds 1 --seed 1 --no-scoreboard \
    --players 'Ada,Čeněk Ω' --claims called --claims-from fixtures/clip/round.claims.jsonl \
    --record "$round" --rundir "$tmp/run"
check "the clip should be refereed and recorded" [ "$status" -eq 0 ]
cause() {
    jq -r --arg v "$1" 'select(.kind == "decision") | .body |
        select(.decision == "verdict" and .verdict == $v) | .cause' "$round/journal.jsonl"
}
wrong=$(cause no_match) right=$(cause match)

# said FILTER: the one line on standard output is so.
said() {
    jq -e -s "length == 1 and (.[0] | $1)" "$out" >/dev/null
}
# png FILE: it is a whole picture of a sheet's size.
png() {
    size=$(ffprobe -v error -show_entries stream=codec_name,width,height -of csv=p=0 "$1")
    case $size in png,1200,*) ffmpeg -v error -i "$1" -f null - ;; *) return 1 ;; esac
}

# --- evidence -----------------------------------------------------------------------------------
run match evidence "$round" "$wrong" --out "$tmp/wrong.png"
check "a ruling should become a picture" [ "$status" -eq 0 ]
check "without a word on standard error" [ ! -s "$err" ]
check "one that others can read" png "$tmp/wrong.png"
check "and all that it shows be printed" said '.seat == 2 and .player == "Čeněk Ω" and
    .card == "L4-03" and .verdict == "no_match" and .reasons == ["wrong_symbol"] and
    (.wrong_cells | length) == 2 and .captured_t_ns < .settled_t_ns and
    .settled_t_ns <= .published_t_ns and (.from | startswith("evidence/"))'
check "with the digest of the evidence" [ "$(jq -r .sha256 "$out")" = \
    "$(sha256sum "$round/$(jq -r .from "$out")" | cut -d' ' -f1)" ]
evidence=$(jq -r .from "$out")
cp "$tmp/wrong.png" "$tmp/again.png"
run match evidence "$round/journal.jsonl" "$wrong" --out "$tmp/again.png"
check "the same ruling should give the same picture" cmp -s "$tmp/wrong.png" "$tmp/again.png"
run match evidence "$round" "$right" --out "$tmp/right.png"
check "another ruling another picture" said '.seat == 1 and .verdict == "match" and .wrong_cells == []'

# Red crosses and frames stand only where something is wrong.
reds() {
    ffmpeg -v error -i "$1" -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 -w3 |
        awk '$1 == 255 && $2 == 115 && $3 == 102 { n++ } END { print n + 0 }'
}
check "wrong cells should be marked" [ "$(reds "$tmp/wrong.png")" -gt 2000 ]
check "and right ones not" [ "$(reds "$tmp/right.png")" -eq 0 ]

mv "$round/$evidence" "$tmp/evidence.jpg"
run match evidence "$round" "$wrong" --out "$tmp/less.png"
check "without the evidence file the recording's picture should be taken" said '.from == "recording"'
check "and it be said" grep -q 'is missing; the picture is the recording' "$err"
tr '\000' '\001' <"$tmp/evidence.jpg" >"$round/$evidence"
run match evidence "$round" "$wrong" --out "$tmp/less.png"
check "an evidence file that was changed should not be shown" said '.from == "recording"'
check "and it be said, too" grep -q 'is changed; the picture is the recording' "$err"
mv "$round/video-0001.mkv" "$tmp/video"
unusable "with neither there should be no picture" 'is changed, and the recording does not have' \
    match evidence "$round" "$wrong" --out "$tmp/none.png"
check "that is, none" [ ! -e "$tmp/none.png" ]
mv "$tmp/video" "$round/video-0001.mkv"
mv "$tmp/evidence.jpg" "$round/$evidence"

unusable "an event without a ruling should be named" 'no ruling goes back to event 1;' \
    match evidence "$round" 1
unusable "and a card that was not ruled on" 'no ruling on card L1-01 goes back' \
    match evidence "$round" "$wrong" --card L1-01
unusable "a folder that is no match should be named" 'journal.jsonl' match evidence "$tmp" 1
unusable "a file that is no journal, too" 'the folder of a match is needed' match evidence "$clip" 1
wrong_use "evidence without an event should be wrong use" match evidence "$round"
wrong_use "or with none" match evidence "$round" x
echo stays >"$tmp/evidence-$wrong.png"
case $program in
/*) full=$program ;;
*) full=$PWD/$program ;;
esac
(cd "$tmp" && "$full" match evidence matches/round "$wrong" >"$out" 2>"$err")
status=$?
check "a file that was not named should not be written over" grep -q -x stays "$tmp/evidence-$wrong.png"
check "but be said" grep -q 'is there already and stays' "$err"
unusable "a place that cannot be written should be named" 'cannot be written' \
    match evidence "$round" "$wrong" --out "$tmp/no/such.png"
finish
