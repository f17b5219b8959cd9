#!/bin/bash
# Guess: an Icon program whose recursion is too deep prints an error and the innermost calls, as Python does.
# Seen with Icon 9.4.3 of Debian 12: behind the error, it prints a line for each call. With a stack for 80,000 calls, the message has 3 MB:
# more than many judges accept of a program, and whoever keeps the last lines of standard error does not see the cause. The usual stack
# has room for some 400 calls of a function that adds 1 to the result of the next call.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -o APT::Sandbox::User=root download -qq icont=9.4.3-7 iconx=9.4.3-7
for package in *.deb; do dpkg-deb -x "$package" root; done
PATH=$PWD/root/usr/bin:$PATH
cat > deep.icn <<'END'
procedure depth(n)
  return if n = 0 then 0 else 1 + depth(n - 1)
end

procedure main()
  write(depth(integer(read())))
end
END
icont -s -o deep deep.icn
run() { # with so many words of stack and so many calls
  status=0
  echo "$2" | MSTKSIZE=$1 ./deep > out 2> err || status=$?
  lines=$(wc -l < err)
  echo "stack of $1 words, $2 calls: exit code $status, $(cat out), $lines lines of $(stat --format %s err) bytes"
}
run 2000000 50000
[ "$status" = 0 ] || { echo "changed: 50,000 calls fail"; exit 1; }
run 2000000 1000000
[ "$status" = 1 ] && grep -q 'evaluation stack overflow' err || { echo "changed: exit code $status"; exit 1; }
[ "$lines" -gt 50000 ] || { echo 'changed: it does not print each call'; exit 1; }
run 10000 1000
[ "$status" = 1 ] || { echo 'changed: 1,000 calls succeed with the usual stack'; exit 1; }
echo 'as seen: a line for each call'
