#!/bin/bash
# Guess: GCC 12 compiles Objective-C with the standard that it takes for C (gnu17).
# Seen with gobjc 12.2.0 of Debian 12: `for (int i = 0; …)` is an error in Objective-C, and none in C. Without `-std`, Objective-C is
# based on gnu89.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq gobjc-12=12.2.0-14+deb12u1 gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1
for package in *.deb; do dpkg-deb --extract "$package" .; done
gcc=(usr/bin/x86_64-linux-gnu-gcc-12 "-B$folder/usr/lib/gcc/x86_64-linux-gnu/12" -fsyntax-only)
echo 'int main(void) { for (int i = 0; i < 3; i++) {} return 0; }' > loop.txt
"${gcc[@]}" -x c loop.txt || { echo 'changed: C rejects it'; exit 1; }
"${gcc[@]}" -x objective-c -std=gnu99 loop.txt || { echo 'changed: -std=gnu99 rejects it'; exit 1; }
status=0
"${gcc[@]}" -x objective-c loop.txt 2> errors || status=$?
cat errors
[ "$status" = 1 ] || { echo "changed: it ends with $status"; exit 1; }
grep -q 'only allowed in C99' errors || { echo 'changed: another message'; exit 1; }
echo 'as seen: an error in Objective-C, none in C'
