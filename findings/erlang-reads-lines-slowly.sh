#!/bin/bash
# Guess: `io:get_line` of Erlang reads a line in some microseconds, because blocks of `io:get_chars` come from the same input.
# Seen with Erlang/OTP 25 of Debian 12: a line takes more than 100 microseconds of CPU time, whether standard input is a file or a pipe.
# 20,000 lines take 2.9 s with `io:get_line`, and 0.15 s in blocks with `io:get_chars`, most of which is the start. Each line is a dialogue
# of two processes.
# The package has too many dependencies for a folder of its own: this runs the installed Erlang, if it has that version.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
version=$(dpkg-query --show --showformat '${Version}' erlang-base)
[[ $version = 1:25.2.3+* ]] || { echo 'install erlang-base=1:25.2.3+dfsg-1+deb12u4'; exit 2; }
cat > lines.erl <<'END'
-module(lines).
-export([main/0]).
main() -> io:format("~b~n", [sum(0)]), init:stop().
sum(Total) ->
    case io:get_line("") of
        eof -> Total;
        Line -> sum(Total + list_to_integer(string:trim(Line)))
    end.
END
cat > blocks.erl <<'END'
-module(blocks).
-export([main/0]).
main() -> io:format("~b~n", [lists:sum([list_to_integer(Word) || Word <- string:lexemes(all([]), "\n")])]), init:stop().
all(Blocks) ->
    case io:get_chars("", 65536) of
        eof -> lists:append(lists:reverse(Blocks));
        Block -> all([Block | Blocks])
    end.
END
erlc lines.erl blocks.erl
seq 20000 > in
TIMEFORMAT=%U
milliseconds() { # of CPU time that a module takes
  local seconds
  seconds=$({ time erl -noshell -s "$1" main < in > out; } 2>&1)
  [ "$(cat out)" = 200010000 ] || { echo "$1: $(cat out)" >&2; exit 1; }
  echo $((10#${seconds/./}))
}
lines=$(milliseconds lines)
blocks=$(milliseconds blocks)
echo "20,000 lines: $lines ms one by one, $blocks ms in blocks"
[ "$lines" -gt $((5 * blocks)) ] || { echo 'changed: lines are not slower than blocks'; exit 1; }
echo 'as seen: lines take many times as long as blocks'
