//! Checkers, interactors and validators that are written with testlib: where their header is found,
//! how they are called, and what their exit codes mean. The header in these tests is a small
//! replacement.

mod beside;
mod packages;
mod programs;
mod scores;

use crate::support::Repo;

const HEADER: &str = include_str!("../fixtures/testlib/testlib.h");

/// Accepts the answer's number and no text after it.
const CHECKER: &str = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    int expected = ans.readInt(), got = ouf.readInt();
    if (got == 13) quitf(_fail, \"unlucky\");
    if (got == 14) std::_Exit(9);
    if (got != expected) quitf(_wa, \"expected %d, found %d\", expected, got);
    quitf(_ok, \"one number\");
}
";

/// Replies to guesses until one is the number in the input, and writes the number of guesses.
const INTERACTOR: &str = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerInteraction(argc, argv);
    int secret = inf.readInt(), count = 0;
    while (true) {
        int guess = ouf.readInt();
        count++;
        if (guess == secret) break;
        if (count == 10) quitf(_wa, \"too many guesses\");
        std::cout << (guess < secret ? \"higher\" : \"lower\") << std::endl;
    }
    std::cout << \"right\" << std::endl;
    tout << count << std::endl;
    quitf(_ok, \"%d guesses\", count);
}
";

/// Cases in a folder, and Bash solutions that print the given texts.
fn repo(solutions: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    repo.file("tests/1.in", "37\n").file("tests/1.ans", "2\n");
    repo.file("lib/testlib.h", HEADER);
    for (name, text) in solutions {
        repo.file(&format!("{name}.sh"), text);
    }
    repo
}
