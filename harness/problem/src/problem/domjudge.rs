//! The files that `DOMjudge` and Kattis put next to `problem.yaml`: `domjudge-problem.ini` and
//! `.timelimit`.
//!
//! They set what `problem.yaml` does not set. The first wins over the second, as in `DOMjudge`.

use std::path::Path;
use std::time::Duration;

use rejudge_quantity::Bytes;

use super::ProblemLimits;
use super::settings::PackageSettings;
use super::versions::INI;
use crate::expectation::tags;
use crate::notice::{Code, Notice, Notices, Place};
use crate::plain_file;

const TIME_LIMIT: &str = ".timelimit";

/// A comparison that `DOMjudge` had until version 3.
const FLOAT: &str = "float";

/// The most bytes of a submission that are searched for a tag, and the most folders that may be around it.
const MAX_SUBMISSION: u64 = 1 << 20;
const MAX_DEPTH: usize = 4;

/// Whether a submission of the package in `dir` states its score, as `DOMjudge` reads it.
pub(super) fn states_scores(dir: &Path) -> bool {
    let files = walkdir::WalkDir::new(dir.join("submissions")).max_depth(MAX_DEPTH).into_iter();
    let files = files.filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
    let mut texts =
        files.filter_map(|file| plain_file::read_up_to(file.path(), MAX_SUBMISSION).ok());
    texts.any(|text| tags::stated(&text, false).is_ok_and(|tagged| tagged.score.is_some()))
}

/// Sets what `settings` does not set yet, from the files in `dir`.
pub(super) fn fill_unset(settings: &mut PackageSettings, dir: &Path, notices: &mut Notices) {
    for name in [INI, TIME_LIMIT] {
        let path = dir.join(name);
        if path.symlink_metadata().is_err() {
            continue;
        }
        let text = match plain_file::read_text(&path) {
            Ok(text) => text,
            Err(error) => {
                notices.error(Notice::unreadable(&notices.show(&path), &error));
                continue;
            }
        };
        let mut file = IniFile { path: &path, notices };
        let limits_in_file = match name {
            INI => file.ini(&text, settings),
            _ => ProblemLimits {
                cpu_time: file.seconds(1, "the time limit", text.trim()),
                ..ProblemLimits::default()
            },
        };
        let limits = &mut settings.limits;
        limits.cpu_time = limits.cpu_time.or(limits_in_file.cpu_time);
        limits.memory = limits.memory.or(limits_in_file.memory);
        limits.output = limits.output.or(limits_in_file.output);
    }
}

struct IniFile<'a> {
    path: &'a Path,
    notices: &'a mut Notices,
}

impl IniFile<'_> {
    fn ini(&mut self, text: &str, settings: &mut PackageSettings) -> ProblemLimits {
        let mut limits = ProblemLimits::default();
        let mut is_float = false;
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim();
            let Some((key, value)) = text.split_once('=') else {
                continue;
            };
            if text.starts_with([';', '#']) {
                continue;
            }
            let value = plain_value(value.trim());
            match key.trim() {
                "timelimit" => limits.cpu_time = self.seconds(line, "`timelimit`", value),
                "memlimit" => limits.memory = self.kib(line, "memlimit", value),
                "outputlimit" => limits.output = self.kib(line, "outputlimit", value),
                "special_compare_args" if settings.validator_flags.is_empty() => {
                    settings.judges_flags = value.split_whitespace().map(str::to_owned).collect();
                }
                key @ ("special_compare" | "special_run") => {
                    is_float |= key == "special_compare" && value == FLOAT;
                    self.judge_program(line, key, value, settings);
                }
                _ => {}
            }
        }
        // A validator of the package replaces the comparison, and gets the arguments as they are.
        let has_own = settings.custom_validator == Some(true);
        if is_float && !has_own && settings.validator_flags.is_empty() {
            settings.judges_flags = of_float(&settings.judges_flags);
        }
        limits
    }

    /// A program that is installed on the judge. It is not in the package, unless the package has a
    /// program for the same purpose.
    fn judge_program(&mut self, line: u64, key: &str, value: &str, settings: &mut PackageSettings) {
        let is_default = value.is_empty() || matches!(value, "compare" | "run" | FLOAT);
        if !is_default {
            settings.judges_program.get_or_insert_with(|| {
                let at = self.notices.show_at(self.path, Place { line, column: 1 });
                let value = crate::notice::visible(value);
                format!("{at}: `{key}` names `{value}`, a program on the judge that is not in the package")
            });
        }
        if key == "special_run" && !is_default {
            settings.kind.interactive = true;
        }
    }

    fn seconds(&mut self, line: u64, what: &str, value: &str) -> Option<Duration> {
        let fits = |seconds: &f64| *seconds > 0.0 && *seconds <= super::settings::DAY;
        let whole: Option<f64> = value.parse().ok();
        let mut number = whole.filter(fits);
        if whole.is_none() {
            // PHP reads the number at the start.
            let end = value.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(value.len());
            number = value[..end].parse().ok().filter(fits);
            if let Some(seconds) = number {
                let at = self.notices.show_at(self.path, Place { line, column: 1 });
                let value = crate::notice::visible(value);
                self.notices.warn_help(
                    Code::InvalidValue.at(&at, format!("{what} `{value}` is read as {seconds} s")),
                    "write only the number of seconds",
                );
            }
        }
        if number.is_none() {
            self.fault(line, &format!("{what} must be a number of seconds"), value);
        }
        number.map(Duration::from_secs_f64)
    }

    fn kib(&mut self, line: u64, key: &str, value: &str) -> Option<Bytes> {
        let number: Option<u64> = value.parse().ok();
        let number = number.filter(|kib| *kib > 0 && *kib <= 1 << 30);
        if number.is_none() {
            self.fault(line, &format!("`{key}` must be a whole number of KiB"), value);
        }
        number.map(Bytes::kib)
    }

    fn fault(&mut self, line: u64, what: &str, value: &str) {
        let at = self.notices.show_at(self.path, Place { line, column: 1 });
        let value = crate::notice::visible(value);
        self.notices.error(Code::InvalidValue.at(&at, format!("{what}, got `{value}`")));
    }
}

