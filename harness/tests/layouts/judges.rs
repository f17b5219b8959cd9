//! Packages of other judges with their own programs: checkers, graders, groups with points.

use crate::support::{Ran, Repo};

/// Writes the files to `p/` and judges it with a line for each solution.
fn judged(files: &[(&str, &str)]) -> Ran {
    let repo = Repo::new();
    for (path, text) in files {
        repo.file(&format!("p/{path}"), text);
    }
    repo.run(&["run", "p", "-v"])
}

fn expect(ran: &Ran, lines: &[&str]) {
    for line in lines {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.all());
    }
}

/// Prints what it reads.
const ECHO: &str = "cat\n";

/// A checker in Python that gives half of the points for an output longer than the answer, in the convention that
/// `print` and `exit` follow.
fn checker(order: &str, full: &str, half: &str, none: &str) -> String {
    format!(
        "import sys\n{order} = (open(path).read().strip() for path in sys.argv[1:4])\n\
         if out == ans: {full}\nelif out.startswith(ans): {half}\nelse: {none}\n"
    )
}

const CASES: [(&str, &str); 5] = [
    ("1.txt", "a\n"),
    ("2.txt", "b\n"),
    ("3.txt", "c\n"),
    ("4.txt", "d\n"),
    ("accepted/good.sh", ECHO),
];

fn dmoj(init: &str, more: &[(&str, &str)]) -> Ran {
    judged(&[&CASES[..], &[("init.yml", init)], more].concat())
}

