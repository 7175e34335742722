#!/usr/bin/env bash
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/in-debian.sh SUITE [--llvm=22|23] [COMMAND...]
#
# Runs COMMAND (default: scripts/test.sh --quick) on a copy of this tree in a bare
# Debian SUITE, bookworm (oneDNN 2.6), trixie (oneDNN 3.7), testing or sid (oneDNN 3.12),
# which debootstrap makes in build/debian/SUITE and which stays there for the next time.
# Only root can do that. COMMAND finds the version of LLVM in LLVM_VERSION; only sid has 23.
# DEBIAN_MIRROR names another mirror than debootstrap's. Exits with what COMMAND exits with,
# and with 77 and a line that says why where it cannot be done.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
source scripts/common.sh

suite=${1:-}
case $suite in
  bookworm | trixie | testing | sid) shift ;;
  *)
    sed -n '5,14s/^# \{0,1\}//p' "scripts/${BASH_SOURCE[0]##*/}"
    exit 2
    ;;
esac
case ${1:-} in
  --llvm=*)
    LLVM_VERSION=${1#--llvm=}
    shift
    ;;
esac
[ $# -gt 0 ] || set -- scripts/test.sh --quick

skip() {
  echo "skipped: Debian $suite: $*"
  exit 77
}

root=$(realpath -m "build/debian/$suite")
[ "$(id -u)" = 0 ] || skip "only root can make a root folder"

# Makes the root folder. The host's settings for the mirror are copied for apt.
make_root() {
  install_missing debootstrap || skip "debootstrap is not to be had"
  heading "Making $root"
  rm -rf "$root"
  # Waiting for the disk after each package takes longer than all the rest.
  mkdir -p "$root/etc/dpkg/dpkg.cfg.d"
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/in-debian"
  # shellcheck disable=SC2086
  debootstrap --variant=minbase "$suite" "$root" ${DEBIAN_MIRROR:-} >"$root.log" 2>&1 ||
    { tail -n 5 "$root.log"; rm -rf "$root"; skip "debootstrap failed, see $root.log"; }
  local mirror
  mirror=$(awk '$1 == "deb" {print $2; exit}' "$root/etc/apt/sources.list")
  # Only stable releases get updates apart.
  case $suite in
    bookworm | trixie)
      cat >>"$root/etc/apt/sources.list" <<EOF
deb $mirror $suite-updates main
deb ${mirror}-security $suite-security main
EOF
      ;;
  esac
  cp /etc/apt/apt.conf.d/99* "$root/etc/apt/apt.conf.d/" 2>/dev/null
  cp /etc/resolv.conf "$root/etc/"
  chroot "$root" apt-get update --quiet >>"$root.log" 2>&1 ||
    skip "no lists of packages, see $root.log"
}

[ -x "$root/usr/bin/apt-get" ] || make_root

# A copy of the tree, with changes that are not committed. A file that differs gets the time
# of now: its own may be older than the object of another version of it.
heading "Copying the tree"
install_missing rsync || skip "rsync is not to be had"
mkdir -p "$root/fusion"
rm -rf "$root/tree"
mkdir "$root/tree"
git ls-files --cached --others --exclude-standard -z |
  tar --create --null --files-from=- --ignore-failed-read |
  tar --extract --directory "$root/tree" || exit 1
rsync --recursive --links --perms --checksum --delete --exclude='/build*' \
  "$root/tree/" "$root/fusion/" || exit 1

heading "Debian $suite: $*"
mounted=()
for folder in proc dev sys; do
  mount --rbind "/$folder" "$root/$folder" 2>/dev/null && mounted+=("$root/$folder")
done
trap 'for folder in "${mounted[@]}"; do umount --lazy "$folder"; done' EXIT
chroot "$root" env HOME=/root LC_ALL=C.UTF-8 LLVM_VERSION="$LLVM_VERSION" \
  bash -c 'cd /fusion && exec "$@"' bash "$@"
