//! Saves received problems: a package for each under `cases/`, and a solution copied from a
//! template.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::batch::Identity;
use super::flat::FlatFolder;
use crate::checker_spec::{CheckerSpec, TokenOptions};
use crate::import::checker::Checking;
use crate::import::{Draft, DraftCase, DraftText, names, quoted};
use crate::left_behind::{remove_beneath, write_beneath};
use crate::plain_file;
use crate::problem::Streams;
use crate::problem::layouts::companion::{CompanionProblem, CompanionStream};

/// More samples than this are not saved.
const MOST_TESTS: usize = 1000;

/// The places where problems are saved.
#[derive(Debug)]
pub(crate) struct Saver {
    /// `cases/`.
    pub(crate) cases: PathBuf,
    /// `solutions/`, and the template that is copied for a new solution.
    pub(crate) template: Option<(PathBuf, PathBuf)>,
    /// The repository, whose `rejudge.toml` gets the settings that a package cannot express.
    pub(crate) repository: Option<PathBuf>,
    /// The ids of the problems of this session.
    known: BTreeMap<Identity, String>,
}

/// A saved problem.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) id: String,
    pub(crate) samples: usize,
    /// Whether the problem existed already; its samples are replaced by the new ones.
    pub(crate) again: bool,
    /// The new solution.
    pub(crate) solution: Option<PathBuf>,
    /// In a flat folder: the path of the inputs, with `*` in the place of the number.
    pub(crate) inputs: Option<PathBuf>,
    /// Notes for the user.
    pub(crate) notes: Vec<String>,
}

impl Saver {
    pub(crate) fn new(cases: PathBuf, template: Option<(PathBuf, PathBuf)>) -> Self {
        Self { cases, template, repository: None, known: BTreeMap::new() }
    }

    /// Saves a problem as files in `folder`, with a copy of the template.
    pub(crate) fn save_flat(
        &mut self,
        folder: &FlatFolder,
        problem: &CompanionProblem,
    ) -> io::Result<Saved> {
        let mut notes = Vec::new();
        let mut draft = draft_of(problem, &mut notes);
        notes.extend(files_note(problem, ""));
        if problem.interactive {
            draft.cases.clear();
        }
        let stem = folder.stem(problem);
        let inputs = folder.write_samples(&stem, &draft)?;
        let template = self.template.as_ref().map(|(_, template)| template);
        let solution = template.map(|template| folder.copy_template(&stem, template));
        let identity = Identity::of(problem);
        let again = self.known.insert(identity, stem.clone()).is_some();
        Ok(Saved {
            id: stem,
            samples: draft.cases.len(),
            again,
            solution: solution.transpose()?.flatten(),
            inputs: Some(inputs),
            notes,
        })
    }

    /// Saves a problem.
    pub(crate) fn save(&mut self, problem: &CompanionProblem) -> io::Result<Saved> {
        let mut notes = Vec::new();
        let draft = draft_of(problem, &mut notes);
        let before = self.place_of(problem);
        let again = before.is_some();
        let id = match before {
            Some(id) => {
                self.refresh(&id, &draft)?;
                id
            }
            None => self.write_new(problem, &draft)?,
        };
        if !problem.url.is_empty() {
            self.known.insert(Identity::of(problem), id.clone());
        }
        notes.extend(self.configure(&id, problem, &draft)?);
        let solution = self.solution(&id)?;
        Ok(Saved { id, samples: draft.cases.len(), again, solution, inputs: None, notes })
    }

    /// Writes the files that solutions must use to the settings. Returns a note for the user.
    fn configure(
        &self,
        id: &str,
        problem: &CompanionProblem,
        draft: &Draft,
    ) -> io::Result<Option<String>> {
        let Some(root) = &self.repository else {
            return Ok(files_note(problem, ""));
        };
        let place = match draft.checking.configure(root, id) {
            Ok(_) => format!("; they are set in `[problems.{id}]` of rejudge.toml"),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => format!("; {error}"),
            Err(error) => return Err(error),
        };
        Ok(files_note(problem, &place))
    }

    /// The id of a problem that was saved before: in this session, or with its address in
    /// `problem.yaml`.
    fn place_of(&self, problem: &CompanionProblem) -> Option<String> {
        if problem.url.is_empty() {
            return None;
        }
        if let Some(id) = self.known.get(&Identity::of(problem)) {
            return Some(id.clone());
        }
        let mut lines = vec![format!("  url: {}", quoted(&problem.url))];
        // The id is that of the title, which people edit; otherwise only the title tells problems of one address apart.
        if !has_words(problem) {
            lines.push(format!("name: {}", quoted(&problem.name)));
        }
        // Ids had no words in earlier versions.
        let stems = [id_of(problem), names::id(&problem.name)];
        stems.iter().find_map(|stem| {
            let candidates = (1..100).map(|number| match number {
                1 => stem.clone(),
                number => format!("{stem}{number}"),
            });
            candidates
                .take_while(|id| self.cases.join(id).exists())
                .find(|id| self.has_lines(id, &lines))
        })
    }

    /// Whether the `problem.yaml` of a problem has all these lines.
    fn has_lines(&self, id: &str, lines: &[String]) -> bool {
        let text = plain_file::read_text(&self.cases.join(id).join("problem.yaml"));
        text.is_ok_and(|text| lines.iter().all(|line| text.lines().any(|known| known == line)))
    }

