#!/bin/sh
# `tableref keys` and `tableref watch`: displays on this machine and, with keys, on others; and the
# examples for other languages, against a run of the recorded clip.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
dir=$tmp/tableref-a
port=$((41000 + $$ % 8000))
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
has() { grep -q -e "$2" "$tmp/$1"; }
# start NAME OPTION...: a run in the background.
start() {
    record=$1
    shift
    "$program" run --mat a2-two --deck fixture --players Ada,Bo --claims called --no-scoreboard \
        --record "$tmp/$record" "$@" >"$tmp/$record.out" 2>"$tmp/$record.err" </dev/null &
    run=$!
    pids="$pids $run"
}
# watch NAME OPTION...: in the background; what it says is in $tmp/NAME and $tmp/NAME.err.
watch() {
    watched=$1
    shift
    "$program" watch "$@" >"$tmp/$watched" 2>"$tmp/$watched.err" </dev/null &
    watcher=$!
    pids="$pids $watcher"
}
# ends NAME PROCESS: an interrupt ends it within two seconds, with status 0.
ends() {
    kill -INT "$2"
    (sleep 2.5; kill -9 "$2") 2>/dev/null &
    killer=$!
    wait "$2" 2>/dev/null
    status=$?
    kill "$killer" 2>/dev/null
    check "$1" [ "$status" -eq 0 ]
}

# ---- keys ----
keys=$tmp/keys
run keys make "$keys"
check "keys should be made" lines_are '.name == "server" and (.public | length) == 40'
unusable "and never written over" 'server.key' keys make "$keys"
run keys add "$keys" hall
check "a display should get a file of its own" lines_are '.name == "hall" and (.file | endswith("/hall.key"))'
unusable "not two of one name" 'hall' keys add "$keys" hall
unusable "nor one whose name is a path" 'letters' keys add "$keys" ../hall
run keys add "$keys" gone
run keys list "$keys"
check "all should be listed" [ "$(jq -r .name "$out" | tr '\n' ' ')" = "server gone hall " ]
run keys remove "$keys" gone
check "and be taken away" [ "$status" -eq 0 ]
unusable "once" 'no display' keys remove "$keys" gone
unusable "a folder that is not there should be named" 'nowhere' keys list "$tmp/nowhere"
run keys tls "$keys" hall.example
check "a certificate should be made" lines_are '(.names | startswith("hall.example ")) and (.sha256 | length) == 95'
check "that openssl takes" openssl verify -CAfile "$keys/tls.crt" "$keys/tls.crt"
check "for EC P-256 and that name" sh -c "openssl x509 -in '$keys/tls.crt' -noout -text |
    tr '\n' ' ' | grep -q 'prime256v1.*DNS:hall.example.*IP Address:127.0.0.1'"
check "whose key is its owner's alone" [ "$(stat -c %a "$keys/tls.key")" = 600 ]
wrong_use "an unknown word should be refused" keys paint "$keys"
wrong_use "and a missing name" keys add "$keys"
cp -r "$keys" "$tmp/open" && chmod 640 "$tmp/open/server.key"

# ---- a table that other machines hear ----
unusable "without keys a table should not start on an address that others reach" 'keys' \
    run --camera test:320x240 --mat a2-two --deck fixture --no-scoreboard --record "$tmp/bare" \
    --rundir "$tmp/bare.run" --publish "tcp://*:$port" --game quick-play
unusable "nor with a secret that others can read" 'others may read' \
    run --camera test:320x240 --mat a2-two --deck fixture --no-scoreboard --record "$tmp/bare2" \
    --rundir "$tmp/bare2.run" --publish "tcp://*:$port" --keys "$tmp/open" --game quick-play
start live --camera test:320x240 --table hall-4 --rundir "$dir" --keys "$keys" --publish "tcp://*:$port" \
    --requests "tcp://*:$((port + 1))"
