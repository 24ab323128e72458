#!/bin/sh
# tableref read: one JSON line a picture, whatever the pictures are.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
picture=fixtures/a1-000.jpg

run read "$picture"
check "a good picture should give status 0" [ "$status" -eq 0 ]
check "a good picture should give one line" [ "$(wc -l <"$out")" -eq 1 ]
check "a good picture should say nothing on standard error" [ ! -s "$err" ]
check "the line should have its fields" lines_are '
    .image == "fixtures/a1-000.jpg" and .ok == true and .mat == "a1-four" and .mirrored == false and
    (.warnings | type) == "array" and (.seats | length) == 4 and (.cards | length) == 5'
check "seats should have their fields" lines_are 'all(.seats[];
    (.seat | type) == "number" and (.state | IN("empty", "complete", "incomplete", "occluded", "unreadable")) and
    ((.state == "complete") == (.grid != null)) and .turned_deg > -45 and .turned_deg <= 45 and
    .confidence >= 0 and .confidence <= 1 and (.reasons | type) == "array")'
check "cells should have their fields" lines_are 'all(.seats[].cells[];
    has("row") and has("col") and has("second") and (.symbol | length) == 1 and
    .confidence >= 0 and .confidence <= 1 and (.center_px | length) == 2 and (.center_mm | length) == 2)'
check "cards should have their fields" lines_are 'all(.cards[];
    (.slot | type) == "number" and (.state | IN("empty", "face_down", "face_up", "occluded", "unreadable")) and
    has("id") and has("level") and has("grid") and (.turn | IN(0, 90, 180, 270)) and
    .confidence >= 0 and .confidence <= 1 and (.reasons | type) == "array")'
check "the card of the default deck should be known" lines_are '[.cards[] | .id] | index("L4-02")'
check "confidences should have three decimals, places one" grep -q \
    '"confidence":[01]\.[0-9][0-9][0-9],"second":"[^"]*","center_px":\[[-0-9]*\.[0-9],[-0-9]*\.[0-9]\]' "$out"

run read --deck none "$picture"
check "without a deck the card should have no id" lines_are 'all(.cards[]; .id == null)'

# Bad ones among good ones.
: >"$tmp/empty.jpg"
echo "this is no picture" >"$tmp/text.jpg"
head -c 60000 "$picture" >"$tmp/cut.jpg"
printf '\377\330\377' >"$tmp/header.jpg"
mkdir "$tmp/folder.jpg"
ln -s nowhere "$tmp/dangling.jpg"
run read "$picture" "$tmp/empty.jpg" "$tmp/text.jpg" "$tmp/cut.jpg" "$tmp/header.jpg" \
    "$tmp/folder.jpg" "$tmp/dangling.jpg" "$tmp/missing.jpg" /proc/self/mem fixtures/a1-002.jpg
check "bad pictures should give status 1" [ "$status" -eq 1 ]
check "every picture should have its line" [ "$(wc -l <"$out")" -eq 10 ]
check "every line should be JSON" lines_are 'has("image") and has("ok")'
check "the good ones should be read all the same" jq -e -s \
    '[.[] | select(.ok) | .image] == ["fixtures/a1-000.jpg", "fixtures/a1-002.jpg"]' "$out"
check "every bad one should be a line on standard error" [ "$(wc -l <"$err")" -eq 8 ]
check "the reasons should say what is wrong" jq -e -s '[.[] | select(.ok | not) | .reason] |
    .[:7] == ["empty_file", "not_a_picture", "damaged_frame", "damaged_frame", "unreadable_file",
              "unreadable_file", "unreadable_file"]' "$out"
for name in empty text cut header folder dangling missing; do
    check "standard error should name $name.jpg" grep -q "/$name\.jpg: ." "$err"
done

