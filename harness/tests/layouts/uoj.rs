//! Packages of UOJ: subtasks, checkers, interactors, and what is refused.

use crate::support::{Ran, Repo, lacks};

/// Two tests, `1` → `2` and `2` → `4`, with these lines of `problem.conf`.
fn package(conf: &str, more: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    repo.file("p/problem.conf", format!("use_builtin_judger on\nn_tests 2\n{conf}"));
    for (path, text) in [
        ("input1.txt", "1\n"),
        ("output1.txt", "2\n"),
        ("input2.txt", "2\n"),
        ("output2.txt", "4\n"),
        ("accepted/std.sh", "read x\necho $((2 * x))\n"),
    ] {
        repo.file(&format!("p/{path}"), text);
    }
    for (path, text) in more {
        repo.file(&format!("p/{path}"), text);
    }
    repo
}

fn expect(ran: &Ran, words: &[&str]) {
    for words in words {
        assert!(ran.all().contains(words), "{words}\n{}", ran.all());
    }
}

/// Always prints 2.
const TWO: &str = "echo 2\n";

#[test]
fn tests_without_subtasks_give_points_of_their_own() {
    let repo =
        package("use_builtin_checker ncmp\npoint_score_1 30\n", &[("wrong_answer/two.sh", TWO)]);
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(&ran, &["30 of 80 points (secret/1 30 of 30, secret/2 0 of 50)", "80 of 80 points"]);
}

