//! The `settings.json` of omegaUp, in both of its notations: that of its problem server (`Limits`, times in seconds or as `1s`),
//! and that of repositories of problems (`limits`, `title`, `misc`, times in milliseconds).

use std::time::Duration;

use rejudge_quantity::{Bytes, time};

use super::fields::Fields;
use super::keys::Keys;
use crate::notice::{Code, Notices, visible};
use crate::problem::ProblemLimits;
use crate::problem::yaml::Value;

const KEYS: Keys = Keys {
    known: &[
        "Cases",
        "Interactive",
        "Limits",
        "Slow",
        "Validator",
        "alias",
        "interactive",
        "limits",
        "misc",
        "source",
        "title",
        "validator",
    ],
    ..Keys::of("omegaUp")
};

const LIMIT_KEYS: Keys = Keys {
    what: " of `limits`",
    // The time limit of all cases together, and what is added to the time limit of a case, are not applied.
    known: &[
        "TimeLimit",
        "MemoryLimit",
        "OutputLimit",
        "InputLimit",
        "ExtraWallTime",
        "OverallWallTimeLimit",
    ],
    ..Keys::of("omegaUp")
};

const VALIDATOR_KEYS: Keys = Keys {
    what: " of `validator`",
    known: &[
        "Name",
        "name",
        "Lang",
        "lang",
        "Tolerance",
        "tolerance",
        "Limits",
        "limits",
        "GroupScorePolicy",
        "groupScorePolicy",
    ],
    ..Keys::of("omegaUp")
};

/// How the settings write times and sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SettingsNotation {
    /// Numbers are seconds.
    Server,
    /// Numbers are milliseconds.
    Repository,
}

/// The settings of a problem.
#[derive(Debug, Default)]
pub(super) struct OmegaUpSettings {
    pub(super) title: Option<String>,
    pub(super) limits: ProblemLimits,
    /// `name` of the validator.
    pub(super) validator: Option<String>,
    /// The extension of the validator's source.
    pub(super) language: Option<String>,
    pub(super) tolerance: Option<f64>,
    /// Whether the worst case of a group counts, and not the sum of all.
    pub(super) is_min: bool,
}

/// The spelling of a key, whose case does not matter.
pub(super) fn spelled<'a>(table: &Fields<'a>, name: &'a str) -> &'a str {
    let mut names = table.entries().iter().map(|(key, _)| key.name.as_str());
    names.find(|known| known.eq_ignore_ascii_case(name)).unwrap_or(name)
}

/// Reads the settings.
pub(super) fn read(table: &Fields<'_>, notices: &mut Notices) -> OmegaUpSettings {
    KEYS.name_unused(table, notices);
    let is_repository = table.has("limits") || table.has("title") || table.has("misc");
    let notation =
        if is_repository { SettingsNotation::Repository } else { SettingsNotation::Server };
    let mut settings =
        OmegaUpSettings { title: table.text("title", notices), ..OmegaUpSettings::default() };
    if let Some(inner) = table.table(spelled(table, "limits"), notices) {
        LIMIT_KEYS.name_unused(&inner, notices);
        settings.limits = limits(&inner, notation, notices);
    }
    let Some(inner) = table.table(spelled(table, "validator"), notices) else {
        return settings;
    };
    VALIDATOR_KEYS.name_unused(&inner, notices);
    settings.validator = inner.text(spelled(&inner, "name"), notices);
    settings.language = inner.text(spelled(&inner, "lang"), notices);
    settings.tolerance = inner.number(spelled(&inner, "tolerance"), notices);
    let policy = spelled(&inner, "GroupScorePolicy");
    match inner.text(policy, notices).as_deref() {
        None | Some("" | "sum-if-not-zero") => {}
        Some("min") => settings.is_min = true,
        Some(other) => {
            let what = format!("unknown `{policy}`: `{}`", visible(other));
            inner.fault_at(policy, &what, "write `min` or `sum-if-not-zero`", notices);
        }
    }
    if let Some(own) = inner.table(spelled(&inner, "limits"), notices) {
        let own = limits(&own, notation, notices);
        settings.limits.validation_time = own.cpu_time;
        settings.limits.validation_memory = own.memory;
    }
    settings
}

