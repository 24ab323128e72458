#!/bin/sh
# statistics.sh COUNT MATCHES RAMPS: drawn tables judged against their own truth, COUNT by each program,
# RAMPS of Make 5, and random matches, which are quicker, MATCHES of them. These print "ok .." and "not ok .." with
# their figures, and take from minutes to an hour.
set -u
for source in tests/stat/stat_*.c; do
    program=$B/${source%.c}
    name=${program##*/}
    if [ ! -x "$program" ]; then
        echo "not ok - $name was not built"
        continue
    fi
    log=$B/check/$name.log
    case $name in
    stat_matches) count=$2 ;;
    stat_ramps) count=$3 ;;
    *) count=$1 ;;
    esac
    timeout -k 5 7200 "$program" "$count" >"$log" 2>&1 </dev/null
    status=$?
    # Single undecided seats are figures, not findings; they stay in the log.
    sed -n -e "s/^ok \(- \)*/ok - $name: /p" -e "s/^not ok \(- \)*/not ok - $name: /p" -e '/^#/p' -e 's/^WRONG/# WRONG/p' "$log"
    grep -q -e '^ok ' -e '^not ok ' "$log" || echo "not ok - $name: ran no test"
    [ $status -eq 0 ] || grep -q '^not ok ' "$log" || echo "not ok - $name: ended with status $status"
done
