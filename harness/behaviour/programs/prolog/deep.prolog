:- use_module(library(readutil)).
depth(0, 0) :- !.
depth(N, D) :- M is N - 1, depth(M, E), D is E + 1.
main :-
    read_line_to_string(user_input, Line),
    number_string(N, Line),
    depth(N, D),
    writeln(D).
