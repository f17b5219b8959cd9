//! Programs of DMOJ: checkers and graders in Python, interactors and signature graders.

use crate::support::{Ran, Repo, lacks};

fn judged(files: &[(&str, &str)]) -> Ran {
    let repo = Repo::new();
    for (path, text) in files {
        repo.file(&format!("p/{path}"), text);
    }
    repo.run(&["run", "p", "-v"])
}

/// Each line is in the report, and nothing is unexpected.
fn green(ran: &Ran, lines: &[&str]) {
    assert_eq!(ran.status, 0, "{}", ran.all());
    for line in lines {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.all());
    }
}

#[test]
fn a_checker_in_python_returns_a_flag_or_points() {
    if lacks("python3") {
        return;
    }
    let checker = "from dmoj.result import CheckerResult\nfrom dmoj.checkers import standard\n\
        def check(process_output, judge_output, judge_input, point_value, *, bonus, **kwargs):\n    \
        if standard.check(process_output, judge_output):\n        return True\n    \
        if process_output.startswith(judge_input.strip()):\n        \
        return CheckerResult(False, min(point_value, bonus), 'only the start')\n    return False\n";
    let ran = judged(&[
        (
            "init.yml",
            "checker: {name: check.py, args: {bonus: 7}}\ntest_cases:\n\
             - {in: 1.txt, out: 1.txt, points: 10}\n- {in: 1.txt, out: 1.txt, points: 30}\n\
             - {in: 1.txt, out: 1.txt, points: 5}\n",
        ),
        ("check.py", checker),
        ("1.txt", "a\n"),
        ("accepted/good.sh", "cat\n"),
        ("wrong_answer/none.sh", "echo x\n"),
        ("rejected/start.sh", "echo ab\n"),
    ]);
    green(&ran, &["45 of 45 points", "14 of 45 points", "0 of 45 points"]);
    assert!(!ran.all().contains("p/check.py"), "{}", ran.all());
}

/// rejudge makes a program of it in the cache.
#[test]
fn a_checker_in_python_is_listed_by_its_own_name() {
    let repo = Repo::new();
    let checker = "def check(process_output, judge_output, **kwargs):\n    return True\n";
    repo.file("p/init.yml", "checker: check.py\ntest_cases: [{points: 1}]\n")
        .file("p/check.py", checker);
    let ran = repo.run(&["list", "p", "-v"]);
    assert!(ran.stdout.contains("checker: cms check.py\n"), "{}", ran.all());
}

#[test]
fn a_checker_that_wants_to_see_failed_runs_is_a_warning() {
    if lacks("python3") {
        return;
    }
    for (line, warns) in [
        ("check.run_on_error = True\n", true),
        ("check.run_on_error = False\n", false),
        ("# check.run_on_error = True\n", false),
    ] {
        let checker =
            format!("def check(process_output, judge_output, **kwargs):\n    return True\n{line}");
        let ran = judged(&[
            ("init.yml", "checker: check.py\ntest_cases: [{points: 1}]\n"),
            ("check.py", &checker),
            ("accepted/good.sh", "true\n"),
            ("run_time_error/bad.sh", "exit 1\n"),
        ]);
        green(&ran, &["1 of 1 point", "0 of 1 point"]);
        let warning = "warning: p/init.yml:1:10: the checker sets `run_on_error`, but rejudge does not call it after a run \
                       that failed";
        assert_eq!(ran.stderr.contains(warning), warns, "{line}{}", ran.all());
    }
}

#[test]
fn a_checker_that_needs_the_judge_of_dmoj_says_so() {
    if lacks("python3") {
        return;
    }
    for (text, words) in [
        (
            "    return result.max_memory < 5\n",
            "`result.max_memory` is only known in DMOJ's own judge",
        ),
        ("    return 1 // 0\n", "ZeroDivisionError"),
    ] {
        let checker = format!("def check(process_output, judge_output, result, **kwargs):\n{text}");
        let ran = judged(&[
            ("init.yml", "checker: check.py\ntest_cases: [{points: 1}]\n"),
            ("check.py", &checker),
            ("accepted/good.sh", "true\n"),
        ]);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.all().contains(words), "{words}\n{}", ran.all());
    }
}

/// Finds a number up to 100 with at most seven questions.
const SEARCH: &str = "l=1; h=100\nwhile :; do m=$(((l + h) / 2)); echo $m; read d || exit 0\n\
    if [ \"$d\" = 0 ]; then exit 0; fi\nif [ $d -gt 0 ]; then l=$((m + 1)); else h=$((m - 1)); fi; done\n";

