#!/bin/sh
# Negative controls: the suite over the pictures must be able to fail. For each family a picture
# is copied; as it is it must pass. Then it must fail with a blank picture in its place, with an
# expectation taken out of its truth, and with one added. The same for the recorded clip.
set -u
# shellcheck source=tests/cli/clip.inc
. tests/cli/clip.inc
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# verify NAME WANTED: verify over the folder must end with that status (1: a difference).
verify() {
    "$TABLEREF" verify --floor "$dir" >"$dir.out" 2>&1
    status=$?
    if [ $status -eq "$2" ]; then
        echo "ok - $1"
    else
        echo "not ok - $1 (status $status instead of $2)"
        head -n 20 "$dir.out" | sed 's/^/# /'
    fi
    rm -f "$dir.out"
}

# edit NAME FILTER: the truth, changed; a filter that changes nothing is a fault of this script.
edit() {
    jq -c "$1" "$truth" >"$dir/$name.truth.json" || echo "not ok - jq: $1"
    if jq -c . "$truth" | cmp -s - "$dir/$name.truth.json"; then
        echo "not ok - $name: the change $1 changed nothing"
    fi
}

# The first picture of a family that passes alone: of the hard ones not every one does. One that
# fails as it is would show nothing.
choose() {
    for truth in fixtures/"$1"-*.truth.json; do
        name=$(basename "$truth" .truth.json)
        rm -f "$dir"/*
        cp "fixtures/$name.jpg" "$truth" "$dir" || exit 1
        "$TABLEREF" verify --floor "$dir" >/dev/null 2>&1 && return
    done
}

for family in a1 a2 mt x; do
    choose $family
    verify "$name should pass as it is" 0

    size=$(jq -r '.camera.size | "\(.[0]) \(.[1])"' "$truth")
    # $size is two words.
    # shellcheck disable=SC2086
    "$B/tests/tools/blank" $size "$dir/$name.jpg" || echo "not ok - blank $size"
    verify "$name should fail as a blank picture" 1
    cp "fixtures/$name.jpg" "$dir"

    # A seat that was read whole, but of which the truth says nothing.
    whole='first(.seats[] | select(.grid != null and .least_visible > 0.9 and .hand == false) | .seat)'
    edit "$whole as \$s | .seats |= map(select(.seat != \$s))"
    verify "$name should fail with a seat taken out of its truth" 1
    # The same for one cell of it, and for a card.
    edit "$whole as \$s | .seats |= map(if .seat == \$s then .cells |= .[1:] else . end)"
    verify "$name should fail with a cell taken out of its truth" 1
    edit '.cards |= .[1:]'
    verify "$name should fail with a card taken out of its truth" 1

    # An eleventh cell beside the ten, well in view, where nothing lies.
    edit "$whole as \$s | .seats |= map(if .seat == \$s then .cells += [.cells[0]
        | .center_mm[0] += 150 | .center_px[0] += 150 | .corners_px |= map(.[0] += 150)] else . end)"
    verify "$name should fail with a cell added to its truth" 1
    edit '.cards += [.cards[0] | .slot = 2]'
    verify "$name should fail with a card added to its truth" 1
    edit '.seats += [.seats[0] | .seat = 8]'
    verify "$name should fail with a seat added to its truth" 1
    # A verdict that is not the right one.
    edit '.seats |= map(if .grid != null and .hand == false and .least_visible > 0.9
        then .allowed |= map_values(if . == ["match"] then ["no_match"] elif . == ["no_match"] then ["match"] else . end)
        else . end)'
    verify "$name should fail with the wrong verdict expected" 1
    cp "$truth" "$dir"
    rm "$dir/$name.jpg"
    verify "$name should fail without its picture" 1
done
rm -f "$dir"/*
verify "a folder without pictures should fail" 1

# --- The clip: what tests/cli/run.sh asks of it ---------------------------------------------------
notes=fixtures/clip/round.truth.json

# play NAME VIDEO OPTION...: referees it, on record in $dir/NAME.
play() {
    record=$dir/$1 video=$2
    shift 2
    if ! "$TABLEREF" run --video "$video" --mat a2-two --deck fixture --rounds 1 --seed 1 \
        --record "$record" --rundir "$record.run" "$@" >"$record.out" 2>"$record.err"; then
        echo "not ok - $video should be refereed"
        sed 's/^/# /' "$record.err"
    fi
}
# asked NAME WANTED COMMAND...: 0 or 1: does that hold of the clip?
asked() {
    what=$1 wanted=$2
    shift 2
    "$@" >/dev/null 2>&1
    status=$?
    [ $status -ne 0 ] && status=1
    if [ $status -eq "$wanted" ]; then
        echo "ok - $what"
    else
        echo "not ok - $what"
    fi
}
# spoilt NAME FILTER CHECKER OF: must fail with the notes changed so.
spoilt() {
    jq -c "$2" "$notes" >"$dir/notes.json" || echo "not ok - jq: $2"
    if jq -c . "$notes" | cmp -s - "$dir/notes.json"; then
        echo "not ok - $1: the change changed nothing"
    fi
    asked "the clip should fail with $1" 1 "$3" "$4" "$dir/notes.json"
}
play auto fixtures/clip/round.mkv
play called fixtures/clip/round.mkv --claims called --claims-from fixtures/clip/round.claims.jsonl
asked "the clip should pass as it is" 0 clip_auto "$dir/auto.out" "$notes"
asked "its layouts should pass as they are" 0 clip_layouts "$dir/auto" "$notes"
asked "its claims should pass as they are" 0 clip_called "$dir/called.out" "$notes"

pictures=$(jq '.frames | length' "$notes")
"$B/tests/tools/blank" 1280 720 "$dir/blank.jpg" &&
    "$B/tests/tools/film" "$dir/blank.mkv" 15 "$pictures" "$dir/blank.jpg" || echo "not ok - blank clip"
play blank-auto "$dir/blank.mkv"
play blank-called "$dir/blank.mkv" --claims called --claims-from fixtures/clip/round.claims.jsonl
asked "a blank clip should fail" 1 clip_auto "$dir/blank-auto.out" "$notes"
asked "a blank clip's layouts should fail" 1 clip_layouts "$dir/blank-auto" "$notes"
asked "a blank clip's claims should fail" 1 clip_called "$dir/blank-called.out" "$notes"
asked "and nobody should win in it" 0 \
    jq -e -s 'all(.[]; .decision != "win" and .verdict != "match" and .verdict != "no_match")' \
    "$dir/blank-auto.out" "$dir/blank-called.out"

spoilt "its winner taken out" 'del(.auto.winner)' clip_auto "$dir/auto.out"
spoilt "another winner" '.auto.winner = 2' clip_auto "$dir/auto.out"
spoilt "another card" '.card = "L4-01"' clip_auto "$dir/auto.out"
spoilt "a layout taken out" 'del(.seat_2.wrong_settled_from_to)' clip_layouts "$dir/auto"
spoilt "a layout added" '.seat_2.third_settled_from_to = [150, 155]' clip_layouts "$dir/auto"
spoilt "a layout's time moved" '.seat_2.right_settled_from_to = [100, 104]' clip_layouts "$dir/auto"
spoilt "a picture taken out" '.frames |= map(select(.frame != 83))' clip_layouts "$dir/auto"
spoilt "a hand added" '(.frames[83].seats[] | select(.seat == 1)).hand_in_seat = true' \
    clip_layouts "$dir/auto"
spoilt "a claim taken out" 'del(.called[0])' clip_called "$dir/called.out"
spoilt "a claim added" '.called += [{t_ms: 8000, seat: 1, verdict: "match"}]' clip_called "$dir/called.out"
spoilt "a claim ruled otherwise" '.called[0].verdict = "match"' clip_called "$dir/called.out"
