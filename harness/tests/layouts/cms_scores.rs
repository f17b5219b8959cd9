//! The score types of CMS, and the keys of `task.yaml`.

use std::fmt::Write as _;

use crate::support::{Ran, Repo};

/// Gives what a program prints after `=`; without that, the program must print the answer.
const CHECKER: &str = "read out < $3\nread ans < $2\ncase $out in\n=*) echo ${out#=};;\n$ans) echo 1.0;;\n\
                       *) echo 0.0;;\nesac\n";

/// Judges a solution that prints a word for each case. The answers are the numbers of the cases.
fn judged(task: &str, words: &str, more: &[(&str, &str)]) -> Ran {
    let repo = Repo::new();
    let words: Vec<&str> = words.split(' ').collect();
    let mut solution = "read i\ncase $i in\n".to_owned();
    for (number, word) in words.iter().enumerate() {
        let _ = writeln!(solution, "{number}) echo '{word}';;");
        repo.file(&format!("p/input/input{number}.txt"), format!("{number}\n"))
            .file(&format!("p/output/output{number}.txt"), format!("{number}\n"));
    }
    repo.file("p/sol/part.sh", &(solution + "esac\n"));
    let task = format!("name: p\ntitle: P\ninfile: ''\noutfile: ''\n{task}");
    repo.file("p/task.yaml", &task);
    for (path, text) in more {
        repo.file(&format!("p/{path}"), text);
    }
    repo.run(&["run", "p", "-v"])
}

#[test]
fn points_follow_the_score_type() {
    let checker = [("check/checker.sh", CHECKER)];
    let checker: &[(&str, &str)] = &checker;
    // The score type, its parameters, whether there is a checker, what the solution prints, and its points.
    let table = [
        ("Sum", "5", false, "0 1 x x 4", "15 of 25"),
        ("Sum", "20", true, "0 1 =0.25 x 4", "65 of 100"),
        ("GroupMin", "[[30, 2], [70, 3]]", false, "0 1 2 3 x", "30 of 100"),
        ("GroupMin", "[[30, 2], [70, 3]]", true, "0 =0.5 2 =0.1 4", "22 of 100"),
        ("GroupMul", "[[30, 2], [70, 3]]", true, "0 =0.5 =0.5 =0.2 4", "22 of 100"),
        ("GroupMul", "[[30, 2], [70, 3]]", false, "0 1 2 3 x", "30 of 100"),
        // A case counts in each subtask that names it.
        (
            "GroupMin",
            "[[10, '000|001'], [30, '00[0-3]'], [60, '']]",
            false,
            "0 1 2 3 x",
            "40 of 100",
        ),
        (
            "GroupMin",
            "[[10, '000|001'], [30, '00[0-3]'], [60, '']]",
            false,
            "x 1 2 3 4",
            "0 of 100",
        ),
        // Above 0 and at most the threshold, which may be above 1.
        (
            "GroupThreshold",
            "[[30, 2, 0.5], [70, 3, 20]]",
            true,
            "=0.2 =0.5 =20 =3.5 4",
            "100 of 100",
        ),
        (
            "GroupThreshold",
            "[[30, 2, 0.5], [70, 3, 20]]",
            true,
            "=0.2 =0.6 =0.1 =1 =20",
            "70 of 100",
        ),
        ("GroupThreshold", "[[30, 2, 0.5], [70, 3, 20]]", true, "=0.2 =0.1 =20 =0 4", "30 of 100"),
        ("GroupThreshold", "[[30, 2, 0.5], [70, 3, 20]]", true, "0 =0.1 =20.5 3 4", "0 of 100"),
        // No subtask has the last case.
        ("GroupMin", "[{max_score: 7, testcases: ['001', '003']}]", false, "0 1 2 3 x", "7 of 7"),
    ];
    for (kind, parameters, has_checker, words, points) in table {
        let task = format!("n_input: 5\nscore_type: {kind}\nscore_type_parameters: {parameters}\n");
        let ran = judged(&task, words, if has_checker { checker } else { &[] });
        let points = format!("{points} points");
        assert!(
            ran.stdout.contains(&points),
            "{kind} {parameters} {words}: {points}\n{}",
            ran.all()
        );
        assert_eq!(ran.stderr, "", "{kind} {parameters}");
    }
}

