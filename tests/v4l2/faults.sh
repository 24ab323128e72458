# The whole service on the kernel's test driver: whatever goes wrong, it comes back by itself; as
# there is no table in its pictures, it rules nothing, and its record stays sound.
# shellcheck shell=sh
. /opt/guest.sh
. /opt/service.inc
device=/dev/video0
lost='"decision":"health".*"reasons":\["no_mat"\]'

# gone NAME COMMAND...: does it, and waits until the camera was away and is back.
gone() {
    fault=$1
    stales=$(count_said "$stale")
    losts=$(count_said "$lost")
    shift
    passes "$fault should be tried" "$@"
    passes "the service should notice $fault" until_said "$stale" 15 $((stales + 1))
    passes "the service should come back after $fault" until_said "$lost" 30 $((losts + 1))
}
# stays NAME CONTROL VALUE: with the control set so, pictures go on to be seen; then it is set back.
stays() {
    passes "$1 should be tried" control "$2=$3"
    sleep 1
    passes "the service should go on over $1" until_seen 20
    case $2 in inject* | disconnect) ;; *) control "$2=0" ;; esac
}
node_away() {
    echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind
    sleep 1
    echo vivid.0 >/sys/bus/platform/drivers/vivid/bind
}

service vivid --camera $device --size 320x180 --rate 15
passes "what shows no table should be told" until_said "$lost" 30 1
stays "a picture that the driver calls bad" inject_v4l2_buf_flag_error 1
stays "dropped pictures" percentage_of_dropped_buffers 40
stays "the wrap of the sequence" wrap_sequence_number 1
stays "stamps of another origin" wrap_timestamp 1
control inject_vidioc_streamon_error=1
gone "an unplugged camera that does not start at once" control disconnect=1
control inject_vidioc_reqbufs_error=1
gone "an error of the stream, and no buffers at once" control inject_fatal_streaming_error=1
gone "a buffer that cannot be queued" control inject_vidioc_qbuf_error=1
gone "a node that goes and comes" node_away

# unplug: vivid takes no word while it is away.
unplug() {
    tries=100
    until control disconnect=1 2>/dev/null || [ $tries -eq 0 ]; do
        sleep 0.1
        tries=$((tries - 1))
    done
    plugs=$((plugs + 1))
    [ $tries -gt 0 ]
}
# At any moment, again and again; every third time again as soon as it is back, while it only warms
# up.
plugs=0
while [ $plugs -lt "$PLUGS" ]; do
    losts=$(count_said "$lost")
    sleep "$(moment $plugs 1)"
    unplug || break
    if [ $((plugs % 3)) -eq 2 ] && [ $plugs -lt "$PLUGS" ]; then
        sleep "$(moment $plugs 0.6)"
        unplug || break
    fi
    until_said "$lost" 60 $((losts + 1)) || break
done
passes "the service should come back each of $PLUGS times that vivid is unplugged" [ $plugs -eq "$PLUGS" ]
passes "pictures should be seen in the end" until_seen 30
passes "without being started again, all the time" not_restarted
passes "nothing should be ruled where there is no table" none_ruled
passes "the service should end in good order" service_end
passes "the record of all that should be sound" sound
