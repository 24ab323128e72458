#!/bin/sh
# program.sh SECONDS PROGRAM [ARG...]: runs one test program in a process of its own and prints a
# line "ok - program: test" or "not ok - program: test" for each of its tests.
#
# The program speaks TAP (cmocka does when asked). A crash, a hang, a wrong exit status and fewer
# tests than it announced are failed tests, whatever it printed.
set -u
seconds=$1 program=$2
shift 2
name=${program##*/}
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

if [ ! -x "$program" ]; then
    echo "not ok - $name: was not built"
    exit 1
fi
CMOCKA_MESSAGE_OUTPUT=TAP timeout -k 5 "$seconds" "$program" "$@" >"$log" 2>&1 </dev/null
status=$?

# What is not TAP becomes a comment, so that a test's own output cannot be taken for a result.
sed -n -e "s/^ok [0-9]* *-* *\(.*\)/ok - $name: \1/p" -e t \
    -e "s/^not ok [0-9]* *-* *\(.*\)/not ok - $name: \1/p" -e t -e 's/^/# /p' "$log"

planned=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$log" | awk '{ n += $1 } END { print n + 0 }')
seen=$(grep -c -e '^ok ' -e '^not ok ' "$log")
failed=$(grep -c '^not ok ' "$log")
case $status in
0) [ "$failed" -eq 0 ] || true ;;
124 | 137) echo "not ok - $name: still running after $seconds s" ;;
*) [ $status -lt 128 ] && [ "$failed" -gt 0 ] || echo "not ok - $name: ended with status $status" ;;
esac
if [ "$seen" -eq 0 ]; then
    echo "not ok - $name: ran no test"
elif [ "$planned" -ne "$seen" ]; then
    echo "not ok - $name: announced $planned tests, ran $seen"
fi
[ $status -eq 0 ] && [ "$failed" -eq 0 ] && [ "$seen" -gt 0 ] && [ "$planned" -eq "$seen" ]