#[test]
fn a_grader_in_python_talks_with_submissions() {
    if lacks("python3") {
        return;
    }
    let grader = "from dmoj.graders.interactive import InteractiveGrader\nfrom dmoj.result import CheckerResult\n\
        class Grader(InteractiveGrader):\n    def interact(self, case, interactor):\n        \
        wanted = int(case.input_data())\n        for count in range(1, 100):\n            \
        guess = interactor.readint(1, 100)\n            interactor.writeln(wanted - guess)\n            \
        if guess == wanted:\n                \
        return CheckerResult(count < 50, case.points if count < 10 else case.points / 2)\n        \
        return False\n";
    let slow = "m=1; while :; do echo $m; read d || exit 0; [ \"$d\" = 0 ] && exit 0; m=$((m + 1)); done\n";
    let ran = judged(&[
        (
            "init.yml",
            "custom_judge: grade.py\ntest_cases:\n- {in: 1.txt, points: 20}\n- {in: 2.txt, points: 20}\n",
        ),
        ("grade.py", grader),
        ("1.txt", "7\n"),
        ("2.txt", "33\n"),
        ("accepted/search.sh", SEARCH),
        ("wrong_answer/word.sh", "echo x; read d\n"),
        ("accepted/slow.sh", slow),
    ]);
    green(&ran, &["40 of 40 points", "30 of 40 points"]);
    let ran = judged(&[
        ("init.yml", "custom_judge: grade.py\ntest_cases: [{points: 1}]\n"),
        ("grade.py", "from dmoj.graders.standard import StandardGrader\n"),
        ("accepted/a.sh", "true\n"),
    ]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let words = "`custom_judge`: only a grader that is an `InteractiveGrader`";
    assert!(ran.stderr.contains(words), "{}", ran.all());
}

#[test]
fn programs_have_flags_arguments_and_no_buffer() {
    if lacks("g++") {
        return;
    }
    // It never flushes, and reads its answer from the second argument.
    let interactor = "#include \"part.h\"\n#include <cstdio>\n#include <cstring>\n\
        int main(int argc, char **argv) {\n    if (argc != 4 || strcmp(argv[1], \"two words\")) return 1;\n    \
        int n; FILE *in = fopen(argv[2], \"r\"); fscanf(in, \"%d\", &n);\n    printf(\"%d\\n\", n);\n    \
        int m; scanf(\"%d\", &m); return m == n + ADDED ? 0 : 1; }\n";
    let init = "unbuffered: true\ninteractive:\n  files: [part.h, talk.cpp]\n  flags: [-DADDED=5]\n  \
        args_format_string: '\"two words\" {input_file} {answer_file}'\ntest_cases:\n- {in: 1.txt, points: 20}\n";
    // It does not flush either.
    let answer = |added: u8| {
        format!(
            "#include <cstdio>\nint main() {{ int n; scanf(\"%d\", &n); printf(\"%d\\n\", n + {added}); \
             char line[9]; while (fgets(line, 9, stdin)); }}\n"
        )
    };
    let ran = judged(&[
        ("init.yml", init),
        ("talk.cpp", interactor),
        ("part.h", ""),
        ("1.txt", "7\n"),
        ("accepted/five.cpp", &answer(5)),
        ("wrong_answer/six.cpp", &answer(6)),
    ]);
    green(&ran, &["20 of 20 points", "0 of 20 points"]);
    let checker = "#include <fstream>\nint main(int argc, char **argv) {\n    std::ifstream out(argv[1]); int n; \
        return out >> n && n == WANTED ? 0 : 1; }\n";
    let init = "checker:\n  name: bridged\n  args: {files: check.cpp, flags: [-DWANTED=3], args_format_string: \
        '{output_file}'}\ngenerator: {source: gen.cpp, flags: [-DMADE=3]}\ntest_cases:\n- {points: 5}\n";
    let ran = judged(&[
        ("init.yml", init),
        ("check.cpp", checker),
        ("gen.cpp", "#include <cstdio>\nint main() { printf(\"%d\\n\", MADE); }\n"),
        ("accepted/echo.sh", "cat\n"),
        ("wrong_answer/four.sh", "echo 4\n"),
    ]);
    green(&ran, &["5 of 5 points", "0 of 5 points"]);
}

#[test]
fn programs_that_cannot_be_used_are_named_with_the_reason() {
    for (key, value, words) in [
        (
            "checker",
            "{name: bridged, args: {files: c.cpp, type: mine}}",
            "`type: mine` is not a type of DMOJ's",
        ),
        ("checker", "{name: bridged, args: {files: no.cpp}}", "the file `no.cpp` does not exist"),
        ("checker", "{name: bridged, args: {files: [c.cpp, d.cpp]}}", "only one may be a source"),
        (
            "checker",
            "{name: bridged, args: {files: c.cpp, flags: [-ox]}}",
            "`flags` must be a list of options",
        ),
        ("checker", "no.py", "the file `no.py` does not exist"),
        ("checker", "magic", "DMOJ's checker `magic` is not supported"),
        (
            "interactive",
            "{files: c.cpp, args_format_string: \"'\"}",
            "a quote in `args_format_string`",
        ),
        ("signature_grader", "{entry: c.cpp}", "`signature_grader` needs `header`"),
    ] {
        let init = format!("{key}: {value}\ntest_cases: [{{points: 1}}]\n");
        let ran = judged(&[
            ("init.yml", &init),
            ("c.cpp", "int main() {}\n"),
            ("d.cpp", ""),
            ("accepted/a.sh", "true\n"),
        ]);
        assert_eq!(ran.status, 2, "{value}\n{}", ran.all());
        assert!(ran.stderr.contains(words), "{words}\n{}", ran.all());
        assert!(ran.stderr.contains("init.yml:1:"), "{}", ran.all());
    }
}

#[test]
fn a_submission_from_elsewhere_finds_the_header_of_the_signature_grader() {
    if lacks("g++") {
        return;
    }
    let repo = Repo::new();
    for (name, text) in [
        (
            "there/init.yml",
            "signature_grader: {entry: entry.cpp, header: sign.h}\ntest_cases:\n- {in: 1.txt, out: 2.txt, points: 3}\n",
        ),
        (
            "there/entry.cpp",
            "#include \"sign.h\"\n#include <cstdio>\nint main() { int n; scanf(\"%d\", &n); printf(\"%d\\n\", twice(n)); }\n",
        ),
        ("there/sign.h", "#pragma once\n#include \"type.h\"\nnumber twice(number);\n"),
        ("there/type.h", "#pragma once\ntypedef int number;\n"),
        ("there/1.txt", "1\n"),
        ("there/2.txt", "2\n"),
        ("mine/a.cpp", "#include \"sign.h\"\nnumber twice(number n) { return 2 * n; }\n"),
    ] {
        repo.file(name, text);
    }
    let ran = repo.run(&["run", "mine/a.cpp", "there"]);
    assert!(ran.stdout.contains("mine/a.cpp  AC"), "{}", ran.all());
}

#[test]
fn a_signature_grader_runs_the_functions_of_submissions() {
    if lacks("g++") {
        return;
    }
    let entry = "#include \"sign.h\"\n#include <stdio.h>\n\
        int main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", twice(n)); return 0; }\n";
    let good = "#ifdef SIGNATURE_GRADER\nint twice(int n) { return 2 * n; }\n#endif\n";
    let with_main = "int twice(int n) { return 2 * n; }\nint main() { return twice(1); }\n";
    let ran = judged(&[
        (
            "init.yml",
            "signature_grader: {entry: entry.c, header: sign.h}\ntest_cases:\n- {in: 1.txt, out: 2.txt, points: 3}\n",
        ),
        ("entry.c", entry),
        ("sign.h", "#ifndef SIGN\n#define SIGN\nint twice(int);\n#endif\n"),
        ("1.txt", "1\n"),
        ("2.txt", "2\n"),
        ("accepted/good.c", good),
        ("accepted/good.cpp", good),
        ("accepted/with_main.cpp", with_main),
        ("wrong_answer/bad.cpp", "int twice(int n) { return n; }\n"),
        ("accepted/other.sh", "read x; echo $((2 * x))\n"),
    ]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    for words in [
        "good.c  AC",
        "good.cpp  AC",
        "with_main.cpp  AC",
        "bad.cpp  WA",
        "the package has no `entry` for a submission in",
    ] {
        assert!(ran.all().contains(words), "{words}\n{}", ran.all());
    }
    assert!(!ran.all().contains("p/entry.c "), "{}", ran.all());
}