/// A value without its quotes, or without the comment that follows it, as PHP reads it.
fn plain_value(value: &str) -> &str {
    let quoted = ['\'', '"'].into_iter().find_map(|quote| {
        let (text, _) = value.strip_prefix(quote)?.split_once(quote)?;
        Some(text)
    });
    quoted.unwrap_or_else(|| value.split(';').next().unwrap_or(value).trim_end())
}

/// The arguments of the usual comparison that do what `DOMjudge`'s former `float` did with these: tokens are compared as
/// numbers with a tolerance of 1e-7, absolute or relative, which `-a` and `-r` set (`check_float.c` of version 3).
fn of_float(args: &[String]) -> Vec<String> {
    if args.first().is_some_and(|first| !first.starts_with('-')) {
        return args.to_vec();
    }
    let set = |short: &str, long: &str| {
        let found = args.iter().enumerate().find_map(|(at, arg)| {
            let joined = arg.strip_prefix(long).and_then(|rest| rest.strip_prefix('='));
            let joined = joined.or_else(|| arg.strip_prefix(short).filter(|rest| !rest.is_empty()));
            let next = || (arg == short || arg == long).then(|| args.get(at + 1)).flatten();
            joined.map(str::to_owned).or_else(|| next().cloned())
        });
        found.unwrap_or_else(|| "1e-7".to_owned())
    };
    vec![
        "case_sensitive".to_owned(),
        "float_absolute_tolerance".to_owned(),
        set("-a", "--abs-prec"),
        "float_relative_tolerance".to_owned(),
        set("-r", "--rel-prec"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_fill_what_problem_yaml_leaves_open() {
        let folder = tempfile::tempdir().unwrap();
        let read = |seconds: Option<u64>| {
            let mut settings = PackageSettings::default();
            settings.limits.cpu_time = seconds.map(Duration::from_secs);
            let mut notices = Notices::relative_to(Some(folder.path()));
            fill_unset(&mut settings, folder.path(), &mut notices);
            let errors: Vec<String> = notices.errors.iter().map(ToString::to_string).collect();
            (settings, errors)
        };
        assert_eq!(read(None), (PackageSettings::default(), Vec::new()));
        std::fs::write(folder.path().join(".timelimit"), "3\n").unwrap();
        assert_eq!(read(None).0.limits.cpu_time, Some(Duration::from_secs(3)));
        let ini = "; a comment = 5\nname = \"A = B\"\ntimelimit='1.5'\nmemlimit=1024\n\
                   special_compare_args=float_tolerance 1e-6\nspecial_run = guess\n";
        std::fs::write(folder.path().join("domjudge-problem.ini"), ini).unwrap();
        let (settings, errors) = read(None);
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(settings.limits.cpu_time, Some(Duration::from_millis(1500)));
        assert_eq!(settings.limits.memory, Some(Bytes::mib(1)));
        assert_eq!(settings.judges_flags, ["float_tolerance", "1e-6"]);
        assert!(settings.kind.interactive && settings.judges_program.is_some());
        assert_eq!(read(Some(7)).0.limits.cpu_time, Some(Duration::from_secs(7)));
        let ini =
            "timelimit = 2 ; seconds\nspecial_compare = float\nspecial_compare_args = -a 1e-4\n";
        std::fs::write(folder.path().join("domjudge-problem.ini"), ini).unwrap();
        let (settings, errors) = read(None);
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(settings.limits.cpu_time, Some(Duration::from_secs(2)));
        assert_eq!(settings.judges_program, None);
        let tolerances = [
            "case_sensitive",
            "float_absolute_tolerance",
            "1e-4",
            "float_relative_tolerance",
            "1e-7",
        ];
        assert_eq!(settings.judges_flags, tolerances);
        std::fs::write(
            folder.path().join("domjudge-problem.ini"),
            "special_compare='float' ; old\n",
        )
        .unwrap();
        let mut own =
            PackageSettings { custom_validator: Some(true), ..PackageSettings::default() };
        fill_unset(&mut own, folder.path(), &mut Notices::default());
        assert_eq!(own.judges_flags, [""; 0]);
        std::fs::write(folder.path().join(".timelimit"), "1e9\n").unwrap();
        assert_eq!(read(None).1.len(), 1, "no number of seconds, and not one second");
        std::fs::write(folder.path().join(".timelimit"), "2.5 seconds\n").unwrap();
        let (settings, errors) = read(None);
        assert_eq!((settings.judges_flags.len(), errors), (5, Vec::new()));
        assert_eq!(settings.limits.cpu_time, Some(Duration::from_millis(2500)));
        std::fs::write(folder.path().join("domjudge-problem.ini"), "timelimit=x\n").unwrap();
        std::fs::write(folder.path().join(".timelimit"), "0").unwrap();
        let expected = [
            "domjudge-problem.ini:1:1: `timelimit` must be a number of seconds, got `x`",
            ".timelimit:1:1: the time limit must be a number of seconds, got `0`",
        ];
        assert_eq!(read(None).1, expected);
    }
}
