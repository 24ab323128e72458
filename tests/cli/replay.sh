#!/bin/sh
# `tableref replay`: a part of a match judged again, and a match shown again on boards: wound to and fro,
# slower and faster, always said to be a replay, and nothing of the match changed.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
wire=${B:-build}/tests/tools/wire
clip=fixtures/clip
dir=$tmp/show
port=$((20000 + $$ % 20000))
pids=
trap 'kill $pids 2>/dev/null; rm -rf "$tmp"' EXIT
waited() {
    tries=0
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -gt 300 ] && return 1
        sleep 0.1
    done
}

run run --video "$clip/round.mkv" --mat a2-two --deck fixture --rounds 1 --seed 1 --no-scoreboard \
    --claims called --claims-from "$clip/round.claims.jsonl" --record "$tmp/m" --rundir "$tmp/m.run"
check "a round should be on record" [ "$status" -eq 0 ]
cp "$out" "$tmp/played"
sums() { find "$tmp/m" -type f -exec sha256sum {} + | sort; }
sums >"$tmp/sums"

# ---- a part of it ----
wrong_use "a speed beyond all measure should be refused" replay --board --speed 17 "$tmp/m"
wrong_use "and no number" replay --board --speed quick "$tmp/m"
wrong_use "what is of boards needs one" replay --once "$tmp/m"
for moment in 1:75 -3 1e3 card:2 ruling:9 event:999 round:1 verse:1 ruling: ''; do
    unusable "no moment: \"$moment\"" '--from' replay --journal-only --from "$moment" "$tmp/m"
done
unusable "an end before the beginning should be named" 'before' replay --journal-only --from 5 --to 4 "$tmp/m"
run replay --from ruling:2 --to 0:09.5 "$tmp/m"
check "a part should come out the same" [ "$status" -eq 0 ]
check "and only that part be compared" grep -q ', [1-9] layouts and cards compared' "$err"
run replay --journal-only --option claims=auto --from 5 --to 0:09 "$tmp/m"
check "what if: only that part should be told" lines_are '.t_ns >= 5000000000 and .t_ns <= 9000000000'
# Pictures read by another camera's rig come out differently: that is seen in the part where a layout is.
cp -r "$tmp/m" "$tmp/other"
sed -i 's/"settle_frames":[0-9]*/"settle_frames":9/' "$tmp/other/match.json"
run replay --from 0:05 "$tmp/other"
check "what comes out differently should be told" [ "$status" -eq 1 ]
check "in that part alone" lines_are '(.read.was.t_ns // .was.t_ns // .now.t_ns) >= 5000000000'
run replay --from 9.9 "$tmp/other"
check "and not where it does not lie" [ "$status" -eq 0 ]

# ---- shown as fast as can be ----
run replay --board --no-scoreboard --speed max --once --rundir "$dir" "$tmp/m"
check "a match that is shown should end well" [ "$status" -eq 0 ]
check "and say what was said when it was played" cmp -s "$out" "$tmp/played"
run replay --board --no-scoreboard --speed max --once --rundir "$dir" --from card:1 --to ruling:1 "$tmp/m"
check "of a part, what was said in it" [ "$(jq -r .decision "$out" | tr '\n' ' ')" = "card verdict out " ]
run replay --board --no-scoreboard --speed max --once --rundir "$dir" --option claims=auto "$tmp/m"
check "what if players did not claim: the right one should win by itself" lines_are '.decision != "out" and (.decision != "refused" or (.why | IN("claims_auto", "match_over")))'

