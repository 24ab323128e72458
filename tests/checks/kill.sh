#!/bin/sh
# kill.sh [RUNS [WHOLE]]: a referee that dies at any moment loses no verdict that it told, tells none
# twice, and goes on to the same end; then the same of WHOLE runs with their recordings (kill_run.sh).
#
# Events come slowly through a pipe; the program is killed with signal 9 once its journal holds so
# many bytes, started again on the whole file, and must come to the decisions and the state of a
# match that was never broken off. The same with the journal cut at the end of every third line and
# at bytes of the last ones (at every byte: tests/unit/test_record.c), and with a disk that is full
# in the middle.
set -u
runs=${1:-40}
program=${TABLEREF:-./tableref}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
wrong=0

result() { # NAME COUNT: what was found wrong is in $tmp/wrong
    if [ ! -s "$tmp/wrong" ] && [ "$2" -gt 0 ]; then
        echo "ok - $1 ($2 times)"
    else
        echo "not ok - $1 ($2 times)"
        head -n 20 "$tmp/wrong" | sed 's/^/# /'
        wrong=1
    fi
    : >"$tmp/wrong"
}
find_wrong() {
    echo "$1" >>"$tmp/wrong"
    cp "$tmp/journal" "$tmp/journal.wrong" 2>/dev/null
}
: >"$tmp/wrong"

