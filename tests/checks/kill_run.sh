#!/bin/sh
# kill_run.sh [RUNS]: a whole run with its recording that dies at any moment, by signal 9 to all of its
# processes at once: every video opens and plays up to the last second, what is kept is what came, no
# verdict that was published is lost, none is told twice, and the match goes on to the same end.
#
# The moment is drawn: when the index of frames, or the journal, has so many bytes.
set -u
runs=${1:-20}
program=${TABLEREF:-./tableref}
tmp=$(mktemp -d) || exit 1
clip=$tmp/round.mkv
group=
trap 'kill -9 "-$group" 2>/dev/null; rm -rf "$tmp"' EXIT
wrong=0
: >"$tmp/wrong"
find_wrong() { echo "$1" >>"$tmp/wrong"; }
result() { # NAME COUNT: what was found wrong is in $tmp/wrong
    if [ ! -s "$tmp/wrong" ] && [ "$2" -gt 0 ]; then
        echo "ok - $1 ($2 times)"
    else
        echo "not ok - $1 ($2 times)"
        head -n 20 "$tmp/wrong" | sed 's/^/# /'
        wrong=1
    fi
    : >"$tmp/wrong"
}
size() { stat -c %s "$1" 2>/dev/null || echo 0; }
# below MOST: a random number.
below() { echo $(($(od -An -tu4 -N4 /dev/urandom) % $1)); }

# Until behind its last verdict.
ffmpeg -v error -i fixtures/clip/round.mkv -t 7 -c copy "$clip" </dev/null || echo "not ok - the clip should be cut"

# begin RECORD OUTPUT: the round as it is called, on record there.
begin() {
    setsid "$program" run --video "$clip" --mat a2-two --deck fixture --rounds 1 --seed 1 --no-scoreboard \
        --claims called --claims-from fixtures/clip/round.claims.jsonl \
        --record "$1" --rundir "$tmp/run" >"$2" 2>"$2.err" </dev/null &
    group=$!
}

# What a journal holds of decisions, and what was printed, which is what was published: whole lines.
held() { sed -n 's/.*"kind":"decision","body":\(.*\)}$/\1/p' "$1/journal.jsonl" 2>/dev/null; }
said() { grep '^{.*"decision".*}$' "$1"; }

begin "$tmp/whole" "$tmp/whole.out"
wait "$group"
held "$tmp/whole" >"$tmp/whole.held"
index=$(size "$tmp/whole/frames.idx") journal=$(size "$tmp/whole/journal.jsonl")
if ! grep -q '"decision":"end"' "$tmp/whole.held" || [ "$index" -lt 1000 ]; then
    echo "not ok - the round should be refereed and recorded"
    sed 's/^/# /' "$tmp/whole.out.err"
    exit 1
fi

# A signal may cut a write in two; that a file ends early is all that may be said of it.
quiet() { ! grep -qv 'File ended prematurely' "$1"; }

# A video that broke off, with all that came before: decoded without a word, and as much as the index has of
# it, but what was on its way: the last picture, and one that waits for its end. (A second would do.)
check_video() { # RECORD WHEN FFMPEG_OPTIONS
    for video in "$1"/video-*.mkv; do
        [ -s "$video" ] || continue
        number=$(basename "$video" .mkv | sed "s/video-0*//")
        listed=$(awk -v s="$number" '$1 == "frame" && $4 == s' "$1/frames.idx" | wc -l)
        [ "$listed" -gt 3 ] || continue # its first pictures may not be there
        pictures=$(ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets \
            -of csv=p=0 "$video" 2>"$tmp/probe" | tr -d ,)
        quiet "$tmp/probe" || find_wrong "$2: ffprobe: $(basename "$video"): $(head -n 1 "$tmp/probe")"
        # Decoding all is what takes long here, and their digests say that pictures are as they came.
        # shellcheck disable=SC2086
        ffmpeg -v error -i "$video" -map 0:v $3 -f null - >"$tmp/decoded" 2>&1 </dev/null
        quiet "$tmp/decoded" || find_wrong "$2: ffmpeg: $(basename "$video"): $(head -n 1 "$tmp/decoded")"
        [ "$((listed - ${pictures:-0}))" -le 3 ] || find_wrong "$2: $(basename "$video") has $pictures of $listed pictures"
        videos=$((videos + 1))
    done
}

