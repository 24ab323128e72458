#!/bin/sh
# tableref read --ramp: where the discs of a ramp lie, on the pictures with truth.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
# In m5-002 and -005 fingers lie over these (row.track); of those whose middle is in view some part
# is not. They may be left out, but not be wrong.
covered='{"m5-002.jpg": ["1.1", "1.2", "2.1"], "m5-005.jpg": ["1.3", "1.4"]}'

# ramps_are FOLDER: every picture's discs as its truth says, and no other.
ramps_are() {
    for truth in "$1"/m5-*.truth.json; do
        jq -c . "$truth"
    done >"$tmp/truths"
    jq -s -e --slurpfile truth "$tmp/truths" --argjson covered "$covered" '
        length == ($truth | length) and ([., $truth] | transpose | all(.[];
            .[0] as $read | .[1] as $true | ($covered[$true.image] // []) as $hidden |
            ($true.discs | map({("\(.row).\(.track)"): .colour}) | add) as $is |
            ($read.discs | map(select(.confidence >= 0.9) | {("\(.row).\(.track)"): .colour}) | add // {}) as $seen |
            $read.ok and
            all($seen | to_entries[]; .value == $is[.key]) and
            all($is | to_entries[]; .key as $k | $seen[$k] == .value or any($hidden[]; . == $k)) and
            all($true.discs[] | select(.visible | not); $seen["\(.row).\(.track)"] == null) and
            (if $true.hand then $read.state == "occluded"
             else $read.state == "complete" and $read.rows_from_bottom == $true.rows_from_bottom end)))' "$out"
}

pictures=$(ls fixtures/m5-*.jpg)
check "there should be eight pictures of ramps" [ "$(echo "$pictures" | wc -l)" -eq 8 ]
# shellcheck disable=SC2086 # names without blanks
run read --ramp make5 $pictures
check "every picture should be read" [ "$status" -eq 0 ]
check "every disc in full view should be right, and none guessed under a hand" ramps_are fixtures
check "the line should have its fields" lines_are '
    .ramp == "make5" and (.rows_from_bottom | length) == 5 and all(.rows_from_bottom[]; length == 5) and
    (.seen | IN("face", "rim")) and (.reasons | type) == "array" and
    all(.discs[]; (.row | IN(1, 2, 3, 4, 5)) and (.track | IN(1, 2, 3, 4, 5)) and (.colour | length) == 1 and
        .confidence >= 0 and .confidence <= 1 and (.center_px | length) == 2)'
check "discs should lie where the truth says, to a third of a disc" jq -s -e --slurpfile truth "$tmp/truths" '
    [., $truth] | transpose | all(.[]; . as $both | all($both[0].discs[]; . as $d |
        ($both[1].discs[] | select(.row == $d.row and .track == $d.track)) as $t |
        (($t.center_px[0] - $d.center_px[0]) | fabs) < 20 and (($t.center_px[1] - $d.center_px[1]) | fabs) < 20))' "$out"

# The comparison can fail: an expectation removed, one added, a picture without a ramp.
mkdir "$tmp/other"
cp fixtures/m5-*.truth.json "$tmp/other"
jq -c 'del(.discs[0])' fixtures/m5-007.truth.json >"$tmp/other/m5-007.truth.json"
if ramps_are "$tmp/other" >/dev/null; then not_ok "an expectation removed should be seen"; else ok "an expectation removed should be seen"; fi
jq -c '.discs += [{"row":4,"track":1,"colour":"r","center_px":[1,1],"visible":true}]' fixtures/m5-007.truth.json >"$tmp/other/m5-007.truth.json"
if ramps_are "$tmp/other" >/dev/null; then not_ok "an expectation added should be seen"; else ok "an expectation added should be seen"; fi
run read --ramp make5 fixtures/a1-000.jpg
check "a picture without the ramp should be refused" lines_are '.ok == false and .reason == "no_mat"'
check "and give status 1" [ "$status" -eq 1 ]

# Mirrored, annotated, wrong use.
mirror fixtures/m5-007.jpg "$tmp/mirrored.jpg"
run read --ramp make5 "$tmp/mirrored.jpg"
check "a mirrored ramp should be refused" lines_are '.ok == false and .reason == "mirrored"'
run read --ramp make5 --mirrored "$tmp/mirrored.jpg"
check "with --mirrored it should be read" lines_are '.state == "complete" and .rows_from_bottom[0] == "rygry"'
run read --ramp make5 --annotate "$tmp/drawn" fixtures/m5-007.jpg
check "a ramp should be annotated" [ -s "$tmp/drawn/m5-007.png" ]
wrong_use "a ramp and a mat should not go together" read --ramp make5 --mat a1-four fixtures/m5-007.jpg
unusable "a ramp that is none should be said" "no-such" read --ramp no-such fixtures/m5-007.jpg

finish
