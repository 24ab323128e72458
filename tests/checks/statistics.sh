#!/bin/sh
# statistics.sh COUNT: drawn tables judged against their own truth, COUNT of each kind of run.
set -u
found=0
for source in tests/stat/stat_*.c; do
    [ -f "$source" ] || continue
    found=1
    sh tests/program.sh 7200 "$B/${source%.c}" "$1"
done
[ $found -eq 1 ] || echo "not ok - tests/stat should have programs"
