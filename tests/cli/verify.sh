#!/bin/sh
# tableref verify: what it counts, and what makes it fail.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
dir=$tmp/pictures
mkdir "$dir"
truth=fixtures/a1-015.truth.json

fresh() {
    rm -rf "$dir"
    mkdir "$dir"
    cp fixtures/a1-015.jpg "$truth" "$dir"
}

# fails NAME WORD: verify must end with 1 and name it.
fails() {
    run verify "$dir"
    if [ "$status" -eq 1 ] && cat "$out" "$err" | grep -q -e "$2"; then ok "$1"; else not_ok "$1"; fi
}

# edit FILTER: the truth, changed.
edit() {
    fresh
    jq -c "$1" "$truth" >"$dir/a1-015.truth.json" || not_ok "jq $1"
    if jq -c . "$truth" | cmp -s - "$dir/a1-015.truth.json"; then not_ok "$1 should change something"; fi
}

fresh
run verify "$dir"
check "a good picture should pass" [ "$status" -eq 0 ]
check "it should count both readings" [ "$(grep -c '^a1 .*rig' "$out")" -eq 6 ]
check "it should show what was taken for what" grep -q 'truth by row' "$out"
check "it should count wrong verdicts" grep -q '^0 wrong verdicts, 0 differences' "$out"
run verify --rig-only "$dir"
check "--rig-only should read once" [ "$(grep -c '^a1 ' "$out")" -eq 3 ]
run verify --no-rig "$dir"
check "--no-rig should read once" [ "$(grep -c '^a1 *no rig' "$out")" -eq 3 ]
run verify --json "$dir"
check "--json should give a line a reading and one for the sums" [ "$(wc -l <"$out")" -eq 3 ]
check "--json should give JSON" lines_are 'has("image") or .passed == true'
run verify --floor "$dir"
check "the floors should be asked for" [ "$status" -eq 0 ]

edit '.seats |= map(.allowed |= map_values(if . == ["match"] then ["no_match"] else . end))'
fails "a wrong verdict should fail" "wrong verdict match"
edit '.seats |= map(select(.seat != 2))'
fails "a seat that the truth lacks should fail" "seat 2: was read as complete"
edit '.seats += [.seats[1] | .seat = 8]'
fails "a seat that is not there should fail" "seat 8: is in the truth"
edit '.cards = []'
fails "a card that the truth lacks should fail" "slot 3: is empty"
edit '.cards += [.cards[0] | .slot = 2]'
fails "a card that is not there should fail" "slot 2: is L"
edit '.cards |= map(if .card then .card = "L1-01" | .level = 1 else . end)'
fails "another card should fail" "slot 3: is L1-01"
edit '.seats |= map(if .seat == 2 then .cells |= .[1:] else . end)'
fails "a cell that the truth lacks should fail" "where the truth has none"
edit '.seats |= map(if .seat == 2 then .cells[0].symbol = (if .cells[0].symbol == "x" then "o" else "x" end) else . end)'
fails "another symbol should fail" "was read as"
edit '.seats |= map(.allowed = {})'
fails "a truth that expects nothing should fail" "allows no verdict"
edit '.seats |= map(if .seat == 2 then .cells += [.cells[0] | .center_px[0] += 150 | .corners_px |= map(.[0] += 150)] else . end)'
run verify "$dir"
check "a cell that is not there should be a miss" grep -q '^miss .*seat 2: cell . at .* was not read' "$out"
run verify --floor "$dir"
check "and below the floor" [ "$status" -eq 1 ]

fresh
rm "$dir/a1-015.jpg"
fails "a truth without its picture should fail" "no picture beside"
fresh
head -c 60000 fixtures/a1-015.jpg >"$dir/a1-015.jpg"
fails "a picture that cannot be decoded should fail" "a1-015.jpg"
fresh
"${B:-build}/tests/tools/blank" 1920 1080 "$dir/a1-015.jpg"
fails "a blank picture should fail" "nothing was read in this picture: no_mat"
fresh
echo '{' >"$dir/a1-015.truth.json"
fails "a broken truth should fail" "a1-015.truth.json:[12]"
edit '.deck = "zz"'
fails "a truth that names no deck there is should fail" "zz"
fresh
cp fixtures/a1-000.jpg "$dir"
run verify "$dir"
check "a picture without a truth should be counted" grep -q '^1 pictures have no truth' "$out"
check "and be no fault" [ "$status" -eq 0 ]
run verify --floor "$dir"
check "but one below the floor" [ "$status" -eq 1 ]
rm "$dir"/*
fails "an empty folder should fail" "no picture"
rmdir "$dir"
fails "a folder that is not there should fail" "pictures: cannot be read"
fresh
run verify "$tmp/nowhere" "$dir"
check "the other folders should be done all the same" grep -q '^a1 ' "$out"
check "with status 1" [ "$status" -eq 1 ]

finish
