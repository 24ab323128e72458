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
run match verify "$round"
check "verify should say that only the journal is left of it" jq -e -s --arg e "$evidence" \
    'any(.[]; .part == $e and .state == "changed" and (.text | contains("only the journal"))) and
     any(.[]; .part == "rulings" and (.text | contains("1 by the journal alone")))' "$out"
mv "$tmp/video" "$round/video-0001.mkv"
run match verify "$round"
check "and with the recording, that it can still be shown" jq -e -s --arg e "$evidence" \
    'any(.[]; .part == $e and .state == "changed" and (.text | contains("shown all the same"))) and
     any(.[]; .part == "rulings" and .state == "sound" and (.text | contains("1 by the recording alone")))' "$out"
check "which is a damage all the same" [ "$status" -eq 1 ]
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
# --- photo finishes -----------------------------------------------------------------------------
# The same match, but the other seat has the card, too, so many frames after the first: close FRAMES.
cat >"$tmp/close.py" <<'END'
import json, sys
journal, after = sys.argv[1], int(sys.argv[2])
events = [json.loads(line)["body"] for line in open(journal) if '"kind":"event"' in line]
whole = [e for e in events if e["event"] == "layout" and e["state"] == "complete" and e["seat"] == 1][-1]
t_ns = 0
for event in events:
    made = [event]
    if event is whole:
        second = dict(event, seat=2, frame=event["frame"] + after,
                      first_t_ns=event["first_t_ns"] + after * 66666667)
        del second["cells"]
        made.append(second)
    for event in made:
        event.pop("seq", None)
        t_ns = max(t_ns, event["t_ns"])
        print(json.dumps(dict(event, t_ns=t_ns)))
END
near=$tmp/near
cp -r "$round" "$near"
close() {
    rm -f "$near/journal.jsonl" "$near/journal.seal"
    python3 "$tmp/close.py" "$round/journal.jsonl" "$1" >"$tmp/close.jsonl"
    "$program" referee --events "$tmp/close.jsonl" --journal "$near/journal.jsonl" >/dev/null
}
run match finish "$round"
check "where nobody was near there should be no photo finish" sh -c \
    "[ $status -eq 0 ] && [ ! -s '$out' ] && grep -q 'no photo finish' '$err'"
close 3
run match finish "$near"
check "two seats within ten frames should be one" said '(.seats | map([.seat, .won])) == [[1, true], [2, false]] and
    .seats[1].frame == .seats[0].frame + 3 and .seats[0].captured_t_ns < .seats[1].captured_t_ns'
event=$(jq .event "$out")
run match finish "$near" "$event" --out "$tmp/finish.png"
check "and become a picture" said '.picture | endswith("finish.png")'
check "of both seats, frame by frame: three before, three between, three after" \
    [ "$(ffprobe -v error -show_entries stream=height -of csv=p=0 "$tmp/finish.png")" -eq $((186 + 10 * 176)) ]
greens() {
    ffmpeg -v error -i "$1" -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 -w3 |
        awk '$1 == 89 && $2 == 255 && $3 == 115 { n++ } END { print n + 0 }'
}
check "with the frames that count marked" [ "$(greens "$tmp/finish.png")" -gt 4000 ]
unusable "an event that is no finish should be named" 'no photo finish of event 2;' match finish "$near" 2

# The pages have both pictures, from a scoreboard whose run's folder is held by nobody else.
mkdir -m 700 "$tmp/dir"
echo '{"operator":"4f0c1d2e3b4a59687786950413223140","seats":[{"seat":1,"key":"4f0c1d2e3b4a59687786950413223141"}]}' >"$tmp/dir/keys.json"
chmod 600 "$tmp/dir/keys.json"
: >"$tmp/dir/lock"
exec 8<"$tmp/dir/lock"
flock 8
"$program" scoreboard --rundir "$tmp/dir" --record "$near" --mat a2-two --listen 127.0.0.1:0 \
    >"$tmp/board.out" 2>"$tmp/board.err" </dev/null 8<&- &
board=$!
for _ in $(seq 100); do
    grep -q 'scoreboard at' "$tmp/board.err" && break
    sleep 0.1