#[test]
fn a_stated_score_type_replaces_the_subtasks_of_gen() {
    let task = "n_input: 5\nscore_type: GroupMin\nscore_type_parameters: [[30, 2], [70, 3]]\n";
    let gen_file = [("gen/GEN", "#ST: 80\n0\n1\n2\n#ST: 20\n3\n4\n")];
    let ran = judged(task, "0 1 2 3 x", &gen_file);
    assert!(ran.stdout.contains("30 of 100 points"), "{}", ran.all());
    // As in CMS, all three keys are required.
    let task = "score_type: GroupMin\nscore_type_parameters: [[30, 2], [70, 3]]\n";
    let ran = judged(task, "0 1 2 3 x", &gen_file);
    assert!(ran.stdout.contains("80 of 100 points"), "{}", ran.all());
    let warning = "p/task.yaml:5:13: `score_type` is ignored, as in CMS: `n_input` is missing";
    assert!(ran.stderr.contains(warning), "{}", ran.all());
    let help = "help: add `n_input`, or remove `score_type_parameters`";
    assert!(ran.stderr.contains(help), "{}", ran.all());
}

#[test]
fn faulty_score_types_are_errors_with_their_line() {
    for (parameters, error) in [
        (
            "[[30, 2], [70, '3']]",
            "p/task.yaml:7:39: subtask 2: its test cases are named differently",
        ),
        ("[[30, 5], [70, 1]]", "p/task.yaml:7:39: subtask 2: no test cases are left"),
        (
            "30",
            "p/task.yaml:7:24: `score_type_parameters` of `GroupMin` must be a list of subtasks",
        ),
    ] {
        let task =
            format!("n_input: 5\nscore_type: GroupMin\nscore_type_parameters: {parameters}\n");
        let ran = judged(&task, "0 1 2 3 4", &[]);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains(error), "{error}\n{}", ran.all());
        assert!(ran.stderr.contains("help: "), "{}", ran.all());
    }
}

#[test]
fn a_case_of_several_subtasks_is_no_duplicate() {
    let repo = Repo::new();
    for (path, text) in [
        ("input/input0.txt", "0\n"),
        ("output/output0.txt", "0\n"),
        ("sol/solution.sh", "cat\n"),
        (
            "task.yaml",
            "name: p\ntitle: P\ninfile: ''\noutfile: ''\nn_input: 1\nscore_type: GroupMin\n\
             score_type_parameters: [[30, '0'], [70, '0']]\n",
        ),
    ] {
        repo.file(&format!("p/{path}"), text);
    }
    let ran = repo.run(&["verify", "p"]);
    assert!(!ran.all().contains("same input"), "{}", ran.all());
}

#[test]
fn unknown_keys_of_a_task_are_named() {
    // All keys that CMS's loader, cmsMake and task-maker read.
    let known = "nome_breve: p\nnome: P\ntimeout: 1\ntime_limit: 1\nmemlimit: 64\nmemory_limit: 64\nn_input: 5\n\
                 total_value: 50\nprimary_language: en\nfeedback_level: full\nscore_mode: max\ntoken_mode: finite\n\
                 token_max_number: 1\ntoken_min_interval: 1\ntoken_gen_initial: 1\ntoken_gen_number: 1\n\
                 token_gen_interval: 1\ntoken_gen_max: 1\ntoken_initial: 1\ntoken_total: 1\ntoken_gen_time: 1\n\
                 token_max: 1\nmax_submission_number: 1\nmax_user_test_number: 1\nmin_submission_interval: 1\n\
                 min_user_test_interval: 1\nscore_precision: 2\nversion: x\noutput_only: false\nnum_processes: 1\n\
                 user_io: std_io\npublic_testcases: all\nrisultati: '0'\nonly_gen: false\ndifficulty: 1\n\
                 syllabuslevel: 1\n";
    let ran = judged(known, "0 1 2 3 4", &[]);
    assert_eq!(ran.stderr, "", "{}", ran.all());
    let ran = judged("time_limt: 3\noutput_only_testcases: '1'\n", "0 1 2 3 4", &[]);
    for line in [
        "p/task.yaml:5:12: `time_limt` is not a key of CMS; it is ignored",
        "help: did you mean `time_limit`?",
        "p/task.yaml:6:24: `output_only_testcases` is not supported; it is ignored",
    ] {
        assert!(ran.stderr.contains(line), "{line}\n{}", ran.all());
    }
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn a_checker_of_testlib_without_its_header_is_read_as_one_of_testlib() {
    let repo = Repo::new();
    let checker = "#include \"testlib.h\"\nint main(int argc, char **argv) {\n  registerTestlibCmd(argc, argv);\n  \
                   quitf(ouf.readInt() == ans.readInt() ? _ok : _wa, \"compared\");\n}\n";
    repo.file("p/task.yaml", "name: p\ntitle: P\nn_input: 1\ninfile: ''\noutfile: ''\n")
        .file("p/input/input0.txt", "1\n")
        .file("p/output/output0.txt", "3\n")
        .file("p/cor/correttore.cpp", checker)
        .file("p/sol/soluzione.sh", "echo 3\n")
        .file("p/sol/wrong/other.sh", "echo 4\n");
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    // A folder of `sol/` is one of solutions.
    assert!(ran.stdout.contains("other.sh") && ran.stdout.contains("WA"), "{}", ran.all());
}
