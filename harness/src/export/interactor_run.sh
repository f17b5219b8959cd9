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
case $code in
0) exit 42 ;;
1 | 2 | 4 | 8) exit 43 ;;
*) exit 1 ;;
esac
