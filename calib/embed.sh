#!/bin/sh
# Prints C with the bytes of every file under the folder named that has one of the endings: a table
# as the header declares it, each entry a name, its bytes and their number.
# Usage: sh calib/embed.sh FOLDER HEADER STRUCT TABLE COUNT ENDING...
# An entry of nulls closes the table, which the count leaves out: C forbids an empty array.
set -eu
[ $# -ge 6 ] && [ -d "$1" ] || {
    echo "usage: sh embed.sh FOLDER HEADER STRUCT TABLE COUNT ENDING..." >&2
    exit 2
}
folder=$1 header=$2 struct=$3 table=$4 count=$5
shift 5
cd "$folder"
LC_ALL=C
export LC_ALL
files=$(for ending in "$@"; do find . -type f -name "*.$ending"; done | sed 's|^\./||' | sort)

echo "/* Made by calib/embed.sh from the files of $folder. */"
echo "#include \"$header\""
n=0
for file in $files; do
    case $file in
    *[!A-Za-z0-9._/-]*) echo "embed.sh: $file: only letters, digits and . _ - in names" >&2; exit 1 ;;
    esac
    printf '\nstatic const unsigned char bytes_%d[] = {\n' "$n"
    # a closing 0 keeps an empty file from being an empty array, which C forbids
    od -An -v -tu1 "$file" | sed 's/[0-9][0-9]*/&,/g'
    echo '0};'
    n=$((n + 1))
done
printf '\nconst struct %s %s[] = {\n' "$struct" "$table"
n=0
for file in $files; do
    printf '    {"%s", bytes_%d, sizeof bytes_%d - 1},\n' "$file" "$n" "$n"
    n=$((n + 1))
done
printf '    {NULL, NULL, 0}};\n\nconst size_t %s = %d;\n' "$count" "$n"
