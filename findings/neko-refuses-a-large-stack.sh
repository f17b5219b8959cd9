#!/bin/bash
# Guess: a program runs under a higher stack limit as it does under a lower one.
# Seen with Neko 2.3.0 of Debian 12, the runtime of Haxe: above 2 GiB, every program ends at once with `C Stack Overflow`. With an
# unlimited stack it runs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -o APT::Sandbox::User=root download -qq neko=2.3.0-1+b2 libneko2=2.3.0-1+b2
for package in *.deb; do dpkg-deb -x "$package" root; done
lib=$(dirname "$(find "$PWD/root" -name 'libneko.so.2*' | head -1)")
export PATH=$PWD/root/usr/bin:$PATH LD_LIBRARY_PATH=$lib
export NEKOPATH=$(dirname "$(find "$PWD/root" -name 'std.ndll' | head -1)")
echo '$print("ok\n");' > hello.neko
nekoc hello.neko
run() { # under this stack limit, in KiB
  status=0
  (ulimit -s "$1" && exec neko hello.n) > out 2>&1 || status=$?
  echo "stack limit $1: exit code $status, $(cat out)"
}
run $((2 << 20))
[ "$status" = 0 ] || { echo 'changed: 2 GiB fails'; exit 1; }
run unlimited
[ "$status" = 0 ] || { echo 'changed: an unlimited stack fails'; exit 1; }
run $(((2 << 20) + 1024))
[ "$status" != 0 ] && grep -q 'Stack Overflow' out || { echo 'changed: 2 GiB and 1 MiB succeeds'; exit 1; }
echo 'as seen: only above 2 GiB, and not without a limit'
