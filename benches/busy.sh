#!/usr/bin/env bash
# Checks that no verdict depends on how busy the machine is: runs a rejudge command several times next to other
# processes (neighbours), and compares its exit status and verdicts with those of the first run.
#
#   benches/busy.sh spin|memory|quiet RUNS REJUDGE [ARGUMENT]…
#   benches/busy.sh spin 20 target/release/rejudge run treeoflife
#
# Neighbours: `spin` starts four busy processes per processor, `memory` one memory-bound process, `quiet` none. Prints
# a line for each run: its status, its time, and the number of verdicts marked as disturbed. Exits with 1 if a run fails
# or gives another verdict than the first run. The neighbours stop with the script, however it ends.
set -euo pipefail

usage() { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }

[ $# -ge 4 ] || usage
kind=$1 runs=$2
shift 2
[[ $runs =~ ^[1-9][0-9]*$ ]] || usage
root=$(cd "$(dirname "$0")/.." && pwd)

folder=$(mktemp -d)
neighbours=()
finish() {
  # Bash would report each as killed.
  {
    for neighbour in ${neighbours[@]+"${neighbours[@]}"}; do kill -9 "$neighbour" || true; done
    wait || true
  } 2>/dev/null
  rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Each neighbour gets its own session: some kernels divide CPU time among sessions first.
start() { setsid "$@" </dev/null >/dev/null 2>&1 & neighbours+=($!); }

case $kind in
  quiet) ;;
  spin)
    cc -o "$folder/spin" "$root/harness/sandbox/tests/hostile/spin.c"
    for ((i = 0; i < 4 * $(nproc); i++)); do start "$folder/spin"; done ;;
  memory)
    cc -O2 -o "$folder/memory" "$root/benches/programs/memory.c"
    start "$folder/memory" ;;
  *) usage ;;
esac

# Prints a line `submission case verdict` for each case.
verdicts() {
  sed -n 's/^{"type":"case","submission":\("[^"]*"\),.*"case":\("[^"]*"\),"verdict":"\([A-Z]*\)".*/\1 \2 \3/p' "$1" | sort
}

bad=0
for ((run = 1; run <= runs; run++)); do
  started=$SECONDS status=0
  "$@" -q --json "$folder/report" >"$folder/output" 2>&1 || status=$?
  verdicts "$folder/report" >"$folder/verdicts"
  [ "$run" -gt 1 ] || cp "$folder/verdicts" "$folder/first"
  same=same
  cmp -s "$folder/first" "$folder/verdicts" || same=different
  marked=$(grep -c '"disturbed":true' "$folder/report" || true)
  again=$(grep -c '"reruns":' "$folder/report" || true)
  echo "run $run: status $status, $(wc -l <"$folder/verdicts") verdicts ($same), $again repeated, $marked disturbed," \
    "$((SECONDS - started)) s"
  if [ "$status" -ne 0 ] || [ $same = different ]; then
    bad=1
    cat "$folder/output"
    diff "$folder/first" "$folder/verdicts" || true
  fi
done
exit $bad
