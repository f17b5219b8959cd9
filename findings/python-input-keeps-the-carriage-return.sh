#!/bin/bash
# Guess: `input()` of Python 3 reads text with universal newlines, as `open()` does, so a line that ends with CR and LF loses both.
# Seen with Python 3.11.2 of Debian 12: `input()` keeps the CR if standard input is no terminal, because `sys.stdin` is opened with
# the newline "\n" except on Windows. `open()` of the same text removes it. `int()` ignores the CR, so only texts are wrong.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
version=3.11.2-6+deb12u9
apt-get -o APT::Sandbox::User=root download -qq python3.11-minimal=$version libpython3.11-minimal=$version libpython3.11-stdlib=$version
for package in *.deb; do dpkg-deb -x "$package" root; done
python() { PYTHONHOME=$folder/root/usr root/usr/bin/python3.11 "$@"; }
printf '5\r\nabc\r\n' > text
input=$(python -c 'print(int(input()), len(input()))' < text)
opened=$(python -c 'print([len(line) for line in open("text").read().splitlines(keepends=True)])')
echo "$input $opened"
[ "$input $opened" = "5 4 [2, 4]" ] || { echo "changed: expected 5 4 [2, 4]"; exit 1; }
echo "as seen: input() keeps the CR, open() does not"
