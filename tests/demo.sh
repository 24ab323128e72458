#!/bin/sh
# demo.sh PROGRAM FOLDER: judges the pictures in fixtures/ and leaves annotated ones in FOLDER.
set -u
cd "$(dirname "$0")/.." || exit 1
program=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder" || exit 1

# judge NAMES OPTIONS...: the pictures of a family with the kit they show.
judge() {
    family=$1
    shift
    "$program" judge "$@" --annotate "$folder" fixtures/"$family"-*.jpg >>"$folder/verdicts.jsonl" \
        2>>"$folder/notices.txt" || failed=1
}
failed=0
: >"$folder/verdicts.jsonl"
judge a1
judge a2 --mat a2-two
judge mt --set matching-talent
judge x

# The program speaks JSON; for people, counts of each verdict by family.
echo "verdicts on the pictures in fixtures/ (a picture of four players gives four):"
awk '{
    match($0, /"image":"[^"]*/); image = substr($0, RSTART + 9, RLENGTH - 9)
    sub(/.*\//, "", image); sub(/-[0-9]*\.jpg/, "", image)
    if (match($0, /"verdict":"[a-z_]*/))
        n[image " " substr($0, RSTART + 11, RLENGTH - 11)]++
    families[image]
} END {
    printf "  %-6s %8s %9s %12s\n", "", "match", "no_match", "cannot_tell"
    for (f in families)
        printf "  %-6s %8d %9d %12d\n", f, n[f " match"], n[f " no_match"], n[f " cannot_tell"] | "sort"
}' "$folder/verdicts.jsonl"
echo
echo "Look at the annotated pictures: $folder/*.png"
echo "The verdicts, a line of JSON each: $folder/verdicts.jsonl"
if [ $failed -ne 0 ]; then
    echo "Some pictures could not be used; why: $folder/notices.txt" >&2
    exit 1
fi