# What a journal says in the end: decisions that stand (those made void are taken out).
decisions() {
    sed -n -e 's/.*"kind":"decision","body":\(.*\)}$/\1/p' \
        -e 's/.*"kind":"void","body":\(.*\)}$/void \1/p' "$1" | awk '
        /^void / { key = $0; sub(/^void \{/, "", key); sub(/\}$/, "", key); delete line[key]; next }
        { key = $0; sub(/^\{"v":1,/, "", key); match(key, /^"seq":[0-9]*,"index":[0-9]*/)
          key = substr(key, 1, RLENGTH); if (key in line) print "double " key; line[key] = $0; order[++n] = key }
        END { for (i = 1; i <= n; i++) if (order[i] in line) { print line[order[i]]; delete line[order[i]] } }'
}

# A match of six cards with errors, wins, an undo and an overrule. Acts come late in the file.
{
    echo '{"t_ms":0,"event":"setup","game":"quick-play","players":[{"seat":1,"name":"Ada"},{"seat":2,"name":"Bo"}],"options":{"rounds":6,"claims":"called","countdown":0},"slots":[3],"seed":7,"cards":[{"id":"A","level":1,"grid":"xx/oo/++/##/**"},{"id":"B","level":2,"grid":"xx/oo/++/##/xx"},{"id":"C","level":3,"grid":"xx/oo/++/##/oo"},{"id":"D","level":4,"grid":"xx/oo/++/##/++"},{"id":"E","level":5,"grid":"xx/oo/++/##/##"},{"id":"F","level":1,"grid":"*x/oo/++/##/**"}]}'
    echo '{"t_ms":0,"event":"start"}'
    t=1000
    for grid in xx/oo/++/##/** xx/oo/++/##/xx xx/oo/++/##/oo; do
        for seat in 1 2; do
            echo "{\"t_ms\":$t,\"event\":\"layout\",\"seat\":$seat,\"state\":\"complete\",\"grid\":\"$grid\"}"
            echo "{\"t_ms\":$((t + 200)),\"event\":\"claim\",\"seat\":$seat}"
            echo "{\"t_ms\":$((t + 4000)),\"event\":\"tick\"}"
            t=$((t + 5000))
        done
        echo "{\"t_ms\":$t,\"event\":\"set_aside\",\"by\":\"desk\"}"
    done
} >"$tmp/events"
"$program" referee --events "$tmp/events" --state never >"$tmp/plain"
won=$(jq -r 'select(.decision == "win") | .cause' "$tmp/plain" | head -n 1)
erred=$(jq -r 'select(.verdict? == "no_match") | .cause' "$tmp/plain" | head -n 1)
{
    echo "{\"act\":\"undo\",\"event\":$won,\"by\":\"desk\"}"
    echo "{\"t_ms\":$t,\"event\":\"tick\"}"
    echo "{\"act\":\"overrule\",\"event\":$erred,\"ruling\":\"cannot_tell\",\"why\":\"an arm\"}"
    echo "{\"act\":\"redo\",\"event\":$won}"
    echo "{\"t_ms\":$t,\"event\":\"name\",\"seat\":2,\"name\":\"Bodil\"}"
    echo "{\"t_ms\":$t,\"event\":\"pause\",\"by\":\"desk\"}"
} >>"$tmp/events"

"$program" referee --events "$tmp/events" --journal "$tmp/journal" >"$tmp/whole" 2>"$tmp/err"
cp "$tmp/journal" "$tmp/journal.whole"
decisions "$tmp/journal.whole" >"$tmp/decisions.whole"
tail -n 1 "$tmp/whole" >"$tmp/state.whole"
if [ ! -s "$tmp/decisions.whole" ] || ! grep -q '"kind":"void"' "$tmp/journal.whole"; then
    echo "not ok - the match should be judged and corrected"
    sed 's/^/# /' "$tmp/err"
    exit 1
fi

# What was published must stand in the journal, once. Lines that a dying writer left in the middle
# were not published.
check_published() { # FILE WHEN
    sed '/}$/!d; /"decision"/!d' "$1" | sort >"$tmp/published"
    sed -n 's/.*"kind":"decision","body":\(.*\)}$/\1/p' "$tmp/journal" | sort >"$tmp/held"
    [ "$(comm -23 "$tmp/published" "$tmp/held" | wc -l)" -eq 0 ] || find_wrong "$2: what was told is not on record"
}

# Taken up again: the same end, nothing told twice.
check_resumed() { # WHEN
    "$program" referee --events "$tmp/events" --journal "$tmp/journal" >"$tmp/again" 2>"$tmp/err" ||
        find_wrong "$1: not taken up again: $(head -n 1 "$tmp/err")"
    decisions "$tmp/journal" | cmp -s - "$tmp/decisions.whole" || find_wrong "$1: other decisions"
    tail -n 1 "$tmp/again" | cmp -s - "$tmp/state.whole" || find_wrong "$1: another state"
    # A decision may be made void and come again: then it stands in the journal as often.
    { cat "$tmp/published"; sed '/"decision"/!d' "$tmp/again"; } | sort | uniq -c | sort -k 2 >"$tmp/told"
    sed -n 's/.*"kind":"decision","body":\(.*\)}$/\1/p' "$tmp/journal" | sort | uniq -c | sort -k 2 >"$tmp/held"
    awk 'NR == FNR { n = $1; sub(/^ *[0-9]+ /, ""); held[$0] = n; next }
         { n = $1; sub(/^ *[0-9]+ /, ""); if (n > held[$0]) print }' "$tmp/held" "$tmp/told" >"$tmp/twice"
    [ ! -s "$tmp/twice" ] || find_wrong "$1: told twice: $(head -c 80 "$tmp/twice")"
}

size() {
    stat -c %s "$1" 2>/dev/null || echo 0
}

# --- Killed ---------------------------------------------------------------------------------------
whole=$(size "$tmp/journal.whole")
run=0 killed=0
while [ $run -lt "$runs" ]; do
    rm -f "$tmp/journal" "$tmp/pipe"
    mkfifo "$tmp/pipe"
    "$program" referee --events - --journal "$tmp/journal" --state never <"$tmp/pipe" >"$tmp/out" 2>/dev/null &
    victim=$!
    # One line at a time; it stops when its reader is gone.
    (while read -r line; do echo "$line" || exit 0; done <"$tmp/events" >"$tmp/pipe") 2>/dev/null &
    feeder=$!
    wanted=$((whole * run / runs))
    tries=0
    while kill -0 "$victim" 2>/dev/null && [ $tries -lt 400 ]; do
        now=$(size "$tmp/journal")
        [ "$now" -ge "$wanted" ] && break
        tries=$((tries + 1))
    done
    kill -9 "$victim" 2>/dev/null
    { wait "$victim"; } 2>/dev/null
    [ $? -eq 137 ] && killed=$((killed + 1))
    { wait "$feeder"; } 2>/dev/null
    touch "$tmp/journal"
    check_published "$tmp/out" "killed at $(size "$tmp/journal") bytes"
    check_resumed "killed at $(size "$tmp/journal") bytes"
    run=$((run + 1))
done
result "a referee that was killed should lose nothing and tell nothing twice" "$killed"

# --- Cut --------------------------------------------------------------------------------------------
: >"$tmp/published"
head -n -5 "$tmp/journal.whole" >"$tmp/front"
{
    awk '{ n += length($0) + 1 } NR % 3 == 0 { print n - 1 + NR % 2 }' "$tmp/front"
    seq $(($(size "$tmp/front") + 1)) 41 "$whole"
    echo "$whole"
} | sort -n -u >"$tmp/cuts"
cuts=0
while read -r cut; do
    [ "$cut" -gt "$whole" ] && continue
    head -c "$cut" "$tmp/journal.whole" >"$tmp/journal"
    check_resumed "cut at byte $cut"
    cuts=$((cuts + 1))
done <"$tmp/cuts"
result "a journal that was cut should be taken up again" "$cuts"

# --- A full disk ------------------------------------------------------------------------------------
blocks=1 full=0
while [ $((blocks * 512)) -lt "$whole" ]; do
    rm -f "$tmp/journal"
    (
        ulimit -f $blocks
        "$program" referee --events "$tmp/events" --journal "$tmp/journal" --state never 2>"$tmp/err" | cat >"$tmp/out"
    )
    grep -q 'cannot be written' "$tmp/err" || find_wrong "full at $blocks blocks: $(head -n 1 "$tmp/err")"
    check_published "$tmp/out" "full at $blocks blocks"
    check_resumed "full at $blocks blocks"
    full=$((full + 1))
    blocks=$((blocks + 4))
done
result "a disk that is full should stop the match where it is on record" "$full"
sh tests/checks/kill_run.sh "${2:-20}" || wrong=1
exit $wrong
