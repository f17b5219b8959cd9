#!/usr/bin/env bash
# The proof that no verdict depends on how busy the machine is: runs a command of rejudge beside neighbours, several
# times, and compares status and verdicts with those of the first run.
#
#   benches/busy.sh spin|memory|quiet RUNS REJUDGE [ARGUMENT]…
#   benches/busy.sh spin 20 target/release/rejudge run treeoflife
#
# spin: four busy processes for each processor; memory: one process that is bound by memory; quiet: none. A line for
# each run: its status, its time, and how many of its verdicts are marked as disturbed. Ends with 1 if a run is not green
# or has another verdict than the first. The neighbours end with the script, however that ends.
set -euo pipefail

usage() { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }

[ $# -ge 4 ] || usage
kind=$1 runs=$2
shift 2
[[ $runs =~ ^[1-9][0-9]*$ ]] || usage
root=$(cd "$(dirname "$0")/.." && pwd)

place=$(mktemp -d)
neighbours=()
finish() {
  for neighbour in ${neighbours[@]+"${neighbours[@]}"}; do kill -9 "$neighbour" 2>/dev/null || true; done
  rm -rf "$place"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Each in a session of its own, since some kernels share out between sessions first.
start() { setsid "$@" </dev/null >/dev/null 2>&1 & neighbours+=($!); }

case $kind in
  quiet) ;;
  spin)
    cc -o "$place/spin" "$root/harness/tests/fixtures/hostile/spin.c"
    for ((i = 0; i < 4 * $(nproc); i++)); do start "$place/spin"; done ;;
  memory)
    cc -O2 -o "$place/memory" "$root/benches/programs/memory.c"
    start "$place/memory" ;;
  *) usage ;;
esac

# `submission case verdict`, a line for each case.
verdicts() {
  sed -n 's/^{"type":"case","submission":\("[^"]*"\),.*"case":\("[^"]*"\),"verdict":"\([A-Z]*\)".*/\1 \2 \3/p' "$1" | sort
}

bad=0
for ((run = 1; run <= runs; run++)); do
  begun=$SECONDS status=0
  "$@" -q --json "$place/report" >"$place/said" 2>&1 || status=$?
  verdicts "$place/report" >"$place/verdicts"
  [ "$run" -gt 1 ] || cp "$place/verdicts" "$place/first"
  same=same
  cmp -s "$place/first" "$place/verdicts" || same=different
  marked=$(grep -c '"disturbed":true' "$place/report" || true)
  again=$(grep -c '"reruns":' "$place/report" || true)
  echo "run $run: status $status, $(wc -l <"$place/verdicts") verdicts ($same), $again repeated, $marked disturbed," \
    "$((SECONDS - begun)) s"
  if [ "$status" -ne 0 ] || [ $same = different ]; then
    bad=1
    cat "$place/said"
    diff "$place/first" "$place/verdicts" || true
  fi
done
exit $bad