    fn write_new(&self, problem: &CompanionProblem, draft: &Draft) -> io::Result<String> {
        loop {
            let taken = |id: &str| self.cases.join(id).symlink_metadata().is_ok();
            let id = names::free(&id_of(problem), taken);
            match draft.write(&self.cases.join(&id)) {
                // Another process created a problem with this name in the meantime.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                result => return result.map(|()| id),
            }
        }
    }

    /// Replaces the samples only; everything else may have been edited by hand.
    fn refresh(&self, id: &str, draft: &Draft) -> io::Result<()> {
        let folder = Path::new(id).join("data/sample");
        let [input, answer] = draft.ends();
        for (case, number) in draft.cases.iter().zip(1..) {
            for (text, end) in [(Some(&case.input), input), (case.answer.as_ref(), answer)] {
                if let Some(DraftText::Here(bytes)) = text {
                    let path = folder.join(format!("{number}.{end}"));
                    write_beneath(&self.cases, &path, &mut bytes.as_slice())?;
                }
            }
        }
        for number in draft.cases.len() + 1..=MOST_TESTS {
            let path = folder.join(format!("{number}.{input}"));
            if !remove_beneath(&self.cases, &path)? {
                break;
            }
            remove_beneath(&self.cases, &folder.join(format!("{number}.{answer}")))?;
        }
        Ok(())
    }

    /// Copies the template, unless the problem has a solution with that name.
    fn solution(&self, id: &str) -> io::Result<Option<PathBuf>> {
        let Some((solutions, template)) = &self.template else {
            return Ok(None);
        };
        let text = plain_file::read(template)?;
        let path =
            solutions.join(id).join(id).with_extension(template.extension().unwrap_or_default());
        if path.symlink_metadata().is_ok() {
            return Ok(None);
        }
        let below = path.strip_prefix(solutions).expect("joined to it").to_owned();
        write_beneath(solutions, &below, &mut text.as_slice())?;
        Ok(Some(path))
    }
}

/// The id for a problem: its title, or the address if the title has no letters or digits.
fn id_of(problem: &CompanionProblem) -> String {
    if has_words(problem) {
        names::with_words(&problem.name)
    } else {
        names::of_address(&problem.url).unwrap_or_else(|| names::with_words(""))
    }
}

/// Whether the title has letters or digits that an id may have.
fn has_words(problem: &CompanionProblem) -> bool {
    problem.name.chars().any(|c| c.is_ascii_alphanumeric())
}

/// How the judge of this address compares outputs. `AtCoder` compares tokens byte for byte.
fn checking_of(url: &str) -> Checking {
    if host_of(url) == Some("atcoder.jp") {
        let options = TokenOptions { case_sensitive: true, ..TokenOptions::default() };
        return Checking::of(&CheckerSpec::Tokens(options));
    }
    Checking::default()
}

fn host_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    rest.split(['/', '?', '#']).next()
}

fn draft_of(problem: &CompanionProblem, notes: &mut Vec<String>) -> Draft {
    let pattern = problem.input.as_ref().filter(|one| one.kind == "regex");
    if let Some(pattern) = pattern.and_then(|one| one.pattern.as_deref()) {
        let pattern: String = crate::notice::visible(pattern).chars().take(100).collect();
        let here = match problem.input.as_ref().and_then(CompanionStream::file) {
            Some(name) => format!("here it is called `{name}`"),
            None => "rejudge uses standard input".to_owned(),
        };
        notes.push(format!(
            "on the original site, solutions read a file whose name matches `{pattern}`; {here}"
        ));
    }
    if problem.tests.len() > MOST_TESTS {
        notes.push(format!("only the first {MOST_TESTS} samples are saved"));
    }
    if problem.interactive {
        notes.push(
            "it is interactive: its samples are only shown in the statement; add its interactor to \
             `output_validator/`"
                .to_owned(),
        );
    } else if problem.tests.is_empty() {
        notes.push("it has no samples; add them to `data/sample/`".to_owned());
    }
    let tests = problem.tests.iter().take(MOST_TESTS);
    let cases = tests.zip(1..).map(|(test, number)| DraftCase {
        name: format!("sample/{number}"),
        input: DraftText::Here(test.input.clone().into_bytes()),
        answer: Some(DraftText::Here(test.output.clone().into_bytes())),
    });
    Draft {
        title: problem.name.clone(),
        source: (problem.group.clone(), problem.url.clone()),
        limits: problem.limits(),
        interactive: problem.interactive,
        checking: checking_of(&problem.url).with_files(&problem.streams()),
        cases: cases.collect(),
        ..Draft::default()
    }
}

/// Names the files that solutions of the problem must use, with `more` at the end.
fn files_note(problem: &CompanionProblem, more: &str) -> Option<String> {
    let Streams::Stated(files) = problem.streams() else {
        return None;
    };
    let does = [("read", files.input), ("write", files.output)];
    let does: Vec<String> = does
        .into_iter()
        .filter_map(|(does, name)| Some(format!("{does} the file `{}`", name?)))
        .collect();
    Some(format!("solutions {}{more}", does.join(" and ")))
}

#[cfg(test)]
mod tests;
