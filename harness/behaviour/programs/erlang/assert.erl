-module(assert).
-export([main/0]).
-include_lib("stdlib/include/assert.hrl").
main() ->
    N = list_to_integer(string:trim(io:get_line(""))),
    ?assert(N > 0),
    io:format("after~n").
