#!/bin/bash
# Guess: with `float_tolerance`, the default validator of problemtools takes decimal numbers only, as the 2025-09 format
# describes them.
# Seen with problemtools 1.20260907: `0x10` is accepted where the answer is `16` (exit status 42), and `16` where the answer
# is `0x10`, as `strtold` of C reads them, but `1e999` is rejected where the answer is `inf`. Without a tolerance, `0x10` is
# rejected.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip download --quiet --no-deps problemtools==1.20260907
python3 -m zipfile -e problemtools-*.whl package
validator=package/problemtools/support/default_validator
chmod +x "$validator"
# judge ANSWER OUTPUT [ARGUMENT...]: prints the exit status.
judge() {
    echo 1 > input
    echo "$1" > answer
    mkdir -p feedback
    local status=0
    echo "$2" | "$validator" input answer feedback "${@:3}" > /dev/null 2>&1 || status=$?
    echo "$status"
}
seen="$(judge 16 0x10 float_tolerance 1e-6) $(judge 0x10 16 float_tolerance 1e-6) $(judge inf 1e999 float_tolerance 1e-6) $(judge 16 0x10)"
echo "$seen"
[ "$seen" = "42 42 43 43" ] || { echo "changed: expected 42 42 43 43"; exit 1; }
echo "as seen: hexadecimal numbers are within the tolerance of decimal ones"
