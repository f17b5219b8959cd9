#!/bin/bash
# Guess: with a tolerance, `oj test` reads the words of an output as judges do, so `1_000` is no number.
# Seen with online-judge-tools 11.5.1 (online-judge-api-client 10.10.1), Python 3.11:
# `oj test -e 1e-6` accepts `1_000` where the answer is `1000`. It reads words with `float()` of Python, which allows
# underscores between digits. Without `-e`, the same output is wrong. A judge that compares with testlib rejects it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet online-judge-tools==11.5.1 online-judge-api-client==10.10.1
mkdir "$folder/test"
echo 1 > "$folder/test/s.in"
echo 1000 > "$folder/test/s.out"
cd "$folder"
accepted=0
"$folder/venv/bin/oj" test -c 'echo 1_000' -e 1e-6 > with 2>&1 || accepted=$?
rejected=0
"$folder/venv/bin/oj" test -c 'echo 1_000' > without 2>&1 || rejected=$?
cat with without
[ "$accepted" = 0 ] || { echo "changed: with -e it ends with $accepted"; exit 1; }
[ "$rejected" = 1 ] || { echo "changed: without -e it ends with $rejected"; exit 1; }
echo "as seen: accepted with -e 1e-6, rejected without"
