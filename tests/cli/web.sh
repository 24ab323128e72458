#!/bin/sh
# The scoreboard's server from outside, with curl, beside a run with a test camera: who may ask, what
# every answer has, acts, events through the death of the referee, TLS, and addresses.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
for tool in curl openssl; do
    command -v $tool >/dev/null || { echo "not ok - $tool should be there"; exit 1; }
done
dir=$tmp/run
pids=
trap 'kill $pids 2>/dev/null; wait; rm -rf "$tmp"' EXIT

# waited COMMAND...: until it succeeds, at most half a minute.
waited() {
    tries=0
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -gt 300 ] && return 1
        sleep 0.1
    done
}
# web PATH [CURL OPTION]...: the status; headers in $tmp/head, body in $out.
web() {
    path=$1
    shift
    status=$(curl -s --max-time 10 -D "$tmp/head" -o "$out" -w '%{http_code}' --path-as-is "$@" "$at$path" 2>"$err")
}
# answers NAME STATUS PATH [CURL OPTION]...
answers() {
    name=$1 wanted=$2
    shift 2
    : >"$out"
    web "$@"
    if [ "$status" = "$wanted" ]; then ok "$name"; else not_ok "$name"; fi
}
header() { grep -qi "^$1: *$2" "$tmp/head"; }
error_is() { jq -e ".ok == false and .error == \"$1\" and (.text | length) > 0" "$out" >/dev/null; }
# act MEMBERS [KEY]
number=0
act() {
    number=$((number + 1))
    web /api/command -H "X-Tableref-Key: ${2:-$operator}" -H 'Content-Type: application/json' \
        -d "{\"id\":\"w-$number\",$1}"
}
# hear NAME [CURL OPTION]...: the stream, kept in $tmp/NAME, in the background.
hear() {
    to=$tmp/$1
    shift
    curl -sN --max-time 60 "$@" "$at/events" >"$to" 2>/dev/null &
    pids="$pids $!"
}
heard() { grep -q "$2" "$tmp/$1"; }
# Several beginnings of a scoreboard beside the run: its address comes in its own line.
board() {
    to=$1
    shift
    "$program" scoreboard --rundir "$dir" "$@" >"$tmp/$to.out" 2>"$tmp/$to.err" </dev/null &
    board=$!
    pids="$pids $board"
    waited grep -q 'scoreboard at' "$tmp/$to.err"
    at=$(sed -n 's|.*scoreboard at \(http[^ ;]*\)/.*|\1|p' "$tmp/$to.err")
}

"$program" run --camera test:320x240 --mat a2-two --deck fixture --players 'Ada,<svg/onload=alert()>' --claims called \
    --listen 127.0.0.1:0 --record "$tmp/match" --rundir "$dir" >"$tmp/run.out" 2>"$tmp/run.err" </dev/null &
run=$!
pids="$pids $run"
waited [ -s "$dir/scoreboard.json" ]
waited grep -q "operator's page" "$tmp/run.err"
at=$(jq -r .board "$dir/scoreboard.json" | sed 's|/$||')
operator=$(jq -r .operator "$dir/keys.json")
seat1=$(jq -r '.seats[] | select(.seat == 1).key' "$dir/keys.json")
check "a run should say where its board is" grep -qF "scoreboard at $at/" "$tmp/run.err"
check "and where the operator's page is, with its key" \
    grep -qF "operator's page at $at/operator#$operator" "$tmp/run.err"
hear events
web /api/time
waited heard events 'event: state'

# ---- pages and what every answer has ----
for page in / /overlay /operator '/claim?seat=1' /assets/board.js /lang/xx.json /api/time /nothing /api/command; do
    web "$page"
    if header Content-Security-Policy "default-src 'none'; script-src 'self'; style-src 'self'" &&
        header X-Content-Type-Options nosniff && header Cache-Control no-store &&
        header Referrer-Policy no-referrer && header X-Frame-Options DENY && ! grep -qi unsafe "$tmp/head" &&
        ! grep -qi '^access-control' "$tmp/head"; then
        ok "$page should be guarded ($status)"
    else
        not_ok "$page should be guarded"
    fi
