:- use_module(library(readutil)).
main :-
    read_line_to_string(user_input, First),
    number_string(N, First),
    read_line_to_string(user_input, Line),
    M is N + 1,
    string_length(Line, Length),
    writeln(M),
    writeln(Length).
