//! The `generator` of DMOJ, which makes cases before they are judged.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::fields::Fields;
use super::foreign_problem::inside;
use crate::bytes::Bytes;
use crate::cache;
use crate::notice::Notices;
use crate::problem::GeneratedCase;
use crate::problem::yaml::{Node, Value};

/// A generator, and the arguments of cases that state none.
#[derive(Debug, Clone)]
pub(super) struct DmojGenerator {
    sources: Vec<PathBuf>,
    args: Vec<String>,
    cpu_time: Option<Duration>,
    memory: Option<Bytes>,
}

/// The generator in a table; `None`: there is none, or it is reported.
pub(super) fn read(
    root: &Path,
    path: &Path,
    table: &Fields<'_>,
    notices: &mut Notices,
) -> Option<DmojGenerator> {
    let node = table.get("generator")?;
    let inner = match &node.value {
        Value::Map(_) => Some(Fields::of(path, node, notices)?),
        _ => None,
    };
    if inner.as_ref().is_some_and(|inner| inner.has("flags")) {
        table.fault("the `flags` of a generator are not supported", notices);
        return None;
    }
    let source = inner.as_ref().and_then(|inner| inner.get("source"));
    let mut sources = Vec::new();
    for name in words(source.unwrap_or(node)) {
        match inside(root, &name) {
            Ok(path) if path.is_file() => sources.push(path),
            Ok(_) => table.fault(&format!("the generator `{name}` does not exist"), notices),
            Err(why) => table.fault(&format!("`{name}` {why}"), notices),
        }
    }
    let mut positive = |key: &str| {
        let number = inner.as_ref()?.number(key, notices)?;
        Some(number).filter(|number| *number > 0.0)
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "too large is the largest"
    )]
    let memory = positive("memory_limit").map(|kibibytes| Bytes((kibibytes * 1024.0) as u64));
    let cpu_time = positive("time_limit").map(|limit| Duration::from_secs_f64(limit.min(86_400.0)));
    let args = inner.as_ref().and_then(|inner| inner.get("args"));
    (!sources.is_empty()).then(|| DmojGenerator {
        args: args.map(words).unwrap_or_default(),
        sources,
        cpu_time,
        memory,
    })
}

impl DmojGenerator {
    /// The case `name` of this generator. `has` states whether the package has its input and its answer.
    pub(super) fn case(
        &self,
        name: &str,
        entry: &Fields<'_>,
        reads: Option<PathBuf>,
        has: [bool; 2],
    ) -> GeneratedCase {
        let own = entry.get("generator_args").map(words).unwrap_or_default();
        let args = if own.is_empty() {
            self.args.clone()
        } else {
            own
        };
        let mut key = blake3::Hasher::new();
        let beside = self.headers_beside();
        let counts = [
            self.sources.len(),
            usize::from(reads.is_some()),
            beside.len(),
        ];
        key.update(format!("{counts:?}\n").as_bytes());
        for path in self.sources.iter().chain(&reads).chain(&beside) {
            let text = std::fs::read(path).unwrap_or_default();
            key.update(blake3::hash(&text).as_bytes());
        }
        key.update(format!("{args:?}").as_bytes());
        let key = key.finalize().to_hex();
        let at = |end: &str| cache::cases_dir().join(format!("{key}.{end}"));
        GeneratedCase {
            name: name.to_owned(),
            program: self.sources[0].clone(),
            args,
            reads,
            cpu_time: self.cpu_time,
            memory: self.memory,
            input: (!has[0]).then(|| at("in")),
            answer: (!has[1]).then(|| at("ans")),
        }
    }
}

impl DmojGenerator {
    /// The headers in the folders of the sources, which a source may include.
    fn headers_beside(&self) -> Vec<PathBuf> {
        let folders: BTreeSet<&Path> = self
            .sources
            .iter()
            .filter_map(|path| path.parent())
            .collect();
        let entries = folders
            .into_iter()
            .filter_map(|dir| std::fs::read_dir(dir).ok());
        let is_header = |path: &PathBuf| {
            let extension = path.extension().and_then(OsStr::to_str);
            path.is_file() && matches!(extension, Some("h" | "hh" | "hpp" | "hxx" | "inc"))
        };
        let paths = entries.flatten().flatten().map(|entry| entry.path());
        let mut found: Vec<PathBuf> = paths.filter(is_header).collect();
        found.sort();
        found
    }
}

/// A word or a list of words and numbers.
fn words(node: &Node) -> Vec<String> {
    let items = match &node.value {
        Value::List(items) => items.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let word = |item: &Node| match &item.value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(word) => Some(word.to_string()),
        _ => None,
    };
    items.iter().filter_map(word).collect()
}
