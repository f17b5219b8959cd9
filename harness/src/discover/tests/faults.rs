//! Faults that prevent judging, and ignored files: the exact message of each.

use super::*;
use crate::problem::TestCase;

#[test]
fn one_broken_problem_does_not_hide_the_others() {
    let tree = sound_and(&[
        ("cases/b/problem.yaml", "limits: [\n"),
        ("cases/b/data/secret/1.in", ""),
        ("cases/c/data/secret/1.ans", ""),
        ("cases/c/problem.yaml", "limits:\n  memory: 0\n"),
        ("solutions/b/b.rs", "x"),
    ]);
    let found = tree.find(&[]);
    assert_eq!(found.problems.len(), 1);
    assert_eq!(submissions(&found), ["solutions/a/a.rs"]);
    let errors = texts(&found.errors).join("\n");
    assert_eq!(found.errors.len(), 4, "{errors}");
    for part in [
        "cases/b/problem.yaml:1:9: not valid YAML: unclosed bracket '['\n",
        "cases/b/data/secret/1.in has no .ans file\nhelp: write it with `rejudge answer b --from SOLUTION`",
        "cases/c/problem.yaml:2:11: `limits.memory` must be greater than zero, got `0`",
        "cases/c/data/secret/1.ans has no .in file",
    ] {
        assert!(errors.contains(part), "{part} not in:\n{errors}");
    }
}

