#!/bin/sh
# The runner behind make check: tests/run.sh short|long|one SUITE...
#
# A suite is a command that prints a line for each test, "ok - name" or "not ok - name" (with
# lines "# ..." that explain), in any number. What goes wrong in another way is a failed test
# too: a suite that prints no test, one that ends with an error without naming a failed test, a
# test that was skipped. Prints what failed, then a table of suites with their seconds and their
# share of the 25 minutes that all may take on two processors, then "N passed, N failed".
# Time alone fails nothing: a suite far over its share is only pointed out.
set -u
cd "$(dirname "$0")/.." || exit 1
B=${B:-build}
JOBS=${JOBS:-2}
MAKE=${MAKE:-make}
# As in the Makefile: only the build folder of that name leaves the program at the top.
case $B in
build) TABLEREF=${TABLEREF:-./tableref} ;;
*) TABLEREF=${TABLEREF:-$B/tableref} ;;
esac
export B JOBS MAKE TABLEREF
LC_ALL=C
export LC_ALL

# name, seconds it may take, command. The shares add up to 25 minutes.
suites_short() {
    cat <<END
build        110  sh tests/checks/build.sh plain
layers         5  sh tests/checks/layers.sh
headers       25  sh tests/checks/headers.sh
objects       25  sh tests/checks/objects.sh
sizes          5  sh tests/checks/sizes.sh
runner         5  sh tests/checks/runner.sh
checks        30  sh tests/checks/selftest.sh
units         70  sh tests/checks/units.sh $B/tests/unit 60
cli          170  sh tests/checks/scripts.sh tests/cli 120
agreement      5  sh tests/checks/agreement.sh
lang           5  sh tests/checks/lang.sh
fixtures      10  sh tests/checks/fixtures.sh
games         20  sh tests/checks/games.sh
controls      35  sh tests/checks/controls.sh
kill          40  sh tests/checks/kill.sh
sameness      30  sh tests/checks/sameness.sh
statistics   250  sh tests/checks/statistics.sh 1000 10000 500
sanitized    140  sh tests/checks/build.sh asan
units-asan   110  sh tests/checks/units.sh $B/asan/tests/unit 240
leaks         10  sh tests/checks/leaks.sh $B/asan
corpora       10  sh tests/checks/corpora.sh
lint         170  sh tests/checks/lint.sh
v4l2         130  sh tests/checks/v4l2.sh short
browser       90  sh tests/checks/browser.sh
END
}

suites_long() {
    suites_short | sed -e 's/statistics .*/statistics 2400 sh tests\/checks\/statistics.sh 10000 1000000 5000/' \
        -e 's/^kill .*/kill 400 sh tests\/checks\/kill.sh 40 200/'
    echo "v4l2-long 1200 sh tests/checks/v4l2.sh long"
    echo "memory 120 sh tests/checks/memory.sh 10000"
    echo "fuzz 7200 sh tests/checks/fuzzers.sh 600"
}

# Runs a suite and leaves its output, its counts and its seconds in $out.
run_suite() {
    name=$1 command=$2
    start=$(date +%s)
    $command >"$out/$name.log" 2>&1
    status=$?
    end=$(date +%s)
    passed=$(grep -c '^ok ' "$out/$name.log")
    skipped=$(grep -ci '^ok .*# *skip' "$out/$name.log")
    failed=$(grep -c '^not ok ' "$out/$name.log")
    passed=$((passed - skipped))
    failed=$((failed + skipped))
    # None of these may hide: see the head of this file.
    if [ $status -ne 0 ] && [ "$failed" -eq 0 ]; then
        echo "not ok - $name ended with status $status" >>"$out/$name.log"
        failed=1
    elif [ $((passed + failed)) -eq 0 ]; then
        echo "not ok - $name ran no test" >>"$out/$name.log"
        failed=1
    fi
    echo "$name $passed $failed $((end - start))" >>"$out/summary"
}

report_suite() {
    tail -n 1 "$out/summary" | {
        read -r name passed failed seconds
        printf '%-12s %5d passed %4d failed %5d s\n' "$name" "$passed" "$failed" "$seconds"
        [ "$failed" -eq 0 ] && exit
        # The failed tests with what explains them; for a failure without a word, the end.
        awk '/^not ok / || /^ok .*# *[sS][kK][iI][pP]/ { print "    " $0; on = 1; next }
             /^ok / { on = 0 }
             on && /^#/ { print "    " $0 }' "$out/$name.log" | head -n 200
        echo "    (all of it: $out/$name.log)"
    }
}

print_table() {
    echo
    echo "suite         passed failed  seconds   share"
    while read -r name passed failed seconds; do
        share=$(awk -v n="$name" '$1 == n { print $2 }' "$out/suites")
        note=
        [ "$seconds" -gt $((share * 3 / 2)) ] && note="  over its share"
        printf '%-12s %7d %6d %8d %7d%s\n' "$name" "$passed" "$failed" "$seconds" "$share" "$note"
    done <"$out/summary"
    awk -v s="$(awk '{ s += $2 } END { print s }' "$out/suites")" \
        '{ p += $2; f += $3; t += $4 } END { printf "%-12s %7d %6d %8d %7d\n\n", "all", p, f, t, s }' \
        "$out/summary"
}

mode=${1:-short}
[ $# -gt 0 ] && shift
out=$B/check
mkdir -p "$out" || exit 1
case $mode in
short) suites_short >"$out/suites" ;;
long) suites_long >"$out/suites" ;;
one)
    suites_long >"$out/suites.all"
    : >"$out/suites"
    for wanted in "$@"; do
        grep "^$wanted " "$out/suites.all" >>"$out/suites" || {
            echo "run.sh: no suite \"$wanted\"; there are:" \
                "$(awk '{ printf "%s ", $1 }' "$out/suites.all")" >&2
            exit 2
        }
    done ;;
list) # suites from a file, for the runner's own test
    out=$(mktemp -d) || exit 1
    trap 'rm -rf "$out"' EXIT
    cp "$1" "$out/suites" ;;
*)
    echo "usage: run.sh short|long|one SUITE..." >&2
    exit 2 ;;
esac

# Behind the choice of its folder: a list from a file is a run of its own within another.
: >"$out/summary"
# A descriptor of its own, so that no suite reads the list as its input.
while read -r name share command <&3; do
    run_suite "$name" "$command" </dev/null
    report_suite
done 3<"$out/suites"
print_table
awk '{ p += $2; f += $3 } END { printf "%d passed, %d failed\n", p, f; exit !(f == 0 && p > 0) }' \
    "$out/summary"
