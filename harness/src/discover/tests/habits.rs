//! The ways in which people keep solutions and cases. Each habit is a small tree with a trap, and
//! the table of the cases that each source is judged on: at the root, in each folder, and by name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::*;

mod agree;
mod doubts;
mod places;
mod sides;
mod structure;
mod texts;

/// A tree, and what belongs to what.
pub(super) struct Habit {
    pub(super) name: &'static str,
    /// Paths; `~` is a blank. A source may open files: `a.py@x.in,y.in`; `a.c@-` has no `main`.
    pub(super) files: &'static str,
    /// For each source that is judged: `SOURCE: INPUT=ANSWER …`. An input without `=` is only run.
    pub(super) judged: &'static [&'static str],
    /// Texts that warnings or errors must contain.
    pub(super) told: &'static [&'static str],
}

type Judged = BTreeMap<String, BTreeSet<String>>;

fn judged(root: &Path, found: &Found) -> Judged {
    let below = |path: &Path| path.strip_prefix(root).unwrap().display().to_string();
    let mut judged = Judged::new();
    for submission in &found.submissions {
        let mut problems = found.problems.iter();
        let problem = problems.find(|one| one.id == submission.problem).unwrap();
        let cases = problem.cases.iter().map(|case| {
            let input = below(&case.input());
            match case.answer() {
                Some(answer) => format!("{input}={}", below(&answer)),
                None => input,
            }
        });
        let known = judged.insert(below(&submission.path), cases.collect());
        assert_eq!(known, None, "{} is judged twice", submission.name);
    }
    judged
}

fn expected(habit: &Habit) -> Judged {
    let line = |line: &&str| {
        let (source, cases) = line.split_once(": ").unwrap();
        let cases = cases.split_whitespace().map(str::to_owned).collect();
        (source.to_owned(), cases)
    };
    habit.judged.iter().map(line).collect()
}

fn check(habit: &Habit) {
    let name = habit.name;
    let tree = Tree::new(&[]);
    for path in habit.files.split_whitespace() {
        let (path, opened) = path.split_once('@').unwrap_or((path, path));
        let path = &path.replace('~', " ");
        let text = match opened {
            "-" => "int part();".to_owned(),
            _ => format!("main: read(open(\"{}\"))", opened.replace(',', "\"), open(\"")),
        };
        let is_yaml = Path::new(path).extension().is_some_and(|end| end == "yaml");
        tree.add(path, if is_yaml { "name: P\n" } else { &text });
    }
    let root = tree.root();
    let whole = expected(habit);
    let found = tree.find(&[]);
    let told = [texts(&found.errors), texts(&found.warnings)].concat().join("\n");
    assert_eq!(judged(root, &found), whole, "{name}, at the root\n{told}");
    for text in habit.told {
        assert!(told.contains(text), "{name}: `{text}` is not in\n{told}");
    }
    // Every folder of sources, and every source.
    let mut folders = BTreeSet::new();
    for source in whole.keys() {
        folders.extend(Path::new(source).ancestors().skip(1).filter(|dir| *dir != Path::new("")));
        let found = tree.find(&[source]);
        let one = judged(root, &found);
        let wanted: Judged = [(source.clone(), whole[source].clone())].into();
        assert_eq!(one, wanted, "{name}, {source}\n{}", texts(&found.errors).join("\n"));
    }
    for folder in folders {
        let found = tree.find(&[folder.to_str().unwrap()]);
        let part = judged(root, &found);
        let wanted = whole.iter().filter(|(source, _)| Path::new(source).starts_with(folder));
        let wanted: Judged = wanted.map(|(a, b)| (a.clone(), b.clone())).collect();
        assert_eq!(part, wanted, "{name}, {}", folder.display());
    }
}

#[test]
fn every_habit_is_understood_at_the_root_and_in_each_folder() {
    let habits: Vec<&Habit> = sides::HABITS
        .iter()
        .chain(&places::HABITS)
        .chain(&structure::HABITS)
        .chain(&texts::HABITS)
        .chain(&agree::HABITS)
        .chain(&doubts::HABITS)
        .collect();
    assert!(habits.len() >= 40, "{}", habits.len());
    habits.into_iter().for_each(check);
}

#[test]
fn a_source_that_is_named_is_judged_where_all_together_are_unclear() {
    let tree = Tree::new(&[]);
    for path in ["p/a.py", "p/b.py", "p/c.cpp", "p/tests/1.in", "p/tests/1.out"] {
        tree.add(path, path);
    }
    let all = tree.find(&["p"]);
    assert!(all.submissions.is_empty());
    assert!(texts(&all.warnings).concat().contains("sources of different problems"));
    for source in ["p/a.py", "p/b.py", "p/c.cpp"] {
        let found = tree.find(&[source]);
        let wanted: Judged =
            [(source.to_owned(), ["p/tests/1.in=p/tests/1.out".to_owned()].into())].into();
        assert_eq!(judged(tree.root(), &found), wanted, "{:?}", texts(&found.errors));
        assert!(found.warnings.is_empty(), "{:?}", texts(&found.warnings));
    }
}

#[test]
fn a_bare_name_is_the_end_of_a_path() {
    let files = "abc300/a/s.py abc300/a/1.in abc300/a/1.out abc301/a/s.py abc301/a/1.in abc301/a/1.out \
        abc301/b.py abc301/c.py abc301/b.in abc301/b.out abc301/c.in abc301/c.out";
    let tree = Tree::new(&[]);
    for path in files.split_whitespace() {
        tree.add(path, path);
    }
    let several = tree.find(&["a"]);
    assert_eq!(
        texts(&several.errors),
        [
            "several problems are called `a`: abc300/a, abc301/a\nhelp: name one of them: `rejudge abc300/a`"
        ]
    );
    assert!(several.submissions.is_empty());
    for (name, source) in [("b", "abc301/b.py"), ("c", "abc301/c.py")] {
        let found = tree.find(&[name]);
        assert_eq!(submissions(&found), [source], "{:?}", texts(&found.errors));
    }
    let nothing = tree.find(&["d"]);
    assert!(texts(&nothing.errors)[0].starts_with("no file, folder or problem is called `d`"));
}
