#!/bin/sh
# The wire of tableref run: what is published, asked, and done by request; through the death of the
# referee. First with a test camera, where nothing hurries; then while the recorded clip runs.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
wire=${B:-build}/tests/tools/wire
clip=fixtures/clip/round.mkv
[ -x "$wire" ] || { echo "not ok - $wire should be there"; exit 1; }
dir=$tmp/run
port=$((20000 + $$ % 20000))
pids=
trap 'kill $pids 2>/dev/null; rm -rf "$tmp"' EXIT

# waited COMMAND...: until it succeeds, at most half a minute.
waited() {
    tries=0
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -gt 300 ] && return 1
        sleep 0.1
    done
}
# start NAME OPTION...: a run in the background, on record in $tmp/NAME.
start() {
    record=$1
    shift
    "$program" run --mat a2-two --deck fixture --players Ada,Bo --claims called --no-scoreboard \
        --record "$tmp/$record" --rundir "$dir" "$@" >"$tmp/$record.out" 2>"$tmp/$record.err" </dev/null &
    run=$!
    pids="$pids $run"
    waited [ -S "$dir/requests" ]
    operator=$(jq -r .operator "$dir/keys.json")
    seat1=$(jq -r '.seats[] | select(.seat == 1).key' "$dir/keys.json")
    seat2=$(jq -r '.seats[] | select(.seat == 2).key' "$dir/keys.json")
}
# hear NAME ADDRESS [BEGINNING]: keeps what is published there in $tmp/NAME.
hear() {
    "$wire" listen "$2" 100 "${3:-}" >"$tmp/$1" 2>/dev/null &
    pids="$pids $!"
}
# raw REQUEST: the answer, in $answer.
raw() {
    answer=$("$wire" ask "ipc://$dir/requests" "$1" 2>>"$tmp/wire.err")
}
# request DO [MEMBERS]: with an id of its own; act DO [MEMBERS]: and the operator's key. Both leave it
# in $request.
number=0
request() {
    number=$((number + 1))
    request="{\"v\":1,\"id\":\"t-$number\",\"do\":\"$1\"${2:+,$2}}"
}
ask() {
    request "$1" "${2:-}"
    raw "$request"
}
act() { ask "$1" "\"key\":\"$operator\"${2:+,$2}"; }
# says FILTER: does it hold for the answer?
says() { printf '%s\n' "$answer" | jq -e "$1" >/dev/null; }
is() {
    name=$1
    if says "$2"; then ok "$name"; else
        not_ok "$name"
        printf '# %.500s\n' "$answer"
    fi
}
refused() { is "$1" ".ok == false and .error == \"$2\" and (.text | length) > 0"; }
# ruled SEAT WORD: does that verdict stand?
ruled() {
    ask decisions
    says "any(.decisions[]; .decision == \"verdict\" and .seat == $1 and .verdict == \"$2\")"
}
epoch() {
    ask hello
    says ".epoch == $1"
}
phase() {
    ask snapshot
    says ".state.phase == \"$1\""
}
begun() {
    ask time
    says .ok
}
kill_referee() {
    for child in $(cat /proc/$run/task/$run/children); do
        tr '\0' ' ' <"/proc/$child/cmdline" | grep -q "^tableref referee " && kill -9 "$child"
    done
}
# published NAME RECORD: nothing that was heard is missing on record, nothing was said twice, and
# numbers rise.
published() {
    for kind in verdict void state layout health; do
        sed -n "s/^$kind\.[^ ]* //p" "$tmp/$1" >"$tmp/kind"
        check "$2, $kind: numbers should rise within an epoch, and epochs rise" jq -e -s '
            [.[] | [.epoch, .seq]] as $n | $n == ($n | unique)' "$tmp/kind"
    done
    sed -n 's/.*"kind":"\(decision\|void\)","body":\(.*\)}$/\2/p' "$tmp/$2/journal.jsonl" |
        sort | uniq -c | sed 's/^ *//' >"$tmp/recorded"
    sed -n 's/^\(verdict\|void\)\.[^ ]* .*"decision":\({.*}\)}$/\2/p' "$tmp/$1" |
        sort | uniq -c | sed 's/^ *//' >"$tmp/published"
    check "$2: decisions should have been heard" [ "$(wc -l <"$tmp/published")" -ge 1 ]
    check "$2: nothing should be published more often than it is on record" sh -c "
        awk 'NR == FNR { n = \$1; sub(/^[0-9]+ /, \"\"); on[\$0] = n; next }
            { n = \$1; sub(/^[0-9]+ /, \"\"); if (n > on[\$0]) bad = 1 } END { exit bad }' \
            '$tmp/recorded' '$tmp/published'"
}

# ---- a test camera: nobody lays a block, so nothing hurries ----
start live --camera test:320x240 --table hall-4 --publish "tcp://127.0.0.1:$port" \
    --requests "tcp://127.0.0.1:$((port + 1))"
hear live.heard "ipc://$dir/publish"
hear live.far "tcp://127.0.0.1:$port" verdict.
check "the keys should be readable by their owner alone" [ "$(stat -c %a "$dir/keys.json")" = 600 ]
cp "$dir/keys.json" "$tmp/keys.json"
waited begun
ask hello
is "a table should say who it is" '.ok and .table == "hall-4" and .match == "live" and .epoch == 1 and
    .live and (.source | test("^[0-9a-f]{16}$")) and (.publish | length) == 2'
answer=$("$wire" ask "tcp://127.0.0.1:$((port + 1))" '{"v":1,"id":"far","do":"time"}')
is "also at the other address" '.ok and .id == "far" and .t_ns >= 0 and .epoch == 1'
raw 'nonsense'
refused "what is no request should be refused" bad_request
ask dance
refused "as should an unknown act" bad_request
ask claim '"seat":2,"slto":3'
refused "and a slip in a member's name" bad_request
head -c 70000 /dev/zero | tr '\0' ' ' >"$tmp/large"
answer=$("$wire" ask "ipc://$dir/requests" - <"$tmp/large")
refused "and one that is too large" too_large
ask pause
refused "an act should need a key" bad_key
ask pause "\"key\":\"$seat2\""
refused "which a seat's is not for acts of the operator's" bad_key
ask claim "\"key\":\"$seat2\",\"seat\":1"
refused "nor for another seat's claim" bad_key
ask claim "\"key\":\"${seat2%?}x\",\"seat\":2"
refused "nor a wrong one" bad_key
ask history "\"key\":\"$seat2\""
refused "nor for the operator's questions" bad_key
act name '"seat":2,"name":"Bo <b>\u202e\"","by":"desk"'
is "a name should be corrected" '.ok and .seq > 0'
act keys
is "the operator should be told the seats' keys" \
    ".seats == [{seat: 1, key: \"$seat1\"}, {seat: 2, key: \"$seat2\"}]"
act name '"seat":1'
refused "an act that lacks something should be refused" bad_request
act undo '"event":1'
refused "what cannot be taken back should be named so" unknown_event
act seek '"t_ns":0'
refused "a match that is played should not be wound" replay
act pause '"epoch":7'
refused "an act that is meant for another epoch should not be done" restarted
act claim '"seat":1,"claimed_t_ns":900000000000000'
refused "nor a claim from the future" bad_request
act claim '"seat":1,"by":"file"'
refused "nor one that says it is the recording's" bad_request
act pause
is "what the rules refuse should come with their word" '.error == "refused" and
    .why == "not_started" and .seq > 0 and .decisions[0].decision == "refused"'
act start '"countdown_ms":200,"by":"desk"'
is "a start should be taken" '.ok and .decisions[0].phase == "countdown"'
first=$answer
raw "$request"
check "and the same again get the same answer" [ "$answer" = "$first" ]
raw "$(printf '%s\n' "$request" | sed 's/200/300/')"
refused "but not another of that id" bad_request
check "play should be on" waited phase play
act set_card '"slot":3,"card":"L4-03","by":"desk"'
is "a card should be set by its id" '.ok and .decisions[0].decision == "card" and .decisions[0].card == "L4-03"'
act pause '"by":"desk","why":"a block fell"'
is "play should be paused" '.ok and .decisions[0].paused'
"$wire" ask "ipc://$dir/view" '{"v":1,"do":"picture"}' >"$tmp/view"
answer=$(head -n 1 "$tmp/view")
is "the eyes should give their picture" '.ok and .size == [320, 240] and .frame > 0 and .mat == null'
tail -n +2 "$tmp/view" >"$tmp/view.jpg"
check "as a JPEG" sh -c "head -c 3 '$tmp/view.jpg' | od -An -tx1 | grep -q 'ff d8 ff'"
# More than 50 acts at once: the rest must wait, but the match goes on.
for i in $(seq 120); do
    echo "{\"v\":1,\"id\":\"many-$i\",\"key\":\"$operator\",\"do\":\"resume\"}"
done | "$wire" ask "ipc://$dir/requests" - >"$tmp/many"
check "acts should be bounded by rate" jq -e -s '
    length == 120 and any(.[]; .ok) and any(.[]; .error == "too_many")' "$tmp/many"

kill_referee
check "a referee that died should answer again, in the next epoch" waited epoch 2
check "with the same keys" cmp "$dir/keys.json" "$tmp/keys.json"
ask snapshot
is "and all that stood" '.epoch == 2 and .state.phase == "play" and .heads.verdict >= 0 and
    any(.decisions[]; .phase == "play") and .state.players[1].name == "Bo <b>\u202e\""'
waited begun
act abandon '"why":"enough"'
is "and take acts" '.ok and .decisions[0].phase == "abandoned"'
sleep 1.5
kill -TERM "$run"
wait "$run"
status=$?
check "the run should end in good order" [ "$status" -eq 0 ]
check "and leave no keys" [ ! -e "$dir/keys.json" ]
check "every message should be of the table" [ "$(grep -cv '^[a-z]*\.hall-4 {' "$tmp/live.heard")" -eq 0 ]
check "the picture's health should be heard" grep -q '^health.hall-4 .*"reasons":\["' "$tmp/live.heard"
published live.heard live
published live.far live
sed 's/^[a-z]*\.hall-4 //' "$tmp/live.heard" >"$tmp/json"
check "a state should be heard every second, but while the referee was dead" jq -e -s '
    [.[] | select(.state)] | [.[:-1], .[1:]] | transpose | map(select(.[0].epoch == .[1].epoch)) |
    length > 2 and all(.[]; .[1].sent_ns - .[0].sent_ns < 2000000000)' "$tmp/json"

# ---- the clip, as its notes have it: seat 2 claims at 3.6 s and errs, seat 1 at 6.4 s and wins ----
start final --video "$clip" --rounds 1 --seed 1 --paced
hear heard "ipc://$dir/publish"
claim="{\"v\":1,\"id\":\"phone-1\",\"do\":\"claim\",\"key\":\"$seat2\",\"seat\":2,\"claimed_t_ns\":3600000000,\"error_ns\":1000000,\"by\":\"phone\"}"
"$wire" when "ipc://$dir/requests" 3600000000 "$claim" "$claim" >"$tmp/claims"
answer=$(tail -n 1 "$tmp/claims")
is "a claim should be taken" '.ok and .seq > 0'
check "and once, however often it is sent" [ "$(sort -u "$tmp/claims" | wc -l)" -eq 1 ]
cause=$(printf '%s\n' "$answer" | jq .seq)
check "it should be ruled as the notes say" waited ruled 2 no_match
kill_referee
check "the dead referee should be back" waited epoch 2
act pause
refused "no act should be done before the recording is where the record ends" not_ready
ready() {
    act overrule "\"event\":$cause,\"ruling\":\"cannot_tell\",\"by\":\"desk\",\"why\":\"glare\""
    says .ok
}
waited ready
is "a person should overrule" '.ok and (.void | length) >= 2 and
    ([.decisions[] | select(.decision == "verdict" and .forced and .verdict == "cannot_tell")] | length) == 1'
operator_key="\"key\":\"$operator\",\"event\":$cause"
request overrule "$operator_key,\"ruling\":\"no_match\",\"by\":\"desk\",\"why\":\"it was wrong\"" && overrule=$request
request undo "$operator_key" && undo=$request
request redo "$operator_key" && redo=$request
request history "\"key\":\"$operator\"" && history=$request
request claim "\"key\":\"$seat1\",\"seat\":1,\"claimed_t_ns\":6400000000,\"error_ns\":1000000" && claim=$request
"$wire" ask "ipc://$dir/requests" "$overrule" "$undo" "$redo" "$history" >"$tmp/words"
"$wire" when "ipc://$dir/requests" 6400000000 "$claim" >"$tmp/claim"
check "a right claim should be ruled as the notes say" waited ruled 1 match
"$wire" ask "ipc://$dir/view" '{"v":1,"do":"picture"}' >"$tmp/view"
"$wire" ask "ipc://$dir/requests" '{"v":1,"id":"s","do":"snapshot"}' >"$tmp/snapshot"
answer=$(sed -n 1p "$tmp/words")
is "and overrule again" '.ok and any(.decisions[]; .decision == "out" and .seat == 2)'
answer=$(sed -n 2p "$tmp/words")
is "and take it back" '.ok and .decisions == [] and (.void | length) >= 2'
answer=$(sed -n 3p "$tmp/words")
is "and put it back" '.ok and any(.decisions[]; .decision == "out" and .seat == 2)'
answer=$(sed -n 4p "$tmp/words")
is "what people did should be told with what it brought out" "
    (.entries[] | select(.event == $cause)) as \$e | \$e.kind == \"claim\" and \$e.undone == false and
    \$e.by == \"phone\" and [\$e.words[].do] == [\"overrule\", \"overrule\", \"undo\", \"redo\"] and
    any(\$e.decisions[]; .decision == \"out\")"
answer=$(head -n 1 "$tmp/view")
is "the eyes should tell where things are in the picture" '.ok and .size == [1280, 720] and
    (.mat | length) == 4 and (.seats | length) == 2 and any(.seats[]; (.cells | length) > 0)'
answer=$(cat "$tmp/snapshot")
is "a late comer should get all that stands" '.epoch == 2 and .more == false and .table == "1" and
    any(.decisions[]; .decision == "win" and .seat == 1) and ([.layouts[].seat // empty | .seat] == [1, 2])'
wait "$run"
status=$?
check "the run of the clip should end in good order" [ "$status" -eq 0 ]
sleep 0.3
published heard final
sed -n 's/^layout.1 //p' "$tmp/heard" >"$tmp/json"
check "settled layouts and partial ones should be told apart" jq -e -s '
    [.[].layout.settled] | any and (all | not)' "$tmp/json"
check "partial ones should not be on record" sh -c "! grep -q partial '$tmp/final/journal.jsonl'"
check "the record should be sound" "$program" match show "$tmp/final"

# With keys an address takes only those whom the table knows.
display=$("$wire" keys "$tmp/table.keys" hall-board)
stranger=$("$wire" keys "$tmp/other.keys" hall-board)
start keyed --camera test:320x240 --keys "$tmp/table.keys" --publish "tcp://127.0.0.1:$port" \
    --requests "tcp://127.0.0.1:$((port + 1))"
answer=$(WIRE_KEYS=$display "$wire" ask "tcp://127.0.0.1:$((port + 1))" '{"v":1,"id":"k","do":"hello"}')
is "a display that the table knows should be answered" '.ok and .epoch == 1'
WIRE_KEYS=$display "$wire" listen "tcp://127.0.0.1:$port" 2 state. >"$tmp/keyed.heard"
check "and hear it" grep -q '^state.1 {' "$tmp/keyed.heard"
answer=$(WIRE_KEYS=$stranger timeout 3 "$wire" ask "tcp://127.0.0.1:$((port + 1))" '{"v":1,"id":"k","do":"hello"}' 2>&1)
check "another's key should not be" sh -c "! printf '%s' '$answer' | grep -q ok"
"$wire" listen "tcp://127.0.0.1:$port" 2 >"$tmp/keyed.heard" 2>/dev/null
check "nor should none" [ ! -s "$tmp/keyed.heard" ]
check "the table should say whom it kept out" waited grep -q 'key' "$tmp/keyed.err"
kill -TERM "$run"
wait "$run"
status=$?
check "and the run of that end in good order" [ "$status" -eq 0 ]

# The disk is full: what cannot be written has not happened, and everybody is told.
start full --camera test:320x240
hear full.heard "ipc://$dir/publish"
waited grep -q . "$tmp/full.heard"
waited begun
act start '"countdown_ms":0'
check "play should be on before the disk is full" waited phase play
for child in $(cat /proc/$run/task/$run/children); do
    tr '\0' ' ' <"/proc/$child/cmdline" | grep -q "^tableref referee " && referee=$child
done
prlimit --pid "$referee" --fsize="$(stat -c %s "$tmp/full/journal.jsonl"):"
unwritten() {
    act name '"seat":2,"name":"Cy"'
    says '.error == "not_written"'
}
check "on a full disk no act should be done" waited unwritten
sad() {
    ask snapshot
    says '.health.recorder != null'
}
check "and late comers be told so" waited sad
is "nothing of it should stand" '.state.players[1].name == "Bo"'
prlimit --pid "$referee" --fsize=unlimited:
written() {
    act name '"seat":2,"name":"Cy"'
    says .ok
}
check "when there is room again acts should be done" waited written
ask snapshot
is "in a play that is paused until a person resumes it" '.state.paused and .health.recorder == null and
    .state.players[1].name == "Cy"'
kill -TERM "$run"
wait "$run"
status=$?
check "and the run end in good order" [ "$status" -eq 0 ]
check "displays should have heard of the full disk" grep -q '"recorder":"' "$tmp/full.heard"
published full.heard full

# As fast as can be there is no time for acts, but for questions.
start fast --video "$clip" --rounds 1 --seed 1
check "another run should have other keys" [ "$operator" != "$(jq -r .operator "$tmp/keys.json")" ]
waited begun
act pause
refused "as fast as can be there should be no acts" not_ready
kill -TERM "$run" 2>/dev/null
wait "$run"

run run --video "$clip" --table 'a b'
check "a table's name that does not fit should be refused" [ "$status" -eq 2 ]
wrong_use "as should an address that is none" run --video "$clip" --publish 127.0.0.1:5600
run run --video "$clip" --mat a2-two --no-scoreboard --publish "tcp://0.0.0.0:$port" --record "$tmp/open" --rundir "$dir"
check "an address that other machines reach should be refused without keys" \
    sh -c "[ $status -eq 1 ] && grep -q 'tcp://0.0.0.0:$port' '$err'"
finish
