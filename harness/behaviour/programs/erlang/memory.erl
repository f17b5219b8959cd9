-module(memory).
-export([main/0]).
grow(N, List) -> grow(N + 1, [N | List]).
main() -> grow(0, []).
