#!/bin/bash
# Guess: AWK prints a number with an integer value as an integer, as POSIX demands, at least up to 2^53.
# Seen with mawk 1.3.4 20200120 of Debian 12 (the `awk` of that system): from 2^31 on, `print` uses OFMT (`%.6g`), so 2147483648 becomes
# 2.14748e+09 and 3000000000 becomes 3e+09. `printf "%d"` stops at
# 2147483647, without a message. `printf "%.0f"` is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -o APT::Sandbox::User=root download -qq mawk=1.3.4.20200120-3.1
dpkg-deb -x mawk_*.deb root
seen=$(root/usr/bin/mawk 'BEGIN { print 2147483647, 2147483648, 3000000000; printf "%d %.0f\n", 3000000000, 3000000000 }')
echo "$seen"
expected='2147483647 2.14748e+09 3e+09
2147483647 3000000000'
[ "$seen" = "$expected" ] || { echo "changed: expected $expected"; exit 1; }
echo "as seen: print rounds integers from 2^31 on"
