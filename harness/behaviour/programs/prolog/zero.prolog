:- use_module(library(readutil)).
main :-
    read_line_to_string(user_input, Line),
    number_string(N, Line),
    X is 100 // N,
    writeln(X).
