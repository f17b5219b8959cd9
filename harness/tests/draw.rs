//! `rejudge draw`: which files of a visualizer it copies, and how it fails.

use std::fs;

use crate::support::{Ran, Repo};

/// Draws each number of the output, creates files that must not be copied, and fails on `bad`.
const VISUALIZER: &str = r#"
use std::fs;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [input, answer, folder] = args.as_slice() else { std::process::exit(1) };
    let input = fs::read_to_string(input).unwrap();
    let answer = fs::read_to_string(answer).unwrap();
    let output = std::io::read_to_string(std::io::stdin()).unwrap();
    if output.trim() == "bad" {
        eprintln!("cannot draw {}", output.trim());
        std::process::exit(43);
    }
    for (index, word) in output.split_whitespace().enumerate() {
        let text = format!("<svg>{} {} {word}</svg>", input.trim(), answer.trim());
        fs::write(format!("{folder}judgeimage-{index:03}.svg"), text).unwrap();
    }
    fs::write(format!("{folder}secret.txt"), "x").unwrap();
    std::os::unix::fs::symlink("/etc/hostname", format!("{folder}judgeimage-900.svg")).unwrap();
    std::process::exit(42);
}
"#;

fn repo() -> Repo {
    let repo = Repo::new();
    repo.problem(
        "count",
        "name: Count\nlimits:\n  time_limit: 2\n",
        &[
            ("sample/1", "2\n", "1 2\n"),
            ("secret/a/big", "3\n", "1 2 3\n"),
            ("secret/a/same", "1\n", "1\n"),
            ("secret/b/same", "1\n", "1\n"),
        ],
    );
    repo.file("cases/count/output_visualizer/show.rs", VISUALIZER)
        .file("solutions/count/count.rs", "fn main() { println!(\"9 8\") }\n")
        .file("solutions/count/wrong_answer/bad.rs", "fn main() { println!(\"bad\") }\n")
        .file("solutions/count/wrong_answer/none.rs", "fn main() {}\n")
        .file(
            "solutions/count/run_time_error/crash.rs",
            "fn main() { eprintln!(\"oh\\x1b no\"); std::process::exit(7) }\n",
        );
    repo
}

fn draw(repo: &Repo, args: &[&str]) -> Ran {
    let mut all = vec!["draw"];
    all.extend(args);
    repo.run(&all)
}

