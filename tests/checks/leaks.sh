#!/bin/sh
# leaks.sh FOLDER: the whole service over the clip, built with sanitizers: no process of it leaks or
# does anything else that they find. The build is made by the suite before.
set -u
built=$1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/cli/clip.inc
. tests/cli/clip.inc

# look NAME OPTION...: the findings of every process go to files of their own.
look() {
    name=$1
    shift
    ASAN_OPTIONS=detect_leaks=1:log_path="$tmp/$name.asan" UBSAN_OPTIONS=log_path="$tmp/$name.ubsan" \
        "$built/tableref" run --video fixtures/clip/round.mkv --mat a2-two --deck fixture --rounds 1 \
        --seed 1 --record "$tmp/$name" --rundir "$tmp/$name.run" "$@" >"$tmp/$name.out" 2>"$tmp/$name.err"
    status=$?
    if [ $status -eq 0 ] && ! grep -q 'was ended\|ended with' "$tmp/$name.err"; then
        echo "ok - $name: every process should end in good order"
    else
        echo "not ok - $name: every process should end in good order (status $status)"
        head -n 5 "$tmp/$name.err" | sed 's/^/# /'
    fi
    if cat "$tmp/$name".asan* "$tmp/$name".ubsan* >"$tmp/found" 2>/dev/null || [ -s "$tmp/found" ]; then
        echo "not ok - $name: nothing should leak"
        head -n 30 "$tmp/found" | sed 's/^/# /'
    else
        echo "ok - $name: nothing should leak"
    fi
}
look auto
look called --claims called --claims-from fixtures/clip/round.claims.jsonl
# It must have been a real run.
if clip_auto "$tmp/auto.out" fixtures/clip/round.truth.json >/dev/null &&
    clip_called "$tmp/called.out" fixtures/clip/round.truth.json >/dev/null; then
    echo "ok - the clip should be ruled as ever"
else
    echo "not ok - the clip should be ruled as ever"
fi
