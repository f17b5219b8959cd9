//! The keys of tables in other tools' files: which are used, and which are only named in a warning.

use super::fields::Fields;
use crate::notice::{Code, Notices, nearest, visible};

/// The keys of a table in a file of another tool.
pub(super) struct Keys {
    /// The tool that reads the file.
    pub(super) tool: &'static str,
    /// What the table is, in messages: empty, or ` of …`.
    pub(super) what: &'static str,
    /// The keys that rejudge uses, or that change nothing about a verdict.
    pub(super) known: &'static [&'static str],
    /// The same for keys that start so.
    pub(super) known_starts: &'static [&'static str],
    /// More known keys: those of cases, which cases inherit from all tables above.
    pub(super) of_cases: &'static [&'static str],
    /// The keys of the tool that have no effect here.
    pub(super) unused: &'static [&'static str],
    /// The keys that have an effect only for the whole problem.
    pub(super) of_problem: &'static [&'static str],
    /// The end of the keys whose values are code in Python.
    pub(super) code_suffix: Option<char>,
}

impl Keys {
    /// A table of this tool without keys.
    pub(super) const fn of(tool: &'static str) -> Self {
        Self {
            tool,
            what: "",
            known: &[],
            known_starts: &[],
            of_cases: &[],
            unused: &[],
            of_problem: &[],
            code_suffix: None,
        }
    }

    /// Names the keys of the table that rejudge does not use.
    pub(super) fn name_unused(&self, table: &Fields<'_>, notices: &mut Notices) {
        for (key, node) in table.entries() {
            let name = key.name.as_str();
            let has = |names: &[&str]| names.contains(&name);
            let starts = |start: &&str| name.starts_with(*start);
            if has(self.known) || has(self.of_cases) || self.known_starts.iter().any(starts) {
                continue;
            }
            let (code, words) = if has(self.unused) {
                let words = "is not supported; it is ignored".to_owned();
                (Code::UnusedSetting, words)
            } else if has(self.of_problem) {
                let words = "is supported only for the whole problem; it is ignored";
                (Code::UnusedSetting, words.to_owned())
            } else if self.code_suffix.is_some_and(|end| name.ends_with(end)) {
                let words = "is code in Python, which rejudge does not run; it is ignored";
                (Code::UnusedSetting, words.to_owned())
            } else {
                let (what, tool) = (self.what, self.tool);
                let words = format!("is not a key{what} of {tool}; it is ignored");
                (Code::UnknownKey, words)
            };
            let at = notices.show_at(table.path(), node.place);
            let notice = code.at(&at, format!("`{}` {words}", visible(name)));
            let all = [self.known, self.of_cases, self.unused].concat();
            match nearest(name, all).filter(|_| code == Code::UnknownKey) {
                Some(near) => notices.warn_help(notice, format!("did you mean `{near}`?")),
                None => notices.warn(notice),
            }
        }
    }
}
