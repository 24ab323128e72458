#!/bin/sh
# Prints C with the bytes of every file under the folder named: the table that calib/kit.h declares.
# Usage: sh calib/embed.sh FOLDER
set -eu
[ $# -eq 1 ] && [ -d "$1" ] || { echo "usage: sh embed.sh FOLDER" >&2; exit 2; }
cd "$1"
LC_ALL=C
export LC_ALL
files=$(find . -type f -name '*.json' | sed 's|^\./||' | sort)
[ -n "$files" ] || { echo "embed.sh: $1: no JSON file in it" >&2; exit 1; }

echo '/* Made by calib/embed.sh from the files of calib/kit. */'
echo '#include "calib/kit.h"'
n=0
for file in $files; do
    printf '\nstatic const unsigned char bytes_%d[] = {\n' "$n"
    # a closing 0 keeps an empty file from being an empty array, which C forbids
    od -An -v -tu1 "$file" | sed 's/[0-9][0-9]*/&,/g'
    echo '0};'
    n=$((n + 1))
done
printf '\nconst struct kit_file calib_kit_files[] = {\n'
n=0
for file in $files; do
    case $file in
    *[!A-Za-z0-9._/-]*) echo "embed.sh: $file: only letters, digits and . _ - in names" >&2; exit 1 ;;
    esac
    printf '    {"%s", bytes_%d, sizeof bytes_%d - 1},\n' "$file" "$n" "$n"
    n=$((n + 1))
done
printf '};\n\nconst size_t calib_kit_count = %d;\n' "$n"