done
at=$(sed -n 's/.*scoreboard at \(http:[^ ]*\)\/.*/\1/p' "$tmp/board.err" | head -n 1)
# web PATH: the status; the body in $out.
web() { curl -s --max-time 20 -o "$out" -w '%{http_code} %{content_type}' "$at$@" 2>"$err"; }
name=$(jq -r 'select(.kind == "decision") | .body | select(.decision == "verdict") | "\(.seq)-\(.index)"' \
    "$near/journal.jsonl" | head -n 1)
check "the scoreboard should serve a ruling's picture" [ "$(web "/evidence/$name.png")" = "200 image/png" ]
check "the one that match evidence makes" png "$out"
cp "$out" "$tmp/served.png"
cause=$(jq -r 'select(.kind == "decision") | .body | select(.decision == "verdict") | .cause' "$near/journal.jsonl" | head -n 1)
run match evidence "$near" "$cause" --out "$tmp/made.png"
check "to the byte" cmp -s "$tmp/served.png" "$tmp/made.png"
check "a photo finish, too" [ "$(web "/finish/$event.png")" = "200 image/png" ]
check "to the byte" cmp -s "$out" "$tmp/finish.png"
check "and which there are" sh -c "[ '$(web /api/finishes -H 'X-Tableref-Key: 4f0c1d2e3b4a59687786950413223140')' = '200 application/json' ] &&
    jq -e '.ok and .finishes[0].event == $event' '$out'"
check "to who has the key" [ "$(web /api/finishes)" = "403 application/json" ]
check "what is none should not be found" [ "$(web /evidence/1-0.png)" = "404 application/json" ]
check "and no folder be named" sh -c "! grep -q '$tmp' '$out'"
# Many at once: all have the same bytes, drawn once.
askers=
for i in $(seq 40); do
    curl -s --max-time 20 -o "$tmp/many.$i" "$at/finish/$event.png" &
    askers="$askers $!"
done
# shellcheck disable=SC2086
wait $askers
same=0
for i in $(seq 40); do cmp -s "$tmp/many.$i" "$tmp/finish.png" && same=$((same + 1)); done
check "forty that ask at once should have the same" [ $same -eq 40 ]
rm -f "$tmp"/many.*
kill "$board"
wait "$board"
status=$?
check "and the scoreboard end in good order" [ $status -eq 0 ]
exec 8<&-

mv "$near/video-0001.mkv" "$tmp/video"
unusable "without the recording there should be no picture" 'none of the pictures around frame' \
    match finish "$near" "$event" --out "$tmp/none.png"
close 11
run match finish "$near"
check "eleven frames should be none" sh -c "[ $status -eq 0 ] && [ ! -s '$out' ]"
rm -r "$near"
wrong_use "finish without a match should be wrong use" match finish
wrong_use "finish of no number should be wrong use" match finish "$round" first

# --- archives -----------------------------------------------------------------------------------
run match export "$round" --archive "$tmp/one.tar"
check "a match should become one file" said '.files == 10 and .sound and .bytes > 17000000'
check "with that digest" [ "$(jq -r .sha256 "$out")" = "$(sha256sum "$tmp/one.tar" | cut -d' ' -f1)" ]
cp -r "$round" "$tmp/copy"
touch "$tmp/copy/kept" "$tmp/copy/kit/set.json"
run match export "$tmp/copy" --archive "$tmp/two.tar"
check "the same match should give the same bytes" cmp -s "$tmp/one.tar" "$tmp/two.tar"
check "tar should list it" [ "$(tar tf "$tmp/one.tar" | head -n 1)" = round/journal.jsonl ]
unusable "an archive that is there should stay" 'is there already and stays' \
    match export "$round" --archive "$tmp/one.tar"
mkdir "$tmp/verify"
TMPDIR=$tmp/verify
export TMPDIR
run match verify "$tmp/one.tar"
check "an archive should be verified as it is" [ "$status" -eq 0 ]
check "each part of it" jq -e -s '.[0].part == "archive" and
    (map(.part) | contains(["journal.jsonl", "rulings", "pictures"])) and
    all(.[]; .state == "sound" or .state == "absent")' "$out"
