-module(deep).
-export([main/0]).
depth(0) -> 0;
depth(N) -> 1 + depth(N - 1).
main() ->
    N = list_to_integer(string:trim(io:get_line(""))),
    io:format("~b~n", [depth(N)]).
