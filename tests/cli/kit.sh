#!/bin/sh
# tableref kit: what comes out of the printer is as large as it says, and is read; mats are made.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
tools=${B:-build}/tests/tools

# Of a page of a PDF, at 254 dpi: ten pixels to a millimetre. A window x y w h in px, or all of it.
render() { # PDF PAGE OUT [WINDOW]
    if [ $# -gt 3 ]; then
        pdftoppm -r 254 -f "$2" -l "$2" -x "$4" -y "$5" -W "$6" -H "$7" -png -singlefile "$1" "$3"
    else
        pdftoppm -r 254 -f "$2" -l "$2" -png -singlefile "$1" "$3"
    fi
}

# edges_are FILE MM...: so many edges were measured, each within 0.1 mm of its place.
edges_are() {
    file=$1
    shift
    echo "$*" | tr ' ' '\n' >"$tmp/wanted"
    [ "$(wc -l <"$file")" -eq "$(wc -l <"$tmp/wanted")" ] &&
        paste "$file" "$tmp/wanted" | awk '{ d = $1 - $2; if (d > 0.1 || d < -0.1) bad = 1 } END { exit bad }'
}

run kit print mat --mat a2-two --out "$tmp/mat.pdf"
check "a mat should be printed" [ "$status" -eq 0 ]
check "what was written should be said" lines_are '(.file | endswith("/mat.pdf")) and .bytes > 1000'
check "a mat should be one sheet of its size" sh -c \
    "pdfinfo '$tmp/mat.pdf' | grep -q 'Page size: *1683.7[0-9] x 1190.5[0-9] pts'"
check "fonts should be embedded" sh -c \
    "pdffonts '$tmp/mat.pdf' | awk 'NR > 2 { n++; if (\$(NF - 4) != \"yes\") exit 1 } END { exit !(n > 0) }'"
check "a PDF should have no date" sh -c "! pdfinfo '$tmp/mat.pdf' | grep -q Creation"
for kind in pdf svg png; do
    run kit print mat --mat a2-two --dpi 60 --out "$tmp/one.$kind"
    run kit print mat --mat a2-two --dpi 60 --out "$tmp/two.$kind"
    check "the same $kind should be the same bytes" cmp "$tmp/one.$kind" "$tmp/two.$kind"
done
run kit print mat --mat a2-two --date 2026-01-31T12:00:00Z --out "$tmp/dated.pdf"
check "a date should be noted when one is given" sh -c "pdfinfo '$tmp/dated.pdf' | grep -q 'Creation.*2026'"
check "an SVG should be as large as the mat" grep -q 'width="594mm" height="420mm"' "$tmp/one.svg"

# Tag 10 of the mat: 36 mm about 30, 30; across a line inside its black edge, and down another.
render "$tmp/mat.pdf" 1 "$tmp/tag" 0 0 600 600
"$tools/measure" "$tmp/tag.png" 254 2 14.5 across 50 >"$tmp/edges"
check "a tag should be as wide as it says" edges_are "$tmp/edges" 10 46
"$tools/measure" "$tmp/tag.png" 254 14.5 2 down 50 >"$tmp/edges"
check "a tag should be as high as it says" edges_are "$tmp/edges" 10 46
# The control: what a printer that fits it to the page does to it.
"$tools/measure" "$tmp/tag.png" 254 2 14.5 across 50 | awk '{ print $1 * 1.02 }' >"$tmp/edges"
status=0
if edges_are "$tmp/edges" 10 46; then
    not_ok "a tag printed at 102 % should be found out"
else
    ok "a tag printed at 102 % should be found out"
fi
# The ruler of the mat, 3.5 mm from the sheet's edge: 2.8 mm below its line only its centimetres go on,
# in marks 0.2 mm wide, around 247 mm and on.
render "$tmp/mat.pdf" 1 "$tmp/ruler" 2400 4050 1200 150
"$tools/measure" "$tmp/ruler.png" 254 0 10.7 across 119 >"$tmp/edges"
# shellcheck disable=SC2046 # words
check "a ruler should be true over its length" edges_are "$tmp/edges" \
    $(awk 'BEGIN { for (i = 0; i <= 10; i++) print 6.9 + 10 * i, 7.1 + 10 * i }')

# On sheets of A4 and Letter.
run kit print mat --mat a2-two --paper a4 --out "$tmp/tiles.pdf"
check "a mat should be laid over sheets of A4" sh -c "pdfinfo '$tmp/tiles.pdf' | grep -q 'Pages: *8'"
pdftotext "$tmp/tiles.pdf" "$tmp/tiles.txt"
for word in "sheet 1 of 8" "sheet 8 of 8" "mat a2-two"; do
    check "the sheets should say: $word" grep -q "$word" "$tmp/tiles.txt"
done
check "every sheet should say at how much it is printed" [ "$(grep -c 'print at 100 %' "$tmp/tiles.txt")" -ge 8 ]
run kit print tags chess colours ramp blocks mat-tags --paper letter --out "$tmp/all.pdf"
pdfinfo -l 99 "$tmp/all.pdf" | grep '^Page .* size' >"$tmp/pages"
check "everything should be printed together" [ "$(wc -l <"$tmp/pages")" -eq 14 ]
check "every page of it should be Letter" [ "$(grep -c -e '612 x 792' -e '792 x 612' "$tmp/pages")" -eq 14 ]
check "a board's sheet should say what calibration calls it" sh -c \
    "pdftotext '$tmp/all.pdf' - | grep -q 'board chess:9x6x25'"
# The tags of a ramp's sheet lie where its file says, 8 mm from the page's edge.
run kit print ramp --ramp make5 --paper whole --out "$tmp/ramp.pdf"
pdftoppm -r 254 -png -singlefile "$tmp/ramp.pdf" "$tmp/ramp"
"$tools/measure" "$tmp/ramp.png" 254 10 18 across 60 >"$tmp/edges"
check "a ramp's tags should be true" edges_are "$tmp/edges" 6 38
run kit print chess:5x4x30 --paper a4 --out "$tmp/chess.pdf"
render "$tmp/chess.pdf" 1 "$tmp/chess"
# 180 mm wide in the 194 of A4, so it begins at 15; the second row begins with white, and each of its
# six squares ends in an edge but the last, white too.
"$tools/measure" "$tmp/chess.png" 254 5 110 across 200 >"$tmp/edges"
first=$(awk 'NR == 1 { print $1 }' "$tmp/edges")
# shellcheck disable=SC2046 # words
check "squares should be true" edges_are "$tmp/edges" \
    $(awk -v first="$first" 'BEGIN { for (i = 0; i < 6; i++) print first + 30 * i }')

# Cards: a deck of our own, its names as text.
cat >"$tmp/deck.json" <<END
{"format":"tableref-deck/1","name":"Ägg & öl","set":"match-madness","cards":[
 {"id":"Å-1","level":1,"grid":"+o.+/##*x/x.o#"},{"id":"two","level":5,"grid":"xx+*/#*#o/+*.."},
 {"id":"a-name-that-is-rather-long","level":3,"grid":"*xx+/+o../*xx./..#."}]}
END
run kit print cards --deck "$tmp/deck.json" --card-mm 74 --out "$tmp/cards.pdf"
check "a deck of one's own should be printed" [ "$status" -eq 0 ]
check "fronts and backs should take turns" sh -c "pdfinfo '$tmp/cards.pdf' | grep -q 'Pages: *2'"
pdftotext "$tmp/cards.pdf" "$tmp/cards.txt"
for word in "Å-1" "two" "a-name-that-is-rather-long" "Ägg & öl"; do
    check "names should be text: $word" grep -q -e "$word" "$tmp/cards.txt"
done
run kit print cards --deck "$tmp/deck.json" --duplex none --out "$tmp/fronts.svg"
check "one sheet should be one file" [ -s "$tmp/fronts.svg" ]
run kit print cards --deck "$tmp/deck.json" --out "$tmp/both.svg"
check "two sheets should be two files" test -s "$tmp/both-1.svg"
check "and the second is named so" test -s "$tmp/both-2.svg"

# Photographed, with blocks on it, the print is read: both sides of the table, any way round.
pdftoppm -r 127 -png -singlefile "$tmp/mat.pdf" "$tmp/mat"
pdftoppm -r 127 -f 1 -l 1 -png -singlefile "$tmp/cards.pdf" "$tmp/cards"
for seed in 1 2; do
    range=$([ $seed -eq 1 ] && echo plain || echo usual)
    "$tools/photo" "$tmp/photo-$seed.jpg" $seed "$range" a2-two match-madness "$tmp/mat.png" "$tmp/cards.png" \
        127 74 1,29,28,0 3,107,28,93 5,29,106,178
done
run read --mat a2-two --deck "$tmp/deck.json" "$tmp/photo-1.jpg" "$tmp/photo-2.jpg"
check "a photographed print should be read without a warning" lines_are '.ok and .warnings == []'
check "printed cards should be known" lines_are '[.cards[] | select(.state == "face_up") | [.slot, .id, .turn]] ==
    [[1, "Å-1", 0], [3, "two", 90], [5, "a-name-that-is-rather-long", 180]]'
check "their levels should be read" lines_are '[.cards[] | select(.state == "face_up") | .level] == [1, 5, 3]'
check "slots without a card should be empty" lines_are '[.cards[] | select(.state == "empty") | .slot] == [2, 4]'
check "layouts on it should be read" jq -e -s '[.[].seats[] | select(.state == "complete")] | length >= 2' "$out"
# Controls: other cards are others, and a blank sheet is no mat.
run read --mat a2-two --deck fixture "$tmp/photo-1.jpg"
check "another deck should not know them all" lines_are '[.cards[] | select(.id == "two")] == []'
ffmpeg -loglevel error -y -f lavfi -i color=white:s=2970x2100 -frames:v 1 "$tmp/blank.png"
"$tools/photo" "$tmp/blank.jpg" 1 plain a2-two match-madness "$tmp/blank.png" "$tmp/cards.png" 127 74
run read --mat a2-two "$tmp/blank.jpg"
check "a blank sheet should be no mat" lines_are '(.ok | not) and .reason == "no_mat"'

# A mat of one's own: made, printed, photographed with cards and blocks on it, read.
run kit mat --width-mm 640 --height-mm 460 --card-mm 74 --slots 3 --name mine --out "$tmp/mine.json"
check "a mat should be made" [ "$status" -eq 0 ]
check "the cameras that it takes should be said" lines_are '.mat == "mine" and .seats == 2 and .slots == 3 and
    (.cameras | length) > 2 and all(.cameras[]; .cell_px >= 25 and .height_mm > 300)'
run kit print mat --mat "$tmp/mine.json" --out "$tmp/mine.pdf"
pdftoppm -r 127 -png -singlefile "$tmp/mine.pdf" "$tmp/mine"
for seed in 3 4; do
    "$tools/photo" "$tmp/mine-$seed.jpg" $seed plain "$tmp/mine.json" match-madness "$tmp/mine.png" \
        "$tmp/cards.png" 127 74 2,29,28,0 3,107,28,87
done
run read --mat "$tmp/mine.json" --deck "$tmp/deck.json" "$tmp/mine-3.jpg" "$tmp/mine-4.jpg"
check "cards on it should be read" lines_are '.ok and .warnings == [] and
    [.cards[] | [.slot, .state, .id]] == [[1, "empty", null], [2, "face_up", "Å-1"], [3, "face_up", "two"]]'
check "and layouts" jq -e -s '[.[].seats[] | select(.state == "complete")] | length >= 2' "$out"
run kit mat --paper a2
check "a mat should be told when no file is named" jq -e '.format == "tableref-mat/1" and (.tags | length) == 6' "$out"
unusable "a mat that does not fit should be told how large a sheet it takes" "need a sheet of 571 x 424 mm" \
    kit mat --paper a3
wrong_use "one side of a sheet should be wrong use" kit mat --width-mm 500
wrong_use "a mat for nobody should be wrong use" kit mat --seats 0
wrong_use "an unknown paper for a mat should be wrong use" kit mat --paper whole
wrong_use "a lens of no angle should be wrong use" kit mat --view-deg 1
wrong_use "a size with an exponent should be wrong use" kit mat --block-mm 3e1
wrong_use "an argument too many should be wrong use" kit mat a1

# What cannot be.
wrong_use "nothing to print should be wrong use" kit print --out "$tmp/x.pdf"
wrong_use "an unknown thing should be wrong use" kit print hat --out "$tmp/x.pdf"
wrong_use "a chessboard that cannot be should be wrong use" kit print chess:8x6x25 --out "$tmp/x.pdf"
wrong_use "no --out should be wrong use" kit print mat
wrong_use "another ending should be wrong use" kit print mat --out "$tmp/x.jpg"
wrong_use "an unknown paper should be wrong use" kit print mat --paper a9 --out "$tmp/x.pdf"
wrong_use "an unknown duplex should be wrong use" kit print cards --duplex both --out "$tmp/x.pdf"
wrong_use "a date of another form should be wrong use" kit print mat --date today --out "$tmp/x.pdf"
wrong_use "a resolution beyond bounds should be wrong use" kit print mat --dpi 5 --out "$tmp/x.png"
wrong_use "no word should be wrong use" kit
wrong_use "another word should be wrong use" kit paint
unusable "a mat that is not there should be named" nomat kit print mat --mat nomat --out "$tmp/x.pdf"
unusable "paper too small should be said" paper kit print cards --paper a5 --card-mm 200 --out "$tmp/x.pdf"
unusable "too many pixels should be said" dpi kit print mat --dpi 1200 --out "$tmp/x.png"
unusable "a folder that is not there should be named" nowhere kit print mat --out "$tmp/nowhere/x.pdf"
unusable "a deck for another set should be refused" matching kit print cards --set matching-talent \
    --deck harbour --out "$tmp/x.pdf"
check "what failed should leave nothing" sh -c "! ls '$tmp'/x.* 2>/dev/null"
finish
