#!/bin/sh
# Games with verdicts: fixtures/games/NAME.events.jsonl is what happened at a table, and its lines
# "#= " say in a few words what must be ruled, by the games' rules; NAME.verdicts.jsonl is that to the
# byte, as `tableref referee` prints it. Both are compared, and the record that is written on the way
# must hold the same and, judged again, come to the same table. Then: the comparison is shown to be
# able to fail, and whatever the engine can say and every option must occur in some game.
set -u
games=fixtures/games
dir=$B/check/games
rm -rf "$dir"
mkdir -p "$dir" || exit 1
LC_ALL=C
export LC_ALL TABLEREF

# The names of a folder's games, of those without events, too.
names_in() {
    for file in "$1"/*.jsonl; do
        name=${file##*/}
        echo "${name%.*.jsonl}"
    done | uniq
}

# Plays one game: NAME.out is what is printed, NAME.table the table of its record judged again, and
# NAME.fault what went wrong with the record. The last line printed is the state.
cat >"$dir/play.sh" <<'END'
from=$1 run=$2/$3
[ -f "$from/$3.events.jsonl" ] || exit 0
"$TABLEREF" referee --events "$from/$3.events.jsonl" --journal "$run.journal" >"$run.all" 2>"$run.fault" &&
    "$TABLEREF" match export "$run.journal" >"$run.table" 2>"$run.fault" || exit 0
sed '$d' "$run.all" >"$run.out"
body='^{"prev":"[0-9a-f]*","kind":"\(decision\|void\)","body":\(.*\)}$'
sed -n "s/$body/\1 \2/; s/^decision //p; s/^void \(.*\)/{\"void\":\1}/p" "$run.journal" |
    cmp -s - "$run.out" || echo "its record says other than was printed" >"$run.fault"
END

# Plays all games of a folder into another and prints "NAME fault" for each fault that is found.
faults_in() {
    from=$1 to=$2
    mkdir -p "$to" || exit 1
    names_in "$from" >"$to.names"
    xargs -P "${JOBS:-2}" -I NAME sh "$dir/play.sh" "$from" "$to" NAME <"$to.names"
    jq -r -L tests/checks 'include "games"; said_of' "$to"/*.out >"$to.said"
    # What they should say, and that they begin with words.
    awk 'FNR == 1 { name = FILENAME; sub(/.*\//, "", name); sub(/\.events\.jsonl$/, "", name)
                    if (!/^# [A-Za-z0-9]/) print name, "does not begin with what it shows" > "/dev/stderr" }
         /^#= / { print name, substr($0, 4) }' "$from"/*.events.jsonl >"$to.wanted" 2>"$to.faults"
    diff "$to.wanted" "$to.said" >"$to.differs"
    awk '/^[<>]/ && !($2 in seen) { seen[$2]; print $2, "is not what its lines #= say" }' "$to.differs" >>"$to.faults"
    # The table after the last event, and that of the record: the same.
    jq -r -L tests/checks 'include "games"; standings_of' "$to"/*.all "$to"/*.table | sort | uniq -c |
        awk '$1 != 2 && !($2 in seen) { seen[$2]; print $2, "its record comes to another table" }' >>"$to.faults"
    while read -r name; do
        events=$from/$name.events.jsonl verdicts=$from/$name.verdicts.jsonl
        if [ ! -f "$events" ]; then echo "$name verdicts without events"
        elif [ ! -s "$events" ]; then echo "$name no events in it"
        elif [ ! -f "$verdicts" ]; then echo "$name events without verdicts"
        elif [ ! -s "$verdicts" ]; then echo "$name no verdicts in it"
        elif [ -s "$to/$name.fault" ]; then sed "s/^/$name /" "$to/$name.fault"
        elif ! cmp -s "$verdicts" "$to/$name.out"; then echo "$name prints other verdicts"
        fi
    done <"$to.names"
    cat "$to.faults"
}

# --- The games
faults_in "$games" "$dir/played" >"$dir/faults"
while read -r name; do
    if ! grep "^$name " "$dir/faults" >"$dir/fault"; then
        echo "ok - $name"
        continue
    fi
    echo "not ok - $name"
    {
        sed "s/^$name //" "$dir/fault"
        diff "$games/$name.verdicts.jsonl" "$dir/played/$name.out" 2>&1 | head -n 6
        grep "^[<>] $name " "$dir/played.differs" | head -n 12
    } | cut -c 1-300 | sed 's/^/# /'
done <"$dir/played.names"
# Lost games would pass unseen.
count=$(wc -l <"$dir/played.names")
if [ "$count" -ge 160 ]; then
    echo "ok - there should be at least 160 games"
else
    echo "not ok - there should be at least 160 games, there are $count"
fi
for file in "$games"/*; do
    case $file in
    *.events.jsonl | *.verdicts.jsonl | */README.md) ;;
    *) echo "not ok - $file is neither events nor verdicts" ;;
    esac
done