fn limits(table: &Fields<'_>, notation: SettingsNotation, notices: &mut Notices) -> ProblemLimits {
    let mut read = |key: &str, parse: &dyn Fn(&str) -> Option<f64>| {
        let node = table.get(key)?;
        let found = match &node.value {
            Value::Number(number) => Some(*number),
            Value::Text(text) => parse(text),
            _ => None,
        };
        let found = found.filter(|number| number.is_finite() && *number >= 0.0);
        if found.is_none() {
            let at = notices.show_at(table.path(), node.place);
            let what = format!("invalid `{key}`");
            notices
                .error_help(Code::InvalidValue.at(&at, what), "write for example `1s` or `32MiB`");
        }
        found.filter(|number| *number > 0.0)
    };
    let per_second = if notation == SettingsNotation::Repository { 1000.0 } else { 1.0 };
    let seconds = |text: &str| Some(of_go(text)?.as_secs_f64() * per_second);
    let time = read("TimeLimit", &seconds).map(|time| time / per_second);
    let memory = read("MemoryLimit", &bytes).map(|size| {
        // Less than a mebibyte is meant in kibibytes, as on omegaUp's pages: no program runs in less.
        if size < f64::from(1 << 20) { size * 1024.0 } else { size }
    });
    let output = read("OutputLimit", &bytes);
    ProblemLimits {
        cpu_time: time.map(|time| Duration::from_secs_f64(time.min(86_400.0))),
        memory: memory.map(whole),
        output: output.map(whole),
        ..ProblemLimits::default()
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive and bounded")]
fn whole(bytes: f64) -> Bytes {
    Bytes(bytes.clamp(1.0, 1e15) as u64)
}

/// A time as Go writes it: `1s`, `1m0s`, `500ms`.
fn of_go(text: &str) -> Option<Duration> {
    let mut words = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        words.push(letter);
        if letter == 'm' && letters.peek() != Some(&'s') {
            words.push_str("in");
        }
    }
    if words.trim_end_matches('s').chars().all(|c| c == '0') {
        Some(Duration::ZERO)
    } else {
        time(&words).ok()
    }
}

/// A size as the server writes it: `32MiB`, or a number of bytes.
fn bytes(text: &str) -> Option<f64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let factor = match unit {
        "" | "B" => 0,
        "KiB" => 1,
        "MiB" => 2,
        "GiB" => 3,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * 1024_f64.powi(factor))
}

#[cfg(test)]
mod tests {
    use super::super::fields::TableFile;
    use super::*;

    fn settings(text: &str) -> (OmegaUpSettings, Notices) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.json");
        std::fs::write(&path, text).unwrap();
        let mut notices = Notices::default();
        let file = TableFile::read_of_python(&path, &mut notices).unwrap();
        let settings = read(&file.fields(), &mut notices);
        (settings, notices)
    }

    #[test]
    fn both_notations_are_read() {
        let server = "{\"Limits\": {\"TimeLimit\": \"1m1.5s\", \"MemoryLimit\": 33554432, \"OutputLimit\": \"10KiB\", \
                      \"ExtraWallTime\": \"0s\"}, \"Slow\": false,\n\t\"Validator\": {\"Name\": \"token-numeric\", \
                      \"Tolerance\": 0.001, \"GroupScorePolicy\": \"min\"}}";
        let (found, notices) = settings(server);
        assert!(notices.errors.is_empty() && notices.warnings.is_empty());
        assert_eq!(found.limits.cpu_time, Some(Duration::from_millis(61_500)));
        assert_eq!(found.limits.memory, Some(Bytes::mib(32)));
        assert_eq!(found.limits.output, Some(Bytes(10 << 10)));
        assert_eq!(found.validator.as_deref(), Some("token-numeric"));
        assert_eq!((found.tolerance, found.is_min), (Some(0.001), true));
        let repository = "{\"title\": \"Sum\", \"limits\": {\"TimeLimit\": 1500, \"MemoryLimit\": 65536}, \
                          \"validator\": {\"name\": \"custom\", \"lang\": \"py\", \"limits\": {\"TimeLimit\": 2000}}}";
        let (found, _) = settings(repository);
        assert_eq!(found.title.as_deref(), Some("Sum"));
        assert_eq!(found.limits.cpu_time, Some(Duration::from_millis(1500)));
        assert_eq!(found.limits.memory, Some(Bytes::mib(64)));
        assert_eq!(found.limits.validation_time, Some(Duration::from_secs(2)));
        assert_eq!(found.language.as_deref(), Some("py"));
        let (found, _) = settings("{\"Limits\": {\"TimeLimit\": 2}}");
        assert_eq!(found.limits.cpu_time, Some(Duration::from_secs(2)));
    }

    #[test]
    fn faults_have_their_lines() {
        let (_, notices) = settings(
            "{\"limits\": {\n\"TimeLimit\": \"fast\",\n\"MemorLimit\": 5},\n\"validator\": {\n\"GroupScorePolicy\": \"max\"}}",
        );
        let errors: Vec<&str> = notices.errors.iter().map(|one| one.message.as_str()).collect();
        assert!(
            errors[0].contains(":2:") && errors[0].ends_with("invalid `TimeLimit`"),
            "{errors:?}"
        );
        assert!(errors[1].contains(":5:"), "{errors:?}");
        let warning = &notices.warnings[0];
        assert!(warning.message.contains("`MemorLimit` is not a key of `limits` of omegaUp"));
        assert_eq!(warning.help.as_deref(), Some("did you mean `MemoryLimit`?"));
    }
}
