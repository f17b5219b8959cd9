//! The `generator` of DMOJ, which makes cases before they are judged.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rejudge_quantity::Bytes;
use walkdir::WalkDir;

use super::dmoj_checkers;
use super::dmoj_keys;
use super::fields::Fields;
use super::scene::inside;
use crate::cache;
use crate::notice::Notices;
use crate::plain_file;
use crate::problem::yaml::{Node, Value};
use crate::problem::{GeneratedCase, LocalIncludes, is_code};

/// A generator, and the arguments of cases that state none.
#[derive(Debug, Clone)]
pub(super) struct DmojGenerator {
    sources: Vec<PathBuf>,
    args: Vec<String>,
    flags: Vec<String>,
    cpu_time: Option<Duration>,
    memory: Option<Bytes>,
}

/// The generator in a table; `None`: there is none, or it is reported.
pub(super) fn read(
    root: &Path,
    path: &Path,
    table: &Fields<'_>,
    local: &mut LocalIncludes,
    notices: &mut Notices,
) -> Option<DmojGenerator> {
    let node = table.get("generator")?;
    let inner = match &node.value {
        Value::Map(_) => Some(Fields::of(path, node, notices)?),
        _ => None,
    };
    if let Some(inner) = &inner {
        dmoj_keys::GENERATOR.name_unused(inner, notices);
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
    let first = sources.first()?;
    if let Some(inner) = &inner
        && let Err(why) = dmoj_checkers::note_flags(inner, first, local, notices)
    {
        dmoj_checkers::refuse(why, table, "generator", notices);
        return None;
    }
    Some(DmojGenerator {
        args: args.map(words).unwrap_or_default(),
        flags: local.flags.get(first).cloned().unwrap_or_default(),
        sources,
        cpu_time,
        memory,
    })
}

/// A case that a generator makes.
pub(super) struct AskedCase<'a> {
    pub(super) name: &'a str,
    /// The file that the generator reads.
    pub(super) reads: Option<PathBuf>,
    /// Whether the package has its input and its answer.
    pub(super) has: [bool; 2],
    /// See [`sum_of_code`].
    pub(super) code: &'a str,
    pub(super) is_binary: bool,
}

impl DmojGenerator {
    /// The case of this generator.
    pub(super) fn case(&self, asked: AskedCase<'_>, entry: &Fields<'_>) -> GeneratedCase {
        let own = entry.get("generator_args").map(words).unwrap_or_default();
        let args = if own.is_empty() { self.args.clone() } else { own };
        let mut key = blake3::Hasher::new();
        let counts = [self.sources.len(), usize::from(asked.reads.is_some())];
        key.update(format!("{counts:?}\n").as_bytes());
        for path in self.sources.iter().chain(&asked.reads) {
            let text = std::fs::read(path).unwrap_or_default();
            key.update(blake3::hash(&text).as_bytes());
        }
        let kind = if asked.is_binary { "binary" } else { "text" };
        key.update(format!("{args:?} {:?} {} {kind}", self.flags, asked.code).as_bytes());
        let key = key.finalize().to_hex();
        let at = |end: &str| cache::cases_dir().join(format!("{key}.{end}"));
        GeneratedCase {
            name: asked.name.to_owned(),
            program: self.sources[0].clone(),
            args,
            reads: asked.reads,
            cpu_time: self.cpu_time,
            memory: self.memory,
            input: (!asked.has[0]).then(|| at("in")),
            answer: (!asked.has[1]).then(|| at("ans")),
            is_binary: asked.is_binary,
        }
    }
}

/// The checksum of the files in the package that a generator in C or C++ may include, with their names.
pub(super) fn sum_of_code(root: &Path) -> String {
    let mut sum = blake3::Hasher::new();
    let walk = WalkDir::new(root).sort_by_file_name().into_iter();
    let entries = walk.filter_entry(|entry| entry.file_name() != ".git");
    for entry in entries.flatten() {
        let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
        let name = below.to_string_lossy();
        if !is_code(&name) {
            continue;
        }
        if let Ok(text) = plain_file::read(entry.path()) {
            sum.update(format!("{name:?} {}\n", blake3::hash(&text)).as_bytes());
        }
    }
    sum.finalize().to_hex().to_string()
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
