#!/bin/sh
# scripts.sh FOLDER SECONDS: every test script of a folder. A script prints "ok .." and
# "not ok .." lines of its own and ends with a status other than 0 when any failed.
set -u
folder=$1 seconds=$2
for script in "$folder"/*.sh; do
    name=${script##*/}
    log=$(mktemp) || exit 1
    timeout -k 5 "$seconds" sh "$script" >"$log" 2>&1 </dev/null
    status=$?
    sed -e "s/^ok \(- \)*/ok - $name: /; t" -e "s/^not ok \(- \)*/not ok - $name: /; t" -e 's/^/# /' "$log"
    failed=$(grep -c '^not ok ' "$log")
    seen=$(grep -c -e '^ok ' -e '^not ok ' "$log")
    [ "$seen" -eq 0 ] && echo "not ok - $name: ran no test"
    [ $status -ne 0 ] && [ "$failed" -eq 0 ] && echo "not ok - $name: ended with status $status"
    rm -f "$log"
done
