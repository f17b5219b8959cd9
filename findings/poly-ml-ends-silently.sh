#!/bin/bash
# Guess: a program that `polyc` has compiled prints `Exception- Div raised` on standard error if an exception ends it, as `poly --script` does.
# Seen with Poly/ML 5.7.1 of Debian 12: it prints nothing on either stream, and ends with exit code 1. What it has printed before arrives.
# `poly --script` prints the exception on standard output, and ends with exit code 1 too.
# The linker needs the libraries of the installed packages: this runs them if they have that version.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for package in polyml libpolyml-dev; do
  [ "$(dpkg-query --show --showformat '${Version}' "$package")" = 5.7.1-5 ] || { echo "install $package=5.7.1-5"; exit 2; }
done
cat > a.sml <<'END'
fun main () =
  (print "before\n";
   print (Int.toString (100 div (valOf (Int.fromString "0"))) ^ "\n"))
END
polyc -o program a.sml 2> /dev/null
compiled=0
./program > out 2> err || compiled=$?
(cat a.sml; echo 'val () = main ();') > b.sml
script=0
poly --script b.sml > script-out 2> script-err || script=$?
echo "compiled: $compiled $(cat out err)"
echo "script: $script $(cat script-out script-err)"
seen="$compiled $(cat out) $(stat --format %s err)"
[ "$seen" = "1 before 0" ] || { echo "changed: $seen"; exit 1; }
seen="$script $(tail -n 1 script-out) $(stat --format %s script-err)"
[ "$seen" = "1 Exception- Div raised 0" ] || { echo "changed: $seen"; exit 1; }
echo 'as seen: no message of the compiled program, and one on standard output of the script'