# Only what had no time to be written may be missing; nothing may be changed.
check_kept() { # RECORD WHEN
    [ -s "$1/journal.jsonl" ] || return
    "$program" match verify "$1" >"$tmp/verify" 2>"$tmp/verify.err"
    grep -q '"state":"changed"' "$tmp/verify" && find_wrong "$2: $(grep '"state":"changed"' "$tmp/verify" | head -n 1)"
}

check_verdicts() { # RECORD OUTPUT WHEN
    said "$2" | sort >"$tmp/said"
    held "$1" | sort >"$tmp/held"
    lost=$(comm -23 "$tmp/said" "$tmp/held" | wc -l)
    [ "$lost" -eq 0 ] || find_wrong "$3: $lost decisions were told and are not on record"
    published=$((published + $(wc -l <"$tmp/said")))
}

# Taken up again it comes to the same end, and tells nothing that was told before.
check_resumed() { # RECORD OUTPUT WHEN
    begin "$1" "$2.again"
    wait "$group" || find_wrong "$3: not taken up again: $(head -n 1 "$2.again.err")"
    held "$1" | cmp -s - "$tmp/whole.held" || find_wrong "$3: other decisions after it was taken up again"
    said "$2.again" | sort >"$tmp/told"
    twice=$(comm -12 "$tmp/said" "$tmp/told" | wc -l)
    [ "$twice" -eq 0 ] || find_wrong "$3: $twice decisions were told twice"
    check_kept "$1" "$3, taken up again"
    resumed=$((resumed + 1))
}

run=0 killed=0 videos=0 published=0 resumed=0
while [ $run -lt "$runs" ]; do
    record=$tmp/record
    rm -rf "$record" "$tmp/run"
    if [ $((run % 2)) -eq 0 ]; then watched=frames.idx most=$index; else watched=journal.jsonl most=$journal; fi
    wanted=$(below "$most")
    when="killed at $wanted bytes of $watched"
    begin "$record" "$tmp/out"
    while [ "$(size "$record/$watched")" -lt "$wanted" ] && kill -0 "$group" 2>/dev/null; do sleep 0.01; done
    kill -9 "-$group" 2>/dev/null
    { wait "$group"; } 2>/dev/null
    [ $? -eq 137 ] && killed=$((killed + 1))
    check_video "$record" "$when" "$([ $((run % 5)) -eq 4 ] || echo -c copy)"
    check_kept "$record" "$when"
    check_verdicts "$record" "$tmp/out" "$when"
    [ $((run % 5)) -eq 4 ] && check_resumed "$record" "$tmp/out" "$when"
    run=$((run + 1))
done
[ "$published" -gt 0 ] || find_wrong "nothing was published in any of these runs: nothing was tested"
[ "$videos" -gt 0 ] || find_wrong "no video was tried"
[ "$killed" -ge $((runs / 2)) ] || find_wrong "only $killed runs were killed before their end"
result "a run that was killed should lose nothing but the last second" "$run"
[ "$resumed" -gt 0 ] || find_wrong "none was taken up again"
result "and go on to the same end" "$resumed"

# What is tested must be seen when it goes wrong: a verdict that is not on record, a video cut within a picture.
head -n -3 "$tmp/whole/journal.jsonl" >"$tmp/short" && mkdir "$tmp/control" && cp -r "$tmp/whole/." "$tmp/control"
grep -v '"decision":"verdict"' "$tmp/whole/journal.jsonl" >"$tmp/control/journal.jsonl"
check_verdicts "$tmp/control" "$tmp/whole.out" "control"
grep -q 'not on record' "$tmp/wrong" && seen=1 || seen=0
: >"$tmp/wrong"
head -c $(($(size "$tmp/whole/video-0001.mkv") / 2)) "$tmp/whole/video-0001.mkv" >"$tmp/control/video-0001.mkv"
check_video "$tmp/control" "control" ""
grep -q 'pictures' "$tmp/wrong" && seen=$((seen + 1))
: >"$tmp/wrong"
[ $seen -eq 2 ] || find_wrong "$seen of 2 faults were seen"
result "a lost verdict and a video that lacks pictures should be seen" 2
exit $wrong
