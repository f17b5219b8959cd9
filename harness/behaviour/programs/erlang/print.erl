-module(print).
-export([main/0]).
main() ->
    lists:foreach(fun(I) -> io:format("~b~n", [I]) end, lists:seq(1, 1000000)).
