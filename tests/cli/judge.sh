#!/bin/sh
# tableref judge: one JSON line a seat.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
# Seat 2 of this picture was built to match its card, L5-01 in slot 3; seat 1 is a near miss.
picture=fixtures/a1-015.jpg
card=$(jq -r 'first(.cards[] | select(.card != null) | .card)' fixtures/a1-015.truth.json)

run judge --slot 3 "$picture"
check "a judged picture should give status 0" [ "$status" -eq 0 ]
check "every seat should have its line" [ "$(wc -l <"$out")" -eq 4 ]
check "lines should have their fields" lines_are '
    .image == "fixtures/a1-015.jpg" and (.seat | type) == "number" and has("card") and
    (.verdict | IN("match", "no_match", "cannot_tell")) and (.reasons | type) == "array" and
    (.wrong_cells | type) == "array" and (.turn | IN(0, 90, 180, 270)) and
    .confidence >= 0 and .confidence <= 1 and .card_from == "slot" and .slot == 3'
check "verdicts should be those that the truth allows" jq -e -s --slurpfile truth fixtures/a1-015.truth.json \
    "all(.[]; . as \$v | \$truth[0].seats[] | select(.seat == \$v.seat) |
        (.allowed[\"$card\"] | index(\$v.verdict)) or \$v.verdict == \"cannot_tell\")" "$out"
check "a seat that matches should be told so" jq -e -s 'any(.[]; .verdict == "match" and .reasons == [])' "$out"
check "a seat that does not should have its reasons" jq -e -s \
    'any(.[]; .verdict == "no_match") and all(.[]; (.verdict == "match") == (.reasons == []))' "$out"
jq -c '[.seat, .verdict, .turn]' "$out" >"$tmp/by-slot"

run judge --card "$card" "$picture"
check "the card by its name should give the same" sh -c "jq -c '[.seat, .verdict]' '$out' >'$tmp/by-card'; \
    jq -c '.[:2]' '$tmp/by-slot' | cmp - '$tmp/by-card'"
check "a named card should be said" lines_are ".card == \"$card\" and .card_from == \"named\" and .slot == null"
run judge "$picture"
check "neither should take the only face-up card" lines_are ".card == \"$card\" and .card_from == \"only_face_up\" and .slot == 3"
check "and say so on standard error" [ "$(wc -l <"$err")" -eq 1 ]
check "and that is no fault" [ "$status" -eq 0 ]
run judge fixtures/a1-002.jpg
check "with several face up nothing should be decided" lines_are '.verdict == "cannot_tell" and .reasons == ["several_cards"]'
run judge --mat a2-two fixtures/a2-002.jpg
check "a slot under a hand may hold another card" lines_are \
    '.verdict == "cannot_tell" and .card == null and (.reasons | index("card_unreadable"))'
check "and is named" grep -q 'slot 2 is occluded (hand)' "$err"
run judge --slot 2 "$picture"
check "an empty slot should decide nothing" lines_are '.verdict == "cannot_tell" and .reasons == ["no_card"]'
run judge --slot 3 --seat 2 "$picture"
check "--seat should restrict" lines_are '.seat == 2'
check "--seat should give one line" [ "$(wc -l <"$out")" -eq 1 ]
run judge --slot 3 --deck none "$picture"
check "a card in no deck should be compared all the same" jq -e -s 'all(.[]; .card == null) and any(.[]; .verdict == "match")' "$out"

mirror "$picture" "$tmp/mirrored.jpg"
run judge --slot 3 --mirrored "$tmp/mirrored.jpg"
check "a mirrored picture should be judged as the table is" sh -c "jq -c '[.seat, .verdict, .turn]' '$out' | cmp - '$tmp/by-slot'"

unusable "a card that is not in the deck should be named" "L9-99" judge --card L9-99 "$picture"
unusable "a card without a deck should be refused" "deck" judge --deck none --card L1-01 "$picture"
unusable "a slot that is not on the mat should be named" "slot 9" judge --slot 9 "$picture"
unusable "a seat that is not on the mat should be named" "seat 9" judge --slot 3 --seat 9 "$picture"
run judge --slot 3 "$tmp/missing.jpg" "$picture"
check "a missing picture should not stop the others" [ "$(wc -l <"$out")" -eq 5 ]
check "a missing picture should give status 1" [ "$status" -eq 1 ]
run judge --slot 3 --annotate "$tmp/drawn" "$picture"
check "verdicts should be drawn" [ -s "$tmp/drawn/a1-015.png" ]

finish
