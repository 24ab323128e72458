# What the scripts in the test machine share: sourced there.
# shellcheck shell=sh
GRAB=/opt/grab
log=/root/log
# What is waited for takes seconds on a quiet machine; a test machine is emulated, on processors that
# others use, too. So the limits of all waits are so many times what is written beside them.
PATIENCE=8

# passes NAME COMMAND...: the command must succeed; else the last log is shown.
passes() {
    what=$1
    shift
    if "$@" >/dev/null 2>&1; then
        echo "ok - $what"
    else
        echo "not ok - $what"
        grep -v '^picture' "$log" 2>/dev/null | head -n 12 | cut -c 1-200 | sed 's/^/# /'
        tail -n 12 "${said:-/dev/null}" | cut -c 1-200 | sed 's/^/# said: /'
    fi
}

# says PATTERN: the log has such a line.
says() {
    grep -q -e "$1" "$log"
}
# sum NAME: that number of grab's last line.
sum() {
    sed -n "s/^pictures=.*/ &/; s/.* $1=\([0-9.]*\).*/\1/p" "$log" | tail -n 1
}
# least NAME NUMBER
least() {
    [ "$(sum "$1")" -ge "$2" ]
}
is() {
    [ "$(sum "$1")" = "$2" ]
}

# until_log PATTERN SECONDS [COUNT]: waits until the log has that many such lines.
until_log() {
    tries=$(($2 * 5 * PATIENCE))
    while [ "$(grep -c -e "$1" "$log")" -lt "${3:-1}" ] && [ $tries -gt 0 ]; do
        sleep 0.2
        tries=$((tries - 1))
    done
    [ $tries -gt 0 ]
}

# begin ARGUMENT...: grab in the background, until it gives pictures.
begin() {
    $GRAB "$@" >"$log" 2>&1 &
    grabber=$!
    tries=$((20 * 5 * PATIENCE))
    until grep -q '^picture' "$log" || [ $tries -eq 0 ]; do
        kill -0 "$grabber" 2>/dev/null || return 1 # it could not open the camera
        sleep 0.2
        tries=$((tries - 1))
    done
    [ $tries -gt 0 ]
}
# end: the sums are in the log afterwards.
end() {
    kill "$grabber"
    wait "$grabber"
}
# take ARGUMENT...: grab until it ends.
take() {
    $GRAB "$@" >"$log" 2>&1
}
control() {
    v4l2-ctl -d "$device" -c "$1" >/dev/null
}
# back COUNT: it came back and gave a picture after that many starts.
back() {
    until_log "^state running starts=$1 " 30
}
