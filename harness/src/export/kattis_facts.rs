//! What a package of 2025-09 says about itself, in the words of the legacy format: credits, source, licence, keywords,
//! and the statements.

use std::fmt::Write as _;

use super::ExportRequest;
use super::bundle::Bundle;
use crate::import::quoted;
use crate::notice::{Notice, Notices};
use crate::plain_file;
use crate::problem::yaml::{Key, Node, Value, words};
use crate::problem::{Problem, read_yaml};

/// Keys with one text, which both versions have.
const SAME: [&str; 3] = ["uuid", "license", "rights_owner"];

/// Keys that only 2025-09 has and that are lost.
const LOST: [&str; 4] = ["version", "embargo_until", "languages", "allow_file_writing"];

/// The entries of `problem.yaml`.
pub(super) struct PackageFacts {
    entries: Vec<(Key, Node)>,
}

impl PackageFacts {
    pub(super) fn of(problem: &Problem) -> Self {
        let file = problem.dir.join("problem.yaml");
        let read = || read_yaml(&file, &mut Notices::default());
        let entries = match problem.is_package.then(read).flatten().map(|node| node.value) {
            Some(Value::Map(entries)) => entries,
            _ => Vec::new(),
        };
        Self { entries }
    }

    fn get(&self, name: &str) -> Option<&Node> {
        self.entries.iter().find(|(key, _)| key.name == name).map(|(_, node)| node)
    }

    /// The lines of `problem.yaml`.
    pub(super) fn lines(&self, bundle: &mut Bundle) -> String {
        let mut text = String::new();
        let mut add = |key: &str, value: &str| {
            if !value.is_empty() {
                let _ = writeln!(text, "{key}: {}", quoted(value));
            }
        };
        for key in SAME {
            if let Some(Value::Text(value)) = self.get(key).map(|node| &node.value) {
                add(key, value);
            }
        }
        let authors = self.authors(bundle);
        add("author", &authors.join(", "));
        if let Some(node) = self.get("source") {
            let sources = sources(node);
            let names: Vec<&str> = sources.iter().map(|(name, _)| name.as_str()).collect();
            add("source", &names.join(", "));
            match sources.as_slice() {
                [(_, Some(url))] => add("source_url", url),
                [_] | [] => {}
                _ => bundle.lose("the addresses of the sources: the format has one source"),
            }
        }
        if let Some(node) = self.get("keywords") {
            add("keywords", &words(node).unwrap_or_default().join(" "));
        }
        for key in LOST {
            if self.get(key).is_some() {
                bundle.lose(format!("`{key}`"));
            }
        }
        text
    }

    /// The names of the authors. Other people are lost.
    fn authors(&self, bundle: &mut Bundle) -> Vec<String> {
        match self.get("credits").map(|node| &node.value) {
            Some(Value::Map(roles)) => {
                let mut authors = Vec::new();
                for (role, node) in roles {
                    if role.name == "authors" {
                        authors = persons(node);
                    } else {
                        bundle.lose(format!("`credits.{}`", role.name));
                    }
                }
                authors
            }
            Some(Value::Text(author)) => vec![author.clone()],
            _ => Vec::new(),
        }
    }
}

/// The text of a key of a table.
fn text_of(entries: &[(Key, Node)], name: &str) -> Option<String> {
    let node = entries.iter().find(|(key, _)| key.name == name).map(|(_, node)| node)?;
    match &node.value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}

/// The names of one or several people.
fn persons(node: &Node) -> Vec<String> {
    match &node.value {
        Value::Text(name) => vec![name.clone()],
        Value::Map(entries) => text_of(entries, "name").into_iter().collect(),
        Value::List(all) => all.iter().flat_map(persons).collect(),
        _ => Vec::new(),
    }
}

/// The names and addresses of one or several sources.
fn sources(node: &Node) -> Vec<(String, Option<String>)> {
    match &node.value {
        Value::Text(name) => vec![(name.clone(), None)],
        Value::Number(number) => vec![(number.to_string(), None)],
        Value::Map(entries) => {
            let name = text_of(entries, "name").unwrap_or_default();
            vec![(name, text_of(entries, "url"))]
        }
        Value::List(all) => all.iter().flat_map(sources).collect(),
        _ => Vec::new(),
    }
}

/// Adds the statements, which have their names in their texts.
pub(super) fn statements(request: &ExportRequest<'_>, bundle: &mut Bundle) -> Result<(), Notice> {
    const COMMAND: &str = "\\problemname";
    let dir = request.problem.dir.join("statement");
    if !dir.is_dir() {
        let old = request.problem.dir.join("problem_statement");
        if old.is_dir() {
            bundle.tree("problem_statement", &old, request.place)?;
        }
        return Ok(());
    }
    bundle.tree("problem_statement", &dir, request.place)?;
    let facts = PackageFacts::of(request.problem);
    let entries = dir.read_dir().into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    for file in names {
        let parts: Vec<&str> = file.split('.').collect();
        let ["problem", language, kind] = parts.as_slice() else { continue };
        if *kind != "tex" {
            bundle.lose(format!("the statement `{file}`: problemtools reads only LaTeX"));
            continue;
        }
        let Ok(text) = plain_file::read_text(&dir.join(&file)) else { continue };
        if text.contains("\\constant{") {
            bundle.lose(format!("the values of `\\constant` in `{file}`"));
        }
        let rest = text.split_once(COMMAND).map(|(_, rest)| rest.trim_start());
        let has_name = rest.is_some_and(|rest| rest.starts_with('{') && !rest.starts_with("{}"));
        if !has_name {
            let own = match facts.get("name").map(|node| &node.value) {
                Some(Value::Map(names)) => text_of(names, language),
                _ => None,
            };
            let name = in_latex(&own.unwrap_or_else(|| request.title().to_owned()));
            let text = text.replace("\\problemname{}", "").replace(COMMAND, "");
            bundle
                .put(&format!("problem_statement/{file}"), format!("{COMMAND}{{{name}}}\n{text}"));
        }
    }
    Ok(())
}

/// A name without markup as LaTeX.
fn in_latex(name: &str) -> String {
    let escaped = |c: char| match c {
        '\\' => "\\textbackslash{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        '{' | '}' | '$' | '&' | '#' | '%' | '_' => format!("\\{c}"),
        c => c.to_string(),
    };
    name.chars().map(escaped).collect()
}
