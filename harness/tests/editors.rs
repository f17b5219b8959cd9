//! The files for editors read what rejudge prints.

use std::process::Command;

use serde_json::Value;

use crate::support::Repo;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../editors");

/// What rejudge prints about solutions that fail in every way, and about a file with an error.
fn printed() -> (Repo, String) {
    let repo = Repo::new();
    repo.problem("sum", "name: Sum\nlimits: {time_limit: 5}\n", &[("secret/1", "1 2\n", "3\n")])
        .file("solutions/sum/broken.cpp", "int main() { return x; }\n")
        .file("solutions/sum/raise.py", "import sys\nraise ValueError(5)\n")
        .file("solutions/sum/wrong.py", "print(5)\n")
        .file("solutions/sum/right.py", "print(3)\n")
        .file("cases/p/problem.yaml", "name: [\n");
    let judged = repo.run(&["run", "solutions/sum"]);
    assert_eq!(judged.status, 1, "{}", judged.stderr);
    let broken = repo.run(&["verify", "p"]);
    assert_eq!(broken.status, 2, "{}", broken.stderr);
    (repo, format!("{}\n{}", judged.stdout, broken.stdout))
}

/// The places that an editor must show: file, line, column, and a part of the message.
const PLACES: [(&str, u64, u64, &str); 5] = [
    ("solutions/sum/broken.cpp", 0, 0, "got CE, expected AC"),
    ("solutions/sum/broken.cpp", 1, 21, "not declared"),
    ("solutions/sum/raise.py", 0, 0, "got RTE, expected AC"),
    ("solutions/sum/wrong.py", 0, 0, "got WA, expected AC"),
    ("cases/p/problem.yaml", 1, 7, "not valid YAML"),
];

#[test]
fn neovim_lists_every_place() {
    if ["nvim", "g++", "python3"].into_iter().any(crate::support::lacks) {
        return;
    }
    let (repo, printed) = printed();
    repo.file("printed.txt", printed).file(
        "list.vim",
        "compiler rejudge\ncgetfile printed.txt\n\
         let places = map(getqflist(), {_, one -> [bufname(one.bufnr), one.lnum, one.col, one.text]})\n\
         call writefile([json_encode(places)], 'places.json')\nqall!\n",
    );
    let mut nvim = Command::new("nvim");
    nvim.args(["--headless", "-u", "NONE", "-i", "NONE", "--cmd"])
        .arg(format!("set runtimepath+={FOLDER}/vim"))
        .args(["-S", "list.vim"]);
    let ran = nvim.current_dir(repo.path(".")).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let places: Value = serde_json::from_str(&repo.read("places.json")).unwrap();
    let mut found: Vec<(String, u64, u64, String)> = Vec::new();
    for place in places.as_array().unwrap() {
        let text = |index: usize| place[index].as_str().unwrap().to_owned();
        let number = |index: usize| place[index].as_u64().unwrap();
        found.push((text(0), number(1), number(2), text(3)));
    }
    // The place in the traceback has no message.
    let traceback = ("solutions/sum/raise.py".to_owned(), 2, 0, String::new());
    assert!(found.contains(&traceback), "{found:?}");
    assert_eq!(found.len(), PLACES.len() + 1, "{found:?}");
    for (file, line, column, message) in PLACES {
        let is_it = |(f, l, c, m): &&(String, u64, u64, String)| {
            f == file && *l == line && *c == column && m.contains(message)
        };
        assert!(found.iter().any(|one| is_it(&one)), "{file}: {found:?}");
    }
}

#[test]
fn the_problem_matcher_finds_every_place() {
    if ["g++", "python3"].into_iter().any(crate::support::lacks) {
        return;
    }
    let (_repo, printed) = printed();
    let text = std::fs::read_to_string(format!("{FOLDER}/problem-matcher.json")).unwrap();
    let matchers: Value = serde_json::from_str(&text).unwrap();
    let mut found = Vec::new();
    for matcher in matchers["problemMatcher"].as_array().unwrap() {
        let pattern = &matcher["pattern"][0];
        let regex = fancy_regex::Regex::new(pattern["regexp"].as_str().unwrap()).unwrap();
        for line in printed.lines() {
            let Some(groups) = regex.captures(line).unwrap() else {
                continue;
            };
            let group = |key: &str| {
                let index = usize::try_from(pattern[key].as_u64()?).unwrap();
                Some(groups.get(index)?.as_str().to_owned())
            };
            let number = |key: &str| group(key).map_or(0, |text| text.parse::<u64>().unwrap());
            let severity = group("severity");
            assert!(severity.is_none_or(|one| one == "error" || one == "warning"));
            found.push((
                group("file").unwrap(),
                number("line"),
                number("column"),
                group("message").unwrap(),
            ));
        }
    }
    assert_eq!(found.len(), PLACES.len(), "{found:?}");
    for (file, line, column, message) in PLACES {
        let is_it = |(f, l, c, m): &&(String, u64, u64, String)| {
            f == file && *l == line && *c == column && m.contains(message)
        };
        assert!(found.iter().any(|one| is_it(&one)), "{file}: {found:?}");
    }
}

#[test]
fn the_guide_shows_the_pattern_of_the_problem_matcher() {
    let text = std::fs::read_to_string(format!("{FOLDER}/problem-matcher.json")).unwrap();
    let matchers: Value = serde_json::from_str(&text).unwrap();
    let pattern = &matchers["problemMatcher"][0]["pattern"][0]["regexp"];
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/guide/src/editors.md");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains(&pattern.to_string()), "{pattern}");
}
