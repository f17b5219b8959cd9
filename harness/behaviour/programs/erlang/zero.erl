-module(zero).
-export([main/0]).
main() ->
    N = list_to_integer(string:trim(io:get_line(""))),
    io:format("~b~n", [100 div N]).
