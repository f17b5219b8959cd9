//! Packages of collections, whose problems share files with each other.

use crate::support::{Ran, Repo};

/// Judges with a line for each solution.
fn judge(repo: &Repo, path: &str) -> Ran {
    repo.run(&["run", path, "-v"])
}

/// Each of these lines is in the report.
fn expect(ran: &Ran, lines: &[&str]) {
    for line in lines {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.all());
    }
}

/// A program that adds two numbers if `SUM` is 1, and includes what a collection has.
const ADDS: &str = "#include <stdio.h>\n#include \"../params.h\"\n#include \"fast.h\"\n#include \"lib/sign.h\"\n\
                    int main() { long long a, b; READ(a, b); printf(\"%lld\\n\", a SIGN b); return a > MOST; }\n";

#[test]
fn a_problem_of_library_checker_uses_the_files_of_its_repository() {
    if crate::support::lacks("g++") {
        return;
    }
    let repo = Repo::new();
    repo.file("lc/common/fast.h", "#define READ(a, b) scanf(\"%lld%lld\", &a, &b)\n")
        .file(
            "lc/math/sum/info.toml",
            "title = 'Sum'\ntimelimit = 2.0\n[params]\nMOST = 1_000\nNAME = 'x'\n\
              [[tests]]\nname = 'random.cpp'\nnumber = 1\n\
              [[solutions]]\nname = 'wa.cpp'\nexpect = 'WA'\n\
              [[solutions]]\nname = 'good.cpp'\nexpect = 'WA'\n\
              [[solutions]]\nname = 're.cpp'\nexpect = 'RE'\n\
              [[solutions]]\nname = 'maybe.cpp'\nallow_wa = true\n\
              [[solutions]]\nname = 'func.cpp'\nfunction = true\n",
        )
        .file("lc/math/sum/in/random_00.in", "1 2\n")
        .file("lc/math/sum/out/random_00.out", "3\n")
        .file("lc/math/sum/sol/lib/sign.h", "#define SIGN +\n")
        .file("lc/math/sum/sol/correct.cpp", ADDS)
        .file("lc/math/sum/sol/good.cpp", ADDS)
        .file("lc/math/sum/sol/wa.cpp", ADDS.replace("a SIGN b", "a SIGN b SIGN 1"))
        .file("lc/math/sum/sol/maybe.cpp", ADDS.replace("a SIGN b", "a SIGN b SIGN 1"))
        .file("lc/math/sum/sol/re.cpp", ADDS.replace("a > MOST", "a < MOST"))
        .file("lc/math/sum/sol/func.cpp", "#include \"solve.hpp\"\nint solve() { return 1; }\n");
    let ran = judge(&repo, "lc/math/sum");
    assert_eq!(ran.status, 1, "{}", ran.all());
    expect(
        &ran,
        &[
            "ok    lc/math/sum/sol/correct.cpp ",
            "ok    lc/math/sum/sol/wa.cpp ",
            "ok    lc/math/sum/sol/maybe.cpp ",
            "ok    lc/math/sum/sol/re.cpp ",
            "FAIL  lc/math/sum/sol/good.cpp: got AC, expected WA",
        ],
    );
    assert!(!ran.stdout.contains("func.cpp"), "{}", ran.all());
    let skipped =
        "lc/math/sum/sol/func.cpp is a function for the problem's grader; it is not judged";
    assert!(ran.stderr.contains(skipped), "{}", ran.all());
}

#[test]
fn programs_of_library_checker_are_compiled_as_its_own_tool_does() {
    if crate::support::lacks("g++") {
        return;
    }
    // `requires` is a name until C++20.
    let old = "static_assert(__cplusplus == 201703L); int main() { int requires = 0; return requires; }\n";
    let prints = old.replace("return", "__builtin_puts(\"1 2\"); return");
    let repo = Repo::new();
    repo.file("sum/info.toml", "timelimit = 2.0\n[[tests]]\nname = 'random.cpp'\nnumber = 1\n")
        .file("sum/checker.cpp", old)
        .file("sum/verifier.cpp", old)
        .file("sum/gen/random.cpp", prints)
        .file(
            "sum/sol/correct.cpp",
            "static_assert(__cplusplus > 201703L);\nint main() { __builtin_puts(\"3\"); }\n",
        );
    let ran = repo.run(&["generate", "sum"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let ran = repo.run(&["verify", "sum"]);
    assert!(ran.stdout.contains("1 input"), "{}", ran.all());
    assert_eq!(judge(&repo, "sum").status, 0);
}

#[test]
fn letters_tell_the_cases_of_a_group_of_coci_and_of_usaco_apart() {
    let table = [("coci", "sum.in.", "sum.out.", "sum."), ("usaco", "I.", "O.", "")];
    let cases = ["1a", "1b", "2", "3aa", "3ab", "4-1", "5.1", "sample"];
    for (layout, inputs, answers, task) in table {
        let repo = Repo::new();
        for case in cases {
            let sum = if case == "2" { 12 } else { 3 };
            repo.file(&format!("there/{inputs}{case}"), "1 2\n")
                .file(&format!("there/{answers}{case}"), format!("{sum}\n"));
        }
        // It passes the case without a letter.
        repo.file("there/sum.sh", "echo 12\n");
        let ran = repo.run(&["run", "there/sum.sh", "-vv", "--layout", layout]);
        assert_eq!(ran.status, 1, "{}", ran.all());
        assert_eq!(ran.stderr, "");
        for (group, case) in [("1/", "1a"), ("1/", "1b"), ("", "2"), ("3/", "3ab"), ("", "sample")]
        {
            let name = format!("{group}{task}{case}");
            assert!(ran.stdout.contains(&name), "{name}\n{}", ran.all());
        }
        assert!(ran.stdout.contains("1 of 8 cases accepted"), "{}", ran.all());
        let ran = repo.run(&["run", "there/sum.sh"]);
        assert_eq!(ran.status, 1, "{}", ran.all());
        assert!(ran.stdout.contains("1 of 8 cases accepted"), "{}", ran.all());
    }
}
