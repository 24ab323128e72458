#!/bin/sh
# Every header compiles alone, with the warnings of the build, and twice in one file. Those of the
# unit tests come after cmocka's, which itself wants four others first.
set -u
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
for header in */*.h tests/*/*.h; do
    [ -f "$header" ] || continue
    case $header in
    tests/unit/*) printf '#include <%s>\n' stdarg.h stddef.h stdint.h setjmp.h cmocka.h ;;
    esac >"$tmp/it.c"
    printf '#include "%s"\n#include "%s"\n' "$header" "$header" >>"$tmp/it.c"
    if gcc -std=gnu11 -fsyntax-only -Wall -Wextra -Wconversion -Wstrict-prototypes -Wundef -Werror \
        -I. -isystem /usr/include/cairo "$tmp/it.c" 2>"$tmp/log"; then
        echo "ok - $header should compile alone"
    else
        echo "not ok - $header should compile alone"
        head -n 5 "$tmp/log" | sed 's/^/# /'
    fi
done
