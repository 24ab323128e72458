#!/bin/sh
# The runner is worth nothing if it calls a failure a success: here it meets every kind.
set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

program() { # name, body: a test program of one line
    printf '#!/bin/sh\n%s\n' "$2" >"$dir/$1"
    chmod +x "$dir/$1"
}
# expect NAME LINE STATUS: program.sh must print that line and end so.
expect() {
    sh tests/program.sh 1 "$dir/$1" >"$dir/out" 2>&1
    status=$?
    [ $status -ne 0 ] && status=1
    if grep -qF -- "$2" "$dir/out" && [ $status -eq "$3" ]; then
        echo "ok - program.sh should report one that is $1"
    else
        echo "not ok - program.sh should report one that is $1"
        sed 's/^/# /' "$dir/out"
    fi
}
program passing 'echo 1..1; echo "ok 1 - a"'
program failing 'echo 1..2; echo "ok 1 - a"; echo "not ok 2 - b"; exit 1'
program failing-quietly 'echo 1..1; echo "not ok 1 - b"; exit 0'
program crashing 'echo 1..1; echo "ok 1 - a"; kill -SEGV $$'
program hanging 'echo 1..1; echo "ok 1 - a"; exec sleep 100'
program wrong-at-exit 'echo 1..1; echo "ok 1 - a"; exit 3'
program silent 'exit 0'
program stopped-early 'echo 1..2; echo "ok 1 - a"; exit 0'
expect passing 'ok - passing: a' 0
expect failing 'not ok - failing: b' 1
expect failing-quietly 'not ok - failing-quietly: b' 1
expect crashing 'not ok - crashing: ended with status 139' 1
expect hanging 'not ok - hanging: still running after 1 s' 1
expect wrong-at-exit 'not ok - wrong-at-exit: ended with status 3' 1
expect silent 'not ok - silent: ran no test' 1
expect stopped-early 'not ok - stopped-early: announced 2 tests, ran 1' 1
expect absent 'not ok - absent: was not built' 1

# suite NAME COMMAND LAST STATUS: run.sh with one suite ends with that line and status.
suite() {
    echo "it 1 $2" >"$dir/suites"
    sh tests/run.sh list "$dir/suites" >"$dir/out" 2>&1
    status=$?
    if [ "$(tail -n 1 "$dir/out")" = "$3" ] && [ $status -eq "$4" ]; then
        echo "ok - run.sh should count a suite that $1"
    else
        echo "not ok - run.sh should count a suite that $1"
        sed 's/^/# /' "$dir/out"
    fi
}
program s-passes 'echo "ok - a"; echo "ok - b"'
program s-fails 'echo "ok - a"; echo "not ok - b"'
program s-skips 'echo "ok - a"; echo "ok - b # SKIP no camera"'
program s-ends-badly 'echo "ok - a"; exit 7'
program s-says-nothing 'echo fine'
suite passes "$dir/s-passes" '2 passed, 0 failed' 0
suite fails "$dir/s-fails" '1 passed, 1 failed' 1
suite skips "$dir/s-skips" '1 passed, 1 failed' 1
suite 'ends badly' "$dir/s-ends-badly" '1 passed, 1 failed' 1
suite 'says nothing' "$dir/s-says-nothing" '0 passed, 1 failed' 1
suite 'is not there' "$dir/nothing" '0 passed, 1 failed' 1
