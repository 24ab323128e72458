#!/bin/sh
# How the program is called: verbs, options, help, exit statuses, and where it prints.
set -u
# shellcheck source=tests/cli/common.inc
. tests/cli/common.inc
picture=fixtures/a1-000.jpg

wrong_use "no verb should be wrong use"
wrong_use "an unknown verb should be wrong use" reed
wrong_use "an unknown option before the verb should be wrong use" --foo
wrong_use "an unknown option should be wrong use" read --foo "$picture"
wrong_use "an unknown short option should be wrong use" read -q "$picture"
wrong_use "a picture named like an option should be wrong use" read -dash.jpg
check "the message should name that picture" grep -q -e '\./-dash\.jpg' "$err"
wrong_use "an option that lacks its value should be wrong use" read "$picture" --mat
wrong_use "a value for an option that takes none should be wrong use" read --mirrored=1 "$picture"
wrong_use "read without a picture should be wrong use" read
wrong_use "judge without a picture should be wrong use" judge --slot 3
wrong_use "judge with a card and a slot should be wrong use" judge --slot 3 --card L1-01 "$picture"
wrong_use "a slot that is no number should be wrong use" judge --slot three "$picture"
wrong_use "a slot of 0 should be wrong use" judge --slot 0 "$picture"
wrong_use "a number with something behind it should be wrong use" judge --seat 1x "$picture"
wrong_use "a number beyond all bounds should be wrong use" judge --seat 99999999999999999999 "$picture"
wrong_use "verify without a folder should be wrong use" verify
wrong_use "verify that may read nothing should be wrong use" verify --rig-only --no-rig fixtures
wrong_use "options of another verb should be wrong use" read --slot 3 "$picture"

run --help
check "--help should name the verbs" grep -q '^  verify ' "$out"
check "--help should end well" [ "$status" -eq 0 ]
run --version
check "--version should print one line" grep -q -x 'tableref [0-9]*\.[0-9]*\.[0-9]*' "$out"
for verb in read judge verify; do
    run $verb --help
    check "$verb --help should show its use" grep -q "^Usage: tableref $verb" "$out"
    check "$verb --help should end well" [ "$status" -eq 0 ]
    check "$verb --help should say nothing on standard error" [ ! -s "$err" ]
done
run read --help
for option in mat set deck rig annotate mirrored; do
    check "read should list --$option" grep -q -e "--$option" "$out"
done
run judge --help
for option in mat set deck rig annotate mirrored card slot seat; do
    check "judge should list --$option" grep -q -e "--$option" "$out"
done

# Standard output that does not take what is printed.
"$program" read "$picture" >/dev/full 2>"$err"
status=$?
check "a full disk should give status 1" [ "$status" -eq 1 ]
check "a full disk should be one line" [ "$(wc -l <"$err")" -eq 1 ]
"$program" read "$picture" >&- 2>"$err"
status=$?
check "a closed output should give status 1" [ "$status" -eq 1 ]
check "a closed output should be one line" [ "$(wc -l <"$err")" -eq 1 ]
{
    "$program" read "$picture" "$picture" "$picture" "$picture" 2>"$err"
    echo $? >"$tmp/status"
} | :
status=$(cat "$tmp/status")
check "a closed pipe should give status 1, not a signal" [ "$status" -eq 1 ]
check "a closed pipe should be one line" [ "$(wc -l <"$err")" -eq 1 ]
"$program" --help >/dev/full 2>"$err"
status=$?
check "help for a full disk should give status 1" [ "$status" -eq 1 ]

finish
