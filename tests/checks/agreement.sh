#!/bin/sh
# What is said in several places agrees: the options of every verb in its --help, in the manual
# page and in the README; the version; the manual page's form.
set -u
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
page=referee/tableref.1

same() { # name, two files of lines
    sort -u "$2" >"$tmp/one"
    sort -u "$3" >"$tmp/two"
    if [ -s "$tmp/one" ] && cmp -s "$tmp/one" "$tmp/two"; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        diff "$tmp/one" "$tmp/two" | sed 's/^/# /'
    fi
}

"$TABLEREF" --help >"$tmp/help" || echo "not ok - tableref --help should end with 0"
awk '/^Verbs:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' "$tmp/help" >"$tmp/verbs"
awk '$1 == ".Ss" { print $2 }' "$page" >"$tmp/page.verbs"
same "the manual page should have every verb, and no other" "$tmp/verbs" "$tmp/page.verbs"

# Options as words "--name"; the page's are ".It Fl -name" below ".Ss verb". Every verb has --help
# and --lang, which the page says once.
while read -r verb; do
    "$TABLEREF" "$verb" --help >"$tmp/verb.help" || echo "not ok - tableref $verb --help should end with 0"
    sed -n 's/^  \(--[a-z-]*\).*/\1/p' "$tmp/verb.help" | grep -vx -e --help -e --lang >"$tmp/verb.options"
    cat "$tmp/verb.options" >>"$tmp/all.options"
    awk -v verb="$verb" '$1 == ".Ss" { on = $2 == verb } $1 == ".Sh" { on = 0 }
        on && $1 == ".It" && $2 == "Fl" { print "-" $3 }' "$page" >"$tmp/page.options"
    same "the manual page should have every option of $verb, and no other" "$tmp/verb.options" "$tmp/page.options"
done <"$tmp/verbs"

# The words for reasons: in the code's one list and in the page's.
sed -n 's/.*\[REASON_[A-Z_]*\] = "\([a-z_]*\)".*/\1/p' vision/reason.c >"$tmp/reasons"
awk '$1 == ".Sh" { on = $2 == "REASONS" } on && $1 == ".It" { print $3 }' "$page" >"$tmp/page.reasons"
same "the manual page should have every reason, and no other" "$tmp/reasons" "$tmp/page.reasons"

# The README names no option that does not exist, but those of other programs.
sed -n 's/^  \(--[a-z-]*\).*/\1/p' "$tmp/help" >>"$tmp/all.options"
grep -o '\-\-[a-z][a-z-]*' README.md | sort -u >"$tmp/readme.options"
sort -u "$tmp/all.options" >"$tmp/one"
comm -23 "$tmp/readme.options" "$tmp/one" >"$tmp/found"
if [ -s "$tmp/found" ]; then
    echo "not ok - the README should name only options that exist"
    sed 's/^/# /' "$tmp/found"
else
    echo "ok - the README should name only options that exist"
fi
# Every file and folder that it names exists.
grep -o '`[a-zA-Z_.-]*/[a-zA-Z0-9_./-]*`' README.md | tr -d '`' | sort -u |
    while read -r path; do
        case $path in build/*) continue ;; esac
        [ -e "$path" ] || echo "# $path"
    done >"$tmp/found"
if [ -s "$tmp/found" ]; then
    echo "not ok - every path in the README should exist"
    cat "$tmp/found"
else
    echo "ok - every path in the README should exist"
fi

# One version, in referee/cmd_common.h; the newest entry of the change log is of it.
version=$("$TABLEREF" --version | sed 's/^tableref //')
grep -rn --include='*.[ch]' --include='*.cpp' --include='*.1' --include='*.sh' --include=Makefile \
    -F "$version" Makefile calib capture vision referee pubsub tests | grep -v '^calib/kit/' >"$tmp/found"
if [ -n "$version" ] && [ "$(wc -l <"$tmp/found")" -eq 1 ]; then
    echo "ok - the version should stand in one place"
else
    echo "not ok - the version should stand in one place"
    sed 's/^/# /' "$tmp/found"
fi
newest=$(sed -n 's/^## \[\{0,1\}\([0-9][0-9.]*\)\]\{0,1\}.*/\1/p' CHANGELOG.md | head -n 1)
if [ "$newest" = "$version" ]; then
    echo "ok - the change log should have an entry for $version"
else
    echo "not ok - the change log should have an entry for $version (its newest is \"$newest\")"
fi

# What mandoc would warn about. It wants a date and an operating system's name; ours has them.
if mandoc -Tlint -Wwarning "$page" >"$tmp/found" 2>&1; then
    echo "ok - the manual page should have no fault of form"
else
    echo "not ok - the manual page should have no fault of form"
    sed 's/^/# /' "$tmp/found"
fi
