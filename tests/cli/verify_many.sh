#!/bin/sh
# tableref verify over much: matches as well as pictures, any number of workers, ended and gone on with, in
# parts by GNU parallel, and with a picture that brings its worker down.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
dir=$tmp/all
mkdir "$dir"
for name in a1-000 a1-015 a2-001; do
    cp "fixtures/$name.jpg" "fixtures/$name.truth.json" "$dir"
done
cp fixtures/a1-001.jpg "$dir/alone.jpg"
run run --video fixtures/clip/round.mkv --mat a2-two --deck fixture --rounds 1 --seed 1 --no-scoreboard \
    --record "$dir/match" --rundir "$tmp/run"
check "a round should be on record" [ "$status" -eq 0 ]
# The same record beside other pictures: it comes out differently.
cp -r "$dir/match" "$tmp/other"
sed -i 's/"settle_frames":[0-9]*/"settle_frames":9/' "$tmp/other/match.json"

# same NAME FILE: what was printed is that of one worker, to the byte.
same() { check "$1" cmp -s "$out" "$tmp/one"; }

run verify --rig-only --jobs 1 "$dir"
cp "$out" "$tmp/one"
check "pictures and a match should pass" [ "$status" -eq 0 ]
check "all be counted" grep -q '^1 matches judged again: 1 came out the same; 1 rulings, [1-9]' "$out"
check "with what was taken for what" grep -q 'truth by row' "$out"
check "and pictures that have no truth" grep -q '^1 pictures have no truth' "$out"
run verify --rig-only --jobs 3 --progress "$dir"
same "three workers should print what one does, and progress be no part of it"
run verify --rig-only --jobs 2 --json "$dir"
check "for machines, a line for each and one for the sums" lines_are 'has("image") or has("match") or .passed'
check "the sums should have the confusion matrix and the matches" jq -e -s '.[-1] |
    .matches.same == 1 and (.confusion | length > 3 and all(.[]; has("truth") and has("read") and .cells > 0))' "$out"
run verify --json "$tmp/other"
check "a match that comes out differently should fail" [ "$status" -eq 1 ]
check "and be named, with what differs" jq -e -s '.[0] | .same == false and (.differences | length) > 0' "$out"
cp -r "$dir/match" "$tmp/torn"
rm "$tmp/torn/video-0001.mkv"
run verify "$tmp/torn"
check "a match without its pictures should fail, and be named" grep -q "$tmp/torn: .* pictures are missing" "$err"
for use in '--jobs 0' '--jobs 1000' '--part 3/2' '--part 0/2' '--part 1' '--part 1/2x' '--merge --part 1/2' '--merge --resume x'; do
    # shellcheck disable=SC2086
    wrong_use "no use: $use" verify $use "$dir"
done

# ---- gone on with ----
kept=$tmp/kept
run verify --rig-only --resume "$kept" "$dir"
same "what is kept should change nothing of what is printed"
check "each should be kept, the picture without a truth and the match, too" [ "$(wc -l <"$kept")" -eq 5 ]
cp "$kept" "$tmp/kept.whole"
run verify --rig-only --resume "$kept" "$dir"
same "going on with nothing left should print the same"
check "and do nothing anew" cmp -s "$kept" "$tmp/kept.whole"
head -n 2 "$tmp/kept.whole" >"$kept"
sed -n 3p "$tmp/kept.whole" | head -c 500 >>"$kept"
run verify --rig-only --resume "$kept" "$dir"
same "what broke off in a line should be gone on with"
check "and no line be spoilt" jq -e -s 'length == 5' "$kept"
cp "$tmp/kept.whole" "$kept"
cp fixtures/a1-004.jpg "$dir/a1-000.jpg"
run verify --rig-only --resume "$kept" "$dir"
check "a picture that has changed should be done again" [ "$status" -eq 1 ]
check "it alone" [ "$(wc -l <"$kept")" -eq 6 ]
cp fixtures/a1-000.jpg "$dir/a1-000.jpg"
cp "$tmp/kept.whole" "$kept"
touch "$dir/match/kit/deck.json"
printf ' ' >>"$dir/match/kit/deck.json"
run verify --rig-only --resume "$kept" "$dir"
check "so should a match of which a file has changed" [ "$(wc -l <"$kept")" -eq 6 ]
cp calib/kit/decks/fixture.json "$dir/match/kit/deck.json" 2>/dev/null
mkdir "$tmp/few"
cp fixtures/a2-001.* "$tmp/few"
run verify --rig-only --resume "$tmp/kept.few" "$tmp/few"
run verify --no-rig --resume "$tmp/kept.few" "$tmp/few"
check "what was asked otherwise should be done again" [ "$(wc -l <"$tmp/kept.few")" -eq 2 ]
echo '{"v":1}' >"$kept"
unusable "another file should be refused, with its line" 'kept:1: "build"' verify --resume "$kept" "$dir"

