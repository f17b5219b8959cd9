:- use_module(library(readutil)).
main :-
    read_line_to_string(user_input, Line),
    number_string(N, Line),
    M is N + 1,
    writeln(M).
