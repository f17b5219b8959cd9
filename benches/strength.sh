#!/bin/sh
# Measures `rejudge strength` with 200 mutants on 50 cases: the wall time of compiling and of judging them.
#
# Usage: benches/strength.sh [REJUDGE] [MUTANTS] [JOBS]
#
# The problem: the greatest sum of neighbouring numbers. The solution is in C, so `gcc` and `python3` are needed.

set -eu
rejudge=$(realpath "${1:-target/release/rejudge}")
mutants=${2:-200}
jobs=${3:-2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p cases/sums/data/secret solutions/sums
cat > cases/sums/problem.yaml <<'YAML'
problem_format_version: 2025-09
name: Sums
limits:
  time_limit: 2
YAML
cat > solutions/sums/sums.c <<'C'
#include <stdio.h>
#include <stdlib.h>

static long long values[200001], least[200001], greatest[200001];

static long long max(long long a, long long b) { return a > b ? a : b; }
static long long min(long long a, long long b) { return a < b ? a : b; }

static long long sorted[200001], spare[200001];

/* The number of pairs in the wrong order; sorts the part from `low` up to `high`. */
static long long inversions(int low, int high) {
    if (high - low <= 1) return 0;
    int middle = low + (high - low) / 2;
    long long found = inversions(low, middle) + inversions(middle, high);
    int left = low, right = middle;
    for (int i = low; i < high; i++) {
        if (right >= high || (left < middle && sorted[left] <= sorted[right])) {
            spare[i] = sorted[left++];
        } else {
            spare[i] = sorted[right++];
            found += middle - left;
        }
    }
    for (int i = low; i < high; i++) {
        sorted[i] = spare[i];
    }
    return found;
}

int main(void) {
    int count, most;
    if (scanf("%d %d", &count, &most) != 2) return 1;
    for (int i = 1; i <= count; i++) {
        if (scanf("%lld", &values[i]) != 1) return 1;
    }
    long long best = values[1], total = 0, worst = values[1], even = 0, odd = 0, changes = 0;
    for (int i = 1; i <= count; i++) {
        total += values[i];
        least[i] = i == 1 ? values[i] : min(least[i - 1] + values[i], values[i]);
        greatest[i] = i == 1 ? values[i] : max(greatest[i - 1] + values[i], values[i]);
        best = max(best, greatest[i]);
        worst = min(worst, least[i]);
        if (i % 2 == 0) {
            even += llabs(values[i]);
        } else {
            odd += llabs(values[i]);
        }
        if (i > 1 && (values[i] < 0) != (values[i - 1] < 0)) {
            changes += 1;
        }
    }
    long long ring = max(best, total - worst);
    if (worst == total) {
        ring = best;
    }
    int near = 0, low = 1, pairs = 0;
    for (int high = 1; high <= count; high++) {
        while (low < high && llabs(values[high] - values[low]) > most) {
            low++;
        }
        near = near > high - low + 1 ? near : high - low + 1;
        if (high - low >= 2 || values[high] * 2 == values[low] + 1) {
            pairs = (pairs + high - low) % 1000003;
        }
    }
    printf("%lld %lld %lld %lld %lld\n", best, worst, ring, even - odd, changes);
    for (int i = 0; i < count; i++) {
        sorted[i] = values[i + 1];
    }
    long long swaps = inversions(0, count), gaps = 0;
    for (int i = 1; i < count; i++) {
        gaps = max(gaps, sorted[i] - sorted[i - 1]);
    }
    printf("%lld %lld %lld\n", swaps, gaps, sorted[count / 2] - sorted[(count - 1) / 2]);
    printf("%d %d %lld\n", near, pairs, total % 1000003);
    return 0;
}
C
gcc -O2 -o reference solutions/sums/sums.c
python3 - <<'PYTHON'
import random
random.seed(1)
for case in range(50):
    count = [1, 2, 3, 10, 100, 1000, 10000][case % 7]
    reach = 10 ** (case % 5 + 1)
    values = [random.randint(-reach, reach) for _ in range(count)]
    with open(f"cases/sums/data/secret/{case:02}.in", "w") as file:
        print(count, random.randint(0, reach), file=file)
        print(*values, file=file)
PYTHON
for input in cases/sums/data/secret/*.in; do
    ./reference < "$input" > "${input%.in}.ans"
done
export REJUDGE_CACHE_DIR="$folder/cache"
for round in cold warm; do
    "$rejudge" strength sums --mutants "$mutants" -j "$jobs" --json result.jsonl > report.txt
    tail -n 1 result.jsonl | python3 -c "
import json, sys
found = json.load(sys.stdin)['mutants']
print('$round cache: {all} mutants on 50 cases: {killed} killed, {survive} survive; {not_compiled} not compiling, {same} the same;'
      ' compiled in {compiled:.1f} s, judged in {judged:.1f} s'.format(
          compiled=found['compiled_in_ms'] / 1e3, judged=found['judged_in_ms'] / 1e3, **found))"
done
