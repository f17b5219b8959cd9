-module(read).
-export([main/0]).
main() ->
    N = list_to_integer(string:trim(io:get_line(""))),
    Line = string:trim(io:get_line("")),
    io:format("~b~n~b~n", [N + 1, length(Line)]).
