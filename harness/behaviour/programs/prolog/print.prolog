main :- forall(between(1, 1000000, I), writeln(I)).
