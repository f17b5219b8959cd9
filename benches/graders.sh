#!/usr/bin/env bash
# Prints which harmless right programs the graders of LiveCodeBench, lighteval and verl reject, and which wrong outputs they accept:
# the table of harness/guide/src/graders.md. Fails if rejudge is wrong once. Takes about ten minutes.
#
#   benches/graders.sh LIVECODEBENCH [REJUDGE]     a checkout of LiveCodeBench at 28fef95ea8c9; with REJUDGE, a column for it
set -euo pipefail
[ $# -ge 1 ] && [ -d "$1/lcb_runner" ] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }
livecodebench=$(realpath "$1")
program=${2:+$(realpath "$2")}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 tqdm
# What is called of these needs none of their other dependencies.
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --target "$folder/packages" lighteval==0.13.0 verl==0.9.1
"$folder/venv/bin/python" "$(dirname "$0")/graders/compare.py" "$folder/packages" "$livecodebench" ${program:+"$program"}
