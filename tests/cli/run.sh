#!/bin/sh
# tableref run: the recorded clip through the eyes and the referee, against its notes.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
# shellcheck source=tests/cli/clip.inc
. tests/cli/clip.inc
clip=fixtures/clip/round.mkv
truth=fixtures/clip/round.truth.json
claims=fixtures/clip/round.claims.jsonl
jq '{format: "tableref-rig/1", size: .camera.size, K: .camera.K, dist: .camera.dist}' "$truth" >"$tmp/rig.json"

# clip NAME OPTION...: referees the clip, on record in $tmp/NAME.
clip() {
    record=$1
    shift
    run run --video "$clip" --mat a2-two --deck fixture --rounds 1 --seed 1 --record "$tmp/$record" \
        --rundir "$tmp/$record.run" "$@"
}
# body NAME: the record but for what is a run's own (the header, and the chain that hangs on it).
body() { tail -n +2 "$tmp/$1/journal.jsonl" | sed 's/^{"prev":"[0-9a-f]*",//' | grep -v '^"kind":"restart"'; }
# recorded NAME: is it the record that the clip gives?
recorded() {
    body "$1" >"$tmp/$1.body"
    cmp "$tmp/called.body" "$tmp/$1.body"
}

for lens in with without; do
    rig=
    [ $lens = with ] && rig="--rig $tmp/rig.json"
    # shellcheck disable=SC2086 # an option and its value
    clip "auto-$lens" $rig
    check "$lens a rig the clip should be refereed" [ "$status" -eq 0 ]
    check "$lens a rig the right seat should win, and nobody else be ruled" clip_auto "$out" "$truth"
    check "$lens a rig layouts should settle when the notes say so" \
        clip_layouts "$tmp/auto-$lens" "$truth"
done

clip called --claims called --claims-from "$claims"
check "claims should be ruled as the notes say" clip_called "$out" "$truth"
check "layouts should settle when the notes say so, with claims" clip_layouts "$tmp/called" "$truth"
check "what is printed should be what is on record" sh -c \
    "sed -n 's/.*\"kind\":\"decision\",\"body\":\(.*\)}\$/\1/p' '$tmp/called/journal.jsonl' | cmp - '$out'"
body called >"$tmp/called.body"

clip paced --claims called --claims-from "$claims" --paced
check "at the clip's own speed the record should be the same" recorded paced

# killed NAME WHO SECONDS: one of the processes dies in the middle.
killed() {
    killed=$1 who=$2
    "$program" run --video "$clip" --mat a2-two --deck fixture --rounds 1 --seed 1 --claims called \
        --claims-from "$claims" --paced --record "$tmp/$killed" --rundir "$tmp/$killed.run" >"$out" 2>"$err" </dev/null &
    parent=$!
    sleep "$3"
    for child in $(cat /proc/$parent/task/$parent/children); do
        tr '\0' ' ' <"/proc/$child/cmdline" | grep -q "^tableref $who " && kill -9 "$child"
    done
    wait $parent
    status=$?
    check "$who killed: the run should go on to its end" [ "$status" -eq 0 ]
    check "$who killed: that should be said" grep -q "$who: was ended by signal 9" "$err"
    check "$who killed: the record should be the same" recorded "$killed"
    check "$who killed: no decision should be said twice" jq -e -s \
        '([.[] | [.seq, .index]] | length) == ([.[] | [.seq, .index]] | unique | length)' "$out"
}
killed dead-referee referee 4
killed dead-vision vision 5

# Told to end in the middle: what was seen is on record, and the run ends in good order.
"$program" run --video "$clip" --mat a2-two --deck fixture --rounds 1 --seed 1 --paced \
    --record "$tmp/ended" --rundir "$tmp/ended.run" >"$out" 2>"$err" </dev/null &
parent=$!
sleep 3
kill -TERM $parent
wait $parent
status=$?
check "a run that is told to end should do so in good order" [ "$status" -eq 0 ]
check "and leave a sound record" "$program" match show "$tmp/ended"
check "with what was seen until then" [ "$(clip_events "$tmp/ended" | wc -l)" -gt 10 ]
check "and no socket" [ "$(find "$tmp/ended.run" -type s | wc -l)" -eq 0 ]

