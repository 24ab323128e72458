#!/bin/sh
# build.sh plain|asan: everything builds, warnings being errors.
set -u
case $1 in
plain) set -- all units stats tools benches ;;
asan) set -- asan ;;
esac
for target in "$@"; do
    if "$MAKE" --no-print-directory -k -j"$JOBS" "$target" >"$B/check/make-$target.log" 2>&1; then
        echo "ok - make $target"
    else
        echo "not ok - make $target"
        grep -E 'error|warning|No rule|undefined' "$B/check/make-$target.log" | head -n 40 | sed 's/^/# /'
    fi
done
# Objects without the sanitizers' calls would make every test that follows pass for nothing.
if [ "$1" = asan ]; then
    find "$B/asan" -name '*.o' | while read -r object; do
        nm -u "$object" | grep -q __asan_ || echo "# $object"
    done >"$B/check/unsanitized"
    if [ -f "$B/asan/calib/json.o" ] && [ ! -s "$B/check/unsanitized" ] &&
        nm -u "$B/asan/calib/json_line.o" | grep -q __ubsan_; then
        echo "ok - every object should hold the sanitizers' checks"
    else
        echo "not ok - every object should hold the sanitizers' checks"
        head -n 20 "$B/check/unsanitized"
    fi
fi
