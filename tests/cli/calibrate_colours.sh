#!/bin/sh
# tableref calibrate colours: from blocks and from the card; and what says that the light changed.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
board=${B:-build}/tests/tools/board
picture=fixtures/a1-003.jpg
clip=fixtures/clip/round.mkv
rig_of() { jq -c '.camera + {"format": "tableref-rig/1"}' "$1"; }

rig_of fixtures/a1-003.truth.json >"$tmp/rig.json"
run calibrate colours --rig "$tmp/rig.json" --out "$tmp/colours.json" "$picture"
check "the blocks should give the set's colours" lines_are '.from == "blocks" and (.symbols | length) == 5'
check "they should lie apart" lines_are '.apart > 0.1'
check "the rig should keep them, and the lens" jq -e --slurpfile r "$tmp/rig.json" \
    '.K == $r[0].K and (.colours.symbols | length) == 5 and .colours.set == "match-madness"' "$tmp/colours.json"
# What is printed: red is red, blue is blue, green is green, each by far.
check "red should be red" jq -e '.symbols[] | select(.symbol == "o") | .ratio | .[0] > 3 * .[1] and .[0] > 3 * .[2]' "$out"
check "blue should be blue" jq -e '.symbols[] | select(.symbol == "+") | .ratio | .[2] > 2 * .[1] and .[1] > .[0]' "$out"
check "green should be green" jq -e '.symbols[] | select(.symbol == "*") | .ratio | .[1] > 2 * .[0] and .[1] > 2 * .[2]' "$out"
jq -S '.symbols' "$out" >"$tmp/blocks.json"

# The printed card, drawn with the same paints, in another light.
mkdir "$tmp/card"
"$board" "$tmp/card" 2 6 colours 1000x700
run calibrate colours --board colours "$tmp/card"/*.jpg
check "the card should give the set's colours" lines_are '.from == "card" and (.symbols | length) == 5 and .pictures == 2'
check "they should be the blocks', within what lamps and gloss do" jq -e --slurpfile b "$tmp/blocks.json" \
    '[.symbols[] as $s | $b[0][] | select(.symbol == $s.symbol) |
      [.ratio, $s.ratio] | transpose[] | (pow(.[0]; 1/2.2) - pow(.[1]; 1/2.2)) | fabs] | length == 15 and max < 0.2' "$out"

# The very sheet that is printed: its colours are the set's to the byte, but for the edges of a patch.
"$program" kit print colours --dpi 100 --out "$tmp/sheet.png" >"$tmp/kit.out"
run calibrate colours --board colours "$tmp/sheet.png"
check "the printed sheet should give what the set says" jq -e --slurpfile set calib/kit/sets/match-madness.json '
    def byte: . as $h | [range(1; 7; 2)] | map([$h[.:(. + 2)] | ascii_upcase | explode[] | if . > 60 then . - 55 else . - 48 end] | .[0] * 16 + .[1]);
    def linear: . / 255 | if . <= 0.04045 then . / 12.92 else pow((. + 0.055) / 1.055; 2.4) end;
    [.symbols[] | [.ratio, ($set[0].symbols[.symbol].field | byte | map(linear))] | transpose[] | .[0] - .[1] | fabs] |
    length == 15 and max < 0.02' "$out"
check "white should be white" lines_are '.white | all(. > 0.95)'

# The light, afterwards.
run calibrate table --rig "$tmp/colours.json" "$picture"
check "in the same light nothing should be said" lines_are '.warnings == [] and .ready'
for change in 'colorchannelmixer=rr=0.95:bb=0.55' 'lutrgb=r=val*0.6:g=val*0.6:b=val*0.6'; do
    ffmpeg -v error -y -i "$picture" -vf "$change" -q:v 2 "$tmp/lamp.jpg"
    run calibrate table --rig "$tmp/colours.json" "$tmp/lamp.jpg"
    check "another lamp should be said ($change)" lines_are '.warnings | index("light_changed") != null'
done
jq -c '.colours.symbols[0].ratio = .colours.symbols[1].ratio' "$tmp/colours.json" >"$tmp/close.json"
run calibrate table --rig "$tmp/close.json" "$picture"
check "two symbols of one colour should not be ready" lines_are '.because == ["colours_close"]'

# A match.
rig_of fixtures/clip/round.truth.json >"$tmp/clip.json"
run calibrate colours --mat a2-two --rig "$tmp/clip.json" --out "$tmp/same.json" --video "$clip"
check "a recording should give colours" lines_are '.pictures == 6 and (.symbols | length) == 5'
jq -c '.colours.white[2] *= 2' "$tmp/same.json" >"$tmp/changed.json"
for kind in same changed; do
    run run --video "$clip" --mat a2-two --deck fixture --rounds 1 --no-scoreboard \
        --rig "$tmp/$kind.json" --record "$tmp/record-$kind"
    check "the match should be judged ($kind)" grep -q '"verdict"' "$out"
    cp "$err" "$tmp/$kind.err"
done
check "a match in the same light should say nothing" sh -c "! grep -q 'the light' '$tmp/same.err'"
check "a match in another light should say so, once" [ "$(grep -c 'warning: the light is not what' "$tmp/changed.err")" -eq 1 ]

# What cannot be used.
unusable "a card that is not there" "card of colours is not seen" calibrate colours --board colours "$picture"
unusable "a mat that is not there" "a2-two is not seen" calibrate colours --mat a2-two "$picture"
mkdir "$tmp/bare"
"$board" "$tmp/bare" 1 1 a2-two 800x600
unusable "a table without blocks" "no colour of . . . . . was seen" calibrate colours --mat a2-two "$tmp/bare/b-00.jpg"
wrong_use "another board" calibrate colours --board chess "$picture"
wrong_use "an output without a rig" calibrate colours --out "$tmp/x.json" "$picture"
jq -c '.colours.white = [0.1, 0.2]' "$tmp/colours.json" >"$tmp/bad.json"
unusable "a rig with broken colours" "white" read --rig "$tmp/bad.json" "$picture"

finish
