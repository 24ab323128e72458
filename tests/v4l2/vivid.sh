# The kernel's own test driver: raw formats and every fault it can be told to make.
# shellcheck shell=sh
. /opt/guest.sh
device=/dev/video0

for format in yuyv uyvy nv12 grey; do
    take $device 10 format=$format size=640x360 pictures=5 decode=1
    passes "$format should come whole" least pictures 5
    passes "$format should be decoded" is undecoded 0
    passes "$format should not be damaged" is damaged 0
done
for format in nv12 yuyv; do
    take /dev/video1 10 format=$format size=640x360 pictures=5 decode=1
    passes "$format should come by multi-planar calls" least pictures 5
    passes "$format by multi-planar calls should be decoded" is undecoded 0
done

starts=1
faults() {
    for fault in "$@"; do
        control "$fault=1"
        starts=$((starts + 1))
        passes "a camera should come back after $fault" back $starts
        sleep 0.3
    done
}
begin $device 240 format=yuyv size=320x180 rate=15
# shellcheck disable=SC2086
faults $FAULTS
control inject_v4l2_buf_flag_error=1
passes "a picture that the driver calls bad should be damaged" until_log ' damaged' 5
echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind
passes "a node that is gone should be noticed" until_log "^state away starts=$starts " 5
echo vivid.0 >/sys/bus/platform/drivers/vivid/bind
starts=$((starts + 1))
passes "a node that is back should be used" back $starts
end
passes "time should never run backward" is backward 0

for fault in inject_vidioc_streamon_error inject_vidioc_qbuf_error inject_vidioc_reqbufs_error; do
    control $fault=1
    take $device 10 format=yuyv size=320x180 pictures=3
    passes "a camera should be opened in spite of $fault" least pictures 3
done

begin $device 20 format=yuyv size=320x180 rate=10
/opt/tableref devices $device >/root/devices 2>&1
passes "a busy camera should be told as such" grep -q '"reason":"busy"' /root/devices
passes "who has it should be told" grep -q 'in use by grab' /root/devices
end
/opt/tableref devices $device >/root/devices 2>&1
passes "a free camera should be usable" grep -q '"usable":true' /root/devices
passes "its formats should be listed" grep -q '"format":"nv12","fourcc":"NV12","size":\[640,360\]' /root/devices
chmod 600 /dev/video1
chown root:video /dev/video1
su guest -c '/opt/tableref devices /dev/video1' >/root/devices 2>&1
passes "missing rights should be told" grep -q '"reason":"no_rights"' /root/devices
chmod 660 /dev/video1
su guest -c '/opt/tableref devices /dev/video1' >/root/devices 2>&1
passes "the group that has the rights should be told" grep -q 'usermod -aG video' /root/devices

[ "$LENGTH" = long ] || exit 0

control percentage_of_dropped_buffers=30
take $device 30 format=yuyv size=320x180 rate=30 pictures=40
passes "dropped pictures should be counted" least lost 5
control percentage_of_dropped_buffers=0
control wrap_sequence_number=1
take $device 30 format=yuyv size=320x180 rate=50 pictures=200
passes "the sequence should go on over its wrap" [ "$(sum lost)" -lt 400 ]
passes "no picture should be given twice over the wrap" least pictures 200
control wrap_sequence_number=0
for wrap in 1 2; do
    control wrap_timestamp=$wrap
    take $device 30 format=yuyv size=320x180 pictures=5
    passes "stamps of another origin ($wrap) should be doubted" least doubtful 5
    control wrap_timestamp=0
done
begin $device 600 format=yuyv size=320x180 rate=15
starts=1
for i in 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0; do
    control disconnect=1
    starts=$((starts + 1))
    back $starts || break
    sleep 0.$i
done
passes "a camera should come back each of twenty times" [ $starts -eq 21 ]
end
passes "time should not have run backward in it" is backward 0
