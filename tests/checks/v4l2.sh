#!/bin/sh
# v4l2.sh short|long: cameras against real V4L2 devices, in virtual machines with the distribution's
# kernel: vivid, v4l2loopback, uvcvideo over a gadget. Capture alone, and the whole service. What
# cannot be run has failed. Two machines at once, as each has one processor and mostly waits.
set -u
B=${B:-build}
length=${1:-short}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$B/check" "$work/pictures"

# What the service is shown, in the order of service.sh, and one more for the cameras alone.
for name in x-006 x-001 x-005 x-003 x-002; do
    cp "fixtures/$name.jpg" "$work/pictures" || exit 1
done
case $length in
short) faults='disconnect inject_fatal_streaming_error' plugs=3 limit=300 ;;
*) faults='disconnect inject_fatal_streaming_error inject_vidioc_qbuf_error disconnect' plugs=50 limit=3000 ;;
esac

# machine NAME PART... -- OPTION...: runs the parts in a machine with those modules.
machine() {
    name=$1 parts=
    shift
    while [ "$1" != -- ]; do
        parts="$parts $1"
        shift
    done
    shift
    {
        printf 'LENGTH=%s FAULTS="%s" PLUGS=%s\n' "$length" "$faults" "$plugs"
        printf 'export LENGTH FAULTS PLUGS\n'
        printf 'for part in%s; do echo "# $part"; sh /opt/$part.sh; done\n' "$parts"
    } >"$work/$name.script"
    for file in tests/v4l2/*.sh tests/v4l2/*.inc; do
        set -- "$@" -f "$file:/opt/${file##*/}"
    done
    for tool in grab feed gadget press; do
        set -- "$@" -p "$B/tests/v4l2/$tool" -f "$B/tests/v4l2/$tool:/opt/$tool"
    done
    sh tests/v4l2/vm.sh -t "$limit" "$@" -p "$TABLEREF" -f "$TABLEREF:/opt/tableref" -p v4l2-ctl \
        -f "$work/pictures:/opt/pictures" "$work/$name.script" \
        >"$work/$name.out" 2>"$B/check/v4l2-$name.log"
    echo $? >"$work/$name.status"
}
# ended NAME: what it said.
ended() {
    status=$(cat "$work/$1.status")
    cat "$work/$1.out"
    if [ "$status" -eq 0 ]; then
        echo "ok - the test machine of $1 should come to its end"
    else
        echo "not ok - the test machine of $1 should come to its end (status $status)"
        tail -n 20 "$B/check/v4l2-$1.log" | sed 's/^/# /'
    fi
}

machine usb uvc service -- -m uvcvideo -m dummy_hcd -m gadgetfs &
usb=$!
machine vivid button vivid loop faults -- -m evdev -m uinput \
    -m 'vivid n_devs=2 node_types=0x1,0x1 num_inputs=1,1 input_types=0x0,0x0 multiplanar=1,2' \
    -m 'v4l2loopback video_nr=10 exclusive_caps=1 max_buffers=8'
wait $usb
ended usb
ended vivid