#[test]
fn a_failed_case_of_dmoj_without_points_ends_the_submission() {
    let init = "test_cases:\n- {in: 1.txt, out: 1.txt, points: 0}\n- {in: 2.txt, out: 2.txt, points: 40}\n\
                - {in: 3.txt, out: 3.txt, points: 60}\n";
    let wrong = "read x\n[ $x = a ] && x=z\necho $x\n";
    let partly = "read x\n[ $x = b ] && x=z\necho $x\n";
    let ran = dmoj(init, &[("wrong_answer/wrong.sh", wrong), ("wrong_answer/partly.sh", partly)]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(
        &ran,
        &[
            "p/wrong_answer/wrong.sh  WA",
            "0 of 100 points",
            "60 of 100 points",
            "100 of 100 points",
        ],
    );
}

#[test]
fn cases_of_dmoj_need_no_files_and_unknown_keys_are_named() {
    let init =
        "wall_time_factor: 5\nmine: 1\ntest_cases:\n- {out: 1.txt, points: 1}\n- {points: 1}\n";
    let ran = dmoj(init, &[("accepted/empty.sh", "true\n"), ("wrong_answer/a.sh", "echo a\n")]);
    expect(&ran, &["ok    p/wrong_answer/a.sh", "FAIL  p/accepted/empty.sh", "1 of 2 points"]);
    for words in [
        "`wall_time_factor` is not supported; it is ignored",
        "`mine` is not a key of DMOJ; it is ignored",
    ] {
        assert!(ran.stderr.contains(words), "{words}\n{}", ran.all());
    }
    let ran = dmoj("generator: g.py\ntest_cases:\n- {in: 1.txt, generator_args: [1]}\n", &[]);
    assert_eq!(ran.status, 2);
    let error = "a case has either `in` or `generator_args`, not both";
    assert!(ran.stderr.contains(error), "{}", ran.all());
}

#[test]
fn the_programs_of_dmoj_have_their_types() {
    if crate::support::lacks("python3") {
        return;
    }
    let table = [
        ("default", checker("inp, out, ans", "sys.exit(0)", "sys.exit(1)", "sys.exit(1)"), "0"),
        (
            "coci",
            checker(
                "inp, out, ans",
                "sys.exit(0)",
                "print('partial 1/4', file=sys.stderr); sys.exit(7)",
                "sys.exit(1)",
            ),
            "10",
        ),
        (
            "peg",
            checker(
                "ans, out, inp",
                "sys.exit(0)",
                "print(3); print(4); sys.exit(1)",
                "sys.exit(1)",
            ),
            "30",
        ),
    ];
    for (kind, program, points) in table {
        let init = format!(
            "checker: {{name: bridged, args: {{files: [check.py, notes.h], lang: PY3, type: {kind}}}}}\n\
             test_cases:\n- {{in: 1.txt, out: 1.txt, points: 40}}\n"
        );
        let more = [
            ("check.py", program.as_str()),
            ("notes.h", ""),
            ("wrong_answer/none.sh", "echo x\n"),
            ("rejected/half.sh", "echo ab\n"),
        ];
        let ran = dmoj(&init, &more);
        let half = format!("{points} of 40 points");
        expect(&ran, &["40 of 40 points", "0 of 40 points", &half]);
        // The checker is no solution.
        assert!(!ran.all().contains("p/check.py"), "{}", ran.all());
    }
}

#[test]
fn the_built_in_checkers_of_dmoj_ignore_what_they_should() {
    for (name, output, met) in [
        ("easy", "B A\\nc", true),
        ("easy", "a b", false),
        ("sorted", "c\\nb a", false),
        ("sorted", "c\\na b", true),
        ("linecount", "a b\\n\\nc", true),
        ("rstripped", "a b  \\nc\\n", true),
        ("rstripped", "a b\\nc", false),
    ] {
        let init = format!("checker: {name}\ntest_cases:\n- {{in: 1.txt, out: lines.txt}}\n");
        let solution = format!("printf '{output}'\n");
        let repo = Repo::new();
        repo.file("p/init.yml", init)
            .file("p/1.txt", "")
            .file("p/lines.txt", "a b\nc\n")
            .file("p/accepted/a.sh", solution);
        let ran = repo.run(&["run", "p"]);
        assert_eq!(ran.status, i32::from(!met), "{name} {output}: {}", ran.all());
    }
}

/// A task of CMS with two subtasks.
const CMS: [(&str, &str); 6] = [
    ("gen/GEN", "#ST: 40\n1\n#ST: 60\n2\n3\n"),
    ("input/input0.txt", "1 2\n"),
    ("input/input1.txt", "3 4\n"),
    ("input/input2.txt", "5 6\n"),
    ("output/output0.txt", "3\n"),
    ("output/output1.txt", "7\n"),
];

#[test]
fn tasks_of_cms_may_ask_for_files_and_have_a_checker() {
    if crate::support::lacks("python3") {
        return;
    }
    let half = checker(
        "inp, ans, out",
        "print('1.0\\n')",
        "print('0.5\\n'); print('translate:partial', file=sys.stderr)",
        "print('0.0\\n'); print('translate:wrong', file=sys.stderr)",
    );
    let ran = judged(
        &[
            &CMS[..],
            &[
                ("task.yaml", "name: p\ntitle: P\ntime_limit: 2.0\nmemory_limit: 256\ninfile: in.txt\noutfile: out.txt\n"),
                ("output/output2.txt", "11\n"),
                ("cor/correttore.py", &half),
                ("sol/soluzione.sh", "read a b < in.txt\necho $((a + b)) > out.txt\n"),
                ("sol/longer.sh", "read a b < in.txt\nprintf $((a + b))0 > out.txt\n"),
            ],
        ]
        .concat(),
    );
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(&ran, &["ok    p/sol/soluzione.sh", "100 of 100 points", "50 of 100 points"]);
}

#[test]
fn submissions_to_an_output_only_task_of_cms_are_folders_and_archives_of_outputs() {
    let repo = Repo::new();
    for (path, text) in CMS {
        repo.file(&format!("p/{path}"), text);
    }
    let outputs = [("output_000.txt", "3\n"), ("output_001.txt", "7\n")];
    for (path, text) in outputs {
        repo.file(&format!("p/sol/partial/{path}"), text);
    }
    repo.file("p/output/output2.txt", "11\n")
        .file("p/task.yaml", "name: p\ntitle: P\noutput_only: 1\n")
        .file("p/sol/make.sh", "echo 3\n");
    let all = [&outputs[..], &[("output_002.txt", "11\n")]].concat();
    super::archives::zipped(&repo, "p/sol/solution.zip", &all);
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(&ran, &["ok    p/sol/solution.zip", "100 of 100 points", "40 of 100 points"]);
    let words =
        "p/sol/make.sh: submissions to this task are files of outputs; the program is not judged";
    assert!(ran.stderr.contains(words), "{}", ran.all());
}

#[test]
fn an_archive_of_outputs_that_cannot_be_unpacked_is_a_wrong_answer() {
    let repo = Repo::new();
    for (path, text) in CMS {
        repo.file(&format!("p/{path}"), text);
    }
    repo.file("p/output/output2.txt", "11\n")
        .file("p/task.yaml", "name: p\ntitle: P\noutput_only: 1\n")
        .file("p/sol/broken.zip", "PK\x03\x04 no archive");
    super::archives::zipped(&repo, "p/sol/outside.zip", &[("../output_000.txt", "3\n")]);
    let found = repo.verdicts(&["p"]);
    let is_wrong = |one: &String| one.contains(" WA the archive of answers cannot be unpacked: ");
    assert!(found.len() == 6 && found.iter().all(is_wrong), "{found:?}");
}

#[test]
fn a_grader_of_cms_is_compiled_with_the_solutions_of_its_language() {
    if crate::support::lacks("g++") {
        return;
    }
    let ran = judged(
        &[
            &CMS[..],
            &[
                ("task.yaml", "name: p\ntitle: P\ntime_limit: 2.0\ninfile: ''\noutfile: ''\n"),
                ("output/output2.txt", "11\n"),
                ("sol/p.h", "int sum(int a, int b);\n"),
                (
                    "sol/grader.cpp",
                    "#include <cstdio>\n#include \"p.h\"\nint main() { int a, b; if (scanf(\"%d%d\", &a, &b) == 2) \
                     printf(\"%d\\n\", sum(a, b)); }\n",
                ),
                ("sol/solution.cpp", "#include \"p.h\"\nint sum(int a, int b) { return a + b; }\n"),
                ("sol/wrong.cpp", "#include \"p.h\"\nint sum(int a, int b) { return a + b + (a > 4); }\n"),
                ("sol/other.py", "def sum(a, b): return a + b\n"),
            ],
        ]
        .concat(),
    );
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(&ran, &["ok    p/sol/solution.cpp", "100 of 100 points", "40 of 100 points"]);
    assert!(!ran.stdout.contains("grader"), "{}", ran.all());
    let skipped = "p/sol/other.py: a grader for this language is missing or not supported";
    assert!(ran.stderr.contains(skipped), "{}", ran.all());
}

#[test]
fn a_package_of_sinol_states_points_and_statuses() {
    if crate::support::lacks("python3") {
        return;
    }
    let half =
        checker("inp, out, ans", "print('OK')", "print('OK\\nwell\\n50')", "print('WRONG\\nno')");
    let config = "title: P\nsinol_task_id: abc\ntime_limit: 1000\nmemory_limit: 262144\nscores:\n  1: 40\n  2: 60\n\
                  sinol_expected_scores:\n\
                  \x20 abc.sh:\n    expected:\n      0: {points: 0, status: OK}\n      1: {points: 40, status: OK}\n      2: {points: 60, status: OK}\n    points: 100\n\
                  \x20 abc1.sh:\n    expected:\n      1: {points: 20, status: OK}\n      2: {points: 0, status: WA}\n    points: 20\n\
                  \x20 abc2.sh:\n    expected:\n      1: {points: 40, status: OK}\n      2: {points: 0, status: RE}\n    points: 40\n\
                  \x20 abcb3.sh:\n    expected:\n      1: {points: 40, status: OK}\n      2: {points: 60, status: OK}\n    points: 100\n";
    let files = [
        ("config.yml", config),
        ("prog/abcchk.py", half.as_str()),
        ("prog/abcingen.py", "print('not a solution')\n"),
        ("prog/abc.sh", ECHO),
        ("prog/abc1.sh", "read x\n[ $x = a ] && x=ab\n[ $x = c ] && x=z\necho $x\n"),
        ("prog/abc2.sh", "read x\n[ $x = c ] && exit 1\necho $x\n"),
        ("prog/abcb3.sh", "read x\n[ $x = b ] && x=z\necho $x\n"),
        ("in/abc0.in", "s\n"),
        ("out/abc0.out", "s\n"),
        ("in/abc1a.in", "a\n"),
        ("out/abc1a.out", "a\n"),
        ("in/abc2a.in", "b\n"),
        ("out/abc2a.out", "b\n"),
        ("in/abc2b.in", "c\n"),
        ("out/abc2b.out", "c\n"),
    ];
    let ran = judged(&files);
    assert_eq!(ran.status, 1, "{}", ran.all());
    expect(
        &ran,
        &[
            "ok    p/prog/abc.sh",
            "ok    p/prog/abc1.sh",
            "ok    p/prog/abc2.sh",
            "FAIL  p/prog/abcb3.sh: got WA on `secret/2/abc2a`: only AC is allowed",
        ],
    );
    assert!(!ran.stdout.contains("abcingen"), "{}", ran.all());
}

const SINOL: [(&str, &str); 3] =
    [("prog/abc.sh", ECHO), ("in/abc0.in", "s\n"), ("out/abc0.out", "s\n")];

/// A package with nothing but examples has no points, so that every solution gets 0.
#[test]
fn a_package_of_sinol_with_examples_only_expects_0_points() {
    let config = "title: P\nsinol_task_id: abc\ntime_limit: 1000\nsinol_expected_scores:\n\
                  \x20 abc.sh:\n    expected:\n      0: {points: 0, status: OK}\n    points: 0\n\
                  \x20 abc1.sh:\n    expected:\n      0: {points: 0, status: WA}\n    points: 0\n\
                  \x20 abc2.sh:\n    expected:\n      0: {points: 0, status: OK}\n    points: 50\n";
    let files = [("config.yml", config), ("prog/abc1.sh", "echo x\n"), ("prog/abc2.sh", ECHO)];
    let ran = judged(&[&SINOL[..], &files].concat());
    assert_eq!(ran.status, 1, "{}", ran.all());
    expect(
        &ran,
        &["ok    p/prog/abc.sh", "ok    p/prog/abc1.sh", "FAIL  p/prog/abc2.sh: got no score"],
    );
}

#[test]
fn solutions_of_sinol_find_the_extra_files_of_their_language() {
    if crate::support::lacks("python3") {
        return;
    }
    let config = "title: P\nsinol_task_id: abc\ntime_limit: 10000\nextra_compilation_files: [abclib.py]\n\
                  extra_execution_files: {py: [more.py, data.txt]}\n";
    let files = [
        ("config.yml", config),
        ("prog/abclib.py", "def get(): return input()\n"),
        ("prog/more.py", "def put(text): print(text)\n"),
        ("prog/data.txt", "s\n"),
        (
            "prog/abc.py",
            "from abclib import *\nfrom more import put\nassert open('data.txt').read() == 's\\n'\nput(get())\n",
        ),
    ];
    let ran = judged(&[&SINOL[1..], &files].concat());
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(&ran, &["ok    p/prog/abc.py"]);
    assert!(!ran.stdout.contains("abclib"), "{}", ran.all());
    let config = config.replace("more.py", "less.py");
    let files = [("config.yml", config.as_str()), ("prog/abc.py", "print('s')\n")];
    let ran = judged(&[&SINOL[1..], &files].concat());
    let why = "`prog/less.py` does not exist";
    assert!(ran.stderr.contains(why), "{}", ran.all());
}

#[test]
fn a_package_of_sinol_may_have_limits_for_languages() {
    let config = "title: P\nsinol_task_id: abc\ntime_limit: 100\nmemory_limit: 1\n\
                  override_limits:\n  sh: {time_limit: 20000, memory_limit: 262144, time_limits: {1: 5}}\n  py: {time_limit: 1}\n\
                  sinol_expected_scores:\n  gone.cpp: {points: 100}\n";
    let ran = judged(&[&SINOL[..], &[("config.yml", config)]].concat());
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(&ran, &["ok    p/prog/abc.sh", "of 20 s"]);
    for words in [
        "p/config.yml: `override_limits.sh.time_limits` is not supported; it is ignored",
        "`prog/gone.cpp` does not exist; what is expected of it is not checked",
    ] {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.all());
    }
}

