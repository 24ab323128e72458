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
