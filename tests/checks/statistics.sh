#!/bin/sh
# statistics.sh COUNT MATCHES RAMPS: drawn tables judged against their own truth, COUNT by each
# program, RAMPS of Make 5, and random matches, which are quicker, MATCHES of them; JOBS programs at
# a time. These print "ok .." and "not ok .." with their figures, and take from minutes to an hour.
# statistics.sh --one PROGRAM COUNT: one of them.
set -u

run_one() {
    program=$1 count=$2 name=${1##*/}
    if [ ! -x "$program" ]; then
        echo "not ok - $name was not built"
        return
    fi
    log=$B/check/$name.log
    timeout -k 5 7200 "$program" "$count" >"$log" 2>&1 </dev/null
    status=$?
    # Single undecided seats are figures, not findings; they stay in the log.
    sed -n -e "s/^ok \(- \)*/ok - $name: /p" -e "s/^not ok \(- \)*/not ok - $name: /p" -e '/^#/p' -e 's/^WRONG/# WRONG/p' "$log"
    grep -q -e '^ok ' -e '^not ok ' "$log" || echo "not ok - $name: ran no test"
    [ $status -eq 0 ] || grep -q '^not ok ' "$log" || echo "not ok - $name: ended with status $status"
}

if [ "$1" = --one ]; then
    run_one "$2" "$3"
    exit 0
fi
logs=$(mktemp -d) || exit 1
trap 'rm -rf "$logs"' EXIT
for source in tests/stat/stat_*.c; do
    name=${source##*/}
    name=${name%.c}
    case $name in
    stat_matches) count=$2 ;;
    stat_ramps) count=$3 ;;
    *) count=$1 ;;
    esac
    # The longest first, so that the others fit beside it.
    case $name in stat_seats) order=0 ;; *) order=1 ;; esac
    echo "$order $B/${source%.c} $count $logs/$name.tap"
done | sort >"$logs/list"
cut -d ' ' -f 2- "$logs/list" |
    xargs -P "${JOBS:-2}" -L 1 sh -c 'sh tests/checks/statistics.sh --one "$0" "$1" >"$2"'
cat "$logs"/*.tap
