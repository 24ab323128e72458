#!/bin/sh
# scripts.sh FOLDER SECONDS: every test script of a folder, JOBS at a time: most of what they do is
# waiting for one another's processes. A script prints "ok .." and "not ok .." lines of its own and
# ends with a status other than 0 when any failed.
# scripts.sh --one SCRIPT SECONDS: one of them.
set -u

run_one() {
    script=$1 seconds=$2 name=${1##*/}
    log=$(mktemp) || exit 1
    timeout -k 5 "$seconds" sh "$script" >"$log" 2>&1 </dev/null
    status=$?
    sed -e "s/^ok \(- \)*/ok - $name: /; t" -e "s/^not ok \(- \)*/not ok - $name: /; t" -e 's/^/# /' "$log"
    failed=$(grep -c '^not ok ' "$log")
    seen=$(grep -c -e '^ok ' -e '^not ok ' "$log")
    [ "$seen" -eq 0 ] && echo "not ok - $name: ran no test"
    [ $status -ne 0 ] && [ "$failed" -eq 0 ] && echo "not ok - $name: ended with status $status"
    rm -f "$log"
}

if [ "$1" = --one ]; then
    run_one "$2" "$3"
    exit 0
fi
folder=$1 seconds=$2
logs=$(mktemp -d) || exit 1
trap 'rm -rf "$logs"' EXIT
ls "$folder"/*.sh >"$logs/scripts" || exit 1
sed 's,.*/,,' "$logs/scripts" |
    xargs -P "${JOBS:-2}" -I{} sh -c "sh tests/checks/scripts.sh --one $folder/{} $seconds >$logs/{}.tap"
while read -r script; do
    cat "$logs/${script##*/}.tap"
done <"$logs/scripts"
