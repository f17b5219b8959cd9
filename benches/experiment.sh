#!/usr/bin/env bash
# Checks the gate (`rejudge bench --against`) on real programs: how often it reports a regression of an unchanged
# solution, and how often it finds a slowdown, on an idle machine and next to busy processes (neighbours).
#
#   benches/experiment.sh [--quick] [--part quiet|busy|memory|instructions]… [--same N] [--slow N] [PATH/TO/rejudge]
#
#   quiet          no neighbours
#   busy           four busy processes on each core
#   memory         a memory-bound process on the last core; the comparisons run on the first
#   instructions   instruction counts by callgrind or by the processor
#
# Prints a table line by line, and its progress on standard error. Exits with 1 if a line misses its promise. If the gate
# is inconclusive about a slower solution, that counts as not found. All parts take about forty minutes on two cores.
# --same and --slow set the number of comparisons with an equal solution (default: 100) and with a slower one (default:
# 20); the promises scale with them. --quick runs a sample for CI: busy and memory, with few comparisons of twenty pairs
# each. Twenty pairs do not always find 10 % on a busy machine, so the sample looks for 30 % instead of 10 % and 100 %. It
# takes at most two minutes, since no comparison starts after ninety seconds.
# Run nothing else on the machine. The neighbours stop with the script, however it ends.
set -euo pipefail

usage() { sed -n '5,5s/^# *//p' "$0" >&2; exit 2; }

same='' slow='' quick=no rejudge='' parts=' '
while [ $# -gt 0 ]; do
  case $1 in
    --part)
      case ${2-} in quiet | busy | memory | instructions) parts+="$2 " ;; *) usage ;; esac
      shift 2 ;;
    --same | --slow)
      [[ ${2-} =~ ^[1-9][0-9]*$ ]] || usage
      if [ "$1" = --same ]; then same=$2; else slow=$2; fi
      shift 2 ;;
    --quick) quick=yes; shift ;;
    -*) usage ;;
    *) rejudge=$(realpath "$1"); shift ;;
  esac
done
source "$(dirname "$0")/built.sh"

# PROBLEM SOLUTION CASE. Each run takes about fifteen milliseconds, so many comparisons take little time.
solutions=(
  'treeoflife treeoflife secret/worst/chain'
  'klotskisteps klotskisteps secret/known/century'
  'klotski sorted_levels secret/known/heng-dao-li-ma'
)
options=()
# The slowdown that the gate must find, in percent. Without neighbours it must find 3 %, too.
little=10
if [ "$quick" = yes ]; then
  same=${same:-4} slow=${slow:-2} little=30 options=(--pairs 20) solutions=("${solutions[0]}")
  if [ "$parts" = ' ' ]; then parts=' busy memory '; fi
fi
same=${same:-100} slow=${slow:-20}

