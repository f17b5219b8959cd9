#!/bin/sh
# Calls a validator of testlib as an input validator: 42 accepts, 43 rejects.
"$(dirname "$0")/validator" "$@" && exit 42
exit 43
