#!/bin/sh
# tableref calibrate table: ready or not, and why; and what a run says of the certificate.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
draw=${B:-build}/tests/tools/draw
picture=fixtures/a1-000.jpg
clip=fixtures/clip/round.mkv

because() { jq -e --arg word "$1" '.ready == false and (.because | index($word) != null)' "$out"; }
only_because() { jq -e --arg word "$1" '.because == [$word]' "$out"; }
warned() { jq -e --arg word "$1" '.warnings | index($word) != null' "$out"; }
# change FILTER OUT: the picture changed by ffmpeg.
change() { ffmpeg -v error -y -i "$picture" -vf "$1" -q:v 2 "$tmp/$2"; }

run calibrate table "$picture"
check "a good table should be ready" lines_are '.ready and .because == []'
check "that should give status 0" [ "$status" -eq 0 ]
check "it should say where the camera is" lines_are '.place.tags_seen == 6 and .place.rms_px < 0.5 and .place.height_mm > 500'
check "each seat should have its errors and pixels" lines_are \
    '(.seats | length) == 4 and all(.seats[]; .in_view and .error_mm < 1 and .cell_px > 40)'
check "the print's size should be known from the blocks" lines_are '.print.by == "blocks" and (.print.scale - 1 | fabs) < 0.006'
check "the tags should have their size" lines_are '(.print.tags_scale - 1 | fabs) < 0.01'
check "that the lens is estimated should be said" warned no_rig
check "and in words" grep -q 'warning: the lens is estimated' "$err"
jq '.camera + {"format": "tableref-rig/1", "camera": "one", "made": "2024-05-01"}' fixtures/a1-000.truth.json >"$tmp/rig.json"
run calibrate table --rig "$tmp/rig.json" "$picture"
check "with a rig only that it has no colours should be said" lines_are '.warnings == ["no_colours"] and .rig == "2024-05-01"'
run calibrate table --rig "$tmp/rig.json" --identity two "$picture"
check "a rig of another camera should be" because other_camera
run calibrate table --rig "$tmp/rig.json" fixtures/x-000.jpg
check "a rig of another resolution should be" because rig_size

