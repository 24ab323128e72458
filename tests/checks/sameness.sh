#!/bin/sh
# sameness.sh [COUNT]: the same events must give the same bytes by every compiler and at every level
# of optimisation: random matches are stepped over by builds of the rules, and of what writes their
# decisions and states, that differ in nothing else.
set -u
out=$B/sameness
mkdir -p "$out" || exit 1
count=${1:-300}
sources="$(ls referee/*.c | grep -v -e /cmd_ -e /loop_ -e /main -e /journal -e /record) vision/json_text.c vision/layout.c
    vision/layout_json.c vision/reason.c calib/grid.c tests/stat/match_maker.c tests/stat/stat_matches.c"
for build in "gcc -O0" "gcc -O3" "clang -O2"; do
    echo "$build"
done | xargs -P "$JOBS" -I{} sh -c '
    build=$1 program=$2/$(echo "$1" | tr -d " ")
    shift 2
    $build -std=gnu11 -I. -o "$program" "$@" '"$B"'/libtableref.a -ljansson -lsodium -lm >"$program.log" 2>&1 ||
        rm -f "$program"' sh {} "$out" $sources

# The plain build is gcc -O2.
first=$("$B/tests/stat/stat_matches" digest "$count" 1)
for build in gcc-O0 gcc-O3 clang-O2; do
    if [ ! -x "$out/$build" ]; then
        echo "not ok - the rules should build with $build"
        sed 's/^/# /' "$out/$build.log" | head -n 20
        continue
    fi
    digest=$("$out/$build" digest "$count" 1)
    if [ -n "$digest" ] && [ "$digest" = "$first" ]; then
        echo "ok - $build should give the same bytes as gcc -O2 ($count matches)"
    else
        echo "not ok - $build should give the same bytes as gcc -O2 ($count matches)"
        echo "# $digest, not $first"
    fi
done
# report RELATION SEED NAME
report() {
    if [ "$("$B/tests/stat/stat_matches" digest "$count" "$2")" "$1" "$first" ]; then
        echo "ok - $3"
    else
        echo "not ok - $3"
    fi
}
report = 1 "a second run should give the same bytes"
report != 2 "other matches should give other bytes"
