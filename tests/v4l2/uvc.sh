# The stock uvcvideo driver, over a USB camera made of a program: MJPEG, unplugged and plugged in.
# shellcheck shell=sh
. /opt/guest.sh

RATE=10
. /opt/plug.inc

passes "a USB camera should appear" plug /opt/pictures/*.jpg
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

# At any moment: while pictures come, and while the camera is only just started again.
count_log() {
    grep -c -e "$1" "$log"
}
# (A camera that the gadget's driver has lost since is none to begin with.)
begin "$device" 3000 decode=1 || {
    kill -9 $gadget
    wait $gadget
    plug /opt/pictures/*.jpg && begin "$device" 3000 decode=1
}
plugs=0
while [ $plugs -lt "$PLUGS" ]; do
    aways=$(count_log '^state away')
    sleep 0.$((plugs * 3 % 10))
    kill -9 $gadget
    wait $gadget
    until_log '^state away' 10 $((aways + 1)) || break
    [ $((plugs % 4)) -eq 1 ] && sleep 1
    wanted='^state running'
    [ $((plugs % 3)) -eq 2 ] && wanted='^state warming_up'
    seen=$(count_log "$wanted")
    plug /opt/pictures/*.jpg || break
    until_log "$wanted" 30 $((seen + 1)) || break
    plugs=$((plugs + 1))
done
seen=$(count_log '^picture')
passes "a USB camera should come back each of $PLUGS times" [ $plugs -eq "$PLUGS" ]
passes "and give pictures in the end" until_log '^picture' 30 $((seen + 1))
end
passes "time should not have run backward in it" is backward 0
passes "and no picture should have failed to decode" is undecoded 0
kill -9 $gadget