folder=$(mktemp -d)
export REJUDGE_CACHE_DIR=$folder/cache
neighbours=()
stop_neighbours() {
  if [ "${#neighbours[@]}" -gt 0 ]; then
    kill "${neighbours[@]}" 2>/dev/null || true
    wait "${neighbours[@]}" 2>/dev/null || true
  fi
  neighbours=()
}
finish() {
  local others
  stop_neighbours
  mapfile -t others < <(jobs -p)
  if [ "${#others[@]}" -gt 0 ]; then kill "${others[@]}" 2>/dev/null || true; wait || true; fi
  rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
cd "$folder"

# The cores that this script may use.
mapfile -t cores < <(taskset -cp $$ | sed 's/.*: //' | tr ',' '\n' | while IFS=- read -r from to; do
  seq "$from" "${to:-$from}"
done)

# A neighbour that computes, or that writes to random places in 32 MiB. It exits when the script ends, even by SIGKILL.
cat >neighbour.rs <<'RUST'
fn main() {
    let parent = std::os::unix::process::parent_id();
    let is_memory = std::env::args().nth(1).as_deref() == Some("memory");
    let mut memory = vec![1u64; if is_memory { 4 << 20 } else { 1 }];
    let mut at = 0usize;
    while std::os::unix::process::parent_id() == parent {
        for _ in 0..1 << 16 {
            at = at.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let place = (at >> 33) & (memory.len() - 1);
            memory[place] = memory[place].wrapping_add(at as u64);
        }
        std::hint::black_box(&memory);
    }
}
RUST
rustc -O neighbour.rs

start_neighbour() { # CORE busy|memory
  taskset -c "$1" ./neighbour "$2" &
  neighbours+=($!)
}

# Prints the solution, made slower: after it ends, it uses CPU time for another MORE hundredths of a percent.
variant() { # PROBLEM SOLUTION MORE NOTE
  local type
  type=$(sed -n 's/^fn main() *\(.*\){$/\1/p' "$root/solutions/$1/$2.rs")
  printf '// %s\n' "$4"
  sed 's/^fn main() /fn solution() /' "$root/solutions/$1/$2.rs"
  cat <<RUST
#[repr(C)]
struct CpuTime {
    seconds: i64,
    nanoseconds: i64,
}
extern "C" {
    fn clock_gettime(clock: i32, time: *mut CpuTime) -> i32;
}
fn cpu_time() -> i64 {
    let mut time = CpuTime { seconds: 0, nanoseconds: 0 };
    // CLOCK_PROCESS_CPUTIME_ID
    unsafe { clock_gettime(2, &mut time) };
    time.seconds * 1_000_000_000 + time.nanoseconds
}
fn main() $type{
    let end = solution();
    let until = cpu_time() / 10_000 * (10_000 + $3);
    while $3 > 0 && cpu_time() < until {}
    end
}
RUST
}

has() { [[ $parts == ' ' || $parts == *" $1 "* ]]; }

# Write all variants; they are built before the neighbours start. MORE is in hundredths of a percent.
amounts=(0 $((little * 100)))
if [ "$quick" = no ]; then amounts+=(10000); fi
if has quiet; then amounts+=(300); fi
if ! has quiet && ! has busy && ! has memory; then solutions=(); fi
for entry in "${solutions[@]}"; do
  read -r problem solution case <<<"$entry"
  mkdir -p "cases/$problem/data/$(dirname "$case")" "solutions/$problem" base
  cp "$root/cases/$problem/problem.yaml" "cases/$problem/"
  if [ -d "$root/cases/$problem/output_validator" ]; then
    cp -r "$root/cases/$problem/output_validator" "cases/$problem/"
  fi
  cp "$root/cases/$problem/data/$case".* "cases/$problem/data/$(dirname "$case")/"
  variant "$problem" "$solution" 0 base >"base/$problem.rs"
  cp "base/$problem.rs" "solutions/$problem/base.rs"
  for more in "${amounts[@]}"; do
    variant "$problem" "$solution" "$more" new >"solutions/$problem/more$more.rs"
  done
done

# Prints a program for the instruction counts: ROUNDS rounds of sorting, dynamic programming and walks through a table,
# without a random seed.
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
if has instructions; then
  rounds=13000
  mkdir -p cases/rounds/data/secret solutions/rounds
  printf 'problem_format_version: 2025-09\nname: Rounds\nlimits:\n  time_limit: 10\n' >cases/rounds/problem.yaml
  echo 88172645463325252 >cases/rounds/data/secret/1.in
  echo 0 >cases/rounds/data/secret/1.ans
  program $rounds base >base/rounds.rs
  program $rounds new >solutions/rounds/more0.rs
  program $((rounds * 10011 / 10000 + 1)) new >solutions/rounds/more11.rs
fi

echo 'building the solutions' >&2
"$rejudge" run --quiet >built.txt 2>&1 || { cat built.txt >&2; exit 2; }

# Runs one comparison on one core and writes its report and its exit status to files.
compare() { # NUMBER MORE OPTIONS…
  local number=$1 more=$2 status=0 problem core
  shift 2
  read -r problem _ <<<"${solutions[number % ${#solutions[@]}]}"
  core=${cores[number % ${#cores[@]}]}
  taskset -c "$core" "$rejudge" bench "solutions/$problem/more$more.rs" --against "path:base/$problem.rs" "$@" \
    >"report.$number" 2>&1 || status=$?
  echo "$status" >"status.$number"
}

# Runs comparisons, AT_A_TIME of them in parallel.
compare_all() { # NAME MORE COMPARISONS AT_A_TIME OPTIONS…
  local name=$1 more=$2 comparisons=$3 at_a_time=$4 running=() number pid
  shift 4
  rm -f status.* report.*
  for ((number = 0; number < comparisons; number++)); do
    if [ "$quick" = yes ] && [ "$SECONDS" -gt 90 ]; then break; fi
    if [ "${#running[@]}" -ge "$at_a_time" ]; then
      wait "${running[0]}" || true
      running=("${running[@]:1}")
      echo "$name: $((number - at_a_time + 1)) of $comparisons" >&2
    fi
    compare "$number" "$more" "$@" &
    running+=($!)
  done
  for pid in "${running[@]}"; do wait "$pid" || true; done
}

count() { { grep -lx "$1" status.* || true; } | wc -l; }

failed=no
line() { # NAME MORE COMPARISONS AT_A_TIME least|most OF_TWENTY OPTIONS…
  local name=$1 more=$2 comparisons=$3 at_a_time=$4 word=$5 promise=$6 verdict=ok regressions inconclusive passed number
  shift 6
  compare_all "$name" "$more" "$comparisons" "$at_a_time" "${options[@]}" "$@"
  if [ "$quick" = yes ]; then comparisons=$(find . -maxdepth 1 -name 'status.*' | wc -l); fi
  if [ "$comparisons" = 0 ]; then
    printf '| %-34s | skipped: no time left\n' "$name"
    return
  fi
  promise=$((comparisons * promise / 20))
  regressions=$(count 1) inconclusive=$(count 3) passed=$(count 0)
  if [ "$word" = most ] && [ "$regressions" -gt "$promise" ]; then verdict=MISSED; fi
  if [ "$word" = least ] && [ "$regressions" -lt "$promise" ]; then verdict=MISSED; fi
  if [ $((regressions + inconclusive + passed)) -ne "$comparisons" ]; then
    verdict=FAULTS
    for number in status.*; do
      grep -qxE '0|1|3' "$number" || cat "report.${number#status.}" >&2
    done
  fi
  if [ "$verdict" != ok ]; then failed=yes; fi
  printf '| %-34s | %3d of %3d | %12d | at %-5s %3d | %-6s |\n' \
    "$name" "$regressions" "$comparisons" "$inconclusive" "$word" "$promise" "$verdict"
}

# Checks the average change that the last comparisons report, in percent. If one program is at an advantage, for example
# because it runs more often, each change is too small to be reported, but all have the same sign.
average() { # NAME
  local found verdict=ok
  found=$(sed -n 's/.*→ *[0-9.]* [a-z]* *\([+-][0-9.]*\) %.*/\1/p' report.* |
    awk '{ total += $1 } END { printf "%+.2f", NR ? total / NR : 100 }')
  if ! awk -v found="$found" 'BEGIN { exit found < -0.3 || found > 0.3 }'; then verdict=MISSED failed=yes; fi
  printf '| %-34s | %10s | %12s | %12s | %-6s |\n' "$1" "$found %" '' 'within 0.3' "$verdict"
}

printf '| %-34s | %10s | %12s | %12s | %-6s |\n' 'new against base' regressions inconclusive promise ''
printf '|---|---|---|---|---|\n'
if has quiet; then
  line 'quiet: the same' 0 "$same" 1 most 0
  average 'quiet: the same, on average'
  line 'quiet: 3 % more' 300 "$slow" 1 least 18
  line "quiet: $little % more" $((little * 100)) "$slow" 1 least 20
fi
if has busy; then
  for core in "${cores[@]}"; do
    for _ in 1 2 3 4; do start_neighbour "$core" busy; done
  done
  # The comparisons run in parallel and disturb each other too, so each has at least four busy neighbours.
  together=$((4 * ${#cores[@]}))
  line '4 busy per core: the same' 0 "$same" "$together" most 0
  line "4 busy per core: $little % more" $((little * 100)) "$slow" "$together" least 18
  if [ "$quick" = no ]; then line '4 busy per core: 100 % more' 10000 "$slow" "$together" least 20; fi
  stop_neighbours
fi
if has memory; then
  start_neighbour "${cores[-1]}" memory
  # Run the comparisons on the first core; the neighbour is on the last one.
  cores=("${cores[0]}")
  line 'memory-bound neighbour: the same' 0 "$same" 1 most 0
  line "memory-bound neighbour: $little % more" $((little * 100)) "$slow" 1 least 18
  if [ "$quick" = no ]; then line 'memory-bound neighbour: 100 % more' 10000 "$slow" 1 least 20; fi
  stop_neighbours
fi
if has instructions; then
  solutions=('rounds more secret/1')
  line 'instructions: the same' 0 "$slow" 1 most 0 --counter instructions
  line 'instructions: 0.11 % more' 11 "$slow" 1 least 20 --counter instructions
fi
[ "$failed" = no ]
