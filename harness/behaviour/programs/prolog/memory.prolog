grow(N, L) :- M is N + 1, grow(M, [N | L]).
main :- grow(0, []).
