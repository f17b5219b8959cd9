#!/bin/bash
# $1 source, $2 program, $3 time limit in seconds, $4 memory limit in MB; 0: compiled, 1: a compile error.
@JAIL@
[ -r "$1" ] || { echo "cannot read the source $1"; exit 44; }
source=$(basename "$1")
program=${2:-run.exe}
chown $user .
rm -f code.retcode
cat > compile_it.sh <<END
#!/bin/bash
cd "\$(dirname "\$0")"
@COMMAND@
echo \$? > code.retcode
END
chmod 755 compile_it.sh
chroot "$root" "$safeexec" -r1 -F1000 -n0 -U"$(id -u $user)" -G"$(id -g $user)" -C"$here" \
    -o"$here/stdout0" -e"$here/stderr0" -d2000000 -m2000000 -f100000 -t60 -T90 "$here/compile_it.sh"
code=$?
cat stdout0 stderr0 2> /dev/null
[ $code = 0 ] || exit $code
[ "$(cat code.retcode 2> /dev/null)" = 0 ] || exit 1
