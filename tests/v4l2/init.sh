#!/bin/busybox sh
# The first process of the test machine: see vm.sh. Modules, then the script, then off.
/bin/busybox --install -s /usr/bin
export PATH=/usr/bin:/usr/sbin:/bin:/sbin HOME=/root LC_ALL=C
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mkdir -p /dev/shm
mount -t tmpfs tmpfs /dev/shm
ln -sf /proc/self/fd /dev/fd
ip link set lo up
for module in virtio_pci 9pnet_virtio 9p; do
    modprobe $module
done
mount -t 9p -o trans=virtio,version=9p2000.L,msize=131072,cache=none out /out || poweroff -f
while read -r line; do
    # words on purpose: a module and its parameters
    # shellcheck disable=SC2086
    modprobe $line || echo "cannot load: $line" >>/out/stderr
done </vm/modules
cd /root || poweroff -f
sh /vm/script >/out/stdout 2>>/out/stderr </dev/null
echo $? >/out/status
poweroff -f
