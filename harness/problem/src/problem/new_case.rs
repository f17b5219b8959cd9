//! The files of a new case, named like those of a case that exists.

use std::path::{Path, PathBuf};

use super::{Problem, TestCase};

/// The files of a case, relative to a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CasePlace {
    /// The file of its input.
    pub input: PathBuf,
    /// The file of its answer.
    pub answer: PathBuf,
}

impl CasePlace {
    /// The files `STEM.in` and `STEM.END`.
    pub fn of_stem(stem: &str, end: &str) -> Self {
        Self { input: format!("{stem}.in").into(), answer: format!("{stem}.{end}").into() }
    }

    /// Whether neither file exists in `folder`.
    pub fn is_free(&self, folder: &Path) -> bool {
        let exists = |file: &Path| folder.join(file).symlink_metadata().is_ok();
        self.input != self.answer && !exists(&self.input) && !exists(&self.answer)
    }
}

/// The names of a case, divided at the part that tells it from the other cases of its problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseModel {
    input: Divided,
    answer: Divided,
    /// The number of the case; 0 if it has none.
    number: u64,
    /// The digits of numbers, at least.
    width: usize,
}

/// A path below a folder, divided at a part that is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Divided {
    before: String,
    after: String,
}

impl CaseModel {
    /// The model of the cases `STEM-1.in` and `STEM-1.END`.
    pub fn of_stem(stem: &str, end: &str) -> Self {
        let divided = |end: &str| Divided { before: format!("{stem}-"), after: format!(".{end}") };
        Self { input: divided("in"), answer: divided(end), number: 0, width: 1 }
    }

    /// The model for numbered cases of `problem` in `folder`. `None`: the files of `case` are not both below the folder, or
    /// their names do not say which part is that of the case.
    pub fn of(folder: &Path, problem: &Problem, case: &TestCase) -> Option<Self> {
        Self::read(folder, problem, case, number_or_all)
    }

    /// The model for cases with names of their own.
    pub fn with_names(folder: &Path, problem: &Problem, case: &TestCase) -> Option<Self> {
        Self::read(folder, problem, case, |label| label)
    }

    fn read(
        folder: &Path,
        problem: &Problem,
        case: &TestCase,
        part: impl Fn(&str) -> &str,
    ) -> Option<Self> {
        let below = |path: PathBuf| {
            let below = path.strip_prefix(folder).ok()?;
            Some(below.to_str()?.to_owned())
        };
        let input = below(case.input())?;
        let answer = match case.answer() {
            Some(path) => below(path)?,
            None => Path::new(&input).with_extension("ans").to_str()?.to_owned(),
        };
        let label = case.name().rsplit('/').next().unwrap_or_default();
        let is_number = label.bytes().all(|byte| byte.is_ascii_digit());
        if label.eq_ignore_ascii_case(&problem.id) && !is_number {
            Self::after_stem(&input, &answer, label)
        } else {
            Self::without(&input, &answer, part(label))
        }
    }

    /// `a.in` has the name of `a.cpp` and no other. It counts as the first case.
    fn after_stem(input: &str, answer: &str, stem: &str) -> Option<Self> {
        let end = |path: &str| {
            let at = find(path, stem)? + stem.len();
            Some(Divided { before: format!("{}-", &path[..at]), after: path[at..].to_owned() })
        };
        Some(Self { input: end(input)?, answer: end(answer)?, number: 1, width: 1 })
    }

    fn without(input: &str, answer: &str, part: &str) -> Option<Self> {
        let cut = |path: &str| {
            let at = find(path, part)?;
            Some(Divided {
                before: path[..at].to_owned(),
                after: path[at + part.len()..].to_owned(),
            })
        };
        let number = part.parse();
        Some(Self {
            input: cut(input)?,
            answer: cut(answer)?,
            width: number.as_ref().map_or(1, |_| part.len()),
            number: number.unwrap_or(0),
        })
    }

    /// The files of the case with this name.
    pub fn named(&self, name: &str) -> CasePlace {
        let path = |divided: &Divided| format!("{}{name}{}", divided.before, divided.after).into();
        CasePlace { input: path(&self.input), answer: path(&self.answer) }
    }

    /// The files of the case with this number.
    fn numbered(&self, number: u64) -> CasePlace {
        self.named(&format!("{number:0width$}", width = self.width))
    }

    /// The files of the cases after the model, by their numbers.
    pub fn following(&self) -> impl Iterator<Item = CasePlace> + '_ {
        const MOST: u64 = 100_000;
        (1..=MOST).map(|more| self.numbered(self.number.saturating_add(more)))
    }

    /// The model for the first case of another problem of the folder: its name `new` replaces `old`. `None`: the names of the
    /// files do not contain the name of the problem.
    pub fn of_other(&self, old: &str, new: &str) -> Option<Self> {
        let renamed = |divided: &Divided| {
            let before = &divided.before;
            let at = find(before, old)?;
            Some(Divided {
                before: format!("{}{new}{}", &before[..at], &before[at + old.len()..]),
                after: divided.after.clone(),
            })
        };
        Some(Self {
            input: renamed(&self.input)?,
            answer: renamed(&self.answer)?,
            number: 0,
            width: self.width,
        })
    }
}