run match import "$tmp/one.tar" "$tmp/imported"
check "and be unpacked again" diff -r "$round" "$tmp/imported"
check "being sound" [ "$status" -eq 0 ]
unusable "but not into a folder that is there" 'a new folder is needed' match import "$tmp/one.tar" "$tmp/imported"
byte=$(grep -abo '"verdict":"no_match"' "$tmp/one.tar" | head -n 1 | cut -d: -f1)
printf X | dd of="$tmp/two.tar" bs=1 seek="$((byte + 12))" conv=notrunc 2>/dev/null
run match verify "$tmp/two.tar"
check "a changed byte in it should be named" sh -c \
    "[ $status -eq 1 ] && jq -e -s 'any(.[]; .part == \"journal.jsonl\" and .state == \"changed\")' '$out'"

# What others may send. The kit's files stand for a match: they are small.
cat >"$tmp/hostile.py" <<'END'
import io, os, sys, tarfile
source, folder = sys.argv[1:]
def add(tar, name, data=b"x", **kind):
    info = tarfile.TarInfo(name)
    info.size = len(data) if not kind else 0
    for key, value in kind.items():
        setattr(info, key, value)
    tar.addfile(info, io.BytesIO(data))
def make(name, *entries, **options):
    with tarfile.open(os.path.join(folder, name + ".tar"), options.get("mode", "w"),
                      format=tarfile.PAX_FORMAT) as tar:
        tar.add(os.path.join(source, "journal.jsonl"), "m/journal.jsonl")
        for entry in entries:
            add(tar, entry[0], **(entry[1] if len(entry) > 1 else {}))
make("up", ("m/../../evil",))
make("inner", ("m/evidence/../../evil",))
make("full", ("/evil",))
make("stranger", ("m/evil",))
make("second", ("n/match.json",))
make("twice", ("m/match.json",), ("m/match.json",))
make("symlink", ("m/match.json", dict(type=tarfile.SYMTYPE, linkname="/etc/passwd")))
make("behind", ("m/kit", dict(type=tarfile.SYMTYPE, linkname="/tmp")), ("m/kit/set.json",))
make("hardlink", ("m/match.json", dict(type=tarfile.LNKTYPE, linkname="m/journal.jsonl")))
make("device", ("m/match.json", dict(type=tarfile.CHRTYPE)))
make("fifo", ("m/match.json", dict(type=tarfile.FIFOTYPE)))
make("packed", mode="w:gz")
with open(os.path.join(folder, "sparse"), "wb") as hole:
    hole.truncate(1 << 40)
whole = open(os.path.join(folder, "stranger.tar"), "rb").read()
open(os.path.join(folder, "cut.tar"), "wb").write(whole[:3000])
liar = bytearray(whole[:512])
liar[124:136] = b"77777777777\0"
liar[148:156] = b" " * 8
liar[148:156] = b"%06o\0 " % sum(liar)
open(os.path.join(folder, "liar.tar"), "wb").write(bytes(liar) + whole[512:])
END
mkdir "$tmp/hostile"
python3 "$tmp/hostile.py" "$round" "$tmp/hostile"
(cd "$tmp/hostile" && mkdir m && mv sparse m/video-0001.mkv && cp "$round/journal.jsonl" m &&
    tar cSf sparse.tar m/journal.jsonl m/video-0001.mkv && rm -r m)
for kind in up inner full stranger second twice symlink behind hardlink device fifo sparse cut liar; do
    unusable "an archive should be refused: $kind" "$kind.tar" match verify "$tmp/hostile/$kind.tar"
done
unusable "and so should one that is packed" 'no match.s archive' match import "$tmp/hostile/packed.tar" "$tmp/in"
unusable "with nothing left of it" 'no match.s archive: m/evil is no file of a match' \
    match import "$tmp/hostile/stranger.tar" "$tmp/in"
