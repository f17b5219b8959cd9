#!/bin/bash
# Guess: an uncaught `NSException` ends an Objective-C program with SIGABRT, as on macOS, and as an uncaught exception of C++ does.
# Seen with GNUstep Base 1.28 of Debian 12: it ends with exit code 1. Without an autorelease pool, the exception comes with warnings about
# objects that nobody releases, so the message is not the first line of standard error but the last.
# The package has too many dependencies for a folder of its own: this runs the installed one, if it has that version.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
version=1.28.1+really1.28.0-5
[ "$(dpkg-query --show --showformat '${Version}' libgnustep-base-dev)" = "$version" ] || {
  echo "install libgnustep-base-dev=$version gobjc"
  exit 2
}
cat > a.m <<'END'
#import <Foundation/Foundation.h>

int main(void)
{
  [NSException raise: @"Failure" format: @"sorry"];
  return 0;
}
END
gcc -std=gnu99 -fgnu-runtime -fobjc-exceptions -fconstant-string-class=NSConstantString -I/usr/include/GNUstep -o program a.m \
  -lgnustep-base -lobjc
status=0
./program 2> err || status=$?
cat err
echo "exit code $status, $(wc -l < err) lines"
[ "$status" = 1 ] || { echo 'changed: another exit code'; exit 1; }
[[ $(tail -n 1 err) = *'Uncaught exception Failure, reason: sorry' ]] || { echo 'changed: another last line'; exit 1; }
[ "$(wc -l < err)" -gt 1 ] || { echo 'changed: no warnings'; exit 1; }
echo 'as seen: exit code 1, and the message behind warnings'
