//! How an imported problem is checked: with flags of the default output validator, with a copied
//! program, or, if the package format cannot express the checker, with settings in `rejudge.toml`. The files that
//! solutions must use are such settings too.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::quote::quoted;
use super::stage::StagingFolder;
use crate::checker_spec::{CheckerSpec, TokenOptions};
use crate::config::{Config, FILE_NAME};
use crate::problem::{Interactor, StatedFiles, Streams};
use crate::whole_file;

/// How outputs are checked, in the terms of the package format.
#[derive(Debug, Clone, Default)]
pub(crate) struct Checking {
    /// `output_validator_args`.
    args: Vec<String>,
    /// Files to copy, with their paths in the package.
    files: Vec<(String, PathBuf)>,
    /// The value of `checker` in `rejudge.toml`; `{}` stands for the package's folder.
    setting: Option<String>,
    /// The value of `interactor` in `rejudge.toml`.
    interactor: Option<String>,
    /// The values of `input_file` and `output_file` in `rejudge.toml`.
    streams: StatedFiles,
    /// The value of `time_limit` in `rejudge.toml`.
    time_limit: Option<Duration>,
}

impl Checking {
    /// Converts `spec`.
    pub(crate) fn of(spec: &CheckerSpec) -> Self {
        match spec {
            CheckerSpec::Exact => Self::with_setting("exact"),
            CheckerSpec::Lines(rule) => Self::with_setting(rule.word()),
            CheckerSpec::Json(rule) => Self::with_setting(&rule.word()),
            CheckerSpec::Tokens(options) if options.exact_integers => {
                let tolerance = options.float_absolute.unwrap_or_default();
                Self::with_setting(&format!("numbers:{tolerance:e}"))
            }
            CheckerSpec::Tokens(options) => Self { args: flags(options), ..Self::default() },
            CheckerSpec::FloatLines(rule) => {
                Self { args: flags(&rule.as_tokens()), ..Self::default() }
            }
            CheckerSpec::Validator { source, args } | CheckerSpec::Static { source, args } => {
                Self {
                    args: args.clone(),
                    files: with_header(source, "output_validator"),
                    ..Self::default()
                }
            }
            CheckerSpec::Validators { sources, args } => Self {
                args: args.clone(),
                files: sources
                    .iter()
                    .flat_map(|source| with_header(source, "output_validators"))
                    .collect(),
                ..Self::default()
            },
            CheckerSpec::Foreign { source, convention, .. } => {
                let files = with_header(source, "checker");
                let name = &files[0].0;
                Self {
                    setting: Some(format!("{}:{{}}/{name}", convention.word())),
                    files,
                    ..Self::default()
                }
            }
            // The exit codes of a testlib checker differ from those of the format's validators.
            CheckerSpec::Testlib { source } => {
                let files = with_header(source, "checker");
                let name = &files[0].0;
                Self { setting: Some(format!("testlib:{{}}/{name}")), files, ..Self::default() }
            }
        }
    }

    /// Adds the interactor of the problem.
    pub(crate) fn talking_with(mut self, interactor: Option<&Interactor>) -> Self {
        if let Some(interactor) = interactor {
            let files = with_header(&interactor.source, "interactor");
            self.interactor = Some(format!("{{}}/{}", files[0].0));
            self.files.extend(files);
        }
        self
    }

    /// Adds the files that solutions must use.
    pub(crate) fn with_files(mut self, streams: &Streams) -> Self {
        if let Streams::Stated(files) = streams {
            self.streams = files.clone();
        }
        self
    }

    /// Adds these input validators.
    pub(crate) fn validated_by(mut self, sources: &[PathBuf]) -> Self {
        for source in sources {
            let files = with_header(source, "input_validators");
            // The header is not a validator: it goes where every program of a package finds it.
            self.files.extend(files.into_iter().map(|(name, from)| {
                let is_header = name.ends_with("/testlib.h");
                (if is_header { "include/testlib.h".to_owned() } else { name }, from)
            }));
        }
        self
    }

    /// Adds a time limit that the package does not state.
    pub(crate) fn with_time_limit(mut self, limit: Option<Duration>) -> Self {
        self.time_limit = limit;
        self
    }

    fn with_setting(value: &str) -> Self {
        Self { setting: Some(value.to_owned()), ..Self::default() }
    }

    /// Writes the part that belongs into the package.
    pub(super) fn write(&self, stage: &StagingFolder) -> io::Result<()> {
        for (name, from) in &self.files {
            stage.copy(name, from)?;
        }
        if self.args.is_empty() {
            return Ok(());
        }
        let words: Vec<String> = self.args.iter().map(|word| quoted(word)).collect();
        let text = format!("output_validator_args: [{}]\n", words.join(", "));
        stage.write("data/test_group.yaml", text.as_bytes())
    }

