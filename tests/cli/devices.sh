#!/bin/sh
# `tableref devices`: what it prints of machines with and without cameras. Real ones are tried by
# tests/checks/v4l2.sh.
. tests/cli/common.inc

run devices --quick
check "a machine should be listed whatever cameras it has" [ "$status" -eq 0 ]
if [ -s "$out" ]; then
    check "each camera should be a line of JSON" \
        lines_are '(.device | type) == "string" and (.usable | type) == "boolean" and (.modes | type) == "array"'
else
    check "that there is no camera should be said" grep -q -e 'no camera' "$err"
fi

run devices /dev/null /nowhere/video0
check "devices that are none should end with 1" [ "$status" -eq 1 ]
check "and be told as such, a line each" \
    lines_are '.usable == false and (.reason | IN("not_video", "absent")) and (.explanation | length) > 10'
wrong_use "an unknown option should be refused" devices --json
finish
