//! What people type wrong, and what they are told to type.

use crate::support::Repo;

/// A folder with a solution and two cases, and a package with an answer of the wrong name.
fn folder() -> Repo {
    let repo = Repo::new();
    for name in ["hw/tests/01", "hw/tests/02"] {
        repo.file(&format!("{name}.in"), "2\n").file(&format!("{name}.out"), "6\n");
    }
    repo.file("hw/triple.py", "print(3 * int(input()))\n")
        .file("pack/problem.yaml", "problem_format_version: 2023-07-draft\nname: P\n")
        .file("pack/data/secret/small.in", "2\n")
        .file("pack/data/secret/small.out", "6\n")
        .file("pack/submissions/accepted/a.py", "print(3 * int(input()))\n");
    repo
}

#[test]
fn mistakes_are_told_once_with_what_to_type() {
    let repo = folder();
    let table: [(&[&str], u8, &str); 10] = [
        (
            &["hw/triple.py", "--cases", "hw/test"],
            2,
            "error: hw/test does not exist\nhelp: did you mean `hw/tests`?\n",
        ),
        (
            &["hw", "--case", "1"],
            4,
            "warning: no case matches `--case 1`\nhelp: did you mean `01`?\n",
        ),
        (
            &["hw", "--case", "02.in"],
            4,
            "warning: no case matches `--case 02.in`\nhelp: did you mean `02`?\n",
        ),
        (
            &["hw", "--case", "worst"],
            4,
            "warning: no case matches `--case worst`\nhelp: the cases are `01`, `02`\n",
        ),
        (
            &["pack"],
            2,
            "error: pack/data/secret/small.in has no .ans file\n\
             help: rename pack/data/secret/small.out to pack/data/secret/small.ans\n",
        ),
        (
            &["answer", "hw"],
            2,
            "error: a solution is missing: its output becomes the answers\n\
             help: name it: `rejudge answer hw --from hw/triple.py`\n",
        ),
        (
            &["answer", "pack"],
            2,
            "error: a solution is missing: its output becomes the answers\n\
             help: name it: `rejudge answer pack --from pack/submissions/accepted/a.py`\n",
        ),
        (
            &["case", "add", "hw"],
            2,
            "error: the input is empty\n\
             help: type it, pipe it in, or name its file: `--input FILE` accepts an empty one, too\n",
        ),
        (
            &["hw", "--html", "none/page.html"],
            2,
            "error: `--html none/page.html`: there is no folder `none`\nhelp: create it: `mkdir -p none`\n",
        ),
        (
            &["bench", "hw", "--against", "main"],
            4,
            "error: `main` is neither a path nor a revision\n  caused by: `",
        ),
    ];
    for (args, status, expected) in table {
        let ran = repo.run(args);
        assert_eq!(i32::from(status), ran.status, "{args:?}: {}", ran.all());
        assert!(ran.stderr.starts_with(expected), "{args:?}: {}", ran.stderr);
        assert_eq!(ran.stdout, "", "{args:?}");
    }
}

#[test]
fn a_folder_with_named_cases_means_the_solutions_below_it() {
    let repo = folder();
    for args in [&["--cases", "hw/tests"][..], &[".", "--cases", "hw/tests"]] {
        let ran = repo.run(args);
        assert_eq!(ran.status, 0, "{}", ran.all());
        assert!(ran.stdout.contains("2 solutions: 2 as expected (4 cases in"), "{}", ran.stdout);
    }
    let ran = repo.run(&["pack/data", "--cases", "hw/tests"]);
    assert_eq!(
        (ran.status, ran.stderr.matches("has no solutions").count()),
        (2, 1),
        "{}",
        ran.all()
    );
}

#[test]
fn too_few_sizes_show_how_to_generate_more() {
    let ran = folder().run(&["scale", "hw/triple.py"]);
    let line = "help: generate more sizes: `rejudge scale hw/triple.py --sizes 1e2..1e5 --generator 'python3 gen.py {n}'`";
    assert!(ran.stderr.contains(line), "{}", ran.all());
}

#[test]
fn a_generator_may_be_named_with_its_interpreter() {
    let repo = folder();
    repo.file("gen.py", "import sys\nprint(sys.argv[1])\n");
    repo.file("slow.py", "n = int(input())\nprint(n + n + n)\n");
    let named = ["--generator", "python3 gen.py {n}", "--sizes", "1e2..1e3", "--points", "6"];
    let ran = repo.run(&[&["scale", "hw/triple.py", "--runs", "1"], &named[..]].concat());
    assert!(ran.stdout.starts_with("hw/triple.py"), "{}", ran.all());
    let brute = ["--against", "slow.py", "--rounds", "2"];
    let to = |command: &'static str| {
        repo.run(&[&["stress", "hw/triple.py", "--generator", command], &brute[..]].concat())
    };
    let ran = to("python3 gen.py {seed}");
    assert_eq!(ran.status, 0, "{}", ran.all());
    let lost = "error: `--generator 'python3 none.py {seed}'`: no such file: `none.py`\n";
    let ran = to("python3 none.py {seed}");
    assert!(ran.stderr.starts_with(lost), "{}", ran.all());
}

#[test]
fn that_there_is_no_solution_is_said_once() {
    let repo = Repo::new();
    repo.problem("lone", "name: Lone\n", &[("secret/1", "1\n", "1\n")]);
    let ran = repo.run(&["run", "lone"]);
    let told = "error: there is no solution of `lone`\nhelp: write one to `solutions/lone/`\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, told));
}