fn files(repo: &Repo, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(repo.path(folder)).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_answer_of_a_case_is_drawn() {
    let repo = repo();
    let names = ["count/secret/a/big", "count/big", "cases/count/data/secret/a/big.in"];
    for (index, name) in names.into_iter().enumerate() {
        let folder = format!("out/{index}");
        let drawn = draw(&repo, &[name, "-o", &folder]);
        assert_eq!(
            drawn.all(),
            format!(
                "count/secret/a/big: 3 images, shown in {folder}/index.html\n--- exit status 0"
            )
        );
        let expected =
            ["index.html", "judgeimage-000.svg", "judgeimage-001.svg", "judgeimage-002.svg"];
        assert_eq!(files(&repo, &folder), expected);
        let image = repo.read(&format!("{folder}/judgeimage-001.svg"));
        assert_eq!(image, "<svg>3 1 2 3 2</svg>");
        let page = repo.read(&format!("{folder}/index.html"));
        assert!(page.contains("<h1>count/secret/a/big</h1>"), "{page}");
        let list = "data-names=\"judgeimage-000.svg judgeimage-001.svg judgeimage-002.svg\"";
        assert!(page.contains(list), "{page}");
    }
}

#[test]
fn a_solutions_output_is_drawn_and_replaces_a_drawing_only_with_force() {
    let repo = repo();
    draw(&repo, &["count/big", "-o", "out"]);
    repo.file("out/notes.txt", "mine");
    let args = ["count/big", "--from", "solutions/count/count.rs", "-o", "out"];
    assert_eq!(
        draw(&repo, &args).all(),
        "--- standard error\nerror: `out` is not empty\n\
         help: choose another folder, or replace the drawing with `--force`\n--- exit status 2"
    );
    let mut forced = args.to_vec();
    forced.push("--force");
    assert_eq!(
        draw(&repo, &forced).all(),
        "count/secret/a/big: 2 images, shown in out/index.html\n--- exit status 0"
    );
    let expected = ["index.html", "judgeimage-000.svg", "judgeimage-001.svg", "notes.txt"];
    assert_eq!(files(&repo, "out"), expected);
    assert_eq!(repo.read("out/judgeimage-000.svg"), "<svg>3 1 2 3 9</svg>");
}

#[test]
fn a_missing_drawing_is_explained() {
    let repo = repo();
    repo.problem("plain", "name: Plain\n", &[("secret/1", "1\n", "1\n")]);
    repo.problem("two", "name: Two\n", &[("secret/1", "1\n", "1\n")]);
    repo.file("cases/two/output_visualizer/a.rs", "").file("cases/two/output_visualizer/b.rs", "");
    let from = |name: &'static str| vec!["count/sample/1", "--from", name];
    let table = [
        (
            vec!["count"],
            "`count` does not name a case\nhelp: write PROBLEM/CASE, for example `count/sample/1`",
        ),
        (
            vec!["cuont/1"],
            "no file, folder or problem is called `cuont`\nhelp: did you mean the problem `count`?",
        ),
        (
            vec!["count/bog"],
            "no case is called `bog` in `count`\nhelp: did you mean\n  secret/a/big",
        ),
        (
            vec!["count/zzzzz"],
            "no case is called `zzzzz` in `count`\nhelp: did you mean\n  sample/1\n  secret/a/big\n  \
             secret/a/same\n  secret/b/same",
        ),
        (
            vec!["count/same"],
            "more than one case is called `same` in `count`\nhelp: did you mean\n  \
             secret/a/same\n  secret/b/same",
        ),
        (
            vec!["plain/1"],
            "`cases/plain` has no output visualizer\n\
             help: add its source, a single file, to `cases/plain/output_visualizer/`",
        ),
        (vec!["two/1"], "an output visualizer must be a single source file: `a.rs`, `b.rs`"),
        (
            from("solutions/count/wrong_answer/bad.rs"),
            "the output visualizer failed: exit code 43, not 42\n  cannot draw bad",
        ),
        (
            from("solutions/count/wrong_answer/none.rs"),
            "the output visualizer created no image\n\
             help: it must write `judgeimage-NNN.svg` (or `.png`, `.jpg`) into the feedback folder",
        ),
        (
            from("solutions/count/run_time_error/crash.rs"),
            "`solutions/count/run_time_error/crash.rs` gets RTE on `sample/1`: exit code 7\n  \
               oh\\x1b no",
        ),
    ];
    for (mut args, expected) in table {
        args.extend(["-o", "out"]);
        let drawn = draw(&repo, &args);
        assert_eq!(
            drawn.all(),
            format!("--- standard error\nerror: {expected}\n--- exit status 2"),
            "{args:?}"
        );
        assert!(!repo.path("out").exists());
    }
}

#[test]
fn a_case_is_created_on_demand_and_rejected_with_another_checksum() {
    let repo = repo();
    let generator = "fn main() { println!(\"{}\", \"1 \".repeat(2_500_000)) }\n";
    repo.file("cases/count/generators/many.rs", generator).file(
        "cases/count/generators/generators.yaml",
        "data:\n  secret:\n    data:\n      many: {generate: many.rs, ans: '4 4'}\n",
    );
    let cache = repo.path("cache");
    let run = |args: &[&str]| repo.finish(repo.command(args).env("REJUDGE_CACHE_DIR", &cache));
    assert_eq!(run(&["generate", "--case", "many"]).status, 0);
    let visualizer = VISUALIZER.replace("input.trim(), answer", "input.len(), answer");
    repo.file("cases/count/output_visualizer/show.rs", visualizer);
    fs::remove_dir_all(cache.join("cases")).unwrap();
    let drawn = run(&["draw", "count/many", "-o", "out"]);
    assert_eq!(
        drawn.all(),
        "count/secret/many: 2 images, shown in out/index.html\n--- exit status 0"
    );
    assert_eq!(repo.read("out/judgeimage-000.svg"), "<svg>5000001 4 4 4</svg>");
    assert_eq!(fs::read_dir(cache.join("cases")).unwrap().count(), 2);

    fs::remove_dir_all(cache.join("cases")).unwrap();
    repo.file("cases/count/generators/many.rs", generator.replace("\"1 \"", "\"2 \""));
    let drawn = run(&["draw", "count/many", "-o", "other"]);
    assert_eq!(
        drawn.all(),
        "--- standard error
error: `secret/many`: the generated case does not match its checksums in generators/large.toml
help: run `rejudge generate --check` to compare, or `rejudge generate` to accept the new case
--- exit status 2"
    );
    assert!(!cache.join("cases").exists());
}

#[test]
fn the_solution_and_the_visualizer_get_the_arguments_and_the_files_of_the_case() {
    let repo = Repo::new();
    repo.problem("count", "name: Count\n", &[("sample/1", "2\n", "1\n")]);
    repo.file("cases/count/data/sample/1.yaml", "args: [seven]\noutput_visualizer_args: [red]\n")
        .file("cases/count/data/sample/1.files/more", "lines\n")
        .file(
            "cases/count/output_visualizer/show.sh",
            "echo \"$4 $(cat)\" > \"$3judgeimage-1.svg\"; exit 42\n",
        )
        .file("solutions/count/count.sh", "echo \"$1 $(cat more)\"\n");
    let args = ["count/1", "--from", "solutions/count/count.sh", "-o", "drawing"];
    let ran = draw(&repo, &args);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_eq!(repo.read("drawing/judgeimage-1.svg"), "red seven lines\n");
}
