# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Shared by the devtools scripts: where things are, how to say what went wrong,
# and how to get Debian packages through the private apt of devtools/private-apt.
# Sourced, with `set -eu` in force; the caller sets nothing beforehand.

TOP=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
BUILD=$TOP/build
APT=$BUILD/apt
DEBS=$APT/debs
PATH=/usr/bin:/bin:/usr/sbin:/sbin:$PATH
LC_ALL=C
export PATH LC_ALL

say()
{
	printf '%s\n' "${0##*/}: $*"
}

die()
{
	printf '%s\n' "${0##*/}: error: $*" >&2
	exit 1
}

# fresh_dir DIR: an empty directory DIR.new in which to put a product together;
# commit_dir DIR then makes it DIR, so that an interrupted run leaves no half of one.
fresh_dir()
{
	rm -rf "$1.new"
	mkdir -p "$1.new"
}

commit_dir()
{
	rm -rf "$1.old"
	if [ -e "$1" ]; then
		mv "$1" "$1.old"
	fi
	mv "$1.new" "$1"
	rm -rf "$1.old"
}

# apt_as host|arm64 PROGRAM ARGS...: an apt program on the private configuration.
apt_as()
{
	_conf=$APT/$1.conf
	shift
	APT_CONFIG=$_conf "$@"
}

# with_lists COMMAND...: run it; where it fails (old package lists name files that
# the archive no longer has), refresh the lists and run it once more.
with_lists()
{
	if [ ! -e "$APT/stamp" ]; then
		"$TOP/devtools/private-apt" || exit 1
		"$@"
		return
	fi
	if ! "$@"; then
		say "trying again with fresh package lists"
		"$TOP/devtools/private-apt" || exit 1
		"$@"
	fi
}

# unpack DEB DIR: the files of a package, no privilege needed. A sysroot has
# merged-/usr links, which must survive packages that ship /lib as a directory.
unpack()
{
	dpkg-deb --fsys-tarfile "$1" |
		tar -x -C "$2" --keep-directory-symlink --no-same-owner --exclude=./usr/share/doc \
			--exclude=./usr/share/man --exclude=./usr/share/locale
}
