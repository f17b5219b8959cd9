:- use_module(library(readutil)).
main :-
    read_line_to_string(user_input, First),
    number_string(N, First),
    copy(N).
copy(0) :- !.
copy(N) :-
    read_line_to_string(user_input, Line),
    number_string(X, Line),
    writeln(X),
    M is N - 1,
    copy(M).
