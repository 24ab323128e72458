#!/bin/sh
# Languages: every message is in every catalogue, with the same values; the program speaks each
# language, whatever locales the machine has; the pages and the program have the same words. Each check
# is tried on a catalogue with a fault first.
set -u
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
po=pubsub/po
langs="sv da nb fi fr de es"

report() { # name; findings are in $tmp/found
    if [ -s "$tmp/found" ]; then
        echo "not ok - $1"
        head -n 40 "$tmp/found" | sed 's/^/# /'
    else
        echo "ok - $1"
    fi
}
fails() { # name; findings must be there
    if [ -s "$tmp/found" ]; then echo "ok - $1"; else echo "not ok - $1"; fi
}

# ---- the list ----

# What differs between the list and one made anew.
list_differs() { sh $po/extract.sh | diff "$1" - >"$tmp/found" 2>&1; }
list_differs $po/tableref.pot
report "the list should have every message of the sources, and no other (make po)"
sed '/^msgid "MATCH!"/,/^$/d' $po/tableref.pot >"$tmp/short.pot"
list_differs "$tmp/short.pot"
fails "a message that the list lacks should be found"

# ---- catalogues ----

# Values of a text: printf's with their kinds, by their numbers where they have some; names in {}.
values='
function kinds(text,    out, n, at, kind) {
    gsub(/%%/, "", text)
    for (n = 1; match(text, /%([0-9]+\$)?[-+#0-9.*]*(hh|h|ll|l|z|j|t)?[a-zA-Z]/); n++) {
        kind = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        at = n
        if (match(kind, /^%[0-9]+\$/)) {
            at = substr(kind, 2, RLENGTH - 2) + 0
            kind = "%" substr(kind, RLENGTH + 1)
        }
        if (kind !~ /\*/) gsub(/[-+ #0-9.]/, "", kind)
        list[at] = kind
    }
    for (at = 1; at < n; at++) { out = out " " list[at]; delete list[at] }
    return out
}
function names(text,    out, i, name, count, sorted) {
    while (match(text, /[{][a-z_]+[}]/)) {
        seen[substr(text, RSTART, RLENGTH)] = 1
        text = substr(text, RSTART + RLENGTH)
    }
    for (name in seen) { count++; sorted[count] = name }
    for (i = 1; i <= count; i++) for (name = i; name > 1 && sorted[name] < sorted[name - 1]; name--) {
        out = sorted[name]; sorted[name] = sorted[name - 1]; sorted[name - 1] = out
    }
    out = ""
    for (i = 1; i <= count; i++) { out = out " " sorted[i]; delete seen[sorted[i]] }
    return out
}
function said(line) { sub(/^[^"]*"/, "", line); sub(/"$/, "", line); return line }
function edge(text) { return (text ~ /^\\n/ ? "n" : "") "|" (text ~ /\\n$/ ? "n" : "") }
function check(form, text) {
    if (text == "") print "not translated: " id
    else if (kinds(text) != kinds(form)) print "other values of printf: " id " -> " text
    else if (names(text) != names(form)) print "other values in {}: " id " -> " text
    else if (edge(text) != edge(form)) print "other line breaks at its ends: " id " -> " text
}
/^#, .*fuzzy/ { print "fuzzy, line " NR }
/^#~/ { print "obsolete, line " NR }
/^msgid /        { id = said($0); plural = ""; part = "id"; next }
/^msgid_plural / { plural = said($0); part = "plural"; next }
/^msgstr/        { part = "str"; done(); text = said($0); form = /^msgstr\[1\]/ && plural != "" ? plural : id; open = 1; next }
/^"/             { if (part == "id") id = id said($0)
                   else if (part == "plural") plural = plural said($0)
                   else { text = text said($0) } }
/^$/ { done() }
END { done() }
function done() { if (open && id != "") { if (form == "") form = id; check(form, text) } open = 0 }
'
catalogue_check() {
    {
        msgfmt --check-format --check-domain -o /dev/null "$1" 2>&1
        msgcmp "$1" $po/tableref.pot 2>&1
        awk "$values" "$1"
    } >"$tmp/found"
}
for lang in $langs; do
    catalogue_check $po/$lang.po
    report "$lang should have every message, with its values"
done
# A fault of each kind is found.
fault() { # name, sed's words
    sed "$2" $po/sv.po >"$tmp/fault.po"
    catalogue_check "$tmp/fault.po"
    cmp -s $po/sv.po "$tmp/fault.po" && : >"$tmp/found"
    fails "$1 should be found"
}
fault "a message without translation" '/^msgid "MATCH!"/{n;s/".*"/""/;}'
fault "a message that is missing" '/^msgid "MATCH!"/,/^$/d'
fault "one that is there no more" '$a\
\
#~ msgid "Gone"\
#~ msgstr "Borta"'
fault "a translation that is not sure" 's/^msgid "MATCH!"/#, fuzzy\n&/'
fault "another kind of printf" '/^msgid "more than %d options"/{n;s/%d/%s/;}'
fault "a value of printf that is gone" '/^msgid "more than %d options"/{n;s/%d //;}'
fault "another name in {}" '/^msgid "Round {round}"/{n;s/{round}/{runda}/;}'
fault "a name in {} that is gone" '/^msgid "{name} wins the card"/{n;s/{name}//;}'
fault "a plural form that is missing" '/^msgid "{n} card"/{n;n;n;s/".*"/""/;}'

# ---- the program ----

# said NAME LANG=.. -- ARGUMENTS: the first line that it prints, in an environment of its own.
speak() { env -i PATH="$PATH" "$@" 2>&1 | head -n 1; }
expect() { # name, what was said, what should be
    if [ "$2" = "$3" ]; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        printf '# "%s" instead of "%s"\n' "$2" "$3"
    fi
}
english="tableref: a verb is needed; see tableref --help"
verb_needed() {
    case $1 in
    en) echo "$english" ;;
    sv) echo "tableref: ett verb behövs; se tableref --help" ;;
    da) echo "tableref: der mangler et verbum; se tableref --help" ;;
    nb) echo "tableref: et verb mangler; se tableref --help" ;;
    fi) echo "tableref: verbi puuttuu; katso tableref --help" ;;
    fr) echo "tableref: il manque un verbe ; voir tableref --help" ;;
    de) echo "tableref: ein Verb fehlt; siehe tableref --help" ;;
    es) echo "tableref: falta un verbo; vea tableref --help" ;;
    esac
}
for lang in en $langs; do
    expect "--lang $lang should be spoken" "$(speak "$TABLEREF" --lang $lang)" "$(verb_needed $lang)"
