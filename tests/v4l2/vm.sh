#!/bin/sh
# vm.sh [OPTION]... SCRIPT: runs a script in a throw-away virtual machine with real V4L2 devices: the
# distribution's own kernel under QEMU. The exit status is the script's; 125 when the machine failed,
# 124 when it took too long.
#
#   -p PROGRAM     brings a program and its shared libraries, under its own path (repeatable)
#   -f FILE:PATH   brings a file or folder, as PATH there (repeatable)
#   -m "MODULE PARAMETER..."  loads a kernel module, in the order given (repeatable)
#   -t SECONDS     time limit (180)
#
# The kernel and its modules are fetched once, as Debian's packages (90 MB), into $B/vm, and
# v4l2loopback is built there; nothing is installed. KVM is not needed: VM_ACCEL=kvm uses it.
set -u
B=${B:-build}
accel=${VM_ACCEL:-tcg,thread=multi}
limit=180 programs='' files='' modules=''
newline='
'
fail() {
    echo "vm.sh: $*" >&2
    exit 125
}
while getopts p:f:m:t: option; do
    case $option in
    p) programs=$programs$OPTARG$newline ;;
    f) files=$files$OPTARG$newline ;;
    m) modules=$modules$OPTARG$newline ;;
    t) limit=$OPTARG ;;
    *) exit 125 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] && [ -f "$1" ] || fail "one script is needed"
script=$1
mkdir -p "$B/vm" || exit 125
cache=$(cd "$B/vm" && pwd) || exit 125

# --- Once: kernel, busybox, modules -------------------------------------------------------------
# The packages that the newest kernel consists of.
kernel_package() {
    apt-cache depends linux-image-amd64 2>/dev/null |
        awk '/Depends: linux-image-[0-9]/ { print $2; exit }'
}

