#!/bin/sh
# clang-tidy (.clang-tidy says what for) and cppcheck find nothing. A file is looked at again only
# when its object changed: the stamps are made by the Makefile, cppcheck keeps its own.
set -u
"$MAKE" --no-print-directory -k -j"$JOBS" lint >"$B/check/make-lint.log" 2>&1
for source in calib/*.c capture/*.c vision/*.c referee/*.c pubsub/*.c tests/draw/*.c; do
    [ -f "$source" ] || continue
    stamp=$B/lint/${source%.c}.tidy
    if [ -f "$stamp" ] && [ ! "$source" -nt "$stamp" ]; then
        echo "ok - clang-tidy $source"
    else
        echo "not ok - clang-tidy $source"
        grep -E '(error|warning): ' "$stamp.log" 2>/dev/null | head -n 10 | sed 's/^/# /'
    fi
done

# Style notes are left out: clang-tidy and the size checks are our style. An unknown macro of a
# library's header is no finding of ours. uninitvar and negativeIndex are left out: cppcheck takes
# every loop to run no time at all and -1 for an index wherever it stands for "none"; gcc,
# clang-tidy and the sanitizers look for the same faults.
mkdir -p "$B/cppcheck"
if cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr -I. \
    --suppress=uninitvar --suppress=negativeIndex --suppress=missingIncludeSystem --suppress='*:/usr/*' \
    --cppcheck-build-dir="$B/cppcheck" --error-exitcode=1 -j "$JOBS" calib capture vision referee pubsub tests/draw tests/fuzz tests/tools \
    >"$B/check/cppcheck.log" 2>&1; then
    echo "ok - cppcheck"
else
    echo "not ok - cppcheck"
    head -n 40 "$B/check/cppcheck.log" | sed 's/^/# /'
fi
