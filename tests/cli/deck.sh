#!/bin/sh
# tableref deck: decks are made, proved, and their cards solved.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc

# Making.
run deck make
check "a deck should be printed" [ "$status" -eq 0 ]
check "it should have twelve cards at each of five levels" jq -e \
    '[.cards[].level] | group_by(.) | map(length) == [12, 12, 12, 12, 12]' "$out"
cp "$out" "$tmp/first.json"
run deck make --out "$tmp/second.json"
check "the same seed should make the same deck" jq -e --slurpfile a "$tmp/first.json" '. == $a[0]' "$tmp/second.json"
check "what it is like should be said" lines_are '.cards == 60 and .faults == 0 and .rising and .seed == 1 and
    (.levels | length) == 5 and ([.histogram[].cards | add] | add) == 60'
check "levels should go by points" lines_are '[.levels[].points] | [.[:-1], .[1:]] | transpose | all(.[0][1] < .[1][0])'
run deck make --seed 2 --out "$tmp/other.json" --text
check "another seed should make another deck" sh -c "! cmp -s '$tmp/second.json' '$tmp/other.json'"
check "the histogram should be shown to people" grep -q '^ *[0-9]*-[0-9]*  *[1-5]* [0-9]*$' "$out"
run deck make --set matching-talent --cards 3 --side 5 --name mine --out "$tmp/mine.json"
check "a set, a size and a name should be taken" jq -e \
    '.name == "mine" and .set == "matching-talent" and (.cards | length) == 15' "$tmp/mine.json"
for deck in first second other mine; do
    run deck check "$tmp/$deck.json"
    check "a deck that was made should be sound: $deck" [ "$status" -eq 0 ]
done
run deck make --cards 2000 --out "$tmp/large.json"
run deck check "$tmp/large.json"
check "ten thousand cards should be made, and sound" lines_are '.cards == 10000 and .faults == 0'

# Proving.
run deck check fixture
check "a deck of the kit should be sound" [ "$status" -eq 0 ]
run deck check fixture --all
check "every card should be told on request" [ "$(wc -l <"$out")" -eq 16 ]
jq '.cards[1].grid = "xxx/xxx/x../xxx" | .cards[5].grid = "++x./*.xo/#*o./..##" | .cards[3].grid = .cards[0].grid
    ' "$tmp/first.json" >"$tmp/bad.json"
run deck check "$tmp/bad.json"
check "a deck with faults should give status 1" [ "$status" -eq 1 ]
check "its faults should be named" jq -e -s '[.[] | select(.fault) | [.card, .fault, .same_as]][:2] ==
    [["L1-02", "impossible", null], ["L1-04", "doubled", "L1-01"]]' "$out"
check "the summary should count them" jq -e -s '.[-1].faults >= 2 and .[-1].cards == 60' "$out"
run deck check "$tmp/bad.json" --text
check "they should be named for people, too" grep -q '^L1-04: is, in some turn, the same as L1-01; ' "$out"
jq '.cards[7].grid |= (split("/") | map(split("")) | transpose | map(reverse | join("")) | join("/"))' \
    "$tmp/first.json" >"$tmp/turned.json"
run deck check "$tmp/turned.json"
check "a card that was turned should still be sound" [ "$status" -eq 0 ]
jq '.cards += [.cards[7] | .id = "again" | .grid |= (split("/") | map(split("")) | transpose |
    map(reverse | join("")) | join("/"))]' "$tmp/first.json" >"$tmp/again.json"
run deck check "$tmp/again.json"
check "the same card turned should be found" jq -e -s '.[0] | .card == "again" and .fault == "doubled" and .same_as == "L1-08"' "$out"
run deck check "$tmp/first.json" --set harbour
check "a deck for other blocks should be found out" jq -e -s '[.[].fault // empty] | unique == ["strange_symbol"]' "$out"

# Solving.
run deck solve L1-01 L2-01 --deck fixture
check "cards should be solved by name" jq -e -s '[.[] | [.card, .solutions]] == [["L1-01", 1], ["L2-01", 2]]' "$out"
check "a way should cover each cell once" lines_are '.grid as $g | all(.ways[];
    gsub("[1-5]"; "c") == ($g | gsub("[^./]"; "c")) and (gsub("[^1-5]"; "") | split("") | sort | join("")) == "1122334455")'
run deck solve 'x*#/x#*/o../++*' --out "$tmp/way.png"
check "a grid should be solved, and drawn" sh -c "[ -s '$tmp/way.png' ] && grep -q '\"ways\":\\[\"332/552/4../411\"\\]' '$out'"
run deck solve L2-01 L2-02 --deck fixture --out "$tmp/way.svg"
check "two cards should be two pictures" test -s "$tmp/way-2.svg"
run deck solve L2-01 --deck fixture --text
check "ways should be drawn in characters" [ "$(grep -c '^+---' "$out")" -ge 2 ]
run deck solve 'xxx/xxx/x../xxx'
check "a card that cannot be built should be said so" sh -c "[ $status -eq 1 ] && grep -q 'cannot be built' '$err'"
check "with no way" lines_are '.solutions == 0 and .ways == []'

# What cannot be.
wrong_use "no word should be wrong use" deck
wrong_use "another word should be wrong use" deck shuffle
wrong_use "a deck of no card should be wrong use" deck make --cards 0
wrong_use "a side beyond bounds should be wrong use" deck make --side 11
wrong_use "a seed that is no number should be wrong use" deck make --seed -1
wrong_use "a name with a newline should be wrong use" deck make --name "a
b"
wrong_use "--text without --out should be wrong use" deck make --text
wrong_use "an argument too many should be wrong use" deck make more
wrong_use "no deck should be wrong use" deck check
wrong_use "no card should be wrong use" deck solve
wrong_use "another kind of picture should be wrong use" deck solve L1-01 --out "$tmp/way.jpg"
unusable "a deck that is not there should be named" nodeck deck check nodeck
unusable "a card that is not there should be named" L9-99 deck solve L9-99 --deck fixture
unusable "cards too small for the set should be said" "fewer cards" deck make --side 3
unusable "a folder that is not there should be named" nowhere deck make --out "$tmp/nowhere/x.json"
finish