# Names that are no text.
bad=$(printf 'a\377"b\\\nc.jpg')
cp "$picture" "$tmp/$bad"
run read "$tmp/$bad" "$tmp/missing$bad"
check "any bytes in a name should give valid JSON" lines_are '.image | contains("\ufffd\"b\\\nc")'
check "any bytes in a name should stay one line on standard error" [ "$(wc -l <"$err")" -eq 1 ]
cp "$picture" "$tmp/-x.jpg"
case $program in
/*) full=$program ;;
*) full=$PWD/$program ;;
esac
(cd "$tmp" && "$full" read -- -x.jpg) >"$out" 2>"$err"
check "-- should end the options" lines_are '.ok and .image == "-x.jpg"'

# Mirrored.
mirror "$picture" "$tmp/mirrored.jpg"
run read "$tmp/mirrored.jpg"
check "a mirrored picture should be refused" lines_are '.ok == false and .reason == "mirrored"'
check "a mirrored picture should give status 1" [ "$status" -eq 1 ]
check "a mirrored picture should be told what to do" grep -q -e '--mirrored' "$err"
run read --mirrored "$tmp/mirrored.jpg"
check "with --mirrored it should be read" lines_are '.ok and .mirrored'
check "with --mirrored it should give status 0" [ "$status" -eq 0 ]
jq -c '[.seats[] | [.seat, .state, .grid]]' "$out" >"$tmp/flipped.json"
jq -r '[.seats[].cells[] | [.symbol, .center_px[1]]] | sort_by(.[1]) | .[0][0]' "$out" >"$tmp/top"
flipped_px=$(jq '[.seats[].cells[].center_px[0]] | add / length' "$out")
run read "$picture"
jq -c '[.seats[] | [.seat, .state, .grid]]' "$out" >"$tmp/plain.json"
check "it should read the same as the picture before" cmp "$tmp/flipped.json" "$tmp/plain.json"
plain_px=$(jq '[.seats[].cells[].center_px[0]] | add / length' "$out")
check "places should be those of the picture as given" jq -n -e \
    "($flipped_px + $plain_px - 1919) | . > -2 and . < 2"
run read --mirrored "$picture"
check "--mirrored on a picture that is not should be refused" lines_are '.ok == false'
check "it should be told so" grep -q 'not mirrored' "$err"

# What is named.
unusable "an unknown mat should be named" "zz" read --mat zz "$picture"
unusable "an unknown set should be named" "zz" read --set zz "$picture"
unusable "an unknown deck should be named" "zz" read --deck zz "$picture"
unusable "a mat that is no file should be named" "no/such.json" read --mat no/such.json "$picture"
unusable "a rig that is no file should be named" "no/such.json" read --rig no/such.json "$picture"
echo '{"format":"tableref-rig/1","size":[1,' >"$tmp/rig.json"
unusable "a broken rig should be named with its line" "rig.json:[12]" read --rig "$tmp/rig.json" "$picture"
jq '.camera + {"format": "tableref-rig/1"}' fixtures/a1-000.truth.json >"$tmp/rig.json"
run read --rig "$tmp/rig.json" "$picture"
check "a picture should be read with its rig" [ "$status" -eq 0 ]
run read --rig "$tmp/rig.json" fixtures/x-000.jpg "$picture"
check "a rig for another resolution should be an error" jq -e -s \
    '.[0].ok == false and .[0].reason == "rig_size" and .[1].ok' "$out"
check "a rig for another resolution should give status 1" [ "$status" -eq 1 ]
jq '.K[0][0] *= 1.3 | .K[1][1] *= 1.3 | .dist = [0.1, 0, 0, 0, 0]' "$tmp/rig.json" >"$tmp/other.json"
run read --rig "$tmp/other.json" "$picture"
check "the rig of another lens should be an error" lines_are '.ok == false and .reason == "rig_lens"'
check "the rig of another lens should be explained" grep -q 'give the rig of this camera' "$err"
run read --mat a2-two fixtures/a2-000.jpg
check "another mat should be read" lines_are '.ok and .mat == "a2-two" and (.seats | length) == 2'
run read --set matching-talent fixtures/mt-000.jpg
check "another set should be read" lines_are 'any(.seats[]; .state == "complete")'
check "a set without a deck of its own should get the one whose symbols it has" lines_are \
    '[.cards[] | .id] | index("L5-02")'
run read ./fixtures/a1-000.jpg --mat calib/kit/mats/a1-four.json --set ./calib/kit/sets/match-madness.json
check "files should do for built-ins, and options may follow" lines_are '.ok and .mat == "a1-four"'

# Annotated pictures.
run read --annotate "$tmp/drawn" "$picture" "$tmp/missing.jpg"
check "the annotated picture should be a PNG" sh -c "head -c 4 '$tmp/drawn/a1-000.png' | grep -q PNG"
check "a picture that was not read should leave none" [ "$(ls "$tmp/drawn")" = a1-000.png ]
mkdir "$tmp/a" "$tmp/b"
cp "$picture" "$tmp/a/x.jpg"
cp fixtures/a1-002.jpg "$tmp/b/x.jpg"
run read --annotate "$tmp/drawn" "$tmp/a/x.jpg" "$tmp/b/x.jpg"
check "pictures of one name should not overwrite each other" [ -s "$tmp/drawn/x.png" -a -s "$tmp/drawn/x.2.png" ]
run read --annotate "$tmp/drawn" "$tmp/drawn/a1-000.png"
check "a picture that was given should never be overwritten" grep -q 'one of the pictures given' "$err"
check "that should give status 1" [ "$status" -eq 1 ]
run read --annotate "$picture" "$picture"
check "a file in place of the folder should give status 1" [ "$status" -eq 1 ]
run read --annotate "$tmp/no/such/folder" "$picture"
check "a folder that cannot be made should give status 1" [ "$status" -eq 1 ]

finish
