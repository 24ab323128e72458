#!/bin/sh
# demo.sh PROGRAM FOLDER: judges the pictures in fixtures/ and leaves annotated ones in FOLDER; then
# referees the recorded clip, from the pictures to the final table.
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

# The program speaks JSON; for people, counts of each verdict by family, and why it could not tell.
echo "verdicts on the pictures in fixtures/, each seat against the only card that lies face up:"
awk '
    function value(key) {
        if (!match($0, "\"" key "\":[\"[]*[^]\",]*"))
            return ""
        text = substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
        gsub(/[]["]/, "", text)
        return text
    }
    {
        family = value("image")
        sub(/.*\//, "", family)
        sub(/-[0-9]*\.jpg/, "", family)
        families[family]
        n[family, value("verdict")]++
        if (value("verdict") == "cannot_tell")
            why[value("reasons")]++
    }
    END {
        printf "  %-6s %8s %9s %12s\n", "", "match", "no_match", "cannot_tell"
        for (f in families)
            printf "  %-6s %8d %9d %12d\n", f, n[f, "match"], n[f, "no_match"], n[f, "cannot_tell"] | "sort"
        close("sort")
        printf "  could not tell because of:"
        for (w in why)
            printf " %s (%d)", w, why[w]
        print ""
        if ("several_cards" in why)
            print "  (several_cards: judge was not told which of them is meant; see --slot and --card)"
    }' "$folder/verdicts.jsonl"
echo
echo "Look at the annotated pictures: $folder/*.png"
echo "The verdicts, a line of JSON each: $folder/verdicts.jsonl"
echo
echo "A recorded round, as it is refereed (time, decision), at the speed at which it was played;"
echo "the board is where the lines below say, for as long as it lasts:"
record=$(pwd)/$folder/match
if ! "$program" run --video fixtures/clip/round.mkv --mat a2-two --deck fixture --rounds 1 \
    --players Ada,Bo --claims called --claims-from fixtures/clip/round.claims.jsonl --text \
    --paced --record "$record"; then
    echo "The clip could not be refereed; the line above says why" >&2
    exit 1
fi
echo
"$program" match export --format text "$record" || exit 1
echo "It is on record: $program match show $folder/match"
echo "Judged again, from its pictures: $program replay $folder/match"
"$program" replay "$record" || exit 1
if [ $failed -ne 0 ]; then
    echo "Some pictures could not be used; why: $folder/notices.txt" >&2
    exit 1
fi
