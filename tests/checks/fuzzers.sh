#!/bin/sh
# fuzzers.sh SECONDS: every fuzzer for that long, under clang's sanitizers.
set -u
"$MAKE" --no-print-directory -j"$JOBS" fuzzers >"$B/check/make-fuzzers.log" 2>&1 ||
    { echo "not ok - make fuzzers"; tail -n 20 "$B/check/make-fuzzers.log" | sed 's/^/# /'; exit 1; }
for source in tests/fuzz/fuzz_*.c; do
    fuzzer=$(basename "$source" .c)
    name=${fuzzer#fuzz_}
    # What it finds on the way is kept in the build folder and used the next time; a finding
    # stays as a file, to become part of the corpus with its repair.
    new=$B/fuzz/corpus/$name
    mkdir -p "$new" "$B/fuzz/findings"
    log=$B/fuzz/$fuzzer.log
    if ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=tests/checks/lsan.supp \
        "$B/fuzz/tests/fuzz/$fuzzer" -max_total_time="$1" -timeout=20 -rss_limit_mb=3000 -max_len=200000 \
        -print_final_stats=1 -artifact_prefix="$B/fuzz/findings/$name-" "$new" "tests/fuzz/corpus/$name" \
        >"$log" 2>&1; then
        echo "ok - $fuzzer: $(sed -n 's/stat::number_of_executed_units: *//p' "$log") inputs in $1 s"
    else
        echo "not ok - $fuzzer"
        grep -E 'ERROR|SUMMARY|runtime error|Test unit' "$log" | head -n 10 | sed 's/^/# /'
    fi
done
