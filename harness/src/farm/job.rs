//! What a worker must know of a run, and of a unit.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use rejudge_cluster::{Purpose, SigningKey, Unit, signed_by};
use serde::{Deserialize, Serialize};

use super::FarmError;
use super::paths::stays_inside;
use crate::checker_spec::CheckerSpec;

/// The options that a run on workers may have, and whether their value is a path.
const OPTIONS: [(&str, bool); 17] = [
    ("--time-limit", false),
    ("--wall-limit", false),
    ("--memory-limit", false),
    ("--output-limit", false),
    ("--time-factor", false),
    ("--layout", false),
    ("--case", false),
    ("--cases", true),
    ("--checker", true),
    ("--interactor", true),
    ("--profile", false),
    ("--no-compile-cache", false),
    ("--fail-fast", false),
    ("--no-check", false),
    ("--repeat", false),
    ("--print-input", false),
    ("--transcript", false),
];

/// The largest description of a run, in bytes.
pub(crate) const MOST_JOB: u64 = 64 << 20;

/// The largest unit as it travels, in bytes.
const MOST_UNIT: usize = 64 << 10;

/// How long a unit may be judged after it was submitted. A run submits a unit again that nobody took in this time.
const LIFETIME: Duration = Duration::from_secs(86_400);

/// An option of the command line, and its value if it has one.
pub(crate) type JobOption = (String, Option<String>);

/// What a worker must know of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FarmJob {
    /// The version of rejudge that submits it. Only the same version judges it.
    pub(crate) version: String,
    /// The digest of the plan.
    pub(crate) plan: String,
    /// The name of the list of files.
    pub(crate) tree: String,
    /// The options.
    pub(crate) options: Vec<JobOption>,
    /// The paths that are judged, relative to the root of the files.
    pub(crate) paths: Vec<String>,
    /// The time limits that the submitter inferred, by problem.
    pub(crate) limits: BTreeMap<String, Duration>,
    /// The columns and colours of differences.
    pub(crate) look: (usize, bool),
    /// The class of machines whose times count.
    pub(crate) reference: String,
}

impl FarmJob {
    /// Reads what was received.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, FarmError> {
        let invalid = |why: String| FarmError::Invalid { what: "the run", why };
        let job: Self =
            serde_json::from_slice(bytes).map_err(|error| invalid(error.to_string()))?;
        for (name, value) in &job.options {
            let known = OPTIONS.iter().find(|(known, _)| known == name);
            let Some((_, is_path)) = known else {
                return Err(invalid(format!("it has the option `{name}`")));
            };
            let word = value.as_deref().unwrap_or_default();
            let (prefix, path) = match name.as_str() {
                "--checker" => CheckerSpec::split(word),
                _ => ("", word),
            };
            let is_built_in = path.is_empty() && !prefix.is_empty();
            if *is_path && !is_built_in && !stays_inside(path) {
                return Err(invalid(format!("`{name}` leads out of the project")));
            }
        }
        match job.paths.iter().find(|path| !stays_inside(path)) {
            Some(path) => Err(invalid(format!("the path `{path}` leads out of the project"))),
            None => Ok(job),
        }
    }

    /// The options of a batch, which has no project.
    pub(crate) fn of_batch(options: Vec<JobOption>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            plan: String::new(),
            tree: String::new(),
            options,
            paths: Vec::new(),
            limits: BTreeMap::new(),
            look: (0, false),
            reference: String::new(),
        }
    }

    /// The arguments of the command that judges the same requests.
    pub(crate) fn words_of_batch(&self) -> Vec<String> {
        let words = ["rejudge", "batch"].map(str::to_owned).into_iter();
        words.chain(self.words_of_options()).collect()
    }

    fn words_of_options(&self) -> impl Iterator<Item = String> {
        self.options.iter().map(|(name, value)| match value {
            Some(value) => format!("{name}={value}"),
            None => name.clone(),
        })
    }

    /// The arguments of the command that judges the same.
    pub(crate) fn words(&self) -> Vec<String> {
        let options = self.words_of_options();
        let start = ["rejudge", "run"].map(str::to_owned);
        let paths = self.paths.iter().cloned();
        start.into_iter().chain(options).chain(["--".to_owned()]).chain(paths).collect()
    }
}

