# The stock uvcvideo driver, over a USB camera made of a program: MJPEG, unplugged and plugged in.
# shellcheck shell=sh
. /opt/guest.sh

mkdir -p /dev/gadget
mount -t gadgetfs none /dev/gadget

# The node of the gadget, which may change from plug to plug.
find_device() {
    for name in /sys/class/video4linux/video*; do
        if grep -q 'USB test camera' "$name/name" 2>/dev/null && [ "$(cat "$name/index")" = 0 ]; then
            device=/dev/${name##*/}
            return 0
        fi
    done
    return 1
}
# Plugs it in. The gadget's own driver loses a request now and then, and the host gives it up.
plug() {
    for try in 1 2 3 4; do
        /opt/gadget 1280 720 10 /opt/pictures/*.jpg 2>>/root/gadget &
        gadget=$!
        tries=30
        until find_device || [ $tries -eq 0 ]; do
            sleep 0.2
            tries=$((tries - 1))
        done
        [ $tries -gt 0 ] && return 0
        kill -9 $gadget
        wait $gadget
    done
    return 1
}

passes "a USB camera should appear" plug
/opt/tableref devices >/root/devices 2>/root/left
passes "it should be listed with its format" \
    grep -q '"name":"USB test camera.*"driver":"uvcvideo".*"usable":true.*"format":"mjpeg","fourcc":"MJPG","size":\[1280,720\],"rates":\[10.000,5.000\]' /root/devices
passes "its metadata node should be no camera" grep -q '(metadata)' /root/left
take $device 30 pictures=10 decode=1 save=/root/picture
passes "MJPEG should come from a USB camera" least pictures 10
passes "and be decoded" is undecoded 0
passes "its stamps should be believed" is doubtful 0
same=0
for file in /root/picture*; do
    for original in /opt/pictures/*.jpg; do
        cmp -s "$file" "$original" && same=$((same + 1))
    done
done
passes "every picture should be one that was sent" [ $same -eq 10 ]
rm -f /root/picture*

begin "$device" 600 decode=1
starts=1
while [ $starts -le "$PLUGS" ]; do
    kill -9 $gadget
    until_log "^state away starts=$starts " 10 || break
    [ $((starts % 2)) -eq 0 ] && sleep 1
    plug || break
    starts=$((starts + 1))
    back $starts || break
done
passes "a USB camera should come back each of $PLUGS times" [ $starts -eq $((PLUGS + 1)) ]
end
passes "time should not have run backward in it" is backward 0
passes "and no picture should have failed to decode" is undecoded 0
kill -9 $gadget