# A camera that is quicker than any eyes: they look at the newest picture, and each one that came is
# kept, those that nobody looked at marked as such.
"$program" run --camera test:1920x1080 --rate 240 --mat a2-two --deck fixture --no-scoreboard --record "$tmp/late" \
    --rundir "$tmp/late.run" >"$out" 2>"$err" </dev/null &
parent=$!
tries=600
late() { [ -f "$tmp/late/frames.idx" ] && [ "$(grep -c '^passed ' "$tmp/late/frames.idx")" -ge 20 ]; }
until late || [ $tries -eq 0 ]; do
    sleep 0.1
    tries=$((tries - 1))
done
kill -TERM $parent
wait $parent
status=$?
check "eyes that are late should end in good order" [ "$status" -eq 0 ]
check "they should have passed pictures over" [ $tries -gt 0 ]
# Of those that were kept the eyes told a time of each that they looked at, and of no other.
awk '$1 == "frame" { print $3 }' "$tmp/late/frames.idx" >"$tmp/looked"
clip_events "$tmp/late" | jq 'select(.event == "tick") | .seen_t_ns' | sort -u >"$tmp/ticks"
base=$(head -n 1 "$tmp/looked")
awk -v base="$base" '{ printf "%.0f\n", $1 - base }' "$tmp/looked" | sort >"$tmp/times"
check "and have looked at what is marked so, and at nothing else" \
    [ "$(comm -13 "$tmp/times" "$tmp/ticks" | grep -vc '^0$')" -eq 0 ]
check "the record of it should be sound" "$program" match verify "$tmp/late"
check "and be judged again" "$program" replay "$tmp/late"

cat >"$tmp/table.json" <<END
{"format": "tableref-table/1",
 "video": "$clip", "mat": "a2-two", "deck": "fixture",
 "players": ["Ada", "Bo"],
 "option": {"rounds": 1, "claims": "auto"},
 "seed": 1}
END
run run --config "$tmp/table.json" --record "$tmp/config" --rundir "$tmp/config.run"
check "options should come from a file, too" jq -e -s \
    'any(.[]; .decision == "win" and .name == "Ada")' "$out"
sed 's/"players"/"player"/' "$tmp/table.json" >"$tmp/typo.json"
unusable "a wrong name in it should be told by its line" 'typo.json:3' run --config "$tmp/typo.json"
sed 's/"rounds": 1/"rounds": [1, {}]/' "$tmp/table.json" >"$tmp/kind.json"
unusable "a wrong kind of value, too" 'kind.json:4' run --config "$tmp/kind.json"
for wrong in '"rounds": 1/"rounds": 999/4' '"claims": "auto"/"claims": "maybe"/4' '"seed": 1/"rate": "x"/5' \
    '"rounds": 1/"roundz": 1/4' '"seed": 1/"lang": "xx"/5' '"seed": 1/"size": "12"/5'; do
    sed "s/${wrong%/*}/" "$tmp/table.json" >"$tmp/value.json"
    unusable "and a wrong value: ${wrong%/*}" "value.json:${wrong##*/}: run: --" run --config "$tmp/value.json"
done

unusable "a record of another match should be refused" 'another match is on record' \
    run --config "$tmp/table.json" --players Ada,Cy --record "$tmp/config" --rundir "$tmp/config.run"
unusable "eyes without a referee should say so" 'no run holds' \
    vision --video "$clip" --rundir "$tmp/config.run"

wrong_use "a run should need a source" run
wrong_use "but one" run --video "$clip" --images .
wrong_use "an unknown option of the rules should be refused" run --video "$clip" --option nothing=1
wrong_use "and a value that it does not have" run --video "$clip" --option tie=maybe
unusable "a video that is not there should be named" 'no-such.mkv' \
    run --video "$tmp/no-such.mkv" --record "$tmp/none" --rundir "$tmp/none.run"
unusable "more players than seats should be refused" 'room for' \
    run --video "$clip" --mat a2-two --players A,B,C --record "$tmp/none" --rundir "$tmp/none.run"
finish
