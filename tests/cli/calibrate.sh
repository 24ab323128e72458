#!/bin/sh
# tableref calibrate camera: the lens from real photographs, from drawn boards, and what is said
# when the pictures are poor.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
photos=${B:-build}/opencv-doc
board=${B:-build}/tests/tools/board
lens=${B:-build}/tests/tools/lens

# near A B SHARE: are two numbers within a share of each other?
near() { jq -n -e "($1 - $2) / $2 | . < $3 and . > -($3)"; }
warned() { jq -e --arg word "$1" '.warnings | index($word) != null' "$out"; }
unwarned() { jq -e --arg word "$1" '.warnings | index($word) == null' "$out"; }

# Photographs that nobody here made, and OpenCV's own opinion of them: its published result, and what
# it says when it is called directly.
published() { awk -v n="$1" '/camera_matrix/ { on = 1 } on && /data:/ { gsub(/[][,]/, " "); v = v $0; on = 2; next }
    on == 2 && NF { gsub(/[][,]/, " "); v = v " " $0 } /distortion/ { exit }
    END { split(v, a, " "); print a[n + 1] }' "$photos/left_intrinsics.yml"; }
for side in left right; do
    run calibrate camera --out "$tmp/$side.json" "$photos/$side"0[1-9].jpg "$photos/$side"1[1-4].jpg
    check "the $side photographs should give a lens" [ "$status" -eq 0 ]
    check "all of the $side ones should be used, 54 corners each" lines_are \
        '.used == 13 and all(.pictures[]; .points == 54 and .used)'
    check "their corners should lie where the lens puts them" lines_are '.rms_px < 0.25'
    check "empty corners of the picture should be said" warned corners_empty
    check "empty corners should be said in words" grep -q 'never in some corners' "$err"
    check "nothing should be said against tilts and focal length" jq -e \
        '[.warnings[] | IN("all_frontal", "focal_open", "few_pictures", "residual_large")] | any | not' "$out"
    "$lens" 9 6 25 "$photos/$side"0[1-9].jpg "$photos/$side"1[1-4].jpg >"$tmp/opencv.json" 2>"$err"
    check "the focal length should be OpenCV's own ($side)" near "$(jq .lens.fx "$out")" "$(jq .fx "$tmp/opencv.json")" 0.005
    check "so should the centre ($side)" near "$(jq .lens.cx "$out")" "$(jq .cx "$tmp/opencv.json")" 0.01
    check "the residual should be no larger than a tenth over OpenCV's own ($side)" jq -n -e \
        "$(jq .rms_px "$out") < 1.1 * $(jq .rms_px "$tmp/opencv.json")"
    cp "$out" "$tmp/$side.out"
done
check "the published focal length should be ours within 1 %" near "$(jq .lens.fx "$tmp/left.out")" "$(published 1)" 0.01
check "a published focal length that is another should not be" sh -c "! jq -n -e '($(jq .lens.fx "$tmp/left.out") - 1.05 * $(published 1)) / $(published 1) | . > -0.01' >/dev/null"
check "the rig should be one, with its size and date" jq -e \
    '.format == "tableref-rig/1" and .size == [640,480] and (.made | length) == 20' "$tmp/left.json"

# Drawn boards: the truth is known exactly.
for name in chess:9x6x25@640x360 tags:6x4x32@800x450; do
    kind=${name%%:*} size=${name#*@} name=${name%@*}
    mkdir "$tmp/$kind"
    "$board" "$tmp/$kind" 12 7 "$name" "$size"
    run calibrate camera --board "$name" --out "$tmp/$kind.json" --identity "a camera" "$tmp/$kind"/b-*.jpg
    check "12 drawn views of a $kind board should give a lens" [ "$status" -eq 0 ]
    check "its focal length should be the drawn one within 0.5 % ($kind)" near \
        "$(jq '.K[0][0]' "$tmp/$kind.json")" "$(jq '.K[0][0]' "$tmp/$kind/camera.json")" 0.005
    check "both of its axes ($kind)" near \
        "$(jq '.K[1][1]' "$tmp/$kind.json")" "$(jq '.K[1][1]' "$tmp/$kind/camera.json")" 0.005
    check "points should lie within 0.3 px ($kind)" lines_are '.rms_px < 0.3'
    check "the errors that it states should hold ($kind)" jq -e --slurpfile t "$tmp/$kind/camera.json" \
        '((.lens.fx - $t[0].K[0][0]) / .sigma.fx | fabs) < 5 and ((.lens.cx - $t[0].K[0][2]) / .sigma.cx | fabs) < 5' "$out"
    check "the rig should name the camera ($kind)" jq -e '.camera == "a camera"' "$tmp/$kind.json"
done
run calibrate camera --board tags:6x4x32 --images "$tmp/tags"
check "a folder should do as well" lines_are '.used == 12 and .rms_px < 0.3'

# A recording: a board held still for a second at each place, then one that is never held still.
ffmpeg -v error -framerate 1 -i "$tmp/tags/b-%02d.jpg" -vf fps=5 -c:v mjpeg -q:v 2 "$tmp/still.mkv"
ffmpeg -v error -framerate 5 -i "$tmp/tags/b-%02d.jpg" -c:v mjpeg -q:v 2 "$tmp/moving.mkv"
run calibrate camera --board tags --video "$tmp/still.mkv"
check "a recording of a board held still should do" lines_are '.used >= 9 and .rms_px < 0.3'
check "each place should count once" lines_are '.used <= 12'
run calibrate camera --board tags --video "$tmp/moving.mkv"
check "a board that is never held still should give nothing" [ "$status" -eq 1 -a ! -s "$out" ]
check "that should be said" grep -q '0 of [0-9]* pictures show' "$err"

# A board that is partly out of view, and the mat in place of a board.
mkdir "$tmp/partly" "$tmp/mat"
"$board" "$tmp/partly" 7 3 tags:6x4x32 640x360 partly
run calibrate camera --board tags:6x4x32 "$tmp/partly"/b-*.jpg
check "a board partly in view should do" lines_are '.used >= 6 and any(.pictures[]; .points < 96)'
check "its focal length should be right" near "$(jq .lens.fx "$out")" "$(jq '.K[0][0]' "$tmp/partly/camera.json")" 0.005
"$board" "$tmp/mat" 8 5 a2-two 800x450
run calibrate camera --mat a2-two "$tmp/mat"/b-*.jpg
check "the mat's tags should do without a board" lines_are '.target == "a2-two" and .used >= 7 and .rms_px < 0.5'
check "they should give the focal length, and say how well" jq -e --slurpfile t "$tmp/mat/camera.json" \
    '((.lens.fx - $t[0].K[0][0]) / $t[0].K[0][0] | fabs) < 0.01 and .focal_sigma > 0 and
     ((.lens.fx - $t[0].K[0][0]) / .sigma.fx | fabs) < 5' "$out"
check "that they were few should be said" warned few_pictures

# What kit print prints is what is looked for: all of it is found, where it should be.
for kind in tags chess; do
    "$program" kit print "$kind" --dpi 100 --out "$tmp/$kind.png" >"$tmp/kit.out"
    run calibrate camera --board "$kind" "$tmp/$kind.png" "$tmp/$kind.png" "$tmp/$kind.png"
    check "the printed sheet should be found whole ($kind)" jq -e \
        --argjson points "$([ "$kind" = tags ] && echo 96 || echo 54)" \
        'all(.pictures[]; .points == $points and .rms_px < 0.15)' "$out"
done

# Poor pictures.
mkdir "$tmp/frontal"
"$board" "$tmp/frontal" 4 2 tags:6x4x32 640x360 frontal
run calibrate camera --board tags:6x4x32 "$tmp/frontal"/b-*.jpg
check "pictures from straight ahead should be said" warned all_frontal
check "the focal length should not be trusted then" warned focal_open
check "its error should not be stated, for nobody knows it" lines_are '.focal_sigma == null'
check "it should be said in words what to do" grep -q 'tilt it by 20 to 40' "$err"
mirror "$tmp/tags/b-00.jpg" "$tmp/mirrored.jpg"
unusable "a mirrored board of tags should be refused" "mirror" calibrate camera --board tags "$tmp/mirrored.jpg"
run calibrate camera --board tags "$tmp/chess"/b-0[0-3].jpg
check "pictures without the board should give no lens" [ "$status" -eq 1 -a ! -s "$out" ]
check "how many showed it should be said" grep -q '0 of 4 pictures show tags:6x4x32' "$err"
check "each should be named" [ "$(grep -c 'is not seen' "$err")" -eq 4 ]
run calibrate camera --board tags "$tmp/tags"/b-0[0-1].jpg
check "two pictures should be too few" grep -q 'three are needed at least' "$err"
run calibrate camera --board tags "$tmp/tags"/b-0*.jpg "$tmp/partly/b-00.jpg"
check "a picture of another size should be left out and said" grep -q '640x360, but those before it are 800x450' "$err"
check "that should give status 1, and the lens all the same" lines_are '.used == 10'
: >"$tmp/empty.jpg"
run calibrate camera --board tags "$tmp/tags"/b-0*.jpg "$tmp/empty.jpg"
check "a file that is no picture should be left out and said" [ "$status" -eq 1 -a -s "$out" ]
run calibrate camera --text --board tags "$tmp/tags"/b-0*.jpg
check "--text should print lines for people" grep -q 'focal length .* known to' "$out"

# Wrong use.
wrong_use "nothing to calibrate" calibrate
wrong_use "something that is not calibrated" calibrate nonsense x.jpg
wrong_use "no pictures" calibrate camera
wrong_use "pictures and a folder" calibrate camera --images "$tmp/tags" x.jpg
wrong_use "a board and a mat" calibrate camera --board tags --mat a1-four x.jpg
wrong_use "a board that is none" calibrate camera --board chess:9x9x25 x.jpg
wrong_use "a board of colours" calibrate camera --board colours x.jpg
wrong_use "a size that is none" calibrate camera --size 12 x.jpg
unusable "an unknown mat" "zz" calibrate camera --mat zz x.jpg
run calibrate camera --board tags --out "$tmp/no/such/rig.json" "$tmp/tags"/b-0*.jpg
check "a rig that cannot be written should be said" grep -q 'no/such/rig.json: cannot be written' "$err"
check "that should give status 1" [ "$status" -eq 1 ]

finish
