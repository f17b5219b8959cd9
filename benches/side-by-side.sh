#!/usr/bin/env bash
# Compares the speed of two builds of rejudge: judges 1000 cases with one and with the other, in turn.
#
#   benches/side-by-side.sh OLD NEW [ROUNDS]     (default: 15 rounds)
#
# Prints the median of NEW / OLD over the rounds, of wall time and of CPU time. Exits with 1 if that of wall time, which the
# user waits for, is above 1.05.
set -euo pipefail

[ $# -ge 2 ] || { sed -n '4s/^# *//p' "$0" >&2; exit 2; }
old=$(realpath "$1") new=$(realpath "$2") rounds=${3-15}
root=$(cd "$(dirname "$0")/.." && pwd)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
mkdir "$folder/sum"
cp "$root/benches/programs/a_plus_b.c" "$folder/sum"
for ((number = 1; number <= 1000; number++)); do
  echo "$number 1" >"$folder/sum/$number.in"
  echo "$((number + 1))" >"$folder/sum/$number.ans"
done
cd "$folder/sum"
export REJUDGE_CACHE_DIR=$folder/cache

# Appends the wall time and the CPU time of a run, in seconds, to a file of results.
judge() { # PROGRAM NAME
  local TIMEFORMAT='%R %U %S'
  { time "$1" run -q >"$folder/output" 2>&1; } 2>>"$folder/$2" || { cat "$folder/output"; exit 1; }
}

for program in "$old" "$new"; do "$program" run -q >/dev/null; done
for ((round = 0; round < rounds; round++)); do
  if ((round % 2)); then judge "$new" new && judge "$old" old; else judge "$old" old && judge "$new" new; fi
done
paste -d ' ' "$folder/old" "$folder/new" | awk '
  { wall[NR] = $4 / $1; cpu[NR] = ($5 + $6) / ($2 + $3); old += $1; new += $4 }
  function median(of, i, j, kept) {
    for (i = 2; i <= NR; i++) for (j = i; j > 1 && of[j - 1] > of[j]; j--) { kept = of[j]; of[j] = of[j - 1]; of[j - 1] = kept }
    return NR % 2 ? of[(NR + 1) / 2] : (of[NR / 2] + of[NR / 2 + 1]) / 2
  }
  END {
    a = median(wall); b = median(cpu)
    printf "1000 cases, %d rounds: %.3f s and %.3f s; wall time %.3f (at most 1.05), CPU time %.3f\n", NR, old / NR, new / NR, a, b
    exit a > 1.05
  }'
