#!/bin/sh
# `tableref scoreboard --terminal` on terminals of many kinds: near its table and far from it, resized,
# with a link that is lost; and that the terminal is as it was on every way out.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
port=$((49000 + $$ % 8000))
dir=$tmp/tableref-a
run=
trap 'kill $run 2>/dev/null; rm -rf "$tmp"' EXIT
LANG=C.UTF-8
TERM=xterm-256color
# Python leaves the locale as it is given.
PYTHONCOERCECLOCALE=0
PYTHONUTF8=1
export LANG TERM PYTHONCOERCECLOCALE PYTHONUTF8
unset LC_ALL LC_CTYPE COLUMNS LINES

# on ROWS COLS ARGUMENT...: the board on such a terminal; the script comes from standard input.
on() {
    rows=$1 cols=$2
    shift 2
    /usr/bin/python3 tests/tools/terminal.py "$rows" "$cols" "$program" scoreboard --terminal "$@" \
        >"$out" 2>"$err"
    status=$?
    cat "$out"
    passed=$((passed + $(grep -c '^ok ' "$out")))
    failed=$((failed + $(grep -c '^not ok ' "$out")))
    [ $status -eq 0 ] || not_ok "the terminal should be looked at"
}

run keys make "$tmp/keys"
run keys add "$tmp/keys" hall
"$program" run --camera test:320x240 --mat a2-two --deck fixture --players 'Ada,🦊 שלום Bo' --claims called \
    --no-scoreboard --record "$tmp/match" --rundir "$dir" --table hall-4 --keys "$tmp/keys" \
    --publish "tcp://127.0.0.1:$port" --requests "tcp://127.0.0.1:$((port + 1))" --start-after 3 \
    >"$tmp/run.out" 2>"$tmp/run.err" </dev/null &
run=$!
tries=0
until [ -S "$dir/requests" ] || [ $tries -gt 100 ]; do
    tries=$((tries + 1))
    sleep 0.1
done

# ---- what cannot be ----
unusable "without a terminal it should say what prints lines" 'watch --text' scoreboard --terminal --rundir "$dir"
wrong_use "two ways to a table should be refused" scoreboard --terminal --rundir "$dir" --connect a,b
unusable "and a folder that no run holds" 'no run' scoreboard --terminal --rundir "$tmp"
TERM=dumb on 24 80 --rundir "$dir" <<END
a terminal that cannot write at a place should be named: shows 5 TERM=dumb
its end should be a failure: ends 1 5
and the terminal be as it was: restored
END
TERM=no-such-thing on 24 80 --rundir "$dir" <<END
an unknown terminal should be named: shows 5 TERM=no-such-thing
and be a failure: ends 1 5
END

# ---- near and far ----
on 24 80 --rundir "$dir" <<END
the board should be shown: shows 5 Table hall-4
with its players: shows 5 Ada
whatever they are called: shows 1 🦊 שלום
make it small: size 12 40
a small terminal should have the same: shows 5 Ada
and what hinders it: shows 5 the mat is not seen
make it large: size 60 200
a large one, too: shows 5 Ada
with its keys: shows 1 m: bell off
mute: key m
which work: shows 5 m: bell on
too small: size 6 30
one that is too small should be told: shows 5 40x12 at least
back: size 24 80
and have it back: shows 5 Table hall-4
nothing should have come but text and sequences: clean
end it: key q
q should end it: ends 0 3
and the terminal be as it was: restored
END
TERM=vt100 LANG=C on 24 80 --connect "tcp://127.0.0.1:$port,tcp://127.0.0.1:$((port + 1))" \
    --keys "$tmp/keys/hall.key" --table hall-4 <<END
a table far away should be shown, without colours, in ASCII: shows 5 Quick-Play Game - Table hall-4
names as far as it goes: shows 1 ? ???? Bo
nothing should have come but text and sequences: clean
interrupt: signal INT
an interrupt should end it: ends 0 3
and the terminal be as it was: restored
END
on 24 80 --connect "tcp://127.0.0.1:$port,tcp://127.0.0.1:$((port + 1))" <<END
without a key it should say that one is needed: shows 8 key
end it: signal TERM
to be told to end should end it: ends 0 3
and the terminal be as it was: restored
END

# ---- a fault of its own, and the table's end ----
on 24 80 --rundir "$dir" <<END
shown: shows 5 Table hall-4
a fault: signal SEGV
a fault of its own should end it: ends SEGV 5
and the terminal be as it was all the same: restored
END
# shellcheck disable=SC2046
(sleep 1.5; kill -9 $(cat "/proc/$run/task/$run/children") $run) &
on 24 80 --rundir "$dir" <<END
shown: shows 5 Table hall-4
a table that is gone should be said to be: shows 9 ! No signal
with what was last known: shows 1 Ada
end it: key q
and be left as quickly: ends 0 3
the terminal be as it was: restored
END
finish
