#!/bin/sh
# Calls an interactor of testlib as an interactive output validator: input, answer, feedback folder.
programs=$(dirname "$0")
output=${3%/}/output_of_interactor
"$programs/interactor" "$1" "$output" "$2" 2> "${3%/}/judgemessage.txt"
code=$?
if [ $code = 0 ] && [ -x "$programs/checker" ]; then
    "$programs/checker" "$1" "$output" "$2" 2>> "${3%/}/judgemessage.txt"
    code=$?
fi
rm -f "$output"
@EXIT@
