#!/bin/sh
# tableref match: a recorded match, looked at and corrected.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
# shellcheck source=tests/cli/match.inc
. tests/cli/match.inc
mkdir "$tmp/final"
journal=$tmp/final/journal.jsonl
run referee --events "$events" --journal "$journal" --state never
cp "$out" "$tmp/decisions"
cp "$journal" "$tmp/fresh"

# --- Looking ------------------------------------------------------------------------------------
run match show "$tmp/final"
check "a match's folder should do for its journal" [ "$status" -eq 0 ]
check "it should be called by its folder" grep -q -x 'Quick-Play Game, In play: final' "$out"
check "the table should be shown" grep -q 'Ada  *1  *1 ' "$out"
check "and what was decided, with its cause" grep -q '^ *7 .*win .*Ada (seat 1)' "$out"
check "and the chain's head" grep -q -E '^record [0-9a-f]{64}$' "$out"
cp "$out" "$tmp/shown"
run match show --format text "$journal"
check "the journal itself should do, too" cmp -s "$out" "$tmp/shown"
run match show "$journal" --format json
check "as JSON every line but the events should be shown" lines_are '.kind != "event" and .body'
bodies decision "$out" >"$tmp/held"
check "decisions as they were said" cmp -s "$tmp/held" "$tmp/decisions"
run match show "$journal" --format csv
check "as CSV the table alone" sh -c "head -n 1 '$out' | grep -q '^rank,seat,name,points' && grep -q \"'=Cy\" '$out'"
run match export "$journal"
check "an export should be one object" lines_are '.v == 1 and .match == "final" and (.players | length) == 3 and (.cards | length) == 2'
run match export "$journal" --format csv
check "or CSV" grep -q '^1,"L1-02",1,won,"1",13.200' "$out"
run match export --format=text "$journal"
check "or text" grep -q -x 'Quick-Play Game, In play: final' "$out"
check "looking should change nothing" cmp -s "$journal" "$tmp/fresh"

# --- Correcting ---------------------------------------------------------------------------------
run match undo "$tmp/final" 7 --by desk --why "the wrong \"card\""
check "an undo should end well" [ "$status" -eq 0 ]
check "it should say what no longer stands" lines_are 'has("void") or has("decision")'
check "the win, that is" said '.void.seq == 8'
check "and be on record" sh -c "jq -e -s 'any(.[]; .kind == \"undo\" and .body == {event: 7, by: \"desk\", why: \"the wrong \\\"card\\\"\"})' '$journal'"
run match show "$journal"
check "and shown" grep -q -x 'event 7 was taken back (desk): the wrong "card"' "$out"
check "without the win" sh -c "! grep -q ' win ' '$out'"
cp "$journal" "$tmp/undone"
unusable "an undo of what is undone should be refused" 'nothing of that number' match undo "$journal" 7
unusable "an undo of no event should be refused" 'nothing of that number' match undo "$journal" 99
unusable "an undo of the set-up should be refused" 'nothing of that number' match undo "$journal" 1
unusable "a redo of what was not undone should be refused" 'nothing of that number' match redo "$journal" 4
unusable "an overrule where no verdict was should be refused" 'nothing of that number' match overrule "$journal" 9 match
check "what was refused should leave only restarts" sh -c \
    "tail -c +$(($(wc -c <"$tmp/undone") + 1)) '$journal' | jq -e -s 'all(.[]; .kind == \"restart\")'"
run match redo "$journal" 7
check "a redo should bring it back" said '.decision == "win" and .name == "Ada"'
run match overrule "$journal" 4 match --why glare
check "an overrule should rule otherwise" said '.decision == "verdict" and .seat == 2 and .verdict == "match" and .forced and .was == "no_match"'
check "with all that follows" said '.decision == "win" and .name == "Bo"'
check "and without what no longer does" said '.void'
run match overrule "$journal" 4 cannot_tell
check "what was overruled may be overruled again" said '.decision == "verdict" and .verdict == "cannot_tell"'
run match show "$journal"
check "both should stand on record" [ "$(grep -c '^event 4 was overruled: ' "$out")" -eq 2 ]

# The record after all that gives the same state as the events with the same acts.
{
    cat "$events"
    echo '{"act":"undo","event":7}
{"act":"redo","event":7}
{"act":"overrule","event":4,"ruling":"match"}
{"act":"overrule","event":4,"ruling":"cannot_tell"}'
} >"$tmp/acts.jsonl"
run referee --events "$tmp/acts.jsonl"
tail -n 1 "$out" >"$tmp/state"
run referee --events /dev/null --journal "$journal"
check "acts by match and acts among the events should be the same" cmp -s "$out" "$tmp/state"

