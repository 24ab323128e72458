#!/bin/sh
# Every fuzzer's corpus, replayed by a plain main in the build with sanitizers.
set -u
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export LSAN_OPTIONS=suppressions=tests/checks/lsan.supp:print_suppressions=0
for source in tests/fuzz/fuzz_*.c; do
    fuzzer=$(basename "$source" .c)
    corpus=tests/fuzz/corpus/${fuzzer#fuzz_}
    files=$(ls "$corpus" 2>/dev/null | wc -l)
    if [ "$files" -eq 0 ]; then
        echo "not ok - $fuzzer should have a corpus in $corpus"
        continue
    fi
    log=$B/check/$fuzzer.log
    if timeout -k 5 120 "$B/asan/tests/fuzz/$fuzzer" "$corpus" >"$log" 2>&1; then
        echo "ok - $fuzzer ($files files)"
    else
        echo "not ok - $fuzzer ($files files)"
        tail -n 30 "$log" | sed 's/^/# /'
    fi
done
