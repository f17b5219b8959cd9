#!/bin/bash
# $1 program, $2 input, $3 time limit in seconds, $4 number of runs, $5 memory limit in MB, $6 output limit in KB.
# The output goes to standard output; the exit status is that of safeexec: 0 for a program that ends with 0.
@JAIL@
[ -r "$1" ] || { echo "cannot read the program $1"; exit 44; }
[ -r "$2" ] || { echo "cannot read the input $2"; exit 45; }
program=$(basename "$1")
cp "$2" stdin0
chown $user .
rm -f stdout0
chroot "$root" "$safeexec" -r"${4:-1}" -F256 -u256 -n0 -U"$(id -u $user)" -G"$(id -g $user)" -C"$here" \
    -i"$here/stdin0" -o"$here/stdout0" -e"$here/stderr0" -d@ADDRESSES@ -m"${5:-512}000" -f"${6:-1024}" \
    -t"$3" -T$(($3 + 30)) @COMMAND@
code=$?
cat stdout0 2> /dev/null
[ $code -le 10 ] || exit 9
exit $code
