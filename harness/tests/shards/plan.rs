//! The digest of the plan changes with everything that decides a verdict, and with nothing else.

use std::path::PathBuf;

use serde_json::Value;

use super::shard;
use crate::support::{Repo, does};

/// The digest of the plan. The shard has no submission to judge, so nothing is compiled.
fn digest(repo: &Repo, args: &[&str]) -> String {
    let ran = shard(repo, 99, 99, args);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let report = repo.read("99.jsonl");
    let start: Value = serde_json::from_str(report.lines().next().unwrap()).unwrap();
    start["shard"]["plan"].as_str().unwrap().to_owned()
}

/// Changes each file in turn: the digest must change if `counts`, and then the reports do not fit together.
fn with_changes(repo: &Repo, args: &[&str], table: &[(&str, bool)]) {
    let before = digest(repo, args);
    repo.file("before.jsonl", repo.read("99.jsonl"));
    for (file, counts) in table {
        let path: PathBuf = repo.path(file);
        let old = std::fs::read(&path).unwrap();
        repo.file(file, [old.as_slice(), b" "].concat());
        assert_eq!(digest(repo, args) != before, *counts, "{file}");
        let ran = repo.run(&["merge", "before.jsonl", "99.jsonl"]);
        let foreign = "`99.jsonl` does not belong to the run of `before.jsonl`";
        assert_eq!(ran.stderr.contains(foreign), *counts, "{}", ran.all());
        assert_eq!(ran.status, 2, "shards are missing in any case");
        std::fs::write(path, old).unwrap();
        assert_eq!(digest(repo, args), before, "{file}");
    }
}

#[test]
fn files_outside_the_folder_of_a_checker_count_if_it_includes_them() {
    let repo = Repo::new();
    let checker = "#include \"testlib.h\"\nint main(int argc, char** argv) { registerTestlibCmd(argc, argv); }\n";
    repo.file("p/problem.yaml", "name: P\nlimits: {time_limit: 1}\nvalidation: custom\n")
        .file("p/data/secret/1.in", "1\n")
        .file("p/data/secret/1.ans", "1\n")
        .file("p/output_validators/check/check.cpp", checker)
        .file("p/include/testlib.h", "// the first\n")
        .file("p/files/other.h", "// not included\n")
        .file("p/submissions/accepted/a.cpp", "int main() {}\n")
        .file("p/problem_statement/problem.en.tex", "Text\n");
    with_changes(
        &repo,
        &["p"],
        &[
            ("p/output_validators/check/check.cpp", true),
            ("p/include/testlib.h", true),
            ("p/submissions/accepted/a.cpp", true),
            ("p/data/secret/1.in", true),
            ("p/data/secret/1.ans", true),
            ("p/files/other.h", false),
            ("p/problem_statement/problem.en.tex", false),
        ],
    );
}

#[test]
fn headers_that_programs_include_by_their_paths_count() {
    let repo = Repo::new();
    let solution = "#include \"../common/x.h\"\nint main() { return ZERO; }\n";
    repo.file("p/config.yml", "title: P\ntime_limit: 1000\n")
        .file("p/prog/p.cpp", solution)
        .file("p/prog/pchk.cpp", "#include \"../common/y.h\"\nint main() {}\n")
        .file("p/common/x.h", "#define ZERO 0\n")
        .file("p/common/y.h", "#include \"z.h\"\n")
        .file("p/common/z.h", "\n")
        .file("p/common/other.h", "\n")
        .file("p/in/p0.in", "1\n")
        .file("p/out/p0.out", "1\n");
    with_changes(
        &repo,
        &["p"],
        &[
            ("p/prog/p.cpp", true),
            ("p/prog/pchk.cpp", true),
            ("p/common/x.h", true),
            ("p/common/y.h", true),
            ("p/common/z.h", true),
            ("p/common/other.h", false),
        ],
    );
}

#[test]
fn the_library_and_the_settings_of_the_repository_count() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.cpp", "#include \"lib.h\"\nint main() {}\n")
        .file("solutions/sum/b.rs", does(""))
        .file("library/lib.h", "int x;\n")
        .file("notes.txt", "text\n")
        .file("rejudge.toml", "include = [\"library\"]\n");
    with_changes(
        &repo,
        &[],
        &[
            ("library/lib.h", true),
            ("solutions/sum/b.rs", true),
            ("notes.txt", false),
            // Only a space.
            ("rejudge.toml", false),
        ],
    );
    let before = digest(&repo, &[]);
    repo.file("rejudge.toml", "include = [\"library\"]\n[languages.cpp]\ntime_factor = 2\n");
    assert_ne!(digest(&repo, &[]), before);
}

/// The cache holds what is read from archives or generated, and it has another path on each machine.
#[test]
fn the_folder_of_the_cache_does_not_count() {
    let repo = Repo::new();
    repo.file(
        "cases/p/init.yml",
        "checker: {name: check.py}\ntest_cases:\n- {in: a.in, out: a.out}\n",
    )
    .file("cases/p/check.py", "def check(output, answer, **_):\n    return True\n")
    .file("cases/p/a.in", "1\n")
    .file("cases/p/a.out", "1\n")
    .file("solutions/p/a.sh", "cat\n");
    let caches = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let plans = caches.each_ref().map(|cache| {
        let mut command = repo.command(&["run", "--shard", "99/99", "--json", "-"]);
        let ran = command.env("REJUDGE_CACHE_DIR", cache.path()).output().unwrap();
        let report = String::from_utf8(ran.stdout).unwrap();
        let start: Value = serde_json::from_str(report.lines().next().unwrap()).unwrap();
        start["shard"]["plan"].as_str().unwrap().to_owned()
    });
    assert_eq!(plans[0], plans[1]);
}