# ---- ended before its end ----
rm -f "$kept"
"$program" verify --resume "$kept" --jobs 1 --progress "$dir" "$dir" "$dir" >"$tmp/half" 2>"$tmp/half.err" &
process=$!
tries=0
while [ ! -s "$kept" ] && [ $tries -lt 300 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -INT "$process"
wait "$process"
status=$?
check "an interrupt should end it" [ "$status" -eq 1 ]
check "and it say how far it came" grep -q 'verify: ended before its end: [1-9][0-9]* of 15 are done; the same again' "$tmp/half.err"
check "with the sums of what was done" grep -q '^[0-9]* were not come to' "$tmp/half"
check "and what was done be kept" sh -c "[ \$(grep -c . '$kept') -ge 1 ] && jq -e . '$kept' >/dev/null"
rm -f "$kept"

# ---- a picture that brings its worker down ----
cat >"$tmp/crash.c" <<'END'
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* A program that opens this picture dies, as one with a fault in its decoder might. */
typedef int opening(const char *path, int flags, ...);
static int pass(const char *name, const char *path, int flags, int mode)
{
    opening *real = (opening *)dlsym(RTLD_NEXT, name);
    if (strstr(path, "a1-015.jpg"))
        abort();
    return real(path, flags, mode);
}
int open(const char *path, int flags, ...) { return pass("open", path, flags, 0644); }
int open64(const char *path, int flags, ...) { return pass("open64", path, flags, 0644); }
END
${CC:-gcc} -D_GNU_SOURCE -shared -fPIC -o "$tmp/crash.so" "$tmp/crash.c" -ldl || not_ok "the fault should be built"
LD_PRELOAD="$tmp/crash.so" "$program" verify --rig-only --jobs 2 --json "$dir" >"$out" 2>"$err"
status=$?
check "a picture that brings a worker down should fail" [ "$status" -eq 1 ]
check "and be named" grep -q 'a1-015.jpg: a worker was brought down by it (signal 6)' "$err"
check "and the others be done" jq -e -s '.[-1].crashed == 1 and .[-1].faults == 1 and ([.[] | select(.image)] | length) == 2 and .[-1].matches.same == 1' "$out"

# ---- in parts, as on several machines ----
command -v parallel >/dev/null || not_ok "parallel should be there"
PARALLEL_HOME=$tmp parallel --will-cite -j 2 "$program" verify --rig-only --jobs 1 --part '{}/3' --resume "$tmp/part-{}" "$dir" \
    ::: 1 2 3 >"$tmp/parts" 2>"$err"
status=$?
check "parts should be done by two at once" [ "$status" -eq 0 ]
check "each thing in one of them" [ "$(cat "$tmp"/part-? | wc -l)" -eq 5 ]
run verify --merge "$tmp/part-2" "$tmp/part-1" "$tmp/part-3"
same "together they should be the whole, to the byte"
check "with its status" [ "$status" -eq 0 ]
run verify --merge "$tmp/part-1" "$tmp/part-3"
check "a part that is missing should fail" [ "$status" -eq 1 ]
check "and be missed" grep -q 'verify: --merge: 2 of 5 are not in these files' "$err"
sed 's/"of":5/"of":8/' "$tmp/part-2" >"$tmp/part-x"
unusable "parts of another whole should be refused" 'no parts of one whole' verify --merge "$tmp/part-1" "$tmp/part-x" "$tmp/part-3"
unusable "and files that are not there" 'No such file' verify --merge "$tmp/nowhere"
finish