/// What a worker must know of a unit: a submission on some of its cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UnitOrder {
    /// The name of the run's [`FarmJob`].
    pub(crate) job: String,
    /// The index of the submission in the plan.
    pub(crate) entry: usize,
    /// The index of its first case.
    pub(crate) first: usize,
    /// The index after its last case.
    pub(crate) end: usize,
    /// The name of the request, if the unit is one of a batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) request: Option<String>,
    /// Whether times close to a limit are only marked, because no machine of the reference class is there.
    pub(crate) is_final: bool,
    /// The second since 1970 after which nobody judges it.
    pub(crate) until: u64,
    /// The key that signed it; empty until it is read.
    #[serde(skip)]
    pub(crate) signer: String,
}

/// Why a unit is not judged.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It is not a unit of a submitter.
    Forged(&'static str),
    /// It is signed with a key that this worker does not trust.
    Untrusted(String),
}

impl UnitOrder {
    /// The unit of a request. Its class of machines does not matter.
    pub(crate) fn of_request(job: String, request: String) -> Self {
        let request = Some(request);
        let signer = String::new();
        Self { job, entry: 0, first: 0, end: 0, request, is_final: true, until: 0, signer }
    }

    /// Reads the message about `unit`, which one of the keys in `trusted` must have signed. Nothing else of it is looked at before.
    pub(crate) fn read(
        message: &[u8],
        unit: &Unit,
        trusted: &[String],
        now: SystemTime,
    ) -> Result<Self, Refusal> {
        if message.len() > MOST_UNIT {
            return Err(Refusal::Forged("it is too large"));
        }
        let signed = signed_by(message, Purpose::Unit, unit);
        let (key, bytes) = signed.ok_or(Refusal::Forged("it is not signed for its place"))?;
        if !trusted.iter().any(|trusted| trusted == key) {
            return Err(Refusal::Untrusted(key.to_owned()));
        }
        let order: Option<Self> = serde_json::from_slice(bytes).ok();
        let order = order.ok_or(Refusal::Forged("it is not one of this version"))?;
        let is_name =
            |name: &String| name.len() == 64 && name.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_name(&order.job) || !order.request.iter().all(is_name) || order.first > order.end {
            return Err(Refusal::Forged("its numbers do not fit together"));
        }
        if seconds(now) > order.until {
            return Err(Refusal::Forged("its time is over, by the clock of this machine"));
        }
        Ok(Self { signer: key.to_owned(), ..order })
    }

    /// The message about `unit`, signed.
    pub(crate) fn message(&self, unit: &Unit, key: &SigningKey) -> Vec<u8> {
        let bytes = serde_json::to_vec(self).expect("a unit is always JSON");
        key.sign(Purpose::Unit, unit, &bytes)
    }
}

/// The end of the time of a unit that is submitted `now`.
pub(crate) fn valid_until(now: SystemTime) -> u64 {
    seconds(now + LIFETIME)
}

