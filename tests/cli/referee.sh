#!/bin/sh
# tableref referee: events in, decisions and the state out, a match on record.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
# shellcheck source=tests/cli/match.inc
. tests/cli/match.inc

# refused NAME LINE WORD: the events on standard input are refused: one line, which names the line
# and has the word.
refused() {
    name=$1 line=$2 word=$3
    cat >"$tmp/bad.jsonl"
    run referee --state never --events "$tmp/bad.jsonl"
    if [ "$status" -eq 1 ] && [ "$(wc -l <"$err")" -eq 1 ] && grep -q "bad.jsonl:$line: .*$word" "$err"; then
        ok "$name"
    else
        not_ok "$name"
    fi
}

# --- Decisions and states -----------------------------------------------------------------------
run referee --events "$events"
check "a match by hand should give status 0" [ "$status" -eq 0 ]
check "nothing should be said on standard error" [ ! -s "$err" ]
check "an error should be ruled on" said '.decision == "verdict" and .seat == 2 and .verdict == "no_match" and .cause == 4'
check "and put its player out" said '.decision == "out" and .name == "Bo"'
check "a match should win its card" said '.decision == "win" and .name == "Ada" and .cause == 7'
check "the last line should be the state" jq -e -s '.[-1] | (has("decision") | not) and (.players | length) == 3' "$out"
sed '$d' "$out" >"$tmp/decisions"
cp "$out" "$tmp/all"

run referee --events "$events" --state never
check "--state never should print decisions alone" cmp -s "$out" "$tmp/decisions"
run referee --events="$events" --state=each
check "--state each should print one behind every event that brings something out" jq -e -s \
    '[.[] | has("decision")] == [true, false, true, true, false, true, true, false, true, true, true, false, true, true, false, false]' "$out"
"$program" referee --events - <"$events" >"$out" 2>"$err"
status=$?
check "standard input should give the same" cmp -s "$out" "$tmp/all"
sed 's/$/\r/' "$events" >"$tmp/dos.jsonl"
run referee --events "$tmp/dos.jsonl"
check "lines may end as on other systems" cmp -s "$out" "$tmp/all"
printf '%s' "$(cat "$events")" >"$tmp/open.jsonl"
run referee --events "$tmp/open.jsonl"
check "the last line needs no end" cmp -s "$out" "$tmp/all"
: >"$tmp/empty.jsonl"
run referee --events "$tmp/empty.jsonl"
check "no event should give the state of no match" lines_are '.phase == "none"'
check "and that is no fault" [ "$status" -eq 0 ]

# A built-in deck by its name.
echo '{"t_ms":0,"event":"setup","game":"total-madness","players":[{"seat":1}],"slots":[1,2,3,4,5],"deck":"harbour"}
{"t_ms":0,"event":"start","countdown_ms":0}' >"$tmp/deck.jsonl"
run referee --events "$tmp/deck.jsonl" --journal "$tmp/deck-journal"
check "a set-up may name a deck" said '.decision == "card" and .level == 5'
check "its cards and digest should go on record" jq -e -s 'any(.[]; .kind == "event" and .body.event == "setup" and
    (.body.cards | length) >= 5 and (.body.digest | length) == 64)' "$tmp/deck-journal"
run referee --events "$tmp/deck.jsonl" --journal "$tmp/deck-journal"
check "and be taken from there later" [ "$status" -eq 0 ]