check "that is, nothing" [ ! -e "$tmp/in" ]
check "here, too" [ -z "$(ls -A "$tmp/verify")" ]
check "and nothing beside it" [ -z "$(find "$tmp" -name 'evil*')" ]
unusable "what is no archive should be named" 'no match.s archive' match import "$clip" "$tmp/in"
wrong_use "import without a folder should be wrong use" match import "$tmp/one.tar"
ln -s nowhere "$tmp/copy/frames.idx.new-AAAAAA"
unusable "a match with a link in it should not be archived" 'holds frames.idx.new-AAAAAA' \
    match export "$tmp/copy" --archive "$tmp/three.tar"
rm -r "$tmp/copy" "$tmp/imported" "$tmp/two.tar"

# --- list, close, keep, delete ------------------------------------------------------------------
matches=$tmp/matches
# state NAME STATE: that match is listed so, in both forms.
state() {
    run match list --format json "$matches"
    jq -e -s --arg m "$matches/$1" --arg s "$2" 'any(.[]; .match == $m and .state == $s)' "$out" >/dev/null &&
        "$program" match list "$matches" | grep -q "^$2 .*$matches/$1 "
}
check "a match that ended should be finished" state round finished
check "with its players, date and size" jq -e -s 'length == 1 and (.[0] | .players == ["Ada", "Čeněk Ω"] and
    (.made | startswith("20")) and .bytes > .video_bytes and .video_bytes > 1000000 and .kept == false)' "$out"
# A match whose process died: the journal before its end, without a seal.
cp -r "$round" "$matches/broken"
grep -n '"decision":"verdict"' "$round/journal.jsonl" | head -n 1 | cut -d: -f1 >"$tmp/line"
head -n "$(cat "$tmp/line")" "$round/journal.jsonl" >"$matches/broken/journal.jsonl"
rm "$matches/broken/journal.seal"
check "one whose process died should be unfinished" state broken unfinished
cp -r "$round" "$matches/spoilt"
sed -i '7s/"t_ns"/"t_nS"/' "$matches/spoilt/journal.jsonl"
check "one whose journal was changed should be damaged" state spoilt damaged
check "and say where" jq -e -s 'any(.[]; .state == "damaged" and (.text | contains("chain")))' "$out"
mkdir "$matches/empty" "$matches/other"
: >"$matches/empty/journal.jsonl"
echo x >"$matches/other/file"
check "an empty journal should be damaged" state empty damaged
check "what is no match should not be listed" sh -c "! grep -q other '$out'"
(
    flock 9
    "$program" match list "$matches" >"$tmp/on"
    "$program" match delete --yes "$matches/broken" 2>>"$tmp/on"
    "$program" match close "$matches/broken" 2>>"$tmp/on"
) 9<>"$matches/broken/journal.jsonl"
check "one whose journal is being written should be running" grep -q "^running .*/broken " "$tmp/on"
check "and neither be deleted nor closed" [ "$(grep -c 'the match is on' "$tmp/on")" -eq 2 ]
unusable "a folder that is not there should be named" 'No such file' match list "$tmp/nowhere"
wrong_use "two folders should be wrong use" match list "$tmp" "$tmp"
wrong_use "list in another format should be wrong use" match list --format csv "$tmp"
XDG_STATE_HOME=$tmp/state "$program" match list >"$out" 2>"$err"
status=$?
check "without a match there should be nothing to list, and that be said" \
    sh -c "[ $status -eq 0 ] && [ ! -s '$out' ] && grep -q 'no match in' '$err'"

# start NAME OPTION...: a table starts beside them; it cannot go on, for there is nothing to see.
start() {
    name=$1
    shift
    run run --video "$tmp/none.mkv" --mat a2-two --deck fixture --no-scoreboard \
        --record "$matches/$name" --rundir "$tmp/run" "$@"
}
# Told at the next start, once, and no other.
cp -r "$round" "$matches/next"
run run --video "$clip" --mat a2-two --deck fixture --rounds 1 --seed 1 --no-scoreboard \
    --record "$matches/fresh" --rundir "$tmp/run"
check "the next start should name the unfinished match" grep -q \
    "an unfinished match of 20.*, Ada, Čeněk Ω: tableref match close $matches/broken\$" "$err"