/// Files to add to [`SOUND`], and the expected messages.
type Row = (&'static [(&'static str, &'static str)], &'static [&'static str]);

const FAULTS: [Row; 11] = [
    (
        &[("solutions/a/wrong-answer/w.rs", "x")],
        &[
            "solutions/a/wrong-answer is not named after a verdict\nhelp: did you mean `wrong_answer`?",
        ],
    ),
    (
        &[("solutions/a/dir.rs/x", "x")],
        &[
            "solutions/a/dir.rs is not named after a verdict\nhelp: use one of `accepted`, `slow_accepted`, `wrong_answer`, `time_limit_exceeded`, `run_time_error`, `memory_limit_exceeded`, `output_limit_exceeded`, `compile_error`, `brute_force`, `rejected`, `partially_accepted`",
        ],
    ),
    (
        &[("solutions/a/accepted/many/x.rs", "x"), ("solutions/a/accepted/many/x.py", "x")],
        &[
            "solutions/a/accepted/many has sources in python3 and rust\nhelp: set its language in `submissions.yaml`: `language: ...`",
        ],
    ),
    (
        &[("solutions/a/b.rs", "\u{7f}ELF\0")],
        &[
            "solutions/a/b.rs is a binary file, not a source\nhelp: replace it with the source; remove compiled programs",
        ],
    ),
    (
        &[("solutions/a/b.rs", "\n// @expected_results@: WRONG\n// @EXPECTED_RESULTS@: NO")],
        &[
            "solutions/a/b.rs:3:1: `@EXPECTED_RESULTS@` is already in line 2\nhelp: write it as `@EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT`",
        ],
    ),
    (
        &[("solutions/lost/b.rs", "x"), ("cases/last/1.in", ""), ("cases/last/1.out", "")],
        &["cases/lost does not exist\nhelp: did you mean the problem `last`?"],
    ),
    (
        &[("solutions/b.rs", "x")],
        &["solutions/b.rs does not belong to a problem\nhelp: move it to `solutions/PROBLEM/`"],
    ),
    (
        &[("cases/b/readme.md", "x")],
        &[
            "cases/b has no test cases\nhelp: add `NAME.in` with `NAME.ans` (or `NAME.out`), or `problem.yaml` with `data/`",
        ],
    ),
    (
        &[("cases/b/problem.yaml", "")],
        &["cases/b has no test cases\nhelp: add `NAME.in` and `NAME.ans` to cases/b/data/secret"],
    ),
    (
        &[("cases/b/1.in", ""), ("cases/b/1.out", ""), ("cases/b/1.ans", "")],
        &["cases/b/1.ans and cases/b/1.out both exist\nhelp: keep the answer to cases/b/1.in"],
    ),
    (
        &[("cases/a/data/secret/test_group.yaml", "output_validator_args: [case_sensitiv]\n")],
        &[
            "cases/a/data/secret/test_group.yaml:1:24: `output_validator_args`: unknown flag `case_sensitiv`\nhelp: the default output validator knows `case_sensitive`, `space_change_sensitive`, `float_tolerance E`, `float_absolute_tolerance E` and `float_relative_tolerance E`",
        ],
    ),
];

#[test]
fn every_fault_of_a_repository_is_named() {
    for (files, errors) in FAULTS {
        let found = sound_and(files).find(&[]);
        assert_eq!(texts(&found.errors), errors);
    }
}

#[test]
fn ignored_files_get_a_warning() {
    const KNOWN: &str = "\nhelp: `rejudge languages` lists the known languages; add others under `[languages.NAME]` in `rejudge.toml`";
    let table: [Row; 5] = [
        (
            &[("cases/b/1.in", ""), ("solutions/b/b.rs", "x")],
            &[
                "cases/b/1.in has no answer; it is only run\nhelp: write the answer to cases/b/1.ans",
            ],
        ),
        (&[("cases/b/1.in", ""), ("cases/b/1.out", "")], &["cases/b has no solutions"]),
        (
            &[
                ("cases/a/data/secret/a b.in", ""),
                ("solutions/a/.hidden.rs", ""),
                ("solutions/a/a.rs~", ""),
            ],
            &[
                "cases/a/data/secret/a b.in is not a valid name of a case; it is ignored\nhelp: use letters, digits, `_`, `.` and `-`; start with a letter, digit or `_`",
            ],
        ),
        (
            &[
                ("cases/b/test/1.in", ""),
                ("cases/b/test/1.out", ""),
                ("cases/b/test/2.out", ""),
                ("solutions/b/b.rs", "x"),
            ],
            &[
                "cases/b/test/2.out has no input; it is ignored\nhelp: write the input to cases/b/test/2.in",
            ],
        ),
        (
            &[("cases/a/problem.yaml", "nam: A\nlimits: {time_limt: 2}\n")],
            &[
                "cases/a/problem.yaml:1:1: unknown key `nam`; it is ignored\nhelp: did you mean `name`?",
                "cases/a/problem.yaml:2:10: unknown key `limits.time_limt`; it is ignored\nhelp: did you mean `limits.time_limit`?",
            ],
        ),
    ];
    for (files, warnings) in table {
        let found = sound_and(files).find(&[]);
        assert_eq!(texts(&found.errors), Vec::<String>::new());
        assert_eq!(texts(&found.warnings), warnings);
    }
    let found =
        sound_and(&[("solutions/a/notes.xyz", "x"), ("solutions/a/Makefile", "x")]).find(&[]);
    assert_eq!(
        texts(&found.warnings),
        [format!(
            "2 files are not in a known language (`.xyz`, no extension); they are ignored: solutions/a/Makefile, \
             solutions/a/notes.xyz{KNOWN}"
        )]
    );
}

#[test]
fn a_path_that_names_nothing_is_an_error() {
    let tree = sound_and(&[
        ("cases/klotski/1.in", ""),
        ("cases/klotski/1.out", ""),
        ("x/y.rs", "x"),
        ("x/n.foo", "x"),
    ]);
    let table: [(&[&str], Option<&str>, &str); 4] = [
        (
            &["klotsky"],
            None,
            "no file, folder or problem is called `klotsky`\nhelp: did you mean the problem `klotski`?",
        ),
        (
            &["x/z.rs"],
            None,
            "no file, folder or problem is called `x/z.rs`\nhelp: did you mean `x/y.rs`?",
        ),
        (
            &["x/y.rs"],
            None,
            "no test cases for x/y.rs\nhelp: add `NAME.in` and `NAME.ans` next to it in x, name the folder of the cases: `--cases DIR`, or run it on standard input: `rejudge exec x/y.rs`",
        ),
        (
            &["x"],
            None,
            "x has 1 source (rust 1), but no test cases\nhelp: add `NAME.in` with `NAME.ans` next to a source, or name the folder of the \
             cases: `--cases DIR`; to run a solution on standard input: `rejudge exec x/y.rs`",
        ),
    ];
    for (paths, cases, error) in table {
        assert_eq!(texts(&tree.find_with(paths, cases).errors), [error]);
    }
    // Whatever is named is judged: a caller gets a result for each program.
    let found = tree.find_with(&["x/n.foo"], Some("cases/klotski"));
    assert_eq!((texts(&found.errors), found.submissions.len()), (Vec::new(), 1));
    assert_eq!(found.submissions[0].language, "unknown");
    let empty = Tree::new(&[]);
    assert_eq!(empty.find(&[]).errors.len(), 1);
}

#[test]
fn circular_links_are_reported_and_not_followed() {
    let tree = sound_and(&[]);
    let secret = tree.root().join("cases/a/data/secret");
    std::os::unix::fs::symlink(&secret, secret.join("again")).unwrap();
    let found = tree.find(&[]);
    assert_eq!(
        texts(&found.errors),
        [
            "cases/a/data/secret/again is a symbolic link that leads back to cases/a/data/secret\nhelp: remove the link, or point it elsewhere"
        ]
    );
}

#[test]
fn a_link_that_leads_out_of_a_plain_folder_is_named_and_not_read() {
    let outside = Tree::new(&[("1.in", "secret"), ("1.out", "secret"), ("a.py", "print(1)")]);
    let link = |from: &Path, to: &Path| std::os::unix::fs::symlink(from, to).unwrap();
    let told = |name: &str| {
        format!(
            "{name} is a symbolic link that leads out of the folder; it is not read\n\
             help: replace it with a copy, or name on the command line what it leads to"
        )
    };
    let own = &[("p/a.py", "print(1)"), ("p/2.in", ""), ("p/2.out", "")];
    for (name, target) in [("p/1.in", "1.in"), ("p/b.py", "a.py"), ("p/tests", "")] {
        let tree = Tree::new(own);
        link(&outside.root().join(target), &tree.root().join(name));
        if name == "p/1.in" {
            tree.add("p/1.out", "1");
        }
        for paths in [&[][..], &["p"]] {
            let found = tree.find(paths);
            assert!(
                texts(&found.errors).contains(&told(name)),
                "{name}: {:?}",
                texts(&found.errors)
            );
            let sources: Vec<_> = found.submissions.iter().map(|one| &one.name).collect();
            assert_eq!(sources, ["p/a.py"], "{name}");
            assert_eq!(found.problems[0].cases.len(), 1, "{name}");
        }
    }
    // Nothing else is there, so the folder is read in another way.
    for (name, target) in [("p/1.in", "1.in"), ("p/a.py", "a.py"), ("p/a-1.in", "1.in")] {
        let tree = Tree::new(&[]);
        for (file, text) in [("p/1.in", "1"), ("p/1.ans", "1"), ("p/a.py", "print(1)")] {
            let is_replaced = name == file || (name == "p/a-1.in" && file == "p/1.in");
            if !is_replaced {
                tree.add(file, text);
            }
        }
        link(&outside.root().join(target), &tree.root().join(name));
        for paths in [&[][..], &["p"]] {
            let found = tree.find(paths);
            let named = texts(&found.errors).iter().filter(|text| **text == told(name)).count();
            assert_eq!(named, 1, "{name}: {:?}", texts(&found.errors));
            let inputs: Vec<_> =
                found.problems.iter().flat_map(|one| &one.cases).map(TestCase::input).collect();
            assert!(inputs.iter().all(|path| !path.is_symlink()), "{inputs:?}");
            let sources = found.submissions.iter().map(|one| &one.path);
            assert!(
                sources.clone().all(|path| !path.is_symlink()),
                "{:?}",
                sources.collect::<Vec<_>>()
            );
        }
    }
    // The settings of a package could show a text of the user's, too.
    let tree = Tree::new(&[("p/data/secret/1.in", "1"), ("p/data/secret/1.ans", "1")]);
    link(&outside.root().join("1.in"), &tree.root().join("p/problem.yaml"));
    let errors = tree.find(&["p"]).errors;
    assert!(texts(&errors).contains(&told("p/problem.yaml")), "{:?}", texts(&errors));
    // Inside, in the same repository, or named.
    let tree = Tree::new(own);
    tree.add("q/one", "");
    tree.add("q/two", "");
    for (from, to) in [("q/one", "p/1.in"), ("q/two", "p/1.out")] {
        link(&tree.root().join(from), &tree.root().join(to));
    }
    assert_eq!(tree.find(&[]).errors, []);
    assert!(!tree.find(&["p"]).errors.is_empty());
    fs::create_dir(tree.root().join(".git")).unwrap();
    let found = tree.find(&["p"]);
    assert_eq!((found.errors.len(), found.problems[0].cases.len()), (0, 2));
    let tree = Tree::new(&own[1..]);
    link(&outside.root().join("a.py"), &tree.root().join("p/b.py"));
    let found = tree.find(&["p/b.py"]);
    assert_eq!(texts(&found.errors), [""; 0]);
    assert_eq!(found.submissions.len(), 1);
}