# --- Events that are wrong ----------------------------------------------------------------------
refused "a line that is no JSON should be named" 2 . <<'END'
{"t_ms":0,"event":"tick"}
{"t_ms":0,"event":
END
refused "a key that does not exist should be named" 1 slott <<'END'
{"t_ms":0,"event":"claim","seat":1,"slott":3}
END
refused "an event that does not exist should be named" 1 tock <<'END'
{"t_ms":0,"event":"tock"}
END
refused "an option that does not exist should be named" 3 roundz <<'END'
# comments and empty lines count

{"t_ms":0,"event":"setup","game":"quick-play","players":[{"seat":1}],"options":{"roundz":3}}
END
refused "a deck that does not exist should be named" 1 no-such-deck <<'END'
{"t_ms":0,"event":"setup","game":"quick-play","players":[{"seat":1}],"deck":"no-such-deck"}
END
refused "a number that does not rise should be named" 2 'seq' <<'END'
{"seq":5,"t_ms":0,"event":"tick"}
{"seq":5,"t_ms":0,"event":"tick"}
END
refused "a number beyond what is exact should be refused" 2 . <<'END'
{"seq":9007199254740992,"t_ms":0,"event":"tick"}
{"t_ms":0,"event":"tick"}
END
refused "an act of another word should be named" 1 'undo, redo or overrule' <<'END'
{"act":"undone","event":4}
END
refused "a key that an act does not have should be named" 1 ruling <<'END'
{"act":"undo","event":4,"ruling":"match"}
END
refused "an undo of nothing should be named" 2 'number' <<'END'
{"t_ms":0,"event":"tick"}
{"act":"undo","event":9}
END
{
    sed -n 3,4p "$events"
    echo '{"t_ms":1,"event":"tick","x":1}'
} >"$tmp/bad.jsonl"
run referee --events "$tmp/bad.jsonl"
check "what was decided before a bad line should stand" said '.phase == "play" and .players'
check "but the status should be 1" [ "$status" -eq 1 ]

unusable "a missing file should be named" missing.jsonl referee --events "$tmp/missing.jsonl"
unusable "a folder should be named" 'directory' referee --events "$tmp"
unusable "a journal in no folder should be named" nowhere referee --events "$events" --journal "$tmp/nowhere/j"
unusable "a folder for a journal should be named" 'directory' referee --events "$events" --journal "$tmp"
unusable "what is no ordinary file should be no journal" 'ordinary' referee --events "$events" --journal /dev/null
unusable "what is no journal should be named with its line" 'events.jsonl:1:' referee --events "$events" --journal "$events"
wrong_use "events should be asked for" referee
wrong_use "an argument should be wrong use" referee "$events"
wrong_use "another word for --state should be wrong use" referee --events "$events" --state now
wrong_use "an option that does not exist should be wrong use" referee --events "$events" --foo
wrong_use "--journal without a file should be wrong use" referee --events "$events" --journal

# --- On record ----------------------------------------------------------------------------------
run referee --events "$events" --journal "$journal"
check "a match on record should say the same" cmp -s "$out" "$tmp/all"
bodies decision "$journal" >"$tmp/held"
check "the journal should hold what was said" cmp -s "$tmp/held" "$tmp/decisions"
check "and begin with a header" jq -e -s '.[0].kind == "header" and .[0].body.rules == 1 and .[0].body.made != ""' "$journal"
run match show "$journal" --format json
check "and be readable" [ "$status" -eq 0 ]

# Taken up again from the file: what is on record is passed over.
cp "$journal" "$tmp/before"
run referee --events "$events" --journal "$journal"
tail -n 1 "$tmp/all" >"$tmp/state"
check "a match that is taken up again should say nothing anew" cmp -s "$out" "$tmp/state"
check "its restart should be on record, and nothing else" sh -c \
    "cmp -s -n $(wc -c <"$tmp/before") '$tmp/before' '$journal' && [ \$(wc -l <'$journal') -eq $(($(wc -l <"$tmp/before") + 1)) ]"
echo '{"act":"undo","event":4,"by":"desk","why":"an arm"}
{"t_ms":17000,"event":"name","seat":2,"name":"Bodil"}' >>"$events"
run referee --events "$events" --journal "$journal"
check "what was added to the file should be taken" said '.void.seq == 5'
check "an act should change the state" said '.players and (.players[] | select(.seat == 2) | .errors == 0 and .name == "Bodil")'
tail -n 1 "$out" >"$tmp/state"
run referee --events "$events" --journal "$journal"
check "and only once" cmp -s "$out" "$tmp/state"

# An undo by `match` is not the one that the file has.
run match undo "$journal" 9 --by desk
echo '{"act":"redo","event":4}' >>"$events"
run referee --events "$events" --journal "$journal"
check "an act should be taken though the journal holds others" said '.players and (.players[] | select(.seat == 2) | .errors == 1)'
check "and theirs should stand" said '.players and (.set_aside | length) == 0'

# From standard input: it goes on behind what is on record.
echo '{"t_ms":18000,"event":"set_aside","by":"desk"}' |
    "$program" referee --events - --journal "$journal" --state never >"$out" 2>"$err"
status=$?
check "standard input should go on with a match" said '.decision == "set_aside" and .seq == 11'
run match show "$journal"
check "and the record should stay sound" [ "$status" -eq 0 ]

# Another match's events for this journal.
sed 's/"seed":7/"seed":8/' "$events" >"$tmp/other.jsonl"
unusable "other events than those on record should be named" 'other.jsonl:3:' referee --state never --events "$tmp/other.jsonl" --journal "$journal"
unusable "a journal given as events should be named" 'this is a match.s journal' referee --state never --events "$journal"

# --- Journals that are not sound ----------------------------------------------------------------
sed '6s/L1-02/L1-03/' "$journal" >"$tmp/changed"
unusable "a changed decision should be named" 'changed:6: .*otherwise' referee --events "$events" --journal "$tmp/changed"
sed '1s/"match":"/"match":"x/' "$journal" >"$tmp/changed"
unusable "a changed line should be shown by the next" 'changed:2: .*chain' referee --events "$events" --journal "$tmp/changed"
sed 4d "$journal" >"$tmp/lost"
unusable "a lost line should be named" 'lost:4: .*chain' referee --events "$events" --journal "$tmp/lost"
cp "$journal" "$tmp/torn"
printf '{"prev":"00' >>"$tmp/torn"
run referee --events "$tmp/empty.jsonl" --journal "$tmp/torn" --state never
check "a torn tail should be a notice" grep -q "torn:$(($(wc -l <"$journal") + 1)): notice: .*torn.*11 bytes" "$err"
check "and no fault" [ "$status" -eq 0 ]
run referee --events "$tmp/empty.jsonl" --journal "$tmp/torn" --state never
check "and be gone the next time" [ ! -s "$err" ]
# A header of other rules, its chain made anew.
head -n 1 "$journal" | sed 's/"rules":1,/"rules":2,/' >"$tmp/rules"
unusable "a journal of other rules should be refused" 'rules:1: .*version' referee --events "$events" --journal "$tmp/rules"

# In use: a writer that waits for its events.
mkfifo "$tmp/pipe"
"$program" referee --events - --journal "$tmp/used" --state never <"$tmp/pipe" >/dev/null 2>&1 &
writer=$!
exec 3>"$tmp/pipe"
sed -n '3,10p' "$events" >&3
tries=0
while [ "$(bodies event "$tmp/used" 2>/dev/null | wc -l)" -lt 8 ] && [ $tries -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
unusable "a journal in use should be refused" 'another process' referee --events "$events" --journal "$tmp/used"
unusable "match undo should say what to do instead" 'end it first, or send it {"act":"undo","event":4' match undo "$tmp/used" 4
run match show "$tmp/used"
check "a match that is on may be looked at" [ "$status" -eq 0 ]
exec 3>&-
wait "$writer"
status=$?
check "the writer should end well with its events" [ "$status" -eq 0 ]

# --- No room ------------------------------------------------------------------------------------
"$program" referee --events "$events" >/dev/full 2>"$err"
status=$?
check "a full disk should give status 1" [ "$status" -eq 1 ]
check "and one line" [ "$(wc -l <"$err")" -eq 1 ]
"$program" referee --events "$events" >&- 2>"$err"
status=$?
check "a closed output should give status 1" [ "$status" -eq 1 ]
check "and one line, too" [ "$(wc -l <"$err")" -eq 1 ]
(
    ulimit -f 8
    "$program" referee --events "$events" --journal "$tmp/full" >"$out" 2>"$err"
    echo $? >"$tmp/status"
)
status=$(cat "$tmp/status")
check "a journal without room should give status 1, not a signal" [ "$status" -eq 1 ]
check "and one line that names the event" sh -c "[ \$(wc -l <'$err') -eq 1 ] && grep -q 'events.jsonl:[0-9]*: the journal cannot be written: File too large' '$err'"
grep '"decision"' "$out" >"$tmp/said"
bodies decision "$tmp/full" >"$tmp/held"
check "what was said should be on record" sh -c "[ -s '$tmp/said' ] && cmp -s '$tmp/said' '$tmp/held'"
run referee --events "$events" --journal "$tmp/full" --state never
check "and with room it should go on" [ "$status" -eq 0 ]

run referee --help
for option in events journal state; do
    check "referee should list --$option" grep -q -e "--$option" "$out"
done
finish
