#!/bin/sh
# opencv_doc.sh DIR: real photographs of a chessboard, of Debian's package opencv-doc, into DIR.
# The package is fetched and unpacked, never installed; what is there already is used again.
set -u
dir=$1
data=usr/share/doc/opencv-doc/examples/data
[ -s "$dir/left01.jpg" ] && [ -s "$dir/left_intrinsics.yml" ] && exit 0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# As root apt would fetch as another user, who may not write here.
fetch() { (cd "$tmp" && apt-get -q -o APT::Sandbox::User=root download opencv-doc) >"$tmp/log" 2>&1; }
if ! fetch; then
    as_root=
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    $as_root apt-get -q update >"$tmp/log" 2>&1
    fetch || {
        echo "opencv_doc.sh: opencv-doc cannot be fetched: $(tail -n 1 "$tmp/log")" >&2
        exit 1
    }
fi
mkdir -p "$dir" && dpkg-deb --fsys-tarfile "$tmp"/opencv-doc_*.deb |
    tar -x -C "$tmp" --wildcards "./$data/left*" "./$data/right*" && mv "$tmp/$data"/* "$dir"
