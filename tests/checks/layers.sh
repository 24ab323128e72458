#!/bin/sh
# Who includes whom, and what no file may call.
#
# Libraries: calib <- capture <- vision <- referee, each including only what stands before it.
# The program (cmd_*, loop_*, main.c) may use all of them; no library includes a program file.
set -u
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

find calib capture vision referee pubsub tests -name '*.[ch]' -o -name '*.[chi]pp' -o -name '*.[ch]xx' -o -name '*.cc' \
    -o -name '*.hh' -o -name '*.C' | sort >"$tmp/files"
# file, include as written
xargs awk 'match($0, /^[ \t]*#[ \t]*include[ \t]*[<"][^>"]*[>"]/) {
    sub(/^[^<"]*/, "")
    match($0, /^[<"][^>"]*[>"]/)
    print FILENAME, substr($0, 1, RLENGTH)
}' <"$tmp/files" >"$tmp/includes"

# report NAME: what is in $tmp/found are findings.
report() {
    if [ -s "$tmp/found" ]; then
        echo "not ok - $1"
        sed 's/^/# /' "$tmp/found"
    else
        echo "ok - $1"
    fi
}

# What a file's own kind may include, as a pattern over paths.
awk '
function allowed(file,    room) {
    if (file ~ /^[a-z]+\/(cmd_|loop_)[a-z_]*\.[ch]$/ || file == "referee/main.c")
        return "^(calib|capture|vision|referee|pubsub)/"
    room = file
    sub(/\/.*/, "", room)
    if (room == "calib") return "^calib/"
    if (room == "capture") return "^(calib|capture)/"
    if (room == "vision") return "^(calib|capture|vision)/"
    # Around the rules, a match on record: *_json know the formats, the others write text.
    if (file ~ /^referee\/[a-z0-9_]*_json\.[ch]$/)
        return "^(referee/|vision/(layout|reason|json_text|layout_json)\\.h$|calib/(blockset|deck|grid|error|json|mark)\\.h$)"
    if (file ~ /^referee\/(record|history|journal|journal_read|results|results_csv)\.[ch]$/)
        return "^(referee/|vision/(layout|reason|json_text)\\.h$|calib/(blockset|deck|grid|error|mark)\\.h$)"
    # The rules know sets and decks, and what a layout is; nothing of how it was read.
    if (room == "referee")
        return "^(referee/|vision/(layout|reason)\\.h$|calib/(blockset|deck|grid|error|mark)\\.h$)"
    if (room == "pubsub")
        return "^(pubsub/|calib/|vision/(layout|reason)\\.h$|referee/verdict\\.h$)"
    # The drawer shares no code with the reader that is measured by it.
    if (file ~ /^tests\/draw\//) return "^(tests/draw/|calib/|capture/)"
    return "."
}
{
    path = substr($2, 2, length($2) - 2)
    if (path !~ allowed($1))
        if ($2 ~ /^"/ || path ~ /^(calib|capture|vision|referee|pubsub|tests)\//)
            print $1 ": may not include " $2
    if ($1 !~ /\/cmd_|\/loop_|main\.c$|^tests\// && path ~ /(\/|^)(cmd|loop)_/)
        print $1 ": a library includes a program file " $2
}' "$tmp/includes" >"$tmp/found"
report "each room should include only what stands before it"

awk '$2 ~ /^"/ { print $1, substr($2, 2, length($2) - 2) }' "$tmp/includes" |
    while read -r file path; do
        [ -f "$path" ] || echo "$file: \"$path\" is no file from the top of the tree"
    done >"$tmp/found"
report "every include should name its file from the top of the tree"

# at_most N PATTERN WHERE: at most that many files of the rooms include the header.
at_most() {
    grep -v '^tests/' "$tmp/includes" | grep -E " [<\"]$2[>\"]" | cut -d' ' -f1 | sort -u >"$tmp/found"
    [ "$(wc -l <"$tmp/found")" -le "$1" ] && : >"$tmp/found"
    report "$3"
}
at_most 1 'linux/videodev2\.h' "one file should know V4L2"
at_most 1 'zmq\.h' "one file should know ZeroMQ"
at_most 1 'opencv2?/.*' "one file should know OpenCV"
# One finds tags in pictures, one knows what they look like.
at_most 2 '(apriltag/)?(apriltag|tag[0-9a-zA-Z]*)\.h' "two files should know libapriltag"

grep -v '\.[ch]$' "$tmp/files" >"$tmp/found"
[ "$(cat "$tmp/found")" = calib/cv.cpp ] && : >"$tmp/found"
report "calib/cv.cpp should be the one C++ file"

# Calls that no file of ours makes: unbounded copies, unchecked numbers, a shell, memory of a size
# that the stack decides.
never='strcpy|strcat|sprintf|vsprintf|gets|strtok|atoi|atol|atoll|atof|scanf|sscanf|fscanf|system|popen|alloca|tmpnam|mktemp|vfork'
# And in libraries: ending or printing is the program's; the environment belongs to the process.
library='exit|_exit|_Exit|quick_exit|abort|assert|printf|vprintf|puts|putchar|perror|err|errx|warn|warnx|setenv|putenv|unsetenv|setlocale|stdout|stderr|signal|sigaction'
# In tests the sanitizers watch every copy; the drawer is held to what libraries are. A name that is
# a member ("sink->warn(") is no call of the C library's.
xargs awk -f tests/checks/strip.awk <"$tmp/files" | awk -v never="$never" -v library="$library" '
    $1 ~ /^tests\// && $1 !~ /^tests\/draw\// { next }
    {
        program = $1 ~ /\/(cmd|loop)_|\/main\.c$/
        words = program ? never : never "|" library
        line = $0
        sub(/^[^ ]+ [0-9]+ /, "", line)
        gsub(/(->|\.)[A-Za-z_0-9]+/, "", line)
        if (match(line, "(^|[^A-Za-z_0-9])(" words ")[ ]*\\(") ||
            (!program && match(line, "(^|[^A-Za-z_0-9])(stdout|stderr)([^A-Za-z_0-9]|$)")))
            print $1 ":" $2 ": " substr(line, RSTART, RLENGTH)
    }' >"$tmp/found"
report "no file should make a banned call"