    /// Adds the settings of problem `id` to `rejudge.toml` in `root`; returns the added text, if
    /// any. If the problem has settings there, it changes nothing: they may have been written by hand.
    pub(crate) fn configure(&self, root: &Path, id: &str) -> io::Result<Option<String>> {
        let keys = [
            ("checker", &self.setting),
            ("interactor", &self.interactor),
            ("input_file", &self.streams.input),
            ("output_file", &self.streams.output),
        ];
        let folder = format!("cases/{id}");
        let limit = self.time_limit.map(|limit| format!("time_limit = {}", limit.as_secs_f64()));
        let texts = keys
            .into_iter()
            .filter_map(|(key, value)| Some((key, value.as_ref()?)))
            .map(|(key, value)| format!("{key} = {}", quoted(&value.replace("{}", &folder))));
        let lines: Vec<String> = limit.into_iter().chain(texts).collect();
        if lines.is_empty() {
            return Ok(None);
        }
        let path = root.join(FILE_NAME);
        let mut text = match crate::plain_file::read_text(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let table = format!("[problems.{id}]");
        let mut own = text.lines().skip_while(|line| line.trim_end() != table);
        if own.next().is_some() {
            let own: Vec<&str> = own.take_while(|line| !line.starts_with('[')).collect();
            if lines.iter().all(|line| own.contains(&line.as_str())) {
                return Ok(None);
            }
            return Err(exists(&table, &lines));
        }
        // The table may be written in another way.
        let config = Config::parse(&text, FILE_NAME);
        if config.is_ok_and(|config| config.problems.contains_key(id)) {
            return Err(exists(&table, &lines));
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let _ = write!(text, "\n{table}\n{}\n", lines.join("\n"));
        whole_file::write(&path, &mut text.trim_start().as_bytes())?;
        Ok(Some(lines.join(", ")))
    }
}

/// The settings already have the table, without all of these lines.
fn exists(table: &str, lines: &[String]) -> io::Error {
    io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!("{FILE_NAME} already has `{table}`; add to it: {}", lines.join(", ")),
    )
}

/// A source file and, if `testlib.h` lies next to it, that header.
fn with_header(source: &Path, folder: &str) -> Vec<(String, PathBuf)> {
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    let mut files = vec![(format!("{folder}/{name}"), source.to_path_buf())];
    let header = source.with_file_name("testlib.h");
    if header.is_file() {
        files.push((format!("{folder}/testlib.h"), header));
    }
    files
}

/// The equivalent flags of the default output validator.
pub(crate) fn flags(options: &TokenOptions) -> Vec<String> {
    let mut words = Vec::new();
    if options.case_sensitive {
        words.push("case_sensitive".to_owned());
    }
    if options.space_change_sensitive {
        words.push("space_change_sensitive".to_owned());
    }
    for (flag, tolerance) in [
        ("float_absolute_tolerance", options.float_absolute),
        ("float_relative_tolerance", options.float_relative),
    ] {
        if let Some(tolerance) = tolerance {
            words.extend([flag.to_owned(), format!("{tolerance:e}")]);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_flags_are_read_as_the_same_options() {
        let options = TokenOptions {
            case_sensitive: true,
            space_change_sensitive: true,
            float_absolute: Some(1e-6),
            float_relative: Some(0.25),
            ..TokenOptions::default()
        };
        assert_eq!(TokenOptions::from_words(&flags(&options)), Ok(options));
        assert!(flags(&TokenOptions::default()).is_empty());
    }

    #[test]
    fn settings_are_added_to_an_existing_file() {
        let root = tempfile::tempdir().unwrap();
        let checking = Checking::of(&CheckerSpec::Exact);
        assert_eq!(
            checking.configure(root.path(), "a").unwrap().as_deref(),
            Some("checker = \"exact\"")
        );
        let testlib = Checking::of(&CheckerSpec::Testlib { source: PathBuf::from("x/check.cpp") })
            .talking_with(Some(&Interactor {
                source: PathBuf::from("y/talk.cpp"),
                then_check: true,
                call: Vec::new(),
                convention: None,
            }));
        testlib.configure(root.path(), "b").unwrap();
        let files = Checking::default().with_files(&Streams::Stated(StatedFiles {
            input: Some(String::from("c.in")),
            ..StatedFiles::default()
        }));
        files.configure(root.path(), "c").unwrap();
        assert_eq!(files.configure(root.path(), "c").unwrap(), None);
        let conflict = files.configure(root.path(), "a").unwrap_err();
        assert!(conflict.to_string().contains("input_file = \"c.in\""));
        let text = std::fs::read_to_string(root.path().join(FILE_NAME)).unwrap();
        let config = crate::config::Config::parse(&text, FILE_NAME).unwrap();
        assert_eq!(config.problems["a"].checker.as_deref(), Some("exact"));
        assert_eq!(
            config.problems["b"].checker.as_deref(),
            Some("testlib:cases/b/checker/check.cpp")
        );
        assert_eq!(config.problems["c"].input_file.as_deref(), Some("c.in"));
        let interactor = config.problems["b"].interactor.as_deref();
        assert_eq!(interactor, Some(Path::new("cases/b/interactor/talk.cpp")));
    }
}