#[test]
fn the_limits_of_problem_conf_count() {
    let conf = "use_builtin_checker fcmp\ntime_limit 1.5\ntime_limit_2 3\nmemory_limit 64\noutput_limit 32\n";
    let repo = package(conf, &[]);
    let ran = repo.run(&["list", "-v", "p"]);
    expect(&ran, &["64 MiB memory, 32 MiB output", "checker: lines\n"]);
    let slow =
        "read x\n[ $x = 2 ] && while [ $((i += 1)) -lt 1000 ]; do :; done\necho $((2 * x))\n";
    repo.file("p/accepted/std.sh", slow);
    let ran = repo.run(&["run", "p", "--json", "-"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    // Nothing of it is said to be unused.
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
}

#[test]
fn subtasks_depend_on_others_and_extra_tests_give_no_points() {
    let conf = "use_builtin_checker wcmp\nn_ex_tests 1\nn_subtasks 2\nsubtask_end_1 1\nsubtask_score_1 40\n\
                subtask_end_2 2\nsubtask_score_2 60\nsubtask_dependence_2 1\n";
    let more = [
        ("ex_input1.txt", "7\n"),
        ("ex_output1.txt", "14\n"),
        ("wrong_answer/one.sh", "read x\necho $((x == 1 ? 0 : 2 * x))\n"),
        ("wrong_answer/extra.sh", "read x\necho $((x == 7 ? 0 : 2 * x))\n"),
    ];
    let ran = package(conf, &more).run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(
        &ran,
        &[
            "0 of 100 points (secret/1 0 of 40, secret/2 0 of 60",
            "p/wrong_answer/extra.sh  WA   2/3 accepted, 100 of 100 points",
            "p/accepted/std.sh  AC   3/3 accepted, 100 of 100 points",
        ],
    );
}

#[test]
fn a_part_of_the_points_is_a_wrong_answer() {
    if lacks("g++") {
        return;
    }
    let checker = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    if (ouf.readInt() == ans.readInt()) quitf(_ok, \"right\");
    quitp(0.666, \"nearly\");
}
";
    let repo = package("point_score 15\n", &[("chk.cpp", checker), ("wrong_answer/two.sh", TWO)]);
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    // 67 % of 15.
    expect(
        &ran,
        &["p/wrong_answer/two.sh  WA", "25 of 30 points (secret/1 15 of 15, secret/2 10 of 15)"],
    );
    let conf = "n_subtasks 1\n";
    let ran = package(conf, &[("chk.cpp", checker), ("wrong_answer/two.sh", TWO)])
        .run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(&ran, &["p/wrong_answer/two.sh  WA", "0 of 100 points", "100 of 100 points"]);
}

#[test]
fn an_interactor_reads_what_the_solution_prints_as_the_output() {
    if lacks("g++") {
        return;
    }
    let interactor = "#include <cstdio>
#include \"testlib.h\"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    std::printf(\"%d\\n\", inf.readInt());
    std::fflush(stdout);
    int twice = ouf.readInt();
    std::puts(\"thanks\");
    std::fflush(stdout);
    std::string word = ouf.readWord();
    if (twice == ans.readInt() && word == \"bye\") quitf(_ok, \"right\");
    quitf(_wa, \"wrong\");
}
";
    let std = "read x\necho $((2 * x))\nread x\necho bye\n";
    let two = "read x\necho 2\nread x\necho bye\n";
    let more =
        [("interactor.cpp", interactor), ("accepted/std.sh", std), ("wrong_answer/two.sh", two)];
    let ran = package("interaction_mode on\n", &more).run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(&ran, &["50 of 100 points", "100 of 100 points"]);
    let ran = package("interaction_mode on\n", &[]).run(&["run", "p"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    expect(
        &ran,
        &["p/problem.conf:3:1: `interaction_mode` is on, but there is no `interactor.cpp`"],
    );
}

#[test]
fn answers_are_compiled_with_the_implementer() {
    if lacks("g++") {
        return;
    }
    let main = "#include <cstdio>\n#include \"twice.h\"\n\
                int main() { int x; std::scanf(\"%d\", &x); std::printf(\"%d\\n\", twice(x)); }\n";
    let more = [
        ("require/implementer.cpp", main),
        ("require/twice.h", "int twice(int);\n"),
        ("answer.cpp", "#include \"twice.h\"\nint twice(int x) { return 2 * x; }\n"),
    ];
    let repo = package("use_builtin_checker ncmp\nwith_implementer on\n", &more);
    std::fs::remove_file(repo.path("p/accepted/std.sh")).unwrap();
    let ran = repo.run(&["run", "p"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let ran = package("use_builtin_checker ncmp\nwith_implementer on\n", &[]).run(&["run", "p"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    expect(&ran, &["there is no `require/implementer.cpp` or `.c`"]);
}

#[test]
fn what_is_not_supported_or_missing_is_named_with_its_line() {
    let table = [
        (
            "submit_answer on\nuse_builtin_checker ncmp\n",
            "p/problem.conf:3:1: `submit_answer` is not supported",
        ),
        (
            "use_builtin_checker nmcp\n",
            "p/problem.conf:3:1: UOJ has no checker `nmcp`\nhelp: did you mean `ncmp`?",
        ),
        ("", "p/problem.conf names no `use_builtin_checker`, and there is no `chk.cpp`"),
        (
            "use_builtin_checker ncmp\nn_tests 3\n",
            "p/input3.txt does not exist: the input of case `secret/3`",
        ),
    ];
    for (conf, error) in table {
        let ran = package(conf, &[]).run(&["run", "p"]);
        assert_eq!(ran.status, 2, "{}", ran.all());
        expect(&ran, &[error]);
    }
    let conf = "use_builtin_checker ncmp\nmemeory_limit 512\ntoken x\n";
    let ran = package(conf, &[]).run(&["run", "p"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let warnings = [
        "p/problem.conf:4:1: `memeory_limit` is not a key of UOJ; it is ignored\nhelp: did you mean `memory_limit`?",
        "p/problem.conf:5:1: `token` is not supported; it is ignored",
    ];
    expect(&ran, &warnings);
    // Without the built-in judger, a judger of the package would judge.
    let repo = package("use_builtin_checker ncmp\n", &[("judger.cpp", "int main() {}\n")]);
    assert_eq!(repo.run(&["run", "p"]).status, 0);
    repo.file("p/problem.conf", "n_tests 2\nuse_builtin_checker ncmp\n");
    let ran = repo.run(&["run", "p"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    expect(&ran, &["p/judger.cpp judges in the place of UOJ's judger"]);
}

#[test]
fn a_file_of_another_program_with_the_name_describes_nothing() {
    let repo = Repo::new();
    repo.file("p/problem.conf", "A 0.2 255,255,255\nc 0,0,0 10\n");
    repo.file("p/1.in", "1\n").file("p/1.out", "1\n").file("p/accepted/a.sh", "cat\n");
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
}