# --- It must be able to fail: copies of a game, each with a fault that must be found.
game=$games/tm-error-costs-the-last-card
bad=$dir/bad
mkdir -p "$bad" || exit 1
# copy NAME FAULT EVENTS VERDICTS: a copy changed by sed's words; the fault must be among those found.
copy() {
    sed "$3" "$game.events.jsonl" >"$bad/$1.events.jsonl"
    sed "$4" "$game.verdicts.jsonl" >"$bad/$1.verdicts.jsonl"
    echo "$1 $2" >>"$dir/expected"
}
copy a-game-as-it-is "" "" ""
copy emptied-events "no events in it" d ""
copy events-of-which-only-the-words-are-left "prints other verdicts" '/^{/d' ""
copy an-event-taken-out "prints other verdicts" '/"event":"layout"/{/"t_ms":19000/d;}' ""
copy a-verdict-taken-out "prints other verdicts" "" '/"decision":"penalty"/d'
copy a-verdict-added "prints other verdicts" "" '/"decision":"penalty"/p'
copy another-verdict "prints other verdicts" "" 's/"verdict":"no_match"/"verdict":"match"/'
copy emptied-verdicts "no verdicts in it" "" d
copy a-word-taken-out "is not what its lines #= say" '/^#= penalty/d' ""
copy a-word-added "is not what its lines #= say" '/^#= penalty/p' ""
copy another-word "is not what its lines #= say" 's/^#= penalty 1 lost/#= penalty 1 owed/' ""
copy a-game-without-its-words "does not begin with what it shows" '/^# /d' ""
copy events-without-verdicts "events without verdicts" "" ""
rm "$bad/events-without-verdicts.verdicts.jsonl"
copy verdicts-without-events "verdicts without events" "" ""
rm "$bad/verdicts-without-events.events.jsonl"
faults_in "$bad" "$dir/copies" >"$dir/found" 2>/dev/null
while read -r name fault; do
    if [ -n "$fault" ] && grep -qxF "$name $fault" "$dir/found"; then
        echo "ok - $name should be found"
    elif [ -z "$fault" ] && ! grep -q "^$name " "$dir/found"; then
        echo "ok - $name should pass"
    else
        echo "not ok - $name should be told from the others"
        grep "^$name " "$dir/found" | sed 's/^/# /'
    fi
done <"$dir/expected"
# A record with a changed verdict is not one that replays.
journal=$dir/copies/a-game-as-it-is.journal
sed 's/"verdict":"no_match"/"verdict":"match"/' "$journal" >"$dir/changed"
if "$TABLEREF" match export "$journal" >/dev/null 2>&1 &&
    ! "$TABLEREF" match export "$dir/changed" >/dev/null 2>&1; then
    echo "ok - a changed record should not replay"
else
    echo "not ok - a changed record should not replay"
fi

# --- All that there is occurs. The tables of EVENTS.md have all that the code has (a unit test holds
# them to it).
table() { # the lines of a section's first table
    awk -v section="## $1" '
        $0 == section { on = 1; next }
        on && /^## / { exit }
        on && /^\| `/ { inside = 1; gsub(/`/, ""); print; next }
        inside { exit }' referee/EVENTS.md
}
first_column() {
    awk -F ' *\\| *' '{ print $2 }'
}
# Each value of an option that has words; of one that is a number "other": not its default.
table Options | awk -F ' *\\| *' '{
    if ($3 ~ / to /) { print $2, "other"; next }
    n = split($3, value, ", ")
    for (i = 1; i <= n; i++) print $2, value[i] }' >"$dir/all.option"
table Options | awk -F ' *\\| *' '$3 ~ / to / { print $2, $4 }' >"$dir/usual"
table Why | first_column >"$dir/all.why"
table Decisions | first_column >"$dir/all.decision"
table Phases | first_column >"$dir/all.phase"
{ table Events | first_column && printf 'undo\nredo\noverrule\n'; } >"$dir/all.event"

cat "$games"/*.verdicts.jsonl >"$dir/verdicts"
grep -h '^{' "$games"/*.events.jsonl >"$dir/events"
jq -r '.why // empty' "$dir/verdicts" | sort -u >"$dir/has.why"
jq -r '.decision // empty' "$dir/verdicts" | sort -u >"$dir/has.decision"
jq -r '.phase // empty' "$dir/verdicts" | sort -u >"$dir/has.phase"
jq -r '.event, .act | strings' "$dir/events" | sort -u >"$dir/has.event"
jq -r '.options // {} | to_entries[] | "\(.key) \(.value)"' "$dir/events" |
    awk 'NR == FNR { usual[$1] = $2; next }
         !($1 in usual) { print; next }
         $2 != usual[$1] { print $1, "other" }' "$dir/usual" - | sort -u >"$dir/has.option"

# What cannot occur: "none" is written as null, and before a set-up no phase is told.
cat >"$dir/never" <<'END'
why none
phase none
END
for kind in why decision event option phase; do
    grep -vxF -f "$dir/has.$kind" "$dir/all.$kind" | sed "s/^/$kind /" |
        grep -vxF -f "$dir/never" >"$dir/missing"
    if [ -s "$dir/all.$kind" ] && [ ! -s "$dir/missing" ]; then
        echo "ok - every $kind should occur in some game ($(wc -l <"$dir/all.$kind"))"
    else
        echo "not ok - every $kind should occur in some game"
        sed 's/^/# nowhere: /' "$dir/missing"
    fi
    # One that occurs nowhere is found.
    one=$(head -n 1 "$dir/has.$kind")
    grep -vxF "$one" "$dir/has.$kind" | grep -vxF -f - "$dir/all.$kind" >"$dir/missing"
    if [ -n "$one" ] && grep -qxF "$one" "$dir/missing"; then
        echo "ok - a word of $kind that occurs nowhere should be found"
    else
        echo "not ok - a word of $kind that occurs nowhere should be found ($one)"
    fi
done