# ---- shown, and wound ----
"$program" replay --board --paused --rundir "$dir" --listen "127.0.0.1:$port" "$tmp/m" >"$tmp/shown" 2>"$tmp/shown.err" </dev/null &
show=$!
pids="$pids $show"
waited [ -S "$dir/requests" ]
waited grep -q "operator's page at" "$tmp/shown.err"
operator=$(jq -r .operator "$dir/keys.json")
"$wire" listen "ipc://$dir/publish" 100 >"$tmp/heard" 2>/dev/null &
pids="$pids $!"
"$program" watch --text --connect "ipc://$dir/publish,ipc://$dir/requests" >"$tmp/watched" 2>/dev/null </dev/null &
pids="$pids $!"
curl -sN --max-time 30 "http://127.0.0.1:$port/events" >"$tmp/page" 2>/dev/null &
pids="$pids $!"
number=0
ask() {
    number=$((number + 1))
    answer=$("$wire" ask "ipc://$dir/requests" "{\"v\":1,\"id\":\"t-$number\",\"do\":\"$1\"${2:+,$2}}" 2>>"$tmp/wire.err")
}
act() { ask "$1" "\"key\":\"$operator\"${2:+,$2}"; }
is() {
    if printf '%s\n' "$answer" | jq -e "$2" >/dev/null; then ok "$1"; else
        not_ok "$1"
        printf '# %.500s\n' "$answer"
    fi
}
snapshot_is() {
    ask snapshot
    is "$1" "$2"
}
ask hello
is "it should say that it is a replay, and of what" '.replay and .table == "replay" and .match == "m" and .epoch == 1 and (.live | not)'
snapshot_is "it should begin where the match did" '.state.phase == "play" and .replay.paused and .clocks.t_ns == 0'
waited grep -q REPLAY "$tmp/watched"
act seek '"t_ns":4000000000'
is "it should be wound" '.ok and .t_ns == 4000000000'
snapshot_is "and have what was ruled until then" '.epoch == 2 and [.decisions[].decision] == ["phase","phase","card","verdict","out"]
    and (.layouts | length) > 0 and .state.piles[0].out == [2] and (.clocks.clock_runs | not)'
ask seek '"t_ns":1'
is "without the key nobody should wind it" '.error == "bad_key"'
act seek
is "nor to nowhere" '.error == "bad_request"'
act seek '"event":4000'
is "nor to what is not on record" '.error == "unknown_event"'
act speed '"speed_permille":100'
is "nor slow it down beyond all measure" '.error == "bad_request"'
for what in 'undo "event":67' 'claim "seat":1' 'start ' 'award "seat":1' 'name "seat":1,"name":"X"'; do
    act "${what%% *}" "${what#* }"
    is "a replay should take no act of a match: ${what%% *}" '.error == "replay"'
done
ask time
is "nor have a time to claim by" '.error == "replay"'
act seek '"event":67'
is "to the event that was ruled on" '.t_ns == 3600000000'
act seek '"rulings":1'
is "to the next ruling, which is near" '.t_ns == 6533000000'
act seek '"rulings":-1'
is "a little before it, so that one sees how it came" '.t_ns == 3533000000'
act seek '"rulings":5'
is "beyond the last ruling is the end" '.t_ns == 9933000000'
snapshot_is "where all is said" '.state.phase == "over" and (.decisions | length) == 10'
waited grep -q 'REPLAY.*end' "$tmp/watched"
act seek '"rulings":-2'
is "and back" '.t_ns == 600000000'
waited grep -q 'no longer stands' "$tmp/watched"
check "what is not yet said should be void for those who follow" grep -q 'REPLAY.*no longer stands' "$tmp/watched"
act speed '"speed_permille":16000'
act resume
is "then go on, sixteen times as fast" .ok
waited grep -q '"decision":"end"' "$tmp/shown"
waited sh -c "\"$wire\" ask 'ipc://$dir/requests' '{\"v\":1,\"id\":\"z\",\"do\":\"snapshot\"}' | jq -e .replay.paused"
snapshot_is "and wait there" '.replay.paused and .clocks.t_ns == 9933000000 and .replay.speed_permille == 16000'
tail -n +4 "$tmp/played" >"$tmp/rest"
check "having said what was said from there on" cmp -s "$tmp/shown" "$tmp/rest"
act resume
is "going on at the end should begin anew" '.t_ns < 5000000000'
kill -INT "$show"
wait "$show"
status=$?
check "an interrupt should end it" [ "$status" -eq 0 ]
sed -n 's/^[a-z]*\.replay //p' "$tmp/heard" >"$tmp/messages"
check "every message should say that it is of a replay" jq -e -s 'length > 20 and all(.[]; .replay.to_t_ns == 9933000000 and .table == "replay")' "$tmp/messages"
check "and be numbered without a gap in each epoch" jq -e -s 'group_by([.epoch, (keys - ["v","table","match","source","epoch","seq","t_ns","sent_ns","replay","clocks","heads"])[0]]) |
    all(.[]; [.[].seq] == [range(1; length + 1)] or .[0].epoch == 1)' "$tmp/messages"
check "so should every event of the pages" sh -c "sed -n 's/^data: //p' '$tmp/page' | jq -e -s '[.[] | select(.t_ns and .source)] | length > 5 and all(.[]; .replay)'"
check "every line for people, too" sh -c "[ -s '$tmp/watched' ] && ! grep -v '^REPLAY replay ' '$tmp/watched'"
sums | cmp -s - "$tmp/sums"
status=$?
check "and nothing of the match be changed" [ "$status" -eq 0 ]
finish
