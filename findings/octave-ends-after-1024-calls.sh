#!/bin/bash
# Guess: `max_recursion_depth (100000)` allows Octave a recursion of 100,000 calls.
# Seen with Octave 7.3.0 of Debian 12: 1,000 calls succeed, 2,000 fail with `max_stack_depth exceeded`. The second limit of 1,024 has no
# setting that a program can reach.
# The package has too many dependencies for a folder of its own: this runs the installed Octave, if it has that version.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
[ "$(dpkg-query --show --showformat '${Version}' octave)" = 7.3.0-2 ] || { echo 'install octave=7.3.0-2'; exit 2; }
cat > deep.m <<'END'
1;
function result = depth (n)
  if n == 0
    result = 0;
  else
    result = 1 + depth (n - 1);
  end
end
max_recursion_depth (100000);
printf ("%d\n", depth (calls));
END
run() { octave-cli --norc --quiet --no-history --eval "calls = $1; source ('deep.m')"; }
[ "$(run 1000)" = 1000 ] || { echo 'changed: 1,000 calls fail'; exit 1; }
status=0
run 2000 2> errors || status=$?
cat errors
[ "$status" = 1 ] || { echo "changed: with 2,000 calls it ends with $status"; exit 1; }
grep -q 'max_stack_depth exceeded' errors || { echo 'changed: another message'; exit 1; }
echo 'as seen: 1,000 calls succeed, 2,000 fail'