fetch_packages() {
    package=$(kernel_package)
    if [ -z "$package" ]; then
        apt-get -q update >&2 || return 1
        package=$(kernel_package)
    fi
    [ -n "$package" ] || return 1
    version=${package#linux-image-}
    headers=linux-headers-$version
    others=$(apt-cache depends "$headers" | awk '/Depends: linux-/ { print $2 }')
    mkdir -p "$cache/packages" "$cache/tree" || return 1
    # The lists may be older than the packages: then they are fetched anew.
    for try in 1 2; do
        # shellcheck disable=SC2086
        (cd "$cache/packages" && apt-get -q download "$package" busybox-static kmod v4l2loopback-dkms \
            "$headers" $others) >"$cache/fetch.log" 2>&1 && return 0
        [ $try -eq 1 ] && apt-get -q update >&2
    done
    cat "$cache/fetch.log" >&2
    return 1
}

# The ELF kernel inside the compressed one: QEMU starts it directly, which saves seconds.
unpack_kernel() {
    packed=$cache/tree/boot/vmlinuz-$version
    offset=$(LC_ALL=C grep -abo "$(printf '\375\067zXZ')" "$packed" | head -n 1 | cut -d: -f1)
    tail -c +$((offset + 1)) "$packed" 2>/dev/null | xz -dc >"$cache/kernel" 2>/dev/null
    [ "$(head -c 4 "$cache/kernel" | tail -c 3)" = ELF ] || cp "$packed" "$cache/kernel"
}

build_loopback() {
    sed -i "s,include /usr/src/,include $cache/tree/usr/src/," "$cache/tree/usr/src/$headers/Makefile" &&
        rm -rf "$cache/loopback" && cp -r "$cache"/tree/usr/src/v4l2loopback-* "$cache/loopback" &&
        make -C "$cache/tree/usr/src/$headers" M="$cache/loopback" modules >"$cache/loopback.log" 2>&1 &&
        strip -g "$cache/loopback/v4l2loopback.ko" &&
        install -D -m 644 "$cache/loopback/v4l2loopback.ko" \
            "$cache/tree/lib/modules/$version/updates/v4l2loopback.ko"
}

prepare() {
    fetch_packages || fail "cannot fetch Debian's kernel packages; see $cache/fetch.log"
    for package in "$cache"/packages/*.deb; do
        dpkg-deb -x "$package" "$cache/tree" || fail "cannot unpack $package"
    done
    unpack_kernel || fail "no kernel in the package"
    # A make above us must not pass its flags on to the kernel's.
    (unset MAKEFLAGS MFLAGS MAKELEVEL && build_loopback) ||
        fail "v4l2loopback does not build; see $cache/loopback.log"
    mkdir -p "$cache/bin"
    for name in depmod modprobe; do
        ln -sf "$cache/tree/bin/kmod" "$cache/bin/$name"
    done
    "$cache/bin/depmod" -b "$cache/tree" "$version" || fail "depmod failed"
    echo "$version" >"$cache/version"
}
# Two runs at once would unpack over each other.
exec 9>"$cache/lock"
flock 9 || fail "cannot lock $cache"
[ -s "$cache/version" ] || prepare
flock -u 9
version=$(cat "$cache/version")

# --- Its first file system, in memory ------------------------------------------------------------
tmp=$(mktemp -d) || exit 125
trap 'rm -rf "$tmp"' EXIT
root=$tmp/root
mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$root/usr/lib64" "$root/proc" "$root/sys" \
    "$root/dev" "$root/tmp" "$root/etc" "$root/root" "$root/run" "$root/out" "$root/vm" "$tmp/out"
for name in bin sbin lib lib64; do
    ln -s "usr/$name" "$root/$name"
done
cp "$cache/tree/bin/busybox" "$root/usr/bin/"

# put SOURCE PATH: copies, keeping Debian's layout (/lib is /usr/lib).
put() {
    where=$(realpath -m "$(dirname "$2")")/$(basename "$2")
    mkdir -p "$root$(dirname "$where")" && cp -rL "$1" "$root$where"
}
bring_program() {
    path=$(command -v "$1") || fail "no program $1"
    path=$(realpath -s "$path")
    put "$path" "$path"
    ldd "$path" 2>/dev/null | grep -o '/[^ ]*' | while read -r library; do
        put "$library" "$library"
    done
}
printf '%s' "$programs" | while read -r program; do
    bring_program "$program"
done || exit 125
printf '%s' "$files" | while read -r pair; do
    put "${pair%%:*}" "${pair#*:}" || fail "cannot bring $pair"
done || exit 125
printf '%s' "$modules" >"$root/vm/modules"
cp "$script" "$root/vm/script"
cp tests/v4l2/init.sh "$root/init"
chmod +x "$root/init"
printf 'root:x:0:0:root:/root:/bin/sh\nguest:x:1000:1000::/root:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\nvideo:x:44:\nguest:x:1000:\n' >"$root/etc/group"

{
    printf '%s' "$modules" | cut -d' ' -f1
    printf '%s\n' virtio_pci 9pnet_virtio 9p
} | while read -r module; do
    "$cache/bin/modprobe" -d "$cache/tree" -S "$version" -D "$module" 2>/dev/null |
        awk '$1 == "insmod" { print $2 }'
done | sort -u | while read -r object; do
    relative=${object#*/lib/modules/}
    mkdir -p "$root/usr/lib/modules/$(dirname "$relative")" &&
        cp "$cache/tree/lib/modules/$relative" "$root/usr/lib/modules/$relative"
done
mkdir -p "$root/usr/lib/modules/$version"
for name in builtin builtin.modinfo order; do
    cp "$cache/tree/lib/modules/$version/modules.$name" "$root/usr/lib/modules/$version/"
done
"$cache/bin/depmod" -b "$root" "$version" || fail "depmod failed"
(cd "$root" && find . | cpio -o -H newc --quiet) >"$tmp/initrd" || fail "cpio failed"

# One processor: see gadget_main.c on what happens when a program there is held up alone.
# --- Run ------------------------------------------------------------------------------------------
timeout -k 5 "$limit" qemu-system-x86_64 -M q35 -accel "$accel" -cpu max -smp 1 -m 1024 \
    -nodefaults -no-user-config -display none -no-reboot -kernel "$cache/kernel" -initrd "$tmp/initrd" \
    -append "console=ttyS0 quiet loglevel=4 panic=-1 mitigations=off random.trust_cpu=on nokaslr" \
    -serial "file:$tmp/console" \
    -virtfs "local,path=$tmp/out,mount_tag=out,security_model=none" </dev/null 2>"$tmp/qemu"
status=$?
[ -f "$tmp/out/stdout" ] && cat "$tmp/out/stdout"
[ -f "$tmp/out/stderr" ] && cat "$tmp/out/stderr" >&2
[ -f "$tmp/out/status" ] && exit "$(cat "$tmp/out/status")"
cat "$tmp/qemu" >&2
tail -n 20 "$tmp/console" >&2 2>/dev/null
case $status in
124 | 137)
    echo "vm.sh: no end after $limit seconds" >&2
    exit 124
    ;;
esac
fail "the machine ended without a status (QEMU's own: $status)"
