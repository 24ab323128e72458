#!/bin/sh
# units.sh FOLDER SECONDS: every unit test program, each in its own process, JOBS at a time.
set -u
folder=$1 seconds=$2
# A sanitizer's finding ends the program, so that it cannot pass by.
export ASAN_OPTIONS=abort_on_error=0:detect_leaks=1:detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export LSAN_OPTIONS=suppressions=tests/checks/lsan.supp:print_suppressions=0
logs=$(mktemp -d) || exit 1
trap 'rm -rf "$logs"' EXIT
ls tests/unit/test_*.c >"$logs/sources" || exit 1
# The list of sources leads, not what lies in the folder: a program that did not build fails.
sed 's,.*/\(.*\)\.c$,\1,' "$logs/sources" |
    xargs -P "$JOBS" -I{} sh -c "sh tests/program.sh $seconds $folder/{} >$logs/{}.tap"
cat "$logs"/*.tap
