#!/bin/bash
# Guess: a Lisp program that reads behind the end of its input ends with the error END-OF-FILE, a backtrace, and exit code 1, as
# after any other uncaught error.
# Seen with SBCL 2.2.9 of Debian 12: with `--script`, it ends at once with exit code 0, and prints nothing on either stream. A judge
# therefore sees a wrong answer and no run-time error. With `--non-interactive --load`, the same program exits with 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -o APT::Sandbox::User=root download -qq sbcl=2:2.2.9-1
dpkg-deb -x sbcl_*.deb root
sbcl=(root/usr/bin/sbcl --core root/usr/lib/sbcl/sbcl.core)
echo '(format t "before~%") (read-line) (format t "after~%")' > a.lisp
script=0
"${sbcl[@]}" --script a.lisp < /dev/null > out 2> err || script=$?
loaded=0
"${sbcl[@]}" --noinform --non-interactive --load a.lisp < /dev/null > /dev/null 2>&1 || loaded=$?
cat out
seen="$script $loaded $(cat out) $(stat --format %s err)"
[ "$seen" = "0 1 before 0" ] || { echo "changed: $seen"; exit 1; }
echo "as seen: exit code 0 and no message"