# A mat that is printed too large or too small: 32 mm for 30, and fitted to the page.
for scale in 1.0667 0.96; do
    jq --argjson s "$scale" '.size_mm |= map(. * $s) | .seats |= map(.rect_mm |= map(. * $s)) |
        .card_slots |= map(.rect_mm |= map(. * $s)) |
        .tags |= map(.size_mm *= $s | .center_mm |= map(. * $s))' calib/kit/mats/a2-two.json >"$tmp/scaled.json"
    mkdir "$tmp/$scale"
    "$draw" "$tmp/$scale" 3 4 usual "$tmp/scaled.json"
    run calibrate table --mat a2-two "$tmp/$scale"/*.jpg
    check "a mat printed at $scale should be found" because print_size
    check "its size should be known within 1 % ($scale)" lines_are "(.print.scale - $scale | fabs) < 0.01 and .print.error < 0.01"
done
run calibrate table --mat a2-two "$tmp/1.0667"/*.jpg
check "it should be said what 30 mm measure" grep -q 'what should be 30 mm is 3[12]\.[0-9] mm' "$err"
run calibrate table --mat a2-two --text "$tmp/1.0667"/*.jpg
check "--text should say it, too" grep -q '^printed at 10[67]\.' "$out"
jq '.tags |= map(.size_mm *= 1.0667)' calib/kit/mats/a2-two.json >"$tmp/tags.json"
mkdir "$tmp/tags" "$tmp/none"
"$draw" "$tmp/tags" 2 4 usual "$tmp/tags.json"
run calibrate table --mat a2-two "$tmp/tags"/*.jpg
check "tags of another size than their distances should be found" because tag_size
run calibrate table --ruler 106.7 "$picture"
check "what the ruler measures should count" lines_are '.print.by == "ruler" and .print.scale == 1.067 and .because == ["print_size"]'
run calibrate table --ruler 100 "$picture"
check "a ruler of 100 mm should be right" lines_are '.ready and .print.scale == 1'
run calibrate table fixtures/x-000.jpg
check "without blocks the size should not be known" lines_are 'if .print then .print.by == null or .print.by == "blocks" else false end'

# Pictures that will not do.
change 'scale=iw/2:ih/2,gblur=sigma=2.4' blurred.jpg
run calibrate table "$tmp/blurred.jpg"
check "a blurred picture should be found" because blurred
change 'lutrgb=r=val*0.2:g=val*0.2:b=val*0.2' dark.jpg
run calibrate table "$tmp/dark.jpg"
check "a dark one" because dark
change 'lutrgb=r=val*1.9:g=val*1.9:b=val*1.9' burnt.jpg
run calibrate table "$tmp/burnt.jpg"
check "a burnt one" because burnt
change 'geq=lum=lum(X\,Y)*(0.92+0.08*sin(Y/22)):cb=cb(X\,Y):cr=cr(X\,Y)' banded.jpg
run calibrate table "$tmp/banded.jpg"
check "bands of lamps" because banding
change 'format=rgb24,drawbox=x=860:y=420:w=70:h=70:color=white:t=fill' glare.jpg
run calibrate table "$tmp/glare.jpg"
check "a mirrored lamp should be placed, and warned about" lines_are '(.picture.glare | length) == 1 and (.warnings | index("glare") != null)'
change 'scale=iw/3:ih/3' small.jpg
run calibrate table "$tmp/small.jpg"
check "cells that are too small" because cells_small
run calibrate table fixtures/a1-001.jpg
check "a seat that is out of view" because out_of_view
check "and tags that are" warned tags_hidden
change 'drawbox=t=fill:color=gray' blank.jpg
run calibrate table "$tmp/blank.jpg"
check "a blank picture should have no mat" only_because no_mat
check "it should have nothing else" lines_are '.place == null and .seats == null and .print == null'
check "it should give status 1" [ "$status" -eq 1 ]
mirror "$picture" "$tmp/mirrored.jpg"
run calibrate table "$tmp/mirrored.jpg"
check "a mirrored one should be called so" only_because mirrored
run calibrate table --mirrored "$tmp/mirrored.jpg"
check "--mirrored should do" lines_are '.ready'
run calibrate table --mat a2-two "$picture"
check "another mat should not be found" because no_mat

# A recording has a rate; its certificate, and a run that has it.
run calibrate table --mat a2-two --video "$clip" --certificate "$tmp/table.json"
check "a recording should have a rate" lines_are '.ready and .picture.rate == 15 and .pictures == 8'
check "the certificate should be what was printed" cmp "$out" "$tmp/table.json"
clip() { run run --video "$clip" --mat a2-two --deck fixture --rounds 1 --no-scoreboard --record "$tmp/record$1" --certificate "$2"; }
clip 1 "$tmp/table.json"
check "a run with a fresh certificate should say nothing of it" sh -c "! grep -q table.json '$err'"
check "it should judge" grep -q '"verdict"' "$out"
jq -c '.made = "2024-01-01T00:00:00Z" | .ready = false | .because = ["dark"] | .size = [9, 9] | .mat = "other"' "$tmp/table.json" >"$tmp/old.json"
clip 2 "$tmp/old.json"
check "a run should say that it is old" grep -q 'old.json: the table was looked over [0-9]* hours ago' "$err"
check "that it is of another size" grep -q 'made with pictures of 9x9, and these are 1280x720' "$err"
check "that it is of another mat" grep -q 'made for mat other' "$err"
check "that the table was not ready, and why" grep -q 'was not ready: it is too dark' "$err"
check "it should judge all the same" grep -q '"verdict"' "$out"
jq -c '.made = "2999-01-01T00:00:00Z"' "$tmp/table.json" >"$tmp/new.json"
clip 3 "$tmp/new.json"
check "a certificate of tomorrow should be doubted" grep -q "which is not in the past" "$err"
echo '{"format":"tableref-rig/1"}' >"$tmp/none.json"
clip 4 "$tmp/none.json"
check "what is no certificate should be refused" [ "$status" -eq 1 ]
check "it should be named with its line" grep -q 'none.json:1' "$err"

# A rig of another camera, live.
jq -c '.size = [640, 480] | .camera = "Another Camera at usb-1"' "$tmp/rig.json" >"$tmp/other.json"
run run --camera test:640x480 --rig "$tmp/other.json" --no-scoreboard --record "$tmp/record5"
check "a rig of another camera should be refused" [ "$status" -eq 1 ]
check "it should be said of which" grep -q 'of another camera (Another Camera at usb-1), and this is test picture' "$err"
run calibrate table --camera test:640x480
check "a camera that shows no mat should not be ready" only_because no_mat
check "its name should be in the certificate" lines_are '.camera == "test picture at test:640x480" and .size == [640, 480]'

# The page, where people see it: the address has a key, without which nothing is shown.
key() { sed -n 's/.*calibrate#//p' "$tmp/page.err"; }
place() { sed -n 's/.*look at \(.*\)\/calibrate#.*/\1/p' "$tmp/page.err"; }
ask() { curl -s -m 5 -H "X-Tableref-Key: $(key)" "$(place)$1"; }
tell() { curl -s -m 5 -H "X-Tableref-Key: $(key)" -H 'Content-Type: application/json' -d "$1" "$(place)/api/command"; }
begin() { # arguments of calibrate
    "$program" calibrate "$@" --listen 127.0.0.1:0 >"$out" 2>"$tmp/page.err" </dev/null &
    page=$!
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        ask /api/outline | grep -q "$waited" && return
        sleep 0.2
    done
}
ends() { wait "$page"; status=$?; }
waited='"ready":true'
jq -c 'del(.R, .t_mm)' "$tmp/rig.json" >"$tmp/bare.json"
begin table --rig "$tmp/bare.json" --out "$tmp/posed.json" "$picture"
check "the page should show where the mat is" sh -c "$(printf '%s' "curl -s -H 'X-Tableref-Key: $(key)' $(place)/api/outline") | jq -e '.kind == \"table\" and (.mat | length) == 4 and (.seats | length) == 4 and (.grid | length) > 100 and .by_hand == false'"
check "without its key it should show nothing" [ "$(curl -s -o "$out.x" -w '%{http_code}' "$(place)/api/outline")" = 403 ]
check "with another key nothing should be done" [ "$(curl -s -o "$out.x" -w '%{http_code}' -H 'X-Tableref-Key: 0' -H 'Content-Type: application/json' -d '{"do":"right"}' "$(place)/api/command")" = 403 ]
check "another page's site should be refused" [ "$(curl -s -o "$out.x" -w '%{http_code}' -H 'Host: evil.example' "$(place)/calibrate")" = 403 ]
for bad in '{"do":"corners"}' '{"do":"corners","px":[[1,2],[3,4],[5,6]]}' '{"do":"corners","px":[["a",2],[3,4],[5,6],[7,8]]}' '{"do":"fly"}' '{"do":7}' '[]'; do
    check "what is no act should be refused: $bad" sh -c "printf '%s' '$(tell "$bad")' | grep -q '\"ok\":false'"
