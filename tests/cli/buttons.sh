#!/bin/sh
# Claims by keys: of the run's own terminal and of a board's; and what `tableref buttons` refuses. (Buttons
# by the kernel's input layer are tried in tests/v4l2/button.sh.)
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
dir=$tmp/tableref-b
background=
trap 'kill $background 2>/dev/null; rm -rf "$tmp"' EXIT
LANG=C.UTF-8
TERM=xterm
PYTHONUTF8=1
export LANG TERM PYTHONUTF8
unset LC_ALL SSH_CONNECTION

wrong_use "nothing to press should be a wrong use" buttons --rundir "$tmp"
wrong_use "a button needs a seat" buttons --button /dev/input/event0
wrong_use "one that there is" buttons --button /dev/input/event0=0
wrong_use "and a code that there is" buttons --button /dev/input/event0=1:9999
wrong_use "two players need two keys" buttons --claim-keys 11
unusable "a table elsewhere needs its keys" 'access' buttons --claim-keys 12 --connect tcp://127.0.0.1:1,tcp://127.0.0.1:2
unusable "a folder that no run holds should be named" 'no run' buttons --claim-keys 12 --rundir "$tmp"
# A device that is not there is waited for; one that is none is named.
timeout -s INT 1 "$program" buttons --try --button /dev/input/by-id/no-such=1 --button /dev/null=2 >"$out" 2>"$err"
status=$?
check "a button that is not there should be said to be" grep -q 'no-such: no such button' "$err"
check "and one that is no button" grep -q '/dev/null: no device of the input layer' "$err"
run devices /dev/input/event99
check "devices should know what is no button" lines_are '.kind == "button" and .usable == false and .reason == "absent"'

# ---- a round, refereed from a terminal ----
cat >"$tmp/keys" <<END
a run should begin: shows 20 on record
a key should have claimed: shows 20 seat 2
both should have: shows 20 seat 1
interrupt: signal INT
its end should be a good one: ends 0 30
the terminal should be as it was: restored
END
# The script is read line by line: a key is pressed once the line before is done.
sed -i '1a press: key 2\npress one that is nobody: key 7' "$tmp/keys"
/usr/bin/python3 tests/tools/terminal.py 40 150 "$program" run --video fixtures/clip/round.mkv --paced \
    --mat a2-two --deck fixture --players Ada,Bo --claims called --rounds 1 --no-scoreboard \
    --record "$tmp/match" --rundir "$dir" --claim-keys 12 --text <"$tmp/keys" >"$tmp/run.out" 2>&1 &
background=$!
tries=0
until [ -e "$dir/begun" ] || [ $tries -gt 200 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
/usr/bin/python3 tests/tools/terminal.py 24 80 "$program" scoreboard --terminal --rundir "$dir" \
    --claim-keys ab <<END >"$tmp/board.out" 2>&1
the board should be shown: shows 10 Level 4
press: key a
a claim from there should be told with its error: shows 5 Seat 1: claimed, to 2
end: key q
it should end: ends 0 5
the terminal should be as it was: restored
END
wait $background
background=
sed -n '/^ok\|^not ok\|^#/p' "$tmp/run.out" "$tmp/board.out"
passed=$((passed + $(cat "$tmp/run.out" "$tmp/board.out" | grep -c '^ok ')))
failed=$((failed + $(cat "$tmp/run.out" "$tmp/board.out" | grep -c '^not ok ')))
jq -c 'select(.kind == "event").body | select(.event == "claim")' "$tmp/match/journal.jsonl" >"$out"
status=0
check "both claims should be on record, as the keyboard's" \
    jq -e -s '(map(.seat) | sort) == [1, 2] and all(.[]; .source == "keyboard")' "$out"
check "each with its clock's error" jq -e -s 'all(.[]; .error_ns > 25000000 and .error_ns < 60000000)' "$out"
check "and none in the future" jq -e -s 'all(.[]; .claimed_t_ns <= .t_ns)' "$out"
finish
