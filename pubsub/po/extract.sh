#!/bin/sh
# Prints the list of all messages (a .pot file), in the order of their letters: what stands in the
# program, and in its pages. Usage, from the top of the tree: sh pubsub/po/extract.sh [pages]
# With "pages": only theirs.
#
# Marks, in C: N_("..") and cmd_text("..") and cmd_text_n("..", "..", n) (in the display
# pubsub_display_count); what cmd_error is given; what
# libraries put into a fault. The tables of options and verbs need no marks: their texts are found by
# their form. In the pages: t('..') and tn('..', '..', n).
set -eu
LC_ALL=C
export LC_ALL
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

common='--from-code=UTF-8 --no-location --no-wrap --add-comments=TRANSLATORS: --output=-'
pages() {
    xgettext $common --language=JavaScript --keyword --keyword=t --keyword=tn:1,2 pubsub/web/*.js 2>/dev/null |
        sed 's/charset=CHARSET/charset=UTF-8/'
}
# The list's head says the set of characters and nothing else: no date, so that the same sources give
# the same list.
headed() {
    printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
    awk 'body; /^$/ { if (!body) print ""; body = 1 }' "$1"
}
pages >"$tmp/pages.pot"
if [ "${1-}" = pages ]; then
    headed "$tmp/pages.pot"
    exit
fi

# {"name", "VALUE" or NULL, KEY, "help"} of a verb's options, {"verb", cmd_verb, "about"} of main's
# table, {"verb word", "ARGUMENTS", "about", options} and .about = "..": their texts as calls of N_.
tables() {
    awk -v RS='\001' '{
        gsub(/\\\n/, " ")
        string = "\"([^\"\\\\]|\\\\.)*\""
        macro = "([A-Z_]+[ \n]+)*" # MATCH_IS "text"
        texts = macro string "([ \n]+" string ")*"
        split("", text_of)
        define_is = "#define [A-Z_]+[ \n]+" string "([ \n]+" string ")*"
        for (rest = $0; match(rest, define_is);) {
            define = substr(rest, RSTART + 8, RLENGTH - 8)
            rest = substr(rest, RSTART + RLENGTH)
            match(define, /^[A-Z_]+/)
            text_of[substr(define, 1, RLENGTH)] = substr(define, RLENGTH + 1)
        }
        find("{[ \n]*\"[a-z0-9-]+\",[ \n]*(" string "|NULL),[ \n]*[A-Za-z_0-9]+,[ \n]*", "[ \n]*}")
        find("{[ \n]*\"[a-z]+\",[ \n]*cmd_[a-z_]+,[ \n]*", "[ \n]*}")
        find("\\.about =[ \n]*", ",")
        find("{[ \n]*\"[a-z]+ [a-z]+\",[ \n]*" string ",[ \n]*", ",")
    }
    function find(before, after,    rest, text) {
        for (rest = $0; match(rest, before texts after);) {
            text = substr(rest, RSTART, RLENGTH)
            rest = substr(rest, RSTART + RLENGTH)
            match(text, "^" before)
            text = substr(text, RLENGTH + 1)
            sub(after "$", "", text)
            while (match(text, /^[ \n]*[A-Z_]+/)) {
                define = substr(text, 1, RLENGTH)
                text = substr(text, RLENGTH + 1)
                gsub(/[ \n]/, "", define)
                head = head text_of[define] " "
            }
            text = head text
            head = ""
            print "N_(" text ")"
        }
    }' "$@"
}
tables referee/main.c */cmd_*.[ch] >"$tmp/tables.c"

# Where a line for people is made, with the number of its argument. What the web server answers is left
# out: pages show what the short word before it means.
faults='--keyword=cmd_error --keyword=calib_json_fault:3 --keyword=calib_fault_set:5 --keyword=calib_json_warn:2
    --keyword=capture_fail:3 --keyword=capture_camera_notice:2 --keyword=fail:3 --keyword=refuse:3
    --keyword=note:3 --keyword=cmd_case_fail:2 --keyword=pen_fail:3 --keyword=pubsub_keys_fail:3
    --keyword=loop_reply_refuse:3 --keyword=referee_journal_fault:5'
find calib capture vision referee pubsub -name '*.[ch]' |
    grep -v -e '^pubsub/web_\(route\|server_serve\|server_reply\)\.c$' -e '/error\.c$' | sort >"$tmp/files"
# Formats that are put together with inttypes.h: as they are on 64 bits, where we run.
mkdir "$tmp/source"
awk -v RS='\001' -v folder="$tmp/source/" '{
    gsub(/"[ \n\\]*PRI[iu]64[ \n\\]*"/, "lu"); gsub(/"[ \n\\]*PRI[iu]64/, "lu\"")
    gsub(/"[ \n\\]*PRId64[ \n\\]*"/, "ld"); gsub(/"[ \n\\]*PRId64/, "ld\"")
    gsub(/"[ \n\\]*JSON_INTEGER_FORMAT[ \n\\]*"/, "lld"); gsub(/"[ \n\\]*JSON_INTEGER_FORMAT/, "lld\"")
    file = FILENAME
    gsub("/", "-", file)
    printf "%s", $0 >(folder file)
    close(folder file)
}' $(cat "$tmp/files")
{ find "$tmp/source" -type f | sort; echo "$tmp/tables.c"; } >"$tmp/copies"
c="xgettext $common --language=C"
$c --keyword --keyword=N_ --keyword=cmd_text --keyword=cmd_text_n:1,2 --keyword=pubsub_display_count:2,3 \
    $faults --files-from="$tmp/copies" >"$tmp/program.pot"
# The sentences for the numbers of errors: all that stands there.
$c --extract-all */error.c >"$tmp/errors.pot"
sed -i 's/charset=CHARSET/charset=UTF-8/' "$tmp/program.pot" "$tmp/errors.pot"
msgcat --use-first --no-wrap --sort-output "$tmp/program.pot" "$tmp/errors.pot" "$tmp/pages.pot" >"$tmp/all.pot"
headed "$tmp/all.pot"
