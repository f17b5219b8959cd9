#!/bin/bash
# Guess: `oj test` counts a case without an answer apart, because nothing was compared.
# Seen with online-judge-tools 11.5.1: the case is AC, and `test success: 1 cases` counts it like a compared one, with exit
# status 0. Only a run that fails is not AC. A misspelt name (`s.outt`) therefore makes every wrong solution green.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet online-judge-tools==11.5.1 online-judge-api-client==10.10.1
mkdir "$folder/test"
echo 1 > "$folder/test/s.in"
cd "$folder"
status=0
"$folder/venv/bin/oj" test -c 'echo anything' > out 2>&1 || status=$?
cat out
[ "$status" = 0 ] && grep -q 'test success: 1 cases' out || { echo "changed: exit status $status"; exit 1; }
echo "as seen: a case without an answer is AC"
