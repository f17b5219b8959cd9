//! Folders of cases without a describing file: pairs by name, as judges, contests and sites publish
//! them; inputs without answers; and folders that can be read in more than one way.

use crate::layouts::{Files, LayoutFixture, SUM, fixture, judged};
use crate::support::{Ran, Repo};

/// Folders that contain only cases, paired by their names.
pub(crate) const FOLDERS: [LayoutFixture; 17] = [
    fixture(
        "plain",
        &[
            ("test/s-1.in", "1 2\n"),
            ("test/s-1.out", "3\n"),
            ("test/s-2.in", "5 7\n"),
            ("test/s-2.out", "12\n"),
        ],
        &["s-1", "s-2"],
    ),
    fixture(
        "plain",
        &[
            ("10.in", "5 7\n"),
            ("10.ans", "12\n"),
            ("2.in", "1 2\n"),
            ("2.ans", "3\n"),
            (".hidden.in", "?"),
            ("2.in~", "?"),
            ("__MACOSX/2.in", "?"),
        ],
        &["2", "10"],
    ),
    fixture(
        "sol",
        &[
            ("a.g1-1.in", "1 2\n"),
            ("a.g1-1.sol", "3\n"),
            ("a.g1-2.in", "5 7\n"),
            ("a.g1-2.sol", "12\n"),
        ],
        &["a.g1-1", "a.g1-2"],
    ),
    fixture(
        "hackerrank",
        &[
            ("input/input00.txt", "1 2\n"),
            ("input/input01.txt", "5 7\n"),
            ("output/output00.txt", "3\n"),
            ("output/output01.txt", "12\n"),
        ],
        &["00", "01"],
    ),
    fixture(
        "input-output",
        &[
            ("input000.txt", "1 2\n"),
            ("input001.txt", "5 7\n"),
            ("output000.txt", "3\n"),
            ("output001.txt", "12\n"),
        ],
        &["000", "001"],
    ),
    fixture(
        "polygon-tests",
        &[("01", "1 2\n"), ("01.a", "3\n"), ("02", "5 7\n"), ("02.a", "12\n")],
        &["01", "02"],
    ),
    fixture(
        "polygon-tests",
        &[
            ("tests/1", "1 2\n"),
            ("tests/1.a", "3\n"),
            ("tests/10", "5 7\n"),
            ("tests/10.a", "12\n"),
        ],
        &["1", "10"],
    ),
    fixture(
        "atcoder",
        &[
            ("in/hand.txt", "5 7\n"),
            ("in/a_00", "1 2\n"),
            ("out/hand.txt", "12\n"),
            ("out/a_00", "3\n"),
        ],
        &["a_00", "hand.txt"],
    ),
    fixture(
        "in-out",
        &[
            ("in/s1a.in", "1 2\n"),
            ("in/s1b.in", "5 7\n"),
            ("out/s1a.out", "3\n"),
            ("out/s1b.out", "12\n"),
        ],
        &["s1a", "s1b"],
    ),
    fixture(
        "boca",
        &[
            ("input/L_1", "1 2\n"),
            ("input/L_2", "5 7\n"),
            ("output/L_1", "3\n"),
            ("output/L_2", "12\n"),
        ],
        &["L_1", "L_2"],
    ),
    fixture(
        "boca",
        &[
            ("input/1.in", "1 2\n"),
            ("input/2.in", "5 7\n"),
            ("output/1.out", "3\n"),
            ("output/2.out", "12\n"),
        ],
        &["1", "2"],
    ),
    fixture(
        "yukicoder",
        &[
            ("test_in/01_a.txt", "1 2\n"),
            ("test_in/02_b.txt", "5 7\n"),
            ("test_out/01_a.txt", "3\n"),
            ("test_out/02_b.txt", "12\n"),
            ("test_out/99_stray.txt", "0\n"),
        ],
        &["01_a.txt", "02_b.txt"],
    ),
    fixture(
        "cf-tool",
        &[("in1.txt", "1 2\n"), ("ans1.txt", "3\n"), ("in2.txt", "5 7\n"), ("ans2.txt", "12\n")],
        &["1", "2"],
    ),
    fixture(
        "coci",
        &[
            ("sum.in.1", "1 2\n"),
            ("sum.out.1", "3\n"),
            ("sum.in.12", "5 7\n"),
            ("sum.out.12", "12\n"),
        ],
        &["sum.1", "sum.12"],
    ),
    fixture(
        "usaco",
        &[("I.1", "1 2\n"), ("O.1", "3\n"), ("I.2", "5 7\n"), ("O.2", "12\n")],
        &["1", "2"],
    ),
    fixture(
        "folders",
        &[
            ("test_1/input.txt", "1 2\n"),
            ("test_1/output.txt", "3\n"),
            ("test_2/input.txt", "5 7\n"),
            ("test_2/output.txt", "12\n"),
        ],
        &["test_1", "test_2"],
    ),
    fixture(
        "folders",
        &[
            ("tests/a/input.txt", "1 2\n"),
            ("tests/a/output.txt", "3\n"),
            ("tests/b/input.txt", "5 7\n"),
            ("tests/b/output.txt", "12\n"),
        ],
        &["a", "b"],
    ),
];

