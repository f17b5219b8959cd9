#!/bin/bash
# Guess: `wasm-interp --wasi` runs a command of WASI, as its manual page and its `--help` say.
# Seen with wabt 1.0.32 of Debian 12: it exits with 1 and prints `wasi support not compiled in`. The option is there, but the package
# is built without it. So Debian's wabt translates and validates programs, and another tool has to run them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -o APT::Sandbox::User=root download -qq wabt=1.0.32-1
dpkg-deb -x wabt_*.deb root
echo '(module (memory (export "memory") 1) (func (export "_start")))' > a.wat
root/usr/bin/wat2wasm a.wat -o a.wasm
root/usr/bin/wasm-interp --help | grep -q -- --wasi || { echo 'changed: there is no option'; exit 1; }
status=0
root/usr/bin/wasm-interp --wasi a.wasm > out 2>&1 || status=$?
cat out
[ "$status $(cat out)" = '1 wasi support not compiled in' ] || { echo "changed: it exits with $status"; exit 1; }
echo 'as seen: no WASI'
