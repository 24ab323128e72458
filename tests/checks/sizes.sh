#!/bin/sh
# Functions of more than 100 lines and files of more than 800 fail; functions over 60 are listed.
# A function is what stands between "{" and "}" in the first column, with the line of its name.
set -u
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
find calib capture vision referee pubsub tests -name '*.[ch]' -o -name '*.cpp' | sort >"$tmp/files"

# file, line, lines, name; table initialisers ("= {" at the end of a line) are no functions.
while read -r file; do
    awk -v file="$file" '
        /^{/ { start = NR; name = head }
        /^}/ { if (start) print file, start - 1, NR - start + 2, name; start = 0 }
        /^[A-Za-z_].*\(/ { head = $0; sub(/\(.*/, "", head); sub(/.*[ *]/, "", head) }' "$file"
done <"$tmp/files" >"$tmp/functions"

awk '$3 > 100' "$tmp/functions" >"$tmp/found"
if [ -s "$tmp/found" ]; then
    echo "not ok - no function should be longer than 100 lines"
    awk '{ print "# " $1 ":" $2 ": " $4 " has " $3 " lines" }' "$tmp/found"
else
    echo "ok - no function should be longer than 100 lines"
fi
awk '$3 > 60 && $3 <= 100 { print "# over 60: " $1 ":" $2 ": " $4 ", " $3 " lines" }' "$tmp/functions"
sort -k3,3n "$tmp/functions" | awk '$1 !~ /^tests/ { n[++i] = $3 }
    END { if (i) print "# " i " functions, median " n[int((i + 1) / 2)] " lines, nine in ten under " n[int(i * 0.9)] + 1 }'

xargs wc -l <"$tmp/files" | awk '$2 != "total" && $1 > 800 { print "# " $2 ": " $1 " lines" }' >"$tmp/found"
if [ -s "$tmp/found" ]; then
    echo "not ok - no file should be longer than 800 lines"
    cat "$tmp/found"
else
    echo "ok - no file should be longer than 800 lines"
fi