done
expect "no locale should be English" "$(speak "$TABLEREF")" "$english"
expect "C should be English" "$(speak LC_ALL=C LANG=sv_SE.UTF-8 LANGUAGE=sv "$TABLEREF")" "$english"
expect "C.UTF-8 should be English" "$(speak LANG=C.UTF-8 "$TABLEREF")" "$english"
expect "a locale that the machine lacks should be spoken" "$(speak LANG=sv_SE.UTF-8 "$TABLEREF")" "$(verb_needed sv)"
expect "LC_MESSAGES should go before LANG" "$(speak LC_MESSAGES=de_CH LANG=sv_SE "$TABLEREF")" "$(verb_needed de)"
expect "LANGUAGE should go before both" "$(speak LANGUAGE=xx:fi LC_ALL=de_DE "$TABLEREF")" "$(verb_needed fi)"
expect "--lang should go before all" "$(speak LANGUAGE=fi LC_ALL=de_DE "$TABLEREF" --lang=nb)" "$(verb_needed nb)"
expect "a language that is not spoken should be English" "$(speak LANG=pl_PL.UTF-8 "$TABLEREF")" "$english"
expect "--lang should be heeded behind what is wrong" \
    "$(speak "$TABLEREF" judge --nonsense --lang sv | cut -d ' ' -f 3)" "okänd"
speak "$TABLEREF" read --lang xx x.jpg >"$tmp/said"
env -i "$TABLEREF" read --lang xx x.jpg >/dev/null 2>&1
expect "a code that is none should be wrong use" $? 2
expect "and the codes should be named" "$(cat "$tmp/said")" \
    "tableref: read: --lang xx: one of these is needed: en, sv, da, nb, fi, fr, de, es"
expect "what a library says should be translated, too" \
    "$(speak "$TABLEREF" read --lang de /nonexistent/a.jpg)" \
    "tableref: /nonexistent/a.jpg: lässt sich nicht öffnen: Datei oder Verzeichnis nicht gefunden; das Bild wurde ausgelassen"

# Whatever --help prints as a help is in the list: the tables' texts are found by their form.
verbs=$("$TABLEREF" --help | awk '/^Verbs:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')
for verb in $verbs; do
    "$TABLEREF" "$verb" --help | sed -n 's/^  --[a-z-]*\( [][A-Za-z0-9:,.=|/-]*\)\{0,1\}  *\([^ ].*\)$/\2/p'
done | sort -u >"$tmp/helps"
sed -n 's/^msgid "\(.*\)"$/\1/p' $po/tableref.pot | sed 's/\\"/"/g' | sort -u >"$tmp/messages"
comm -23 "$tmp/helps" "$tmp/messages" >"$tmp/found"
[ "$(wc -l <"$tmp/helps")" -gt 50 ] || echo "few helps: $(wc -l <"$tmp/helps")" >>"$tmp/found"
report "every option's help should be a message"

# What is for programs does not change.
for lang in en fi; do
    {
        "$TABLEREF" --lang $lang judge fixtures/a1-001.jpg
        "$TABLEREF" --lang $lang --version
    } >"$tmp/out.$lang" 2>/dev/null
done
if [ -s "$tmp/out.en" ] && cmp -s "$tmp/out.en" "$tmp/out.fi"; then
    echo "ok - JSON should be the same in every language"
else
    echo "not ok - JSON should be the same in every language"
fi

# ---- pages and program ----

# Word and text of the two lists of reasons.
sed -n "/^const \(REASONS\|WHYS\) = /,/^};/s/^    \([a-z_]*\): () => t('\(.*\)'),\$/\1 \2/p" pubsub/web/words.js | sort -u >"$tmp/pages"
awk '/ (reasons|whys)\[\] = / { on = 1 } /^};/ { on = 0 } on' referee/cmd_words.c | tr '\n' ' ' |
    sed 's/{"/\n{"/g' | sed -n 's/^{"\([a-z_]*\)", *N_("\(.*\)")}.*/\1 \2/p' | sort -u >"$tmp/program"
diff "$tmp/pages" "$tmp/program" >"$tmp/found"
[ "$(wc -l <"$tmp/pages")" -gt 80 ] || echo "few reasons in the pages" >>"$tmp/found"
report "the pages and the program should have the same words for reasons"
{
    sed -n 's/.*\[REASON_[A-Z_]*\] = "\([a-z_]*\)".*/\1/p' vision/reason.c
    sed -n 's/.*\[WHY_[A-Z_0-9]*\] = "\([a-z_]*\)".*/\1/p' referee/words.c | grep -vx none
} | sort -u >"$tmp/codes"
cut -d ' ' -f 1 "$tmp/program" | sort -u | comm -23 "$tmp/codes" - >"$tmp/found"
report "every code of a reason should have its words"