#[test]
fn inputs_without_answers_are_only_run() {
    let table: [(&str, Files); 4] = [
        ("ahc", &[("tools/in/0000.txt", "1 2\n")]),
        ("atcoder", &[("in/0000.txt", "1 2\n")]),
        ("advent", &[("input.txt", "1 2\n"), ("example.txt", "3\n")]),
        ("advent", &[("inputs/01.txt", "1 2\n"), ("inputs/day02.in", "3\n")]),
    ];
    for (layout, files) in table {
        let repo = Repo::new();
        for (path, text) in files {
            repo.file(path, text);
        }
        repo.file("there.rs", SUM);
        let ran = repo.run(&["run", "-vv", "there.rs"]);
        let expected = vec!["RAN"; files.len()];
        let verdicts: Vec<&str> = judged(&ran.stdout).iter().map(|(_, it)| *it).collect();
        assert_eq!(verdicts, expected, "{layout}: {}", ran.all());
        assert_eq!(ran.status, 1, "{layout}");
        assert_eq!(repo.run(&["run", "--no-check", "there.rs"]).status, 0);
    }
}

#[test]
fn several_conventions_are_united_and_several_descriptions_are_an_error() {
    let repo = Repo::new();
    repo.file("there/1.in", "1 2\n")
        .file("there/1.out", "3\n")
        .file("there/in/a", "5 7\n")
        .file("there/out/a", "13\n")
        .file("there/sum.rs", SUM);
    // The folders `in` and `out` are cases like those beside them.
    let ran = repo.run(&["run", "-vv", "there"]);
    let mut verdicts = judged(&ran.stdout);
    verdicts.sort_unstable();
    assert_eq!(verdicts, [("1", "AC"), ("a", "WA")], "{}", ran.all());
    assert_eq!(ran.status, 1);
    assert_eq!(repo.run(&["run", "there", "--layout", "plain"]).status, 0);
    assert_eq!(repo.run(&["run", "there", "--layout", "atcoder"]).status, 1);
    // Two descriptions of the same folder.
    repo.file("there/problem.xml", "<problem/>").file("there/init.yml", "{}");
    let ran = repo.run(&["run", "there"]);
    assert!(ran.stderr.contains("`polygon` (`problem.xml`), `dmoj`"), "{}", ran.stderr);
    // The cases of a single source among others.
    let repo = Repo::new();
    repo.file("1.in", "1 2\n")
        .file("1.out", "3\n")
        .file("sum.in1", "5 7\n")
        .file("sum.ans1", "12\n")
        .file("sum.rs", SUM);
    let ran = repo.run(&["run", "-vv", "sum.rs"]);
    assert!(ran.stdout.contains("2/2 accepted"), "{}", ran.all());
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_eq!(repo.run(&["run", "sum.rs", "--layout", "cpbooster"]).status, 0);
}

