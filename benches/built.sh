# Part of the other scripts: sets `root` to the folder of the repository, and builds rejudge unless `rejudge` names a program.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [ -z "$rejudge" ]; then
  cargo build --release --quiet --manifest-path "$root/Cargo.toml" --package rejudge
  rejudge=${CARGO_TARGET_DIR:-$root/target}/release/rejudge
fi
