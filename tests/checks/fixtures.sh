#!/bin/sh
# The pictures with truth, with the floors that every version has to meet. Its report stays in
# check/fixtures.txt. A family that lost its pictures would pass unseen: they are counted.
set -u
out=$B/check/fixtures.txt
pictures=$(ls fixtures/*.truth.json | wc -l)
for family in a1 a2 mt x m5; do
    n=$(ls fixtures/$family-*.truth.json 2>/dev/null | wc -l)
    least=$(case $family in a1) echo 20 ;; x | m5) echo 8 ;; *) echo 6 ;; esac)
    if [ "$n" -ge "$least" ]; then
        echo "ok - family $family should have its $least pictures"
    else
        echo "not ok - family $family should have its $least pictures, has $n"
    fi
done
"$TABLEREF" verify --floor fixtures >"$out" 2>"$out.err"
status=$?
if [ $status -eq 0 ]; then
    echo "ok - verify --floor fixtures ($pictures pictures)"
else
    echo "not ok - verify --floor fixtures ($pictures pictures): status $status"
    sed 's/^/# /' "$out.err" "$out" | head -n 150
fi
