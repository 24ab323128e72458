#!/bin/sh
# The recorder's disk is full, fails, or is slow: the referee goes on as without it, what is lost is counted
# and shown as health, and what was kept is sound. The disk's faults are put in between the program and the
# system, for its video files alone.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
wire=${B:-build}/tests/tools/wire
clip=fixtures/clip/round.mkv
dir=$tmp/dir
pids=
trap 'kill $pids 2>/dev/null; rm -rf "$tmp"' EXIT
waited() {
    tries=0
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -gt 300 ] && return 1
        sleep 0.1
    done
}

cat >"$tmp/disk.c" <<'END'
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
/* Behind so many bytes of a video file: DISK=full, error, or slow (each write takes that long). */
typedef ssize_t putting(int file, const void *bytes, size_t count, off_t at);
static ssize_t put(const char *name, int file, const void *bytes, size_t count, off_t at)
{
    putting *real = (putting *)dlsym(RTLD_NEXT, name);
    const char *kind = getenv("DISK"), *from = getenv("DISK_FROM");
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    if (kind && kind[0] && strstr(path, "/video-") && at >= (from ? atol(from) : 0)) {
        if (strcmp(kind, "slow") == 0) {
            usleep(100000);
        } else {
            errno = strcmp(kind, "full") == 0 ? ENOSPC : EIO;
            return -1;
        }
    }
    return real(file, bytes, count, at);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) { return put("pwrite", file, bytes, count, at); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t at) { return put("pwrite64", file, bytes, count, at); }
END
${CC:-gcc} -D_GNU_SOURCE -shared -fPIC -o "$tmp/disk.so" "$tmp/disk.c" -ldl || not_ok "the disk should be built"

# record NAME [DISK]: the round, on record in $tmp/NAME, on such a disk.
record() {
    DISK=${2:-} DISK_FROM=2000000 LD_PRELOAD=$tmp/disk.so "$program" run --video "$clip" --mat a2-two \
        --deck fixture --rounds 1 --seed 1 --no-scoreboard --claims called \
        --claims-from fixtures/clip/round.claims.jsonl --record "$tmp/$1" --rundir "$tmp/$1.run" \
        >"$out" 2>"$err" </dev/null
    status=$?
}
record whole
cp "$out" "$tmp/played"
check "a disk that takes all should keep all" [ "$(grep -c '^frame ' "$tmp/whole/frames.idx")" -eq 150 ]
for disk in full error; do
    record "$disk" "$disk"
    check "$disk: the match should end well" [ "$status" -eq 0 ]
    check "$disk: with the same rulings" cmp -s "$out" "$tmp/played"
    case $disk in full) word='No space left' ;; *) word='Input/output error' ;; esac
    check "$disk: what is wrong should be said" grep -q "not recorded: cannot be written: $word" "$err"
    kept=$(grep -c '^frame ' "$tmp/$disk/frames.idx")
    lost=$(awk '$1 == "lost" { n += $2 } END { print n + 0 }' "$tmp/$disk/frames.idx")
    check "$disk: what was lost should be counted in the index" [ $((kept + lost)) -ge 148 ]
    check "$disk: and be something" [ "$lost" -gt 20 ]
    check "$disk: the verdicts' pictures should be kept" [ "$(find "$tmp/$disk/evidence" -type f | wc -l)" -ge 2 ]
    run match verify "$tmp/$disk"
    check "$disk: nothing of what was kept should be changed" sh -c "! grep -q '\"state\":\"changed\"' '$out'"
    run replay --journal-only "$tmp/$disk"
    check "$disk: the journal should be ruled on again" [ "$status" -eq 0 ]
done

record slow slow
kept=$(grep -c '^frame ' "$tmp/slow/frames.idx")
lost=$(awk '$1 == "lost" { n += $2 } END { print n + 0 }' "$tmp/slow/frames.idx")
check "slow: a recording waits for the disk; what it has no time for at the end is counted" [ $((kept + lost)) -eq 150 ]
check "slow: and is little" [ "$kept" -gt 75 ]
check "slow: with the same rulings" cmp -s "$out" "$tmp/played"

# ---- live: the eyes and the referee are not held up, and what is wrong is health ----
DISK=full LD_PRELOAD=$tmp/disk.so "$program" run --camera test:320x240 --mat a2-two --deck fixture --players Ada,Bo \
    --no-scoreboard --record "$tmp/live" --rundir "$dir" >"$tmp/live.out" 2>"$tmp/live.err" </dev/null &
run=$!
pids=$run
ask() { answer=$("$wire" ask "ipc://$dir/requests" "{\"v\":1,\"id\":\"t$1\",\"do\":\"$2\"}" 2>/dev/null); }
lost_shown() {
    ask "$tries" snapshot
    printf '%s\n' "$answer" | jq -e '.health.recorder != null and .state.seen_t_ns > 1000000000' >/dev/null
}
waited [ -S "$dir/requests" ]
check "live: what is wrong should be shown as health" waited lost_shown
printf '%s\n' "$answer" >"$out"
check "live: in words" jq -e '.health.recorder | test("No space left|pictures were not kept")' "$out"
check "live: the referee should see what the eyes see now" jq -e '.clocks.t_ns - .state.seen_t_ns < 700000000' "$out"
kill -INT "$run"
wait "$run"
status=$?
check "live: and end when it is told to" [ "$status" -eq 0 ]
run match verify "$tmp/live"
check "live: what was kept should be sound" sh -c "! grep -q '\"state\":\"changed\"' '$out'"
finish
