#!/usr/bin/env bash
# Checks that `rejudge stress` catches the wrong submissions of this repository from generators alone: those that must get
# WA or RTE by a failure, and those that must exceed a limit by an input above the limit (`--slowest`).
#
#   benches/caught.sh [--quick] [--budget SECONDS] [--seed S] [PATH/TO/rejudge] [SUBMISSION]…
#
# Prints a line for each submission, and exits with 1 if fewer than nine in ten of either kind are caught. The budget of a
# search is 60 s. --quick runs a sample for CI: six submissions, which must all be caught, however fast and busy the
# machine is. So none of them must exceed a time limit, and each has four times the seconds that it needs on an idle machine.
# All submissions take about ten minutes on two cores.
set -euo pipefail

usage() { sed -n '5s/^# *//p' "$0" >&2; exit 2; }

quick=no budget=60 seed=1 rejudge='' chosen=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=yes; shift ;;
    --budget | --seed)
      [[ ${2-} =~ ^[1-9][0-9]*$ ]] || usage
      if [ "$1" = --budget ]; then budget=$2; else seed=$2; fi
      shift 2 ;;
    -*) usage ;;
    *.*) chosen+=("$1"); shift ;;
    *) rejudge=$(realpath "$1"); shift ;;
  esac
done
source "$(dirname "$0")/built.sh"
cd "$root"
# A search for a failure ends when it has found one; a search for the slowest input takes its whole budget.
declare -A budgets=([fails]=$budget [above]=$budget)
share=90
if [ $quick = yes ]; then
  budgets=([fails]=120 [above]=20) share=100
  chosen=(
    solutions/matrixrotation/wrong_answer/centre_forgotten.rs
    solutions/matrixrotation/run_time_error/thirty_two_bits.rs
    solutions/slidingpuzzle/wrong_answer/depth_first.rs
    solutions/klotski/wrong_answer/first_cell.rs
    solutions/treeoflife/wrong_answer/sleeping_areas.rs
    solutions/treeoflife/memory_limit_exceeded/history.rs
  )
fi
if [ ${#chosen[@]} = 0 ]; then
  mapfile -t chosen < <(find solutions -name '*.rs' -path '*_*/*' -not -path '*/brute_force/*' \
    -path 'solutions/*/*/*' | LC_ALL=C sort)
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export REJUDGE_CACHE_DIR=$folder/cache
declare -A all=([fails]=0 [above]=0) caught=([fails]=0 [above]=0)
printf '%-62s %-8s %-7s %7s %s\n' submission caught in rounds input
for submission in "${chosen[@]}"; do
  kind=fails options=(--json "$folder/result.jsonl")
  case $submission in
    */time_limit_exceeded/* | */memory_limit_exceeded/* | */output_limit_exceeded/*) kind=above options=(--slowest) ;;
  esac
  status=0
  started=$(date +%s.%N)
  "$rejudge" stress "$submission" --seed "$seed" --budget "${budgets[$kind]}s" "${options[@]}" >"$folder/output" 2>"$folder/errors" ||
    status=$?
  seconds=$(awk -v a="$started" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f s", b - a }')
  all[$kind]=$((all[$kind] + 1))
  rounds='' input=''
  case $status in
    1) word=yes; caught[$kind]=$((caught[$kind] + 1)) ;;
    0) word=no ;;
    *) cat "$folder/errors" >&2; word="exit $status" ;;
  esac
  if [ $kind = above ]; then
    input=$(sed -n '/ of the limit/{s/^ *//p;q}' "$folder/output")
  elif [ "$status" = 1 ]; then
    rounds=$(sed -n 's/.*"type":"finding".*//; s/.*"rounds":\([0-9]*\).*/\1/p' "$folder/result.jsonl" | tail -n 1)
    input=$(sed -n 's/.*"after_tokens":\([0-9]*\).*"before_tokens":\([0-9]*\).*/\2 tokens, shrunk to \1/p; s/.*"before_tokens":\([0-9]*\).*"after_tokens":\([0-9]*\).*/\1 tokens, shrunk to \2/p' "$folder/result.jsonl" | head -n 1)
  fi
  printf '%-62s %-8s %-7s %7s %s\n' "$submission" "$word" "$seconds" "$rounds" "$input"
done
bad=0
for kind in fails above; do
  [ ${all[$kind]} -gt 0 ] || continue
  what='must get WA or RTE'
  [ $kind = above ] && what='must exceed a limit'
  echo "$what: ${caught[$kind]} of ${all[$kind]} caught within ${budgets[$kind]} s each (target: $share %)"
  [ $((100 * caught[$kind])) -ge $((share * all[$kind])) ] || bad=1
done
exit $bad
