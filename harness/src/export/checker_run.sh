#!/bin/sh
# Calls a checker of testlib as an output validator: input, answer, feedback folder, and the output on standard input.
programs=$(dirname "$0")
output=${3%/}/output_of_solution
cat > "$output"
"$programs/checker" "$1" "$output" "$2" 2> "${3%/}/judgemessage.txt"
code=$?
rm -f "$output"
@EXIT@