# --- What cannot be done ------------------------------------------------------------------------
wrong_use "match alone should be wrong use" match
wrong_use "another word should be wrong use" match mend "$journal"
wrong_use "show without a match should be wrong use" match show
wrong_use "show of two should be wrong use" match show "$journal" "$journal"
wrong_use "undo without a number should be wrong use" match undo "$journal"
wrong_use "a number that is none should be wrong use" match undo "$journal" seven
wrong_use "a number of 0 should be wrong use" match undo "$journal" 0
wrong_use "a number below 0 should be wrong use" match undo "$journal" -1
wrong_use "a number with something behind it should be wrong use" match undo "$journal" 7x
wrong_use "a number beyond all bounds should be wrong use" match undo "$journal" 99999999999999999999
wrong_use "overrule without a ruling should be wrong use" match overrule "$journal" 4
wrong_use "another ruling should be wrong use" match overrule "$journal" 4 maybe
check "and name those there are" grep -q 'match, no_match or cannot_tell' "$err"
wrong_use "another format should be wrong use" match show "$journal" --format xml
wrong_use "--format should be wrong use for undo" match undo "$journal" 4 --format csv
wrong_use "--by should be wrong use for show" match show "$journal" --by desk
wrong_use "a reason of several lines should be wrong use" match undo "$journal" 4 --why "$(printf 'a\nb')"
wrong_use "a name that is no UTF-8 should be wrong use" match undo "$journal" 4 --by "$(printf '\377')"
wrong_use "a name too long should be wrong use" match undo "$journal" 4 --by 12345678901234567890123456789012
unusable "a missing match should be named" missing match show "$tmp/missing"
unusable "and not come to be" missing match undo "$tmp/missing" 4
check "by that, that is" [ ! -e "$tmp/missing" ]
mkdir "$tmp/bare"
unusable "a folder without a journal should be named" 'bare/journal.jsonl' match show "$tmp/bare"
: >"$tmp/empty"
unusable "an empty journal should be refused" 'empty' match show "$tmp/empty"
unusable "and not be begun by a correction" 'empty' match undo "$tmp/empty" 4
check "that is, stay empty" [ ! -s "$tmp/empty" ]
unusable "events should be no journal" 'events.jsonl:1: ' match show "$events"
sed '8s/"match"/"no_match"/' "$tmp/fresh" | sed '9s/Ada/Eve/' >"$tmp/changed"
cmp -s "$tmp/changed" "$tmp/fresh" && sed '9s/"t_ns"/"t_nS"/' "$tmp/fresh" >"$tmp/changed"
unusable "a changed journal should be refused with its line" 'changed:\(9\|10\): ' match show "$tmp/changed"
unusable "and not be corrected" 'changed:\(9\|10\): ' match undo "$tmp/changed" 7
head -n 1 "$tmp/fresh" | sed 's/"rules":1,/"rules":2,/' >"$tmp/rules"
unusable "a journal of other rules should be refused" 'version' match show "$tmp/rules"
head -c -7 "$tmp/fresh" >"$tmp/torn"
run match show "$tmp/torn"
check "a torn journal should be shown with a notice" sh -c "[ $status -eq 0 ] && grep -q 'notice: .*torn' '$err'"

# --- No room ------------------------------------------------------------------------------------
for format in text json csv; do
    "$program" match show "$journal" --format $format >/dev/full 2>"$err"
    status=$?
    check "show $format on a full disk should give status 1" [ "$status" -eq 1 ]
    check "show $format on a full disk should be one line" [ "$(wc -l <"$err")" -eq 1 ]
done
"$program" match show "$journal" >&- 2>"$err"
status=$?
check "a closed output should give status 1" [ "$status" -eq 1 ]
cp "$tmp/fresh" "$tmp/full"
(
    # In blocks of 512 bytes: less than the undo takes.
    ulimit -f $(($(wc -c <"$tmp/full") / 512 + 1))
    "$program" match undo "$tmp/full" 7 >"$out" 2>"$err"
    echo $? >"$tmp/status"
)
status=$(cat "$tmp/status")
check "an undo without room should give status 1" [ "$status" -eq 1 ]
check "and say nothing but that" sh -c "[ ! -s '$out' ] && [ \$(wc -l <'$err') -eq 1 ] && grep -q 'cannot be written' '$err'"
run match show "$tmp/full"
check "and leave the match as it was" grep -q '^ *7 .*win ' "$out"

run match --help
check "match --help should name its words" grep -q 'show|export|verify|undo|redo|overrule|evidence' "$out"
for word in show undo redo overrule export; do
    run match $word --help
    check "match $word should have help" sh -c "[ $status -eq 0 ] && grep -q '^Usage: tableref match $word' '$out'"
done
finish