far=tcp://127.0.0.1:$port,tcp://127.0.0.1:$((port + 1))
waited [ -S "$dir/requests" ]
watch near --rundir "$dir"
near=$watcher
watch far --connect "$far" --keys "$keys/hall.key" --text --table hall-4
far_watcher=$watcher
check "a display should hear a table on this machine" waited has near '"kind":"state","late":false'
check "and on another, with its key" waited has far '^hall-4 .* clock '
check "each line being one JSON object" sh -c "head -n 3 '$tmp/near' | jq -e -s 'all(.[]; .table == \"hall-4\")'"
"$program" keys make "$tmp/others" >/dev/null && "$program" keys add "$tmp/others" hall >/dev/null
watch stranger --connect "$far" --keys "$tmp/others/hall.key"
check "a stranger should be told that its key is not taken" waited has stranger.err 'keys: .*key'
watch keyless --connect "tcp://localhost:$port,tcp://localhost:$((port + 1))"
check "and who has none that one is needed" waited has keyless.err 'keys: .*key'
server=$("$program" keys list "$keys" | jq -r 'select(.name == "server").public')
(umask 077; awk -v s="$server" '/server = / { print "    server = \"" s "\""; next } { print }' \
    "$tmp/others/hall.key" >"$tmp/known.key")
watch known --connect "$far" --keys "$tmp/known.key"
public=$("$program" keys list "$tmp/others" | jq -r 'select(.name == "hall").public')
check "a display that is not allowed should be told so" waited has known.err 'refuses our key'
check "and the table should say which key it refused" waited grep -qF "$public" "$tmp/live.err"

run watch --rundir "$dir" --ask '{"do":"hello"}'
check "a request should be answered" lines_are '.ok and .table == "hall-4"'
run watch --connect "$far" --keys "$keys/hall.key" --ask '{"do":"time"}'
check "from afar, too" lines_are '.ok and .t_ns >= 0'
run watch --rundir "$dir" --ask '{"do":"pause"}'
check "one that is refused should end with 1" [ "$status" -eq 1 ]
check "and say why" lines_are '.error == "bad_key"'
echo '{"do":"time"}' | "$program" watch --rundir "$dir" --ask - >"$out" 2>"$err"
check "a request should be taken from standard input" lines_are '.ok'
unusable "what is no object should be refused" 'JSON object' watch --rundir "$dir" --ask '[1]'
# Other runs of this user's may be under way on this machine; then it says so.
XDG_RUNTIME_DIR=$tmp "$program" watch --ask '{"do":"hello"}' >"$out" 2>"$err"
check "the only run should be found by itself" grep -q -e hall-4 -e 'runs are under way' "$out" "$err"
unusable "a folder that no run holds should be named" 'no run' watch --rundir "$tmp"
wrong_use "two ways at once should be refused" watch --rundir "$dir" --connect a,b
wrong_use "and an unknown kind" watch --kinds verdict,gossip
unusable "another machine without a key should be refused" 'keys' \
    watch --connect tcp://192.0.2.1:1,tcp://192.0.2.1:2
unusable "and addresses of other forms" '127.0.0.1:1;192' watch --connect 'tcp://127.0.0.1:1;192.0.2.1:2,ipc:///x'

# ---- the referee dies, the display goes on ----
for child in $(cat "/proc/$run/task/$run/children"); do
    tr '\0' ' ' <"/proc/$child/cmdline" | grep -q "^tableref referee " && kill -9 "$child"
done
check "after the referee's death a display should go on by itself" waited has near '"epoch":2,.*"kind"\|"late":false.*"epoch":2,'
check "and say so" waited has near.err 'joined: .*epoch 2'
check "from afar, too" waited has far.err 'joined: .*epoch 2'
check "nothing being told twice" jq -e -s '[.[] | select(.kind == "verdict").decision | [.seq, .index]] as $d |
    $d == ($d | unique)' "$tmp/near"
ends "an interrupt should end a display" "$near"
ends "one from afar, too" "$far_watcher"
kill -INT "$run"
wait "$run" 2>/dev/null
watch nobody --connect "$far" --keys "$keys/hall.key"
check "a display that hears nobody should say so" waited has nobody.err 'stale: '
ends "and end as quickly" "$watcher"

# ---- other languages ----
examples=${B:-build}/examples
clip=fixtures/clip/round.mkv
[ -d "$examples/node_modules/zeromq" ] || make -s B="${B:-build}" "${B:-build}/examples/installed"
start clip --video "$clip" --paced --rundir "$dir"
waited [ -S "$dir/requests" ]
for example in "/usr/bin/python3 $examples/follow.py" "node $examples/follow.js"; do
    # shellcheck disable=SC2086
    timeout 30 $example "ipc://$dir/publish" "ipc://$dir/requests" 3 >"$out" 2>"$err"
    status=$?
    check "${example##*/} should end by itself" [ "$status" -eq 0 ]
    check "${example##*/} should have shown the score" sh -c "[ \$(grep -c 'Ada [0-9]* Bo [0-9]*' '$out') -ge 2 ]"
done
kill -INT "$run"
finish
