#!/bin/bash
# Guess: the depth of functions in dash is limited by the stack alone, as in other shells without a limit of their own.
# Seen with dash 0.5.12 of Debian 12: it ends with exit code 2 and `Maximum function recursion depth (1000) reached`, also with an
# unlimited stack.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq dash=0.5.12-2
dpkg-deb --extract dash_*.deb .
dash=$(find . -type f -name dash -perm -u+x | head -n 1)
cat > deep.sh <<'END'
depth() { if [ "$1" -eq 0 ]; then result=0; else depth $(($1 - 1)); result=$((result + 1)); fi; }
depth "$1"
echo "$result"
END
status=0
[ "$("$dash" deep.sh 900)" = 900 ] || { echo 'changed: 900 calls fail'; exit 1; }
"$dash" deep.sh 1100 2> errors || status=$?
cat errors
[ "$status" = 2 ] || { echo "changed: with 1100 calls it ends with $status"; exit 1; }
grep -q 'recursion depth (1000)' errors || { echo 'changed: another message'; exit 1; }
echo 'as seen: exit code 2 after 1000 nested calls'
