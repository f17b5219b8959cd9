#!/bin/sh
# Compiles the C++ sources in a folder with and without precompiled headers, and compares the programs. Fails if a single one
# differs.
#
# Usage: benches/precompiled.sh FOLDER [MOST]
#
# FOLDER has a folder for each author. MOST: the number of sources that can use a header, in the order of their digests (default:
# all). A source takes about as long as two compilations.

set -eu
REJUDGE_SOURCES=$(realpath "$1")
REJUDGE_MOST=${2:-}
export REJUDGE_SOURCES REJUDGE_MOST
exec cargo test --package rejudge --lib -- --ignored --nocapture --exact \
    compile::tests::real_sources::real_sources_give_the_same_program
