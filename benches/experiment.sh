#!/usr/bin/env bash
# The gate's proof on real programs: how often `rejudge bench --against` calls a program slower than itself, and how
# often it sees a slowdown, with another core kept busy by somebody else.
#
#   benches/experiment.sh [--part A/A|3%|10%|instructions]… [--same N] [--slow N] [--quiet] [PATH/TO/rejudge]
#
# Prints a table, each line when it is known, and on the error stream how far it is; ends with 1 if a line misses what
# is promised of it. It takes about ten seconds for each comparison: half an hour as a whole, so each part can be run
# by itself. --same and --slow set how many comparisons there are of a program with itself (100) and with a slower one
# (20); the promises are scaled. --quiet leaves the other core alone.
set -euo pipefail

usage() { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }

same=100 slow=20 busy=yes rejudge='' parts=' '
while [ $# -gt 0 ]; do
  case $1 in
    --part)
      case ${2-} in 'A/A' | '3%' | '10%' | instructions) parts+="$2 " ;; *) usage ;; esac
      shift 2 ;;
    --same | --slow)
      [[ ${2-} =~ ^[1-9][0-9]*$ ]] || usage
      if [ "$1" = --same ]; then same=$2; else slow=$2; fi
      shift 2 ;;
    --quiet) busy=no; shift ;;
    -*) usage ;;
    *) rejudge=$(realpath "$1"); shift ;;
  esac
done
if [ -z "$rejudge" ]; then
  root=$(cd "$(dirname "$0")/.." && pwd)
  cargo build --release --quiet --manifest-path "$root/Cargo.toml" --package rejudge
  rejudge=${CARGO_TARGET_DIR:-$root/target}/release/rejudge
fi

place=$(mktemp -d)
burner=
trap 'if [ -n "$burner" ]; then kill "$burner"; fi; rm -rf "$place"' EXIT
cd "$place"

# Sorting, dynamic programming and walks through a table, so many rounds of each; a note makes a file another one.
program() { # ROUNDS NOTE
  cat <<RUST
// $2
use std::hint::black_box;
fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let mut seed: u64 = line.trim().parse().unwrap();
    let mut next = || { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; seed };
    let table: Vec<u32> = (0..1 << 14).map(|_| next() as u32 & 0x3fff).collect();
    let mut total = 0u64;
    for round in 0..$1u64 {
        let mut few: Vec<u64> = (0..32).map(|_| next()).collect();
        few.sort_unstable();
        let mut best = [0u64; 64];
        for item in &few[..8] {
            for room in (7..64).rev() { best[room] = best[room].max(best[room - 7] + item % 100); }
        }
        let mut at = (few[0] ^ round) as u32 & 0x3fff;
        for _ in 0..200 { at = table[at as usize] ^ (round as u32 & 0xff); }
        total = total.wrapping_add(black_box(best[63] + u64::from(at)));
    }
    println!("{}", total & 0);
}
RUST
}

rounds=13000
mkdir -p cases/busy/data/secret solutions/busy
printf 'problem_format_version: 2025-09\nname: Busy\nlimits:\n  time_limit: 10\n' >cases/busy/problem.yaml
echo 88172645463325252 >cases/busy/data/secret/1.in
echo 0 >cases/busy/data/secret/1.ans
program $rounds base >base.rs

# Compares the program with the base so often; prints how often each exit status came.
compare() { # NAME ROUNDS COMPARISONS OPTIONS…
  local name=$1 rounds=$2 comparisons=$3 regressions=0 inconclusive=0 faults=0 status
  shift 3
  program "$rounds" new >solutions/busy/busy.rs
  for ((i = 0; i < comparisons; i++)); do
    status=0
    "$rejudge" bench solutions/busy/busy.rs --against path:base.rs "$@" >last.txt 2>&1 || status=$?
    case $status in
      0) ;;
      1) regressions=$((regressions + 1)) ;;
      3) inconclusive=$((inconclusive + 1)) ;;
      *) faults=$((faults + 1)); cat last.txt >&2 ;;
    esac
    echo "$name: $((i + 1)) of $comparisons, $regressions regressions, $inconclusive inconclusive" >&2
  done
  echo "$regressions $inconclusive $faults"
}

failed=no
line() { # PART NAME ROUNDS COMPARISONS least|most PROMISE OPTIONS…
  local part=$1 name=$2 rounds=$3 comparisons=$4 word=$5 promise=$6 verdict=ok regressions inconclusive faults
  shift 6
  if [[ $parts != ' ' && $parts != *" $part "* ]]; then return; fi
  read -r regressions inconclusive faults < <(compare "$name" "$rounds" "$comparisons" "$@")
  if [ "$word" = most ] && [ "$regressions" -gt "$promise" ]; then verdict=MISSED; fi
  if [ "$word" = least ] && [ "$regressions" -lt "$promise" ]; then verdict=MISSED; fi
  if [ "$faults" -gt 0 ]; then verdict=FAULTS; fi
  if [ "$verdict" != ok ]; then failed=yes; fi
  printf '| %-28s | %3d of %3d | %12d | at %s %d | %s |\n' \
    "$name" "$regressions" "$comparisons" "$inconclusive" "$word" "$promise" "$verdict"
}

if [ "$busy" = yes ]; then
  cat >burner.rs <<'RUST'
fn main() {
    let mut memory = vec![1u64; 4 << 20];
    let mut at = 0usize;
    loop {
        for _ in 0..1 << 16 {
            at = at.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let place = (at >> 33) & ((4 << 20) - 1);
            memory[place] = memory[place].wrapping_add(at as u64);
        }
        std::hint::black_box(&memory);
    }
}
RUST
  rustc -O burner.rs
  core=$(taskset -cp $$ | sed 's/.*[,: -]//')
  taskset -c "${core:-0}" ./burner &
  burner=$!
fi

printf '| %-28s | %10s | %12s | %s |\n' 'new against base' regressions inconclusive 'promise |'
printf '|---|---|---|---|---|\n'
line 'A/A' 'the same, by CPU time' $rounds "$same" most 0
line '3%' '3 % more, by CPU time' $((rounds * 103 / 100)) "$slow" least $((slow * 18 / 20))
line '10%' '10 % more, by CPU time' $((rounds * 110 / 100)) "$slow" least "$slow"
line instructions 'the same, by instructions' $rounds "$slow" most 0 --counter instructions
line instructions '0.11 % more, by instructions' $((rounds * 10011 / 10000 + 1)) "$slow" least "$slow" --counter instructions
[ "$failed" = no ]