check "and only it" [ "$(grep -c unfinished "$err")" -eq 1 ]
check "and remove nothing unasked" [ -e "$round/video-0001.mkv" ]

run match close "$matches/broken" --by desk --why "power failed"
check "it should be closed" sh -c "tail -n 1 '$out' | jq -e '.decision == \"phase\" and .phase == \"abandoned\"'"
check "with the reason on record" sh -c "grep -q '\"event\":\"abandon\",\"by\":\"desk\",\"why\":\"power failed\"' '$matches/broken/journal.jsonl'"
check "and then be finished" state broken finished
unusable "once" 'nothing to close' match close "$matches/broken"
unusable "what is over should not be closed" 'nothing to close: the match is over' match close "$round"
unusable "nor what is damaged" 'journal.jsonl:[78]: ' match close "$matches/spoilt"
unusable "nor what is no match" 'journal.jsonl' match close "$matches/other"
wrong_use "close without a match should be wrong use" match close

# What gets old: two that are three days old, one of them kept.
cp -r "$round" "$matches/kept"
run match keep "$matches/kept"
check "a match should be marked as kept" [ -f "$matches/kept/kept" ]
touch -d '3 days ago' "$round/journal.jsonl" "$matches/kept/journal.jsonl"
start again --keep-days 2
check "the video of an old match should be removed" [ ! -e "$round/video-0001.mkv" ]
check "with its index" [ ! -e "$round/frames.idx" ]
check "and that be said" grep -q "$round: its video was removed, .* (--keep-days 2)" "$err"
check "but not its journal" state round finished
check "nor the video of one that is kept" [ -e "$matches/kept/video-0001.mkv" ]
check "or is not so old" [ -e "$matches/next/video-0001.mkv" ]
run match verify "$round"
check "such a match should be sound" [ "$status" -eq 0 ]
check "and say when its video was removed" jq -e -s \
    'any(.[]; .part == "frames.idx" and .state == "absent" and (.text | startswith("the video was removed on 20")))' "$out"
run match evidence "$round" "$wrong" --out "$tmp/old.png"
check "its rulings should still be shown" cmp -s "$tmp/old.png" "$tmp/wrong.png"
run match keep --off "$matches/kept"
check "the mark should be taken off again" [ ! -e "$matches/kept/kept" ]
unusable "what is no match should not be kept" "is no match's folder" match keep "$matches/other"
start last --keep-days 2 --expire match
check "asked to, an old match should be removed whole" [ ! -e "$matches/kept" ]
check "with its journal, too" [ ! -e "$round" ]
check "and nothing else" [ -e "$matches/next/video-0001.mkv" ]
wrong_use "another word for what goes should be wrong use" run --video "$clip" --expire all
wrong_use "0 days should be wrong use" run --video "$clip" --keep-days 0

# What must not be deleted stays.
unusable "with nobody to ask nothing should be deleted" 'say --yes' match delete "$matches/next"
unusable "a folder that is no match should stay" "is no match's folder" match delete --yes "$matches/other"
ln -s next "$matches/link"
unusable "a match behind a link should stay" 'symbolic link' match delete --yes "$matches/link"
unusable "with a slash behind it, too" 'symbolic link' match delete --yes "$matches/link/"
echo x >"$matches/next/notes.txt"
unusable "a match with a file that is no match's should stay" 'holds notes.txt' \
    match delete --yes "$matches/next"
rm "$matches/next/notes.txt"
ln -s "$matches/other" "$matches/next/evidence/000001-seat1.jpg"
unusable "or with a link in it" 'holds evidence/000001-seat1.jpg' match delete --yes "$matches/next"
check "whole, that is" [ -e "$matches/next/video-0001.mkv" ]
rm "$matches/next/evidence/000001-seat1.jpg"
run match delete --yes "$matches/next"
check "a match should be deleted whole" [ ! -e "$matches/next" ]
check "and that be said" grep -q 'next: removed' "$err"
check "and what lies beside it stay" [ -e "$matches/other/file" ]
run match delete --yes "$matches/spoilt"
check "a damaged one, too" [ ! -e "$matches/spoilt" ]
wrong_use "delete without a match should be wrong use" match delete --yes
finish
