# v4l2loopback: MJPEG from a producer that comes and goes.
# shellcheck shell=sh
. /opt/guest.sh
device=/dev/video10
# The loopback writes over a buffer that its reader still has when all were filled once more: time enough
# for a reader on a busy machine.
RATE=5

/opt/tableref devices $device >/root/devices 2>&1
passes "a loopback without its producer should not be usable" grep -q '"usable":false' /root/devices
take $device 2
passes "nor be opened" says '^error '

/opt/feed $device 1280 720 $RATE /opt/pictures/*.jpg &
feeder=$!
sleep 1
take $device 120 format=mjpeg pictures=10 decode=1 save=/root/fed
passes "MJPEG should come through a loopback" least pictures 10
passes "and be decoded" is undecoded 0
passes "its stamps are of no known clock" least doubtful 10
# Unchanged, byte for byte, up to what the loopback leaves behind it.
same=0
for file in /root/fed*; do
    for original in /opt/pictures/*.jpg; do
        head -c "$(wc -c <"$original")" "$file" | cmp -s - "$original" && same=$((same + 1))
    done
done
passes "every picture should be one that was fed" [ $same -eq 10 ]

# With a reader's end the loopback forgets that it has a producer, until that writes its next picture.
sleep 2
passes "the producer should still be there" kill -0 $feeder
begin $device 600 format=mjpeg || { sleep 2 && begin $device 600 format=mjpeg; }
kill $feeder
passes "a producer that is gone should be noticed" until_log '^state away' 15
/opt/feed $device 1280 720 $RATE /opt/pictures/*.jpg &
feeder=$!
passes "a producer that is back should be used" until_log '^notice .* is back' 20
end
kill $feeder