#[test]
fn a_task_of_terry_is_named_and_does_not_refuse_the_others() {
    let repo = Repo::new();
    repo.file("all/t/task.yaml", "name: t\nmax_score: 10\n")
        .file("all/t/managers/generator.py", "print(1)\n")
        .file("all/t/solutions/solution.cpp", "int main() {}\n");
    for (path, text) in SINOL {
        repo.file(&format!("all/p/{path}"), text);
    }
    repo.file("all/p/config.yml", "title: P\nsinol_task_id: abc\n");
    let ran = repo.run(&["run", "all", "-v"]);
    expect(&ran, &["ok    all/p/prog/abc.sh"]);
    let why = "all/t/managers: tasks of terry, with `managers/`, are not supported";
    assert!(ran.stderr.contains(why), "{}", ran.all());
    assert_eq!(ran.status, 2, "{}", ran.all());
}

#[test]
fn a_problem_of_rbx_states_outcomes_for_globs_of_solutions() {
    let yaml = "---\nname: p\ntimeLimit: 1000\nmemoryLimit: 256\noutputLimit: 100\nscoring: points\n\
                testcases:\n- {name: samples}\n- {name: small, score: 30}\n- {name: large, score: 70, deps: [small]}\n\
                solutions:\n- {path: 'sols/main*.*', outcome: ACCEPTED}\n- {path: 'sols/wa-*.*', outcome: wa}\n\
                - {path: sols/partly.sh, outcome: incorrect, score: [30, 60], outcomePerGroup: {'*': ac, large: wa}}\n\
                - {path: sols/small.sh, outcome: incorrect, outcomePerGroup: {'*': ac, small: wa}}\n\
                - {path: 'sols/*.sh', outcome: runtime error}\n";
    let files = [
        ("problem.rbx.yml", yaml),
        ("sols/main.sh", ECHO),
        ("sols/main-2.sh", "echo x\n"),
        ("sols/wa-1.sh", "echo x\n"),
        ("sols/partly.sh", "read x\n[ $x = c ] && x=z\necho $x\n"),
        // The other group is skipped, because it depends on this one.
        ("sols/small.sh", "read x\n[ $x = a ] && x=z\necho $x\n"),
        ("sols/re-1.sh", "exit 1\n"),
        ("gen/gen.sh", "exit 1\n"),
        ("build/tests/samples/000.in", "s\n"),
        ("build/tests/samples/000.out", "s\n"),
        ("build/tests/small/000.in", "a\n"),
        ("build/tests/small/000.out", "a\n"),
        ("build/tests/large/0-gen-000.in", "c\n"),
        ("build/tests/large/0-gen-000.out", "c\n"),
    ];
    let ran = judged(&files);
    assert_eq!(ran.status, 1, "{}", ran.all());
    expect(
        &ran,
        &[
            "ok    p/sols/main.sh",
            "FAIL  p/sols/main-2.sh",
            "ok    p/sols/wa-1.sh",
            "ok    p/sols/partly.sh",
            "ok    p/sols/small.sh",
            "ok    p/sols/re-1.sh",
            "30 of 100 points",
        ],
    );
    assert!(!ran.stdout.contains("gen.sh"), "{}", ran.all());
    // Without the cases that rbx makes, the error names its command.
    let ran = judged(&files[..7]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(
        ran.stderr.contains("help: make the missing cases with `rejudge generate FOLDER`"),
        "{}",
        ran.all()
    );
}

#[test]
fn a_checker_of_rbx_may_be_written_for_boca_and_replace_a_missing_one() {
    // BOCA gives the output, the answer and the input. An output `f` makes the checker fail.
    let check = "read out < $1; read answer < $2; read in < $3\n[ $in = a ] || exit 43\n[ $out != f ] || exit 43\n\
                 [ $out = $answer ] && exit 4\nexit 6\n";
    let files = |checker: &str| {
        format!(
            "name: p\ntimeLimit: 1000\nchecker: {checker}\ntestcases: [{{name: small}}]\n\
             solutions: [{{path: sols/right.sh, outcome: ac}}, {{path: sols/wrong.sh, outcome: wa}}, \
             {{path: sols/fails.sh, outcome: wa}}]\n"
        )
    };
    for checker in [
        "{path: check.sh, mode: boca}",
        "{path: missing.cpp, fallback_to: {path: check.sh, mode: boca}}",
    ] {
        let yaml = files(checker);
        let ran = judged(&[
            ("problem.rbx.yml", &yaml),
            ("check.sh", check),
            ("sols/right.sh", "echo b\n"),
            ("sols/wrong.sh", "echo a\n"),
            ("sols/fails.sh", "echo f\n"),
            ("build/tests/small/000.in", "a\n"),
            ("build/tests/small/000.out", "b\n"),
        ]);
        assert_eq!(ran.status, 2, "{}", ran.all());
        expect(
            &ran,
            &[
                "ok    p/sols/right.sh",
                "ok    p/sols/wrong.sh",
                "the checker exited with 43 (fail)",
            ],
        );
    }
}

/// Only a task with the lines of `gen/GEN` can be generated by rejudge.
/// Otherwise a solution is right as soon as one of the inputs is made.
#[test]
fn a_task_of_cms_has_all_cases_of_its_list_also_without_subtasks() {
    let ran = judged(&[
        ("task.yaml", "name: p\ninfile: ''\noutfile: ''\n"),
        ("gen/GEN", "a # the first\nb\n"),
        ("input/input0.txt", "a\n"),
        ("output/output0.txt", "a\n"),
        ("sol/soluzione.sh", ECHO),
    ]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let why = "p/input/input1.txt does not exist: the input of case `secret/001`";
    assert!(ran.stderr.contains(why), "{}", ran.all());
}

#[test]
fn the_help_for_a_cms_task_without_cases_names_a_command_that_makes_them() {
    let repo = Repo::new();
    repo.file("p/task.yaml", "name: p\ntime_limit: 1\nn_input: 1\ninfile: ''\noutfile: ''\n")
        .file("p/sol/soluzione.sh", "cat\n");
    let ran = repo.run(&["run", "p"]);
    let help = "help: generate the cases as the task's authors do: `cmsMake all`";
    assert!(ran.stderr.contains(help), "{}", ran.all());
    repo.file("p/gen/GEN", "1\n").file("p/gen/generatore.sh", "echo $*\n");
    let ran = repo.run(&["run", "p"]);
    let help = "help: make the missing cases with `rejudge generate FOLDER`";
    assert!(ran.stderr.contains(help), "{}", ran.all());
}

/// Its judge has no memory limit, so that the program would go on until its time is over.
#[test]
fn a_solution_of_library_checker_that_must_be_too_slow_may_need_too_much_memory() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = Repo::new();
    let info =
        "title = \"p\"\ntimelimit = 5.0\n[[solutions]]\nname = \"slow.py\"\nexpect = \"TLE\"\n";
    repo.file("p/info.toml", info)
        .file("p/sol/slow.py", "text = b'x' * (1 << 29)\nprint(len(text))\n")
        .file("p/in/a_00.in", "1\n")
        .file("p/out/a_00.out", "1\n");
    let ran = repo.run(&["run", "p", "-v", "--memory-limit", "64MiB"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(&ran, &["MLE"]);
    // Polygon has a tag for either.
    let ran = repo.run(&["export", "p", "--to", "polygon", "-o", "p.zip"]);
    assert!(!ran.stderr.contains("slow.py"), "{}", ran.all());
}

/// As BOCA's template of a problem.
#[test]
fn a_problem_of_boca_has_its_limits_and_scripts() {
    let limits = "#!/bin/bash\n# seconds\necho 20\n# runs\necho 10\n# MB\necho 512\n# KB\necho 1024\nexit 0\n# end\n";
    let compare = "#!/bin/bash\n[ -r \"$1\" -a -r \"$2\" ] || exit 43\ndiff -q \"$1\" \"$2\" > /dev/null && exit 4\n\
        if diff -q -b \"$1\" \"$2\" > /dev/null; then\n  echo spaces\n  exit 5\nfi\nexit 6\n";
    let repo = Repo::new();
    for (path, text) in [
        ("description/problem.info", "basename=p\nfullname=The Problem\ndescfile=p.pdf\n"),
        ("limits/cpp", limits),
        ("limits/java", limits),
        ("compare/cpp", compare),
        ("compare/java", compare),
        ("input/1", "a b\n"),
        ("input/2", "c d\n"),
        ("output/1", "a b\n"),
        ("output/2", "c d\n"),
    ] {
        repo.file(&format!("p/{path}"), text);
    }
    repo.file("p/solutions/accepted/right.sh", "cat\n")
        .file("p/solutions/wrong_answer/spaces.sh", "read a b; echo \"$a  $b\"\n")
        .file("p/solutions/wrong_answer/wrong.sh", "echo x\n")
        .file("p/solutions/mixed/any.sh", "echo x\n");
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.all());
    expect(&ran, &["solutions/accepted/right.sh", "spaces.sh", "wrong.sh", "any.sh"]);
    let ran = repo.run(&["list", "p", "-v"]);
    for words in ["The Problem", "2 s", "512 MiB", "boca compare.sh"] {
        assert!(ran.stdout.contains(words), "{words}\n{}", ran.all());
    }
    // Scripts that compute, differ or need another program are named.
    repo.file("p/limits/cpp", "echo $((2 + 2))\n")
        .file("p/compare/cpp", "./checker.exe $3 $1 $2\nexit 4\n");
    let ran = repo.run(&["run", "p", "--time-limit", "5"]);
    for words in [
        "p/limits/cpp computes the limits; rejudge does not run it",
        "p/compare/cpp compares the outputs of all languages; that of `java` differs",
        "p/compare/cpp calls a program that `compile/` makes; outputs are compared word by word",
    ] {
        assert!(ran.stderr.contains(words), "{words}\n{}", ran.all());
    }
}

/// BOCA gives the time of all runs together, and each language has a script of its own.
#[test]
fn the_limits_of_boca_hold_for_their_language() {
    let limits = |seconds: u32, runs: u32, memory: u32, output: u32| {
        format!("#!/bin/bash\necho {seconds}\necho {runs}\necho {memory}\necho {output}\nexit 0\n")
    };
    let repo = Repo::new();
    let files = [
        ("description/problem.info", "fullname=P\n".to_owned()),
        ("limits/cpp", limits(40, 2, 512, 1024)),
        // rejudge has one language of this kind.
        ("limits/cc", limits(1, 1, 1, 1)),
        ("limits/java", limits(40, 2, 512, 1024)),
        ("limits/sh", limits(12, 4, 256, 1)),
        ("input/1", String::new()),
        ("output/1", "1\n".to_owned()),
    ];
    for (path, text) in files {
        repo.file(&format!("p/{path}"), text);
    }
    let long = "echo 1; i=0; while [ $i -lt 3000 ]; do echo; i=$((i + 1)); done\n";
    repo.file("p/solutions/accepted/right.sh", "echo 1\n")
        .file("p/solutions/output_limit_exceeded/long.sh", long);
    let ran = repo.run(&["run", "p", "--json", "-"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(!ran.stderr.contains("warning"), "{}", ran.all());
    for words in ["\"cpu_ms\":3000", "\"memory_bytes\":268435456", "\"output_bytes\":1024"] {
        assert!(ran.stdout.contains(words), "{words}\n{}", ran.all());
    }
    let ran = repo.run(&["list", "p", "-v"]);
    for words in ["20 s CPU", "512 MiB memory", "1 MiB output"] {
        assert!(ran.stdout.contains(words), "{words}\n{}", ran.all());
    }
    // `rejudge.toml` replaces them.
    repo.file("rejudge.toml", "[problems.p]\ntime_limit = 5\noutput_limit = 1\n");
    let ran = repo.run(&["run", "p", "--json", "-"]);
    for words in ["\"cpu_ms\":5000", "\"memory_bytes\":268435456", "\"output_bytes\":1048576"] {
        assert!(ran.stdout.contains(words), "{words}\n{}", ran.all());
    }
    // A script that computes is named, and the others hold.
    std::fs::remove_file(repo.path("rejudge.toml")).unwrap();
    repo.file("p/limits/cpp", "echo $((2 + 2))\n");
    let ran = repo.run(&["run", "p", "--json", "-"]);
    let warning = "p/limits/cpp computes the limits; rejudge does not run it";
    assert!(ran.stderr.contains(warning), "{}", ran.all());
    assert!(ran.stdout.contains("\"cpu_ms\":3000"), "{}", ran.all());
}
