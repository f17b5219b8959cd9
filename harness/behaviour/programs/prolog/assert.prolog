:- use_module(library(debug)).
:- use_module(library(readutil)).
main :-
    read_line_to_string(user_input, Line),
    number_string(N, Line),
    assertion(N > 0),
    writeln(after).
