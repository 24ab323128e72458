#!/bin/sh
# v4l2.sh short|long: cameras against real V4L2 devices, in a virtual machine with the distribution's
# kernel: vivid, v4l2loopback, uvcvideo over a gadget. What cannot be run has failed.
set -u
B=${B:-build}
length=${1:-short}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
log=$B/check/v4l2-vm.log
mkdir -p "$B/check"

cp fixtures/x-000.jpg fixtures/x-001.jpg fixtures/x-002.jpg fixtures/x-003.jpg "$work/" || exit 1
case $length in
short) faults='disconnect inject_fatal_streaming_error' plugs=2 limit=300 ;;
*) faults='disconnect inject_fatal_streaming_error inject_vidioc_qbuf_error disconnect' plugs=50 limit=3000 ;;
esac
{
    printf 'LENGTH=%s FAULTS="%s" PLUGS=%s\n' "$length" "$faults" "$plugs"
    printf 'export LENGTH FAULTS PLUGS\n'
    printf 'for part in vivid loop uvc; do echo "# $part"; sh /opt/$part.sh; done\n'
} >"$work/script"

sh tests/v4l2/vm.sh -t "$limit" \
    -m 'vivid n_devs=2 node_types=0x1,0x1 num_inputs=1,1 input_types=0x0,0x0 multiplanar=1,2' \
    -m 'v4l2loopback video_nr=10 exclusive_caps=1 max_buffers=4' \
    -m uvcvideo -m dummy_hcd -m gadgetfs \
    -p "$B/tests/v4l2/grab" -f "$B/tests/v4l2/grab:/opt/grab" \
    -p "$B/tests/v4l2/feed" -f "$B/tests/v4l2/feed:/opt/feed" \
    -p "$B/tests/v4l2/gadget" -f "$B/tests/v4l2/gadget:/opt/gadget" \
    -p "$TABLEREF" -f "$TABLEREF:/opt/tableref" -p v4l2-ctl \
    -f "$work:/opt/pictures" -f tests/v4l2/guest.sh:/opt/guest.sh -f tests/v4l2/vivid.sh:/opt/vivid.sh \
    -f tests/v4l2/loop.sh:/opt/loop.sh -f tests/v4l2/uvc.sh:/opt/uvc.sh \
    "$work/script" 2>"$log"
status=$?
if [ $status -eq 0 ]; then
    echo "ok - the test machine should come to its end"
else
    echo "not ok - the test machine should come to its end (status $status)"
    tail -n 20 "$log" | sed 's/^/# /'
fi