/// The seconds since 1970.
fn seconds(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> FarmJob {
        FarmJob {
            version: "1".to_owned(),
            plan: "p".to_owned(),
            tree: "t".to_owned(),
            options: vec![
                ("--checker".to_owned(), Some("testlib:check.cpp".to_owned())),
                ("--no-check".to_owned(), None),
            ],
            paths: vec!["--json".to_owned()],
            limits: BTreeMap::new(),
            look: (80, false),
            reference: String::new(),
        }
    }

    fn read(job: &FarmJob) -> Result<FarmJob, FarmError> {
        FarmJob::read(&serde_json::to_vec(job).unwrap())
    }

    #[test]
    fn a_path_is_never_an_option() {
        let job = read(&job()).unwrap();
        assert_eq!(
            job.words(),
            ["rejudge", "run", "--checker=testlib:check.cpp", "--no-check", "--", "--json"]
        );
    }

    #[test]
    fn options_that_write_files_and_paths_that_lead_out_are_rejected() {
        for (name, value) in [
            ("--json", "report.json"),
            ("--keep", "x"),
            ("--sandbox", "off"),
            ("--checker", "testlib:/etc/passwd"),
            ("--checker", "../check.py"),
            ("--checker", "boca:/etc/passwd"),
            ("--checker", "cms:../check"),
            ("--checker", "dmoj:/x.py"),
            ("--checker", "coci:/x"),
            ("--checker", "peg:../../x"),
            ("--checker", "sinol:/x"),
            ("--checker", ""),
            ("--cases", "/"),
        ] {
            let mut job = job();
            job.options = vec![(name.to_owned(), Some(value.to_owned()))];
            assert!(read(&job).is_err(), "{name} {value}");
        }
        for word in ["float:1e-6", "tokens", "lines", "boca:check.sh", "check.py"] {
            let mut job = job();
            job.options = vec![("--checker".to_owned(), Some(word.to_owned()))];
            assert!(read(&job).is_ok(), "{word}");
        }
        let mut job = job();
        job.paths = vec!["../x".to_owned()];
        assert!(read(&job).is_err());
    }

    #[test]
    fn a_unit_is_judged_if_a_trusted_key_signed_it_for_its_place() {
        let key = SigningKey::generate();
        let trusted = [SigningKey::generate().public(), key.public()];
        let unit = |run: &str, number| Unit { run: run.to_owned(), number };
        let (own, now) = (unit("r", 3), SystemTime::now());
        let order = UnitOrder {
            job: "0".repeat(64),
            entry: 0,
            first: 1,
            end: 2,
            request: None,
            is_final: false,
            until: valid_until(now),
            signer: key.public(),
        };
        let message = order.message(&own, &key);
        assert_eq!(UnitOrder::read(&message, &own, &trusted, now), Ok(order.clone()));

        let refusal =
            |message: &[u8], unit: &Unit, now| UnitOrder::read(message, unit, &trusted, now);
        let forged = |why| Err(Refusal::Forged(why));
        let elsewhere = forged("it is not signed for its place");
        assert_eq!(refusal(&message, &unit("r", 4), now), elsewhere);
        assert_eq!(refusal(&message, &unit("s", 3), now), elsewhere);
        let unsigned = message.splitn(2, |&byte| byte == b'\n').nth(1).unwrap();
        assert_eq!(refusal(unsigned, &own, now), elsewhere);
        let large = [&message[..], &vec![b' '; MOST_UNIT]].concat();
        assert_eq!(refusal(&large, &own, now), forged("it is too large"));
        let late = now + LIFETIME + Duration::from_secs(2);
        let over = forged("its time is over, by the clock of this machine");
        assert_eq!(refusal(&message, &own, late), over);
        let stranger = SigningKey::generate();
        assert_eq!(
            refusal(&order.message(&own, &stranger), &own, now),
            Err(Refusal::Untrusted(stranger.public()))
        );
        for bad in [
            UnitOrder { first: 3, ..order.clone() },
            UnitOrder { job: "../../x".to_owned(), ..order.clone() },
            UnitOrder { request: Some("../../x".to_owned()), ..order.clone() },
        ] {
            let message = bad.message(&own, &key);
            let told = forged("its numbers do not fit together");
            assert_eq!(refusal(&message, &own, now), told, "{bad:?}");
        }
        let other = key.sign(Purpose::Unit, &own, b"{}");
        assert_eq!(refusal(&other, &own, now), forged("it is not one of this version"));
    }
}
