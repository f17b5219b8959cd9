main :-
    writeln(before),
    throw(sorry).
