#!/usr/bin/env bash
# Checks that `rejudge stress` shrinks what it finds to the smallest input, for fifteen formats of inputs.
#
#   benches/formats.sh [--quick] [--without-validator] [--seed S] [PATH/TO/rejudge] [FORMAT]…
#
# A folder in benches/formats has a generator of inputs that are not small, an input validator, a right and a wrong solution.
# The head of the wrong solution says why no smaller input fails. The script prints a line for each format: the seconds of
# the search and of shrinking, those of the whole command, the size of the input that was found, of the shrunk one and of the
# smallest one. It exits with 1 if fewer than 13 of 15 formats reach the smallest size, or if a format is above twice that size or
# takes more than 15 s. --quick runs a sample for CI, without the limit of time. All formats take about a minute on two cores.
# --without-validator hides the validators, and uses them only to see whether the shrunk inputs are valid: it exits with 1 if
# fewer than 12 of 15 are. The sizes are shown then, and do not count.
set -euo pipefail

usage() { sed -n '4s/^# *//p' "$0" >&2; exit 2; }

# The size of the smallest input on which the wrong solution fails. It counts tokens; where a token is long, characters that
# are not blanks.
declare -A smallest=(
  [numbers]='4 tokens' [graph]='8 tokens' [tree]='11 tokens' [tests]='5 tokens' [grid]='8 characters'
  [queries]='12 tokens' [permutation]='5 tokens' [string]='5 characters' [weighted-graph]='11 tokens' [dag]='8 tokens'
  [points]='7 tokens' [matrix]='5 tokens' [bounded-sum]='5 tokens' [decimals]='4 tokens' [interactive]='5 tokens'
)
all=(
  numbers graph tree tests grid queries permutation string weighted-graph dag points matrix bounded-sum decimals interactive
)
budget=15 least=13

quick=no hides=no seed=1 rejudge='' chosen=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=yes; shift ;;
    --without-validator) hides=yes least=12; shift ;;
    --seed) [[ ${2-} =~ ^[1-9][0-9]*$ ]] || usage; seed=$2; shift 2 ;;
    -*) usage ;;
    */*) rejudge=$(realpath "$1"); shift ;;
    *) [ -n "${smallest[$1]-}" ] || { echo "unknown format \`$1\`; known: ${all[*]}" >&2; exit 2; }; chosen+=("$1"); shift ;;
  esac
done
source "$(dirname "$0")/built.sh"
[ $quick = no ] || chosen=(graph matrix interactive)
[ ${#chosen[@]} -gt 0 ] || chosen=("${all[@]}")

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export REJUDGE_CACHE_DIR=$folder/cache

# The value of a number in the only line of this type in the JSON report.
number() { sed -n "/\"type\":\"$1\"/s/.*\"$2\":\([0-9.]*\).*/\1/p" "$folder/result.jsonl"; }

# The size of the text in stdin.
size() { if [ "$1" = tokens ]; then wc -w; else tr -d '[:space:]' | wc -c; fi; }

# The text of an input in the report, which has neither quotes nor backslashes.
input() { printf '%b' "$(sed -n "/\"type\":\"finding\"/s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$folder/result.jsonl")"; }

# A copy of a format without its validator, which is in a package of its own that has no cases yet.
without_validator() {
  cp -r "$root/benches/formats/$1" "$folder/$1"
  mkdir -p "$folder/$1-package/data/secret" "$folder/$1-package/input_validators"
  mv "$folder/$1"/validator.* "$folder/$1"/input_validators/* "$folder/$1-package/input_validators" 2>/dev/null || true
  cp "$root/benches/formats/interactive/problem.yaml" "$folder/$1-package"
  sed -i '/^type:/d' "$folder/$1-package/problem.yaml"
}

# Whether the hidden validator accepts the shrunk input.
is_valid() {
  input after >"$folder/$1-package/data/secret/1.in"
  touch "$folder/$1-package/data/secret/1.ans"
  # Other errors are those of a package without submissions.
  ! { "$rejudge" verify "$folder/$1-package" 2>&1 || true; } | grep -q 'data/secret/1.in: the input validator'
}

reached=0 bad=0
printf '%-15s %8s %8s %8s %8s %8s %s\n' format search whole found shrunk smallest unit
for format in "${chosen[@]}"; do
  read -r least_size unit <<<"${smallest[$format]}"
  solution=wrong.cpp
  [ "$format" != interactive ] || solution=submissions/wrong_answer/any.cpp
  formats=$root/benches/formats status=0
  [ $hides = no ] || { without_validator "$format"; formats=$folder; }
  started=$(date +%s.%N)
  (
    cd "$formats/$format"
    "$rejudge" stress "$solution" --generator 'gen.py {n:20..60} {seed}' --seed "$seed" --json "$folder/result.jsonl"
  ) >"$folder/output" 2>&1 || status=$?
  whole=$(awk -v a="$started" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')
  if [ $status != 1 ]; then
    cat "$folder/output" >&2
    echo "$format: expected a finding and exit status 1, got exit status $status"
    bad=1
    continue
  fi
  search=$(awk -v ms="$(number search wall_ms)" 'BEGIN { printf "%.1f", ms / 1000 }')
  found=$(input before | size "$unit") shrunk=$(input after | size "$unit")
  remark=''
  if [ $hides = yes ]; then
    if is_valid "$format"; then reached=$((reached + 1)); else remark='  invalid'; fi
  elif [ "$shrunk" -lt "$least_size" ]; then
    remark="  the table is wrong: smaller than the smallest" bad=1
  elif [ "$shrunk" = "$least_size" ]; then
    reached=$((reached + 1))
  elif [ "$shrunk" -gt $((2 * least_size)) ]; then
    remark="  more than twice the smallest" bad=1
  else
    remark="  not the smallest"
  fi
  if [ $quick = no ] && awk -v seconds="$search" -v most=$budget 'BEGIN { exit seconds <= most }'; then
    remark+="  slower than $budget s" bad=1
  fi
  printf '%-15s %6s s %6s s %8s %8s %8s %s%s\n' "$format" "$search" "$whole" "$found" "$shrunk" "$least_size" "$unit" "$remark"
done
goal='reach the smallest size'
[ $hides = no ] || goal='shrink to valid inputs without a validator'
echo "$reached of ${#chosen[@]} formats $goal (target: $least of ${#all[@]})"
[ ${#chosen[@]} -lt ${#all[@]} ] || [ "$reached" -ge $least ] || bad=1
exit $bad