/// The start of the last `part` in a path that is a whole word or number, without regard to case.
fn find(path: &str, part: &str) -> Option<usize> {
    let (path, part) = (path.to_ascii_lowercase(), part.to_ascii_lowercase());
    let first = part.chars().next()?;
    let last = part.chars().last()?;
    let joined = |a: char, b: char| {
        a.is_alphabetic() && b.is_alphabetic() || a.is_ascii_digit() && b.is_ascii_digit()
    };
    let is_whole = |at: &usize| {
        let (before, after) = (&path[..*at], &path[*at + part.len()..]);
        let apart =
            |a: Option<char>, b: Option<char>| a.is_none_or(|a| b.is_none_or(|b| !joined(a, b)));
        apart(before.chars().last(), Some(first)) && apart(Some(last), after.chars().next())
    };
    let mut found: Vec<usize> = path.match_indices(&part).map(|(at, _)| at).collect();
    found.retain(is_whole);
    found.pop()
}

/// The digits at the end of a label, or the last ones in it; the whole label if it has none.
fn number_or_all(label: &str) -> &str {
    let is_digit = |c: char| c.is_ascii_digit();
    let Some(end) = label.rfind(is_digit).map(|at| at + 1) else {
        return label;
    };
    let start = label[..end]
        .rfind(|c| !is_digit(c))
        .map_or(0, |at| at + label[at..].chars().next().map_or(1, char::len_utf8));
    &label[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(place: &CasePlace) -> [&str; 2] {
        [&place.input, &place.answer].map(|path| path.to_str().unwrap())
    }

    #[test]
    fn the_next_case_is_named_like_the_last() {
        for (input, answer, label, next) in [
            ("1.in", "1.out", "1", ["2.in", "2.out"]),
            ("a/in09.txt", "a/out09.txt", "09", ["a/in10.txt", "a/out10.txt"]),
            ("1/input.txt", "1/output.txt", "1", ["2/input.txt", "2/output.txt"]),
            ("a.in", "a.ans", "a", ["1.in", "1.ans"]),
            ("big.in", "big.ans", "big", ["1.in", "1.ans"]),
            ("a.in1", "a.out1", "1", ["a.in2", "a.out2"]),
            ("test12.in", "test12.ans", "test12", ["test13.in", "test13.ans"]),
        ] {
            let model = CaseModel::without(input, answer, number_or_all(label)).unwrap();
            let place = model.numbered(model.number + 1);
            assert_eq!(files(&place), next, "{input}");
        }
        for (stem, next) in [("a", ["a-2.in", "a-2.ans"]), ("p10", ["p10-2.in", "p10-2.ans"])] {
            let [input, answer] = ["in", "ans"].map(|end| format!("{stem}.{end}"));
            let model = CaseModel::after_stem(&input, &answer, stem).unwrap();
            assert_eq!(files(&model.numbered(model.number + 1)), next);
        }
        assert_eq!(CaseModel::without("a.in", "b.ans", "7"), None);
        let named = CaseModel::without("test12.in", "test12.ans", "test12").unwrap();
        assert_eq!(files(&named.named("big")), ["big.in", "big.ans"]);
    }

    #[test]
    fn another_problem_gets_the_same_form() {
        for (input, answer, part, first) in [
            ("a1.in", "a1.out", "1", Some(["b1.in", "b1.out"])),
            ("A-01.in", "A-01.ans", "01", Some(["b-01.in", "b-01.ans"])),
            ("tests/a/1.in", "tests/a/1.out", "1", Some(["tests/b/1.in", "tests/b/1.out"])),
            ("in/a.3.txt", "out/a.3.txt", "3", Some(["in/b.1.txt", "out/b.1.txt"])),
            ("1.in", "1.out", "1", None),
            ("data1.in", "data1.ans", "1", None),
        ] {
            let model = CaseModel::without(input, answer, part).unwrap();
            let other = model.of_other("a", "b").map(|model| model.numbered(1));
            assert_eq!(other.as_ref().map(files), first, "{input}");
        }
        let only = CaseModel::after_stem("a.in", "a.ans", "a").unwrap();
        let other = only.of_other("a", "b").unwrap().numbered(1);
        assert_eq!(files(&other), ["b-1.in", "b-1.ans"]);
    }

    #[test]
    fn the_number_of_a_case_is_the_last() {
        for (label, number) in
            [("09", "09"), ("input12", "12"), ("a1b", "1"), ("é7", "7"), ("big", "big")]
        {
            assert_eq!(number_or_all(label), number);
        }
    }
}