done
answers "the board should be given" 200 /
build=$(sed -n 's/.*<meta name="build" content="\([0-9a-f]*\)">.*/\1/p' "$out")
check "with the build in it" [ ${#build} -eq 16 ]
check "which the stream tells, too" heard events "\"build\":\"$build\""
answers "its head alone, too" 200 / --head
check "with nothing behind it" header Content-Length '[1-9]'
check "no page should have a script or a style in it" sh -c \
    "! grep -qE '<script>|<style|style=| on[a-z]+=' pubsub/web/*.html"
for path in /assets/../../../etc/passwd /../../etc/passwd /%2e%2e/%2e%2e/etc/passwd /assets/..%2f..%2fetc/passwd \
    /assets/board.html /assets/ /assets/board.js%00.html /lang/../keys.json /keys.json /board.html; do
    answers "$path should be nowhere" 404 "$path"
done
for method in PUT DELETE OPTIONS TRACE PATCH; do
    answers "$method should be no way to ask" 405 / -X $method
done
check "and it should say which are" header Allow 'GET, HEAD'
answers "acts should not be asked for" 405 /api/command

# ---- who may ask ----
answers "another name should be refused" 403 / -H 'Host: evil.example'
check "and called so" error_is bad_host
answers "another name for this address, too" 403 /api/time -H "Host: rebound.example:${at##*:}"
answers "localhost is a name of ours" 200 / -H "Host: localhost:${at##*:}"
answers "a page from elsewhere should be refused" 403 /events -H 'Origin: http://evil.example'
check "and called so" error_is bad_origin
answers "also one without an origin" 403 /api/time -H 'Origin: null'
answers "also one of another port of ours" 403 /api/time -H 'Sec-Fetch-Site: same-site'
answers "and our own is none" 200 /api/time -H "Origin: $at" -H 'Sec-Fetch-Site: same-origin'
answers "a head beyond all bounds should be refused" 431 / -H "X: $(head -c 30000 /dev/zero | tr '\0' x)"

# ---- acts ----
answers "an act should need a key" 403 /api/command -H 'Content-Type: application/json' -d '{}'
act '"do":"pause"' "0$operator"
check "a wrong key should be refused" [ "$status" = 403 ]
check "and called so" error_is bad_key
act '"do":"start","countdown_ms":0' "$seat1"
check "a player's key should not start the match" [ "$status" = 403 ]
act '"do":"start","countdown_ms":0,"by":"desk"'
check "the operator's should" jq -e '.ok and (.decisions | length) > 0' "$out"
act '"do":"claim","seat":1,"by":"phone"' "$seat1"
check "a player's key should claim, though no card lies there" jq -e '.why == "no_card_in_play"' "$out"
act '"do":"claim","seat":2,"by":"phone"' "$seat1"
check "for that seat alone" [ "$status" = 403 ]
act '"do":"dance"'
check "what nobody can do should be refused" [ "$status" = 400 ]
answers "what is no JSON, too" 400 /api/command -H "X-Tableref-Key: $operator" -H 'Content-Type: application/json' -d '{'
answers "and what a form could send" 415 /api/command -H "X-Tableref-Key: $operator" -d '{}'
head -c 70000 /dev/zero | tr '\0' ' ' >"$tmp/large"
answers "too large a body should be refused" 413 /api/command -H "X-Tableref-Key: $operator" \
    -H 'Content-Type: application/json' --data-binary "@$tmp/large"
answers "also when nobody says how large it is" 413 /api/command -H "X-Tableref-Key: $operator" \
    -H 'Content-Type: application/json' -H 'Transfer-Encoding: chunked' --data-binary "@$tmp/large"
answers "the past should be for the operator" 403 '/api/history?from=0' -H "X-Tableref-Key: $seat1"
answers "who has it" 200 '/api/history?from=0' -H "X-Tableref-Key: $operator"
check "with the start in it" jq -e 'any(.entries[]; .kind == "start")' "$out"
answers "a seat's code should be drawn" 200 '/api/qr?seat=1' -H "X-Tableref-Key: $operator"
check "as a picture that shows no key" sh -c "grep -q '^<svg ' '$out' && ! grep -q '$seat1' '$out'"
answers "none for a seat where nobody plays" 404 '/api/qr?seat=9' -H "X-Tableref-Key: $operator"
answers "the camera's picture should be for the operator" 403 /api/picture -H "X-Tableref-Key: $seat1"
answers "who sees it" 200 /api/picture -H "X-Tableref-Key: $operator"
check "as a JPEG" sh -c "head -c 3 '$out' | od -An -tx1 | grep -q 'ff d8 ff'"
frame=$(sed -n 's/^X-Tableref-Frame: \([0-9]*\).*/\1/p' "$tmp/head")
answers "with its outline" 200 /api/outline -H "X-Tableref-Key: $operator"
check "both with a frame's number" jq -e ".frame >= ${frame:-none}" "$out"
answers "the time should be for all" 200 /api/time
before=$(jq .t_ns "$out")
sleep 0.3
web /api/time
check "and go on" jq -e ".t_ns - $before > 250000000 and .t_ns - $before < 5000000000 and .epoch == 1" "$out"

# ---- events ----
hear late
waited heard late 'event: joined'
sed -n 's/^event: //p' "$tmp/late" | sed '/^joined$/q' | tr '\n' ' ' >"$out"
check "a late comer should hear all in its order" grep -qE \
    '^hello kit state (health )?(layout )*(verdict )+joined $' "$out"
sed -n 's/^data: //p' "$tmp/late" | head -n 4 >"$out"
check "every line of it JSON" lines_are 'type == "object"'
check "with names as they are" grep -qF '"name":"<svg/onload=alert()>"' "$tmp/late"
check "and ids" grep -qE '^id: 1-[0-9]+$' "$tmp/late"
hear slow --limit-rate 200
act '"do":"pause","by":"desk","why":"a block fell"'
check "what is done should be told" waited heard late '"phase":"play","paused":true'
hear unread --limit-rate 1

# The referee stops: that is told, and also when it goes on.
referee=
for child in $(cat /proc/$run/task/$run/children); do
    tr '\0' ' ' <"/proc/$child/cmdline" | grep -q "^tableref referee " && referee=$child
done
kill -STOP "$referee"
check "a referee that says nothing should be told of" waited heard late '"ok":false,"age_ms"'
hear meanwhile
check "also to late comers" waited heard meanwhile '"ok":false,"age_ms"'
act '"do":"resume"'
check "acts should be answered all the same" [ "$status" = 503 ]
kill -CONT "$referee"
check "and that it is back" waited heard late '"ok":true}'
# It dies: the match goes on in its next epoch.
kill -9 "$referee"
check "the death of the referee should be a new epoch" waited grep -q '^id: 2-' "$tmp/late"
back() {
    act '"do":"resume","by":"desk"'
    [ "$status" = 200 ]
}
check "and acts go on" waited back
# The scoreboard dies: open pages find it where it was, though any port would have done.
pages=$(jq -r .process "$dir/scoreboard.json")
kill -9 "$pages"
anew() {
    [ "$(jq -r .process "$dir/scoreboard.json")" != "$pages" ]
}
waited anew
check "after its death the scoreboard should be back at the same port" \
    [ "$(jq -r .board "$dir/scoreboard.json")" = "$at/" ]
check "and its pages there" waited back

# ---- TLS, and addresses ----
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$tmp/tls.key" -out "$tmp/tls.pem" \
    -days 2 -subj /CN=table -addext 'subjectAltName=DNS:localhost,DNS:table4.example,IP:127.0.0.1' 2>/dev/null
chmod 600 "$tmp/tls.key"
board tls --listen 0.0.0.0:0 --tls-cert "$tmp/tls.pem" --tls-key "$tmp/tls.key" --host table4.example
port=${at##*:}
check "it should be called by its first name" [ "$at" = "https://table4.example:$port" ]
at=https://table4.example:$port
set -- --cacert "$tmp/tls.pem" --resolve "table4.example:$port:127.0.0.1"
answers "with TLS the operator's page may leave the machine" 200 /operator "$@"
answers "and acts" 200 /api/history "$@" -H "X-Tableref-Key: $operator"
check "events, too" sh -c "curl -sN --max-time 2 $* $at/events | grep -q 'event: joined'"
answers "a page of the same name in the clear is another's" 403 /api/time "$@" -H "Origin: http://table4.example:$port"
at=http://127.0.0.1:$port
web /
check "in the clear nothing is said" [ "$status" != 200 ]
kill -TERM $board
check "it should end in good order" wait $board
board clear --listen 0.0.0.0:0
port=${at##*:}
at=http://127.0.0.1:$port
answers "without TLS the operator's page is for this machine" 200 /operator
outside=$(hostname -I 2>/dev/null | tr ' ' '\n' | grep -m 1 '^[0-9.]*$')
if [ -n "$outside" ]; then
    at=http://$outside:$port
    answers "and does not leave it" 403 /operator
    check "a page says why" grep -q 'carries a key' "$out"
    answers "nor does a phone's" 403 '/claim?seat=1'
    answers "nor an act" 403 /api/command -H "X-Tableref-Key: $operator" -H 'Content-Type: application/json' -d '{}'
    check "which is called so" error_is not_here
    answers "the board does" 200 /
    answers "by this address only" 403 / -H "Host: 127.0.0.1:$port"
fi
kill -TERM $board
wait $board
board six --listen '[::1]:0'
check "an address of IPv6 should be said in brackets" expr "$at" : 'http://\[::1\]:[0-9]*$'
answers "and be answered at" 200 / -g
answers "with acts" 200 /api/history -g -H "X-Tableref-Key: $operator"
unusable "a port in use should be told in a line" 'another program listens there' \
    scoreboard --rundir "$dir" --listen "${at#http://}"
kill -TERM $board
wait $board
check "the run's own board should still be where it was" [ -s "$dir/scoreboard.json" ]

# ---- what cannot be used ----
wrong_use "a scoreboard should need a run's folder" scoreboard
unusable "which a run holds" 'no run holds\|No such file' scoreboard --rundir "$tmp/none"
wrong_use "an address should be one" scoreboard --rundir "$dir" --listen nowhere
unusable "of this machine" 'no such address' scoreboard --rundir "$dir" --listen 192.0.2.1:0
unusable "a key without a certificate should be told" 'go together' scoreboard --rundir "$dir" --tls-key "$tmp/tls.key"
cp "$tmp/tls.pem" "$tmp/other.key"
chmod 600 "$tmp/other.key"
unusable "one that does not fit" 'cannot be used' scoreboard --rundir "$dir" --listen 127.0.0.1:0 \
    --tls-cert "$tmp/tls.pem" --tls-key "$tmp/other.key"
chmod 644 "$tmp/tls.key"
unusable "one that others can read" 'others can read' scoreboard --rundir "$dir" --tls-cert "$tmp/tls.pem" --tls-key "$tmp/tls.key"
unusable "a name that is none should be told" 'no name of a host' scoreboard --rundir "$dir" --listen 127.0.0.1:0 --host 'a b'

# ---- the end ----
at=$(jq -r .board "$dir/scoreboard.json" | sed 's|/$||')
hear last
waited heard last 'event: joined'
began=$(date +%s)
kill -TERM $run
check "with displays connected, a stuck one among them, a run should end in good order" wait $run
check "and soon" [ $(($(date +%s) - began)) -le 4 ]
check "a slow display should have heard what it could" heard slow 'event: hello'
check "no key should stand in any line" sh -c "! grep -h -e '$seat1' '$tmp'/*.err && \
    [ \"\$(grep -h -e '$operator' '$tmp'/*.err | wc -l)\" -eq 1 ]"
check "nothing of the scoreboard should be left in the folder" [ ! -e "$dir/scoreboard.json" ]
finish