#[test]
fn several_sources_of_one_problem_can_be_named() {
    let repo = Repo::new();
    repo.file("sum.in", "1 2\n").file("sum.out", "3\n");
    repo.file("sum.rs", SUM).file("Sum.py", "print(3)\n");
    repo.file("dir/1.in", "5 7\n").file("dir/1.out", "12\n");
    repo.file("dir/try1.rs", SUM).file("dir/try2.rs", SUM);
    let all = repo.run(&["list"]);
    assert!(all.stdout.contains("2 problems, 4 solutions, 2 cases"), "{}", all.all());
    let named = repo.run(&["list", "sum.rs", "Sum.py", "dir/try2.rs", "dir/try1.rs"]);
    let sorted = |ran: &Ran| {
        let mut lines: Vec<String> = ran.stdout.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&named), sorted(&all), "{}", named.all());
    assert_eq!(named.status, 0);
}

#[test]
fn reading_options_apply_to_bench_too() {
    let repo = Repo::new();
    repo.file("there/1.in", "1 2\n")
        .file("there/1.out", "4\n")
        .file("there/in/a", "5 7\n")
        .file("there/out/a", "12\n")
        .file("there/sum.rs", SUM);
    let ran = repo.run(&["bench", "there", "--runs", "2", "--layout", "atcoder"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    // A missing checker is not an error if another one is given.
    let repo = Repo::new();
    repo.file("p/info.toml", "timelimit = 2\n[[tests]]\nname = \"a.in\"\nnumber = 1\n")
        .file("p/in/a.in", "1 2\n")
        .file("p/out/a.out", "3\n")
        .file("p/sol/correct.rs", SUM);
    for args in [
        &["run", "p/sol/correct.rs", "--checker", "tokens"][..],
        &["bench", "p/sol/correct.rs", "--runs", "2", "--checker", "tokens"],
    ] {
        let ran = repo.run(args);
        assert_eq!(ran.status, 0, "{}", ran.all());
    }
}

/// Solutions of contests that ask for files, such as those of USACO.
#[test]
fn solutions_may_read_and_write_files_by_name() {
    let solution = |input: &str, output: &str| {
        format!(
            "fn main() {{\n    let text = std::fs::read_to_string(\"{input}\").unwrap();\n    \
             let sum: i64 = text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();\n    \
             std::fs::write(\"{output}\", format!(\"{{sum}}\\n\")).unwrap();\n}}\n"
        )
    };
    let repo = Repo::new();
    repo.file("gift/gift.rs", solution("gift.in", "gift.out"))
        .file("gift/1.in", "1 2\n")
        .file("gift/1.out", "3\n")
        .file("gift/2.in", "5 7\n")
        .file("gift/2.out", "12\n");
    repo.file("old/old.rs", solution("input.txt", "output.txt"))
        .file("old/old.in", "5 7\n")
        .file("old/old.out", "12\n");
    let ran = repo.run(&["-vv"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("(3 cases in"), "{}", ran.all());
    assert!(
        ran.stderr.contains(
            "the input is also in a file for solutions that name one: gift/gift.rs (gift.in), old/old.rs (input.txt)"
        ),
        "{}",
        ran.stderr
    );
    // So do the commands that run one solution, or measure it.
    for input in [&["--case", "2"][..], &["gift/2.in"]] {
        let ran = repo.run(&[&["exec", "gift/gift.rs"][..], input].concat());
        assert_eq!(ran.stdout, "12\n", "{input:?}: {}", ran.all());
    }
    let ran = repo.run(&["bench", "--runs", "2", "gift"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    // What was printed is the output, whatever is in the file. Neither links nor missing files are outputs.
    let wrong = solution("gift.in", "gift.out").replace("\n}\n", "\n    println!(\"4\");\n}\n");
    let link =
        "fn main() {\n    std::os::unix::fs::symlink(\"gift.in\", \"gift.out\").unwrap();\n}\n";
    for source in [wrong.as_str(), link, "fn main() { let _ = \"gift.in\"; }\n"] {
        repo.file("gift/gift.rs", source).file("gift/1.in", "3\n").file("gift/1.out", "3\n");
        let ran = repo.run(&["gift/gift.rs", "--case", "1"]);
        assert!(ran.stdout.contains("WA"), "{source}: {}", ran.all());
        assert_eq!(ran.status, 1);
    }
}

/// A Chinese name in GBK, as a ZIP from Windows leaves it.
fn gbk(name: &str) -> std::ffi::OsString {
    use std::os::unix::ffi::OsStringExt as _;
    let bytes = name.as_bytes().iter().flat_map(|byte| match byte {
        b'@' => vec![0xd1, 0xf9, 0xc0, 0xfd],
        byte => vec![*byte],
    });
    std::ffi::OsString::from_vec(bytes.collect())
}

/// Writes `files` with the names that are not text, and the solution of the sum.
fn with_gbk(files: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    repo.file("there/sum.rs", SUM);
    for (name, text) in files {
        let path = repo.path("there").join(gbk(name));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    repo
}

#[test]
fn a_case_is_judged_whose_name_is_not_utf_8() {
    let pairs = [
        ("1.in", "1.ans", "@2.in", "@2.ans"),
        ("tests/1.in", "tests/1.out", "tests/@2.in", "tests/@2.out"),
        ("in/1", "out/1", "in/@2", "out/@2"),
        ("in/1.in", "out/1.out", "in/@2.in", "out/@2.out"),
        ("input/1", "output/1", "input/@2", "output/@2"),
        ("test_in/1", "test_out/1", "test_in/@2", "test_out/@2"),
        ("1.in", "1.sol", "@2.in", "@2.sol"),
        ("in1.txt", "ans1.txt", "in@2.txt", "ans@2.txt"),
        ("1/input.txt", "1/output.txt", "@2/input.txt", "@2/output.txt"),
        ("testdata/1.in", "testdata/1.out", "testdata/@2.in", "testdata/@2.out"),
        ("@/1.in", "@/1.ans", "@/@2.in", "@/@2.ans"),
    ];
    for (input, answer, odd_input, odd_answer) in pairs {
        let files = [(input, "1 2\n"), (answer, "3\n"), (odd_input, "5 7\n"), (odd_answer, "12\n")];
        let repo = with_gbk(&files);
        for args in [&["run", "there"][..], &["run", "--cases", "there", "there/sum.rs"]] {
            if args.contains(&"--cases") && input.starts_with('@') {
                continue;
            }
            let ran = repo.run(args);
            assert!(ran.stdout.contains("2/2 accepted"), "{input} {args:?}: {}", ran.all());
            assert_eq!(ran.status, 0, "{input} {args:?}: {}", ran.all());
        }
        std::fs::write(repo.path("there").join(gbk(odd_answer)), "13\n").unwrap();
        let ran = repo.run(&["run", "-vv", "there"]);
        assert!(ran.stdout.contains("\u{fffd}d1\u{fffd}f9"), "{input}: {}", ran.all());
        assert_eq!(ran.status, 1, "{input}: {}", ran.all());
    }
}

#[test]
fn only_cases_whose_names_are_not_utf_8() {
    let repo = with_gbk(&[
        ("@.in", "1 2\n"),
        ("@.ans", "3\n"),
        ("\u{fffd}.in", "5 7\n"),
        ("\u{fffd}.ans", "12\n"),
    ]);
    let ran = repo.run(&["run", "there"]);
    assert!(ran.stdout.contains("2/2 accepted"), "{}", ran.all());
    let ran = repo.run(&["run", "there", "--case", "*c0*"]);
    assert!(ran.stdout.contains("1/1 accepted"), "{}", ran.all());
}

#[test]
fn a_source_is_judged_whose_name_is_not_utf_8() {
    let repo = with_gbk(&[("1.in", "1 2\n"), ("1.ans", "4\n")]);
    let from = repo.path("there/sum.rs");
    std::fs::rename(&from, from.with_file_name(gbk("@.rs"))).unwrap();
    let ran = repo.run(&["run", "there"]);
    assert!(ran.stdout.contains("got WA"), "{}", ran.all());
    assert_eq!(ran.status, 1, "{}", ran.all());
}

#[test]
fn a_package_names_cases_whose_names_are_not_utf_8() {
    let repo = with_gbk(&[
        ("problem.yaml", "name: sum\n"),
        ("data/secret/1.in", "1 2\n"),
        ("data/secret/1.ans", "3\n"),
        ("data/secret/@2.in", "5 7\n"),
        ("data/secret/@2.ans", "12\n"),
    ]);
    let ran = repo.run(&["run", "there"]);
    assert!(
        ran.stderr.contains("error: the name of there/data/secret/\u{fffd}d1\u{fffd}f9\u{fffd}c0\u{fffd}fd2.in is not valid UTF-8"),
        "{}",
        ran.all()
    );
    assert_eq!(ran.status, 2, "{}", ran.all());
}

#[test]
fn a_folder_given_as_cases_is_searched_as_if_the_solution_lay_in_it() {
    for place in ["secret", "data/secret", "tools/in out", "tests/a"] {
        let repo = Repo::new();
        let (input, answer) = match place.split_once(' ') {
            Some((inputs, answers)) => {
                (format!("w/{inputs}/1.txt"), format!("w/tools/{answers}/1.txt"))
            }
            None => (format!("w/{place}/1.in"), format!("w/{place}/1.ans")),
        };
        repo.file("a.rs", SUM).file(&input, "1 2\n").file(&answer, "3\n");
        repo.file("w/gen.rs", SUM).file("w/readme.md", "");
        let ran = repo.run(&["run", "a.rs", "--cases", "w"]);
        assert_eq!(ran.status, 0, "{place}: {}", ran.all());
        assert!(ran.stdout.contains("1/1 accepted"), "{place}: {}", ran.all());
    }
}

#[test]
fn the_files_that_a_source_names_are_a_pair_whatever_they_are_called() {
    let repo = Repo::new();
    let source = "data = open('U1.txt').read().split()\nopen('U1rez.txt', 'w').write(str(int(data[0]) + int(data[1])))\n";
    repo.file("p/main.py", source).file("p/U1.txt", "1 2\n").file("p/U1rez.txt", "3\n");
    let ran = repo.run(&["run", "p"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    repo.file("p/U1rez.txt", "4\n");
    assert_eq!(repo.run(&["run", "p"]).status, 1);
}

#[test]
fn solutions_outside_packages_are_judged_on_the_package_with_their_name() {
    let repo = Repo::new();
    for (id, answer) in [("A", "3\n"), ("B", "4\n")] {
        repo.file(&format!("questions/{id}/problem.yaml"), "name: P\n")
            .file(&format!("questions/{id}/data/secret/1.in"), "1 2\n")
            .file(&format!("questions/{id}/data/secret/1.ans"), answer)
            .file(&format!("solutions/{id}.rs"), SUM);
    }
    let ran = repo.run(&["run", "."]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert!(ran.stdout.contains("solutions/B.rs: got WA"), "{}", ran.all());
    assert_eq!(repo.run(&["run", "solutions/A.rs"]).status, 0);
}

#[test]
fn a_fault_beside_the_named_folder_is_not_told() {
    let repo = Repo::new();
    repo.file("x/p/a.rs", SUM)
        .file("x/p/1.in", "1 2\n")
        .file("x/p/1.out", "3\n")
        // Without cases, so rejudge looks for them in the folders around.
        .file("x/q/z.rs", SUM)
        .file("y/b.rs", SUM);
    std::os::unix::fs::symlink("nowhere", repo.path("y/1.in")).unwrap();
    let ran = repo.run(&["run", "x"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(!ran.stderr.contains("y/1.in"), "{}", ran.all());
    assert_eq!(repo.run(&["run", "."]).status, 2);
}

#[test]
fn a_solution_that_only_prints_is_judged_and_a_program_that_makes_inputs_is_not() {
    let repo = Repo::new();
    repo.file("p/right.py", "print(sum(map(int, input().split())))\n")
        .file("p/constant.py", "print(42)\n")
        .file("p/prepare.py", "open('2.in', 'w').write('5 7')\n")
        .file("p/1.in", "1 2\n")
        .file("p/1.out", "3\n");
    let ran = repo.run(&["run", "p"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert!(ran.stdout.contains("p/constant.py: got WA"), "{}", ran.all());
    assert!(ran.stderr.contains("helpers are not judged: p/prepare.py"), "{}", ran.all());
}