#[test]
fn links_lead_to_standard_streams() {
    let init = "symlinks: {in_link: /dev/stdin, out_link: /dev/stdout, other: /etc/passwd}\n\
        test_cases:\n- {in: 1.txt, out: 1.txt, points: 1}\n";
    let ran = judged(&[
        ("init.yml", init),
        ("1.txt", "1\n"),
        ("accepted/copy.sh", "cat in_link > out_link\n"),
        ("wrong_answer/other.sh", "cat other || true\n"),
    ]);
    green(&ran, &["1 of 1 points", "0 of 1 points"]);
    assert!(ran.stderr.contains("the link `other` is not made"), "{}", ran.all());
}

#[test]
fn what_only_packages_of_dmoj_state_is_listed_when_they_are_taken_over() {
    let repo = Repo::new();
    let init = "unbuffered: true\nsymlinks: {in_link: /dev/stdin}\nchecker:\n  name: bridged\n  args: {files: c.sh, \
        flags: [-a], args_format_string: '{output_file}'}\ntest_cases:\n- {in: 1.txt, out: 1.txt, points: 1}\n";
    for (path, text) in [
        ("init.yml", init),
        ("c.sh", "true\n"),
        ("1.txt", "1\n"),
        ("accepted/copy.sh", "cat in_link\n"),
    ] {
        repo.file(&format!("p/{path}"), text);
    }
    for args in
        [&["import", "p", "--name", "q"][..], &["export", "p", "--to", "icpc", "-o", "q.zip"]]
    {
        let ran = repo.run(args);
        for words in [
            "the arguments of the checker (`args_format_string`)",
            "the links to standard streams",
            "the `flags` of the problem's programs",
            "`unbuffered`: programs must flush their output",
        ] {
            assert!(ran.stderr.contains(words), "{words}\n{}", ran.all());
        }
    }
}