done
check "corners should be taken" sh -c "printf '%s' '$(tell '{"do":"corners","px":[[228,60],[1672,-2],[1639,991],[319,1001]]}')' | grep -q '\"ok\":true'"
check "the mat should be there by hand then" sh -c "printf '%s' '$(ask /api/outline)' | jq -e '.by_hand and (.mat[0][0] - 228 | fabs) < 3'"
tell '{"do":"right"}' >"$out.x"
ends
check "when it is right it should end, ready" [ "$status" -eq 0 ]
check "the rig should have the place" jq -e --slurpfile t "$tmp/rig.json" \
    '[.t_mm, $t[0].t_mm] | transpose | all((.[0] - .[1] | fabs) < 15)' "$tmp/posed.json"
begin table --rig "$tmp/bare.json" --out "$tmp/unsaid.json" "$picture"
kill -TERM "$page"
ends
check "when nobody said so, no rig should be written" [ ! -e "$tmp/unsaid.json" ]
check "that should be said" grep -q 'nobody said that the grid is right' "$tmp/page.err"
check "the certificate should be printed all the same" lines_are '.ready'
run calibrate table --listen 0.0.0.0:0 "$picture"
check "the page should stay on this machine" grep -q 'is for this machine' "$err"
run calibrate table --rig "$tmp/bare.json" --out "$tmp/direct.json" "$picture"
check "without a page the place that was found should be written" jq -e 'has("R") and has("t_mm")' "$tmp/direct.json"
wrong_use "a place without a rig to put it into" calibrate table --out "$tmp/x.json" "$picture"

wrong_use "a ruler that is none" calibrate table --ruler 5 "$picture"
wrong_use "a ruler that is no number" calibrate table --ruler 10cm "$picture"
unusable "an unknown set" zz calibrate table --set zz "$picture"
run calibrate table "$tmp/missing.jpg"
check "no picture at all should give status 1 and no certificate" [ "$status" -eq 1 -a ! -s "$out" ]

finish
