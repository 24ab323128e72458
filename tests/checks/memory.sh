#!/bin/sh
# memory.sh PICTURES: the whole service over a long film made of the clip: no process of it may grow
# from a quarter of the film to its end, and `vision` keeps under 64 MB.
set -u
pictures=${1:-10000}
# What a process may grow by, kB: the referee keeps every event of its match, as any of them may be
# taken back, at up to 256 bytes a picture; the C library's own heap wanders by some hundreds of kB.
grow_kb=$((512 + pictures * 3 / 4 / 4))
vision_kb=65536
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
if ! "$B/tests/tools/film" "$tmp/film.mkv" 15 "$pictures" fixtures/clip/round.mkv; then
    echo "not ok - a film of $pictures pictures should be made"
    exit 1
fi
# Claims that nobody makes: the match goes on to the film's end.
"$TABLEREF" run --video "$tmp/film.mkv" --mat a2-two --deck fixture --claims called --seed 1 \
    --record "$tmp/match" --rundir "$tmp/run" >"$tmp/out" 2>"$tmp/err" </dev/null &
parent=$!

# sample FILE: name and memory of each process of the run, kB: now, and at the most.
sample() {
    for pid in $parent $(cat /proc/$parent/task/$parent/children); do
        name=$(tr '\0' '\n' <"/proc/$pid/cmdline" | sed -n 2p)
        awk -v name="$name" '/^VmRSS/ { now = $2 } /^VmHWM/ { most = $2 } END { print name, now, most }' \
            "/proc/$pid/status"
    done >"$1" 2>/dev/null
}
# Each picture is an event on record. The last sample that was whole is that of the end.
: >"$tmp/late"
seen=0
while kill -0 $parent 2>/dev/null; do
    [ -f "$tmp/match/journal.jsonl" ] && seen=$(wc -l <"$tmp/match/journal.jsonl")
    if [ "$seen" -ge $((pictures / 4)) ]; then
        sample "$tmp/now"
        [ -f "$tmp/early" ] || cp "$tmp/now" "$tmp/early"
        [ "$(wc -l <"$tmp/now")" -ge "$(wc -l <"$tmp/early")" ] && cp "$tmp/now" "$tmp/late"
    fi
    sleep 0.2
done
wait $parent
status=$?
if [ $status -eq 0 ] && [ "$(wc -l <"$tmp/match/journal.jsonl")" -ge "$pictures" ]; then
    echo "ok - $pictures pictures should be refereed to the end"
else
    echo "not ok - $pictures pictures should be refereed to the end (status $status, $seen on record)"
    head -n 5 "$tmp/err" | sed 's/^/# /'
fi
for name in run vision referee; do
    awk -v name=$name -v grow=$grow_kb 'NR == FNR { if ($1 == name) early = $2; next }
        $1 == name { late = $2; most = $3 }
        END {
            fine = early > 0 && late > 0 && late - early <= grow
            printf "%s - the memory of %s should stay flat\n", fine ? "ok" : "not ok", name
            printf "# %s: %d kB at a quarter, %d kB at the end, %d kB at the most\n", name, early, late, most
        }' "$tmp/early" "$tmp/late"
done
if awk -v most=$vision_kb '$1 == "vision" && $3 < most { fine = 1 } END { exit !fine }' "$tmp/late"; then
    echo "ok - vision should keep under 64 MB"
else
    echo "not ok - vision should keep under 64 MB"
fi
