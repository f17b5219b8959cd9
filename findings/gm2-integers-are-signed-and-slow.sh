#!/bin/bash
# Guess: in Modula-2, `SWholeIO.WriteInt(5, 0)` writes `5`, and the time of `InOut.ReadInt` grows with the number of reads.
# Seen with gm2 12.2.0 of Debian 12: it writes `+5` for each width, while `WriteCard` writes `5`. Four times as many reads take about
# 16 times as long: 2,000 numbers take 0.25 s of CPU time, and 8,000 take 4.4 s.
# The package has too many dependencies for a folder of its own: this runs the installed gm2, if it has that version.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
[ "$(dpkg-query --show --showformat '${Version}' gm2)" = 4:12.2.0-3 ] || { echo 'install gm2=4:12.2.0-3'; exit 2; }
cat > sign.mod <<'END'
MODULE sign;
FROM STextIO IMPORT WriteString;
FROM SWholeIO IMPORT WriteCard, WriteInt;
BEGIN
  WriteInt(5, 0);
  WriteString(" ");
  WriteInt(5, 1);
  WriteString(" ");
  WriteCard(5, 0)
END sign.
END
cat > sum.mod <<'END'
MODULE sum;
FROM InOut IMPORT ReadInt, WriteInt, WriteLn;
VAR count, number, i, sum: INTEGER;
BEGIN
  ReadInt(count);
  sum := 0;
  FOR i := 1 TO count DO
    ReadInt(number);
    sum := sum + number
  END;
  WriteInt(sum, 0);
  WriteLn
END sum.
END
for module in sign sum; do
  gm2 -flibs=m2iso,m2pim,m2log,m2cor -fiso -O2 -o "$module" "$module.mod"
done
signs=$(./sign)
echo "$signs"
[ "$signs" = '+5 +5 5' ] || { echo 'changed: other signs'; exit 1; }
TIMEFORMAT=%U
milliseconds() { # of CPU time for so many numbers
  (echo "$1"; seq "$1") > in
  local seconds
  seconds=$({ time ./sum < in > out; } 2>&1)
  echo $((10#${seconds/./}))
}
few=$(milliseconds 2000)
many=$(milliseconds 8000)
echo "2,000 numbers: $few ms; 8,000 numbers: $many ms"
[ "$many" -gt $((8 * few)) ] || { echo 'changed: the time does not grow with the square'; exit 1; }
echo 'as seen: a plus sign, and quadratic time'
