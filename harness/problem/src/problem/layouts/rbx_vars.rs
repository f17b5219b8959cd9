//! The variables of an rbx problem: they are arguments of validators, and C++ sources read them with `rbx.h`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::fields::Fields;
use crate::notice::{Code, Notices};
use crate::problem::additions::as_written;
use crate::problem::yaml::{Node, Value};

/// The header that rbx writes before it compiles.
pub(super) const HEADER: &str = "rbx.h";
/// A header of the package, which rbx takes instead.
pub(super) const OVERRIDE: &str = "rbx.override.h";

/// The literal of a value, if a function of the header returns values of its type.
type ShowValue = fn(&VarValue) -> Option<String>;

const TEMPLATE: &str = include_str!("rbx_vars.h");

/// The value of a variable. Numbers are as written.
#[derive(Debug, Clone, PartialEq, Eq)]
enum VarValue {
    Text(String),
    Integer(String),
    Number(String),
    Flag(bool),
}

/// Values by their names, such as `N.max`.
type VarValues = BTreeMap<String, VarValue>;

/// The variables of a problem.
#[derive(Debug, Default)]
pub(super) struct RbxVars {
    all: VarValues,
    /// The values in the groups that state some, with those of the problem.
    groups: BTreeMap<String, VarValues>,
    /// A variable whose value is an expression in Python, which is not computed.
    expression: Option<String>,
}

impl RbxVars {
    /// Reads the variables of the problem and its groups.
    pub(super) fn read(path: &Path, table: &Fields<'_>, notices: &mut Notices) -> Self {
        let text = crate::plain_file::read_text(path).unwrap_or_default();
        let mut vars = Self::default();
        let mut all = VarValues::new();
        if let Some(node) = table.get("vars") {
            vars.flatten(node, "", &text, &mut all);
        }
        for node in table.list("testcases", notices) {
            let Some(group) = Fields::of(path, node, notices) else {
                continue;
            };
            if let (Some(name), Some(node)) = (group.text("name", notices), group.get("vars")) {
                let mut own = all.clone();
                vars.flatten(node, "", &text, &mut own);
                vars.groups.insert(name, own);
            }
        }
        vars.all = all;
        vars
    }

    fn flatten(&mut self, node: &Node, name: &str, text: &str, values: &mut VarValues) {
        if let Value::Map(entries) = &node.value {
            for (key, inner) in entries {
                let name = match name {
                    "" => key.name.clone(),
                    above => format!("{above}.{}", key.name),
                };
                self.flatten(inner, &name, text, values);
            }
            return;
        }
        let value = match &node.value {
            Value::Text(text) if text.starts_with("py`") && text.ends_with('`') => {
                self.expression.get_or_insert_with(|| name.to_owned());
                return;
            }
            Value::Text(text) => VarValue::Text(text.strip_prefix('\\').unwrap_or(text).to_owned()),
            Value::Bool(flag) => VarValue::Flag(*flag),
            Value::Number(number) => {
                let written = as_written(node, text).unwrap_or_default().replace('_', "");
                match written.parse::<i128>() {
                    Ok(integer) => VarValue::Integer(integer.to_string()),
                    Err(_) => VarValue::Number(format!("{number:?}")),
                }
            }
            _ => return,
        };
        values.insert(name.to_owned(), value);
    }

    fn of(&self, group: &str) -> &VarValues {
        self.groups.get(group).unwrap_or(&self.all)
    }

    /// The arguments of a validator for the inputs of a group.
    pub(super) fn validator_args(&self, group: &str) -> Vec<String> {
        let values = self.of(group).iter();
        let args = values.map(|(name, value)| match value {
            VarValue::Flag(flag) => format!("--{name}={}", u8::from(*flag)),
            VarValue::Text(text) | VarValue::Integer(text) | VarValue::Number(text) => {
                format!("--{name}={text}")
            }
        });
        args.chain(["--group".to_owned(), group.to_owned()]).collect()
    }

    /// Warns if a source would not find a variable in `rbx.h`.
    pub(super) fn warn(&self, root: &Path, path: &Path, notices: &mut Notices) {
        let Some(name) = &self.expression else {
            return;
        };
        let is_stored = |name: &&str| root.join(name).is_file();
        if ![OVERRIDE, HEADER].iter().any(is_stored) {
            let at = notices.show(path);
            notices.warn_help(
                Code::InvalidValue.at(
                    &at,
                    format!(
                        "the variable `{name}` is an expression, which rejudge does not compute"
                    ),
                ),
                "write its value, or add the `rbx.h` that rbx writes",
            );
        }
    }

    /// Whether `rbx.h` can have every variable.
    pub(super) fn is_complete(&self) -> bool {
        self.expression.is_none()
    }

    /// The text of `rbx.h`.
    pub(super) fn header(&self) -> String {
        let parts: [(&str, ShowValue); 4] = [
            ("//STRINGS", |value| match value {
                VarValue::Text(text) => Some(literal(text)),
                _ => None,
            }),
            ("//INTEGERS", |value| match value {
                VarValue::Integer(text) => Some(integer(text)),
                VarValue::Flag(flag) => Some(u8::from(*flag).to_string()),
                _ => None,
            }),
            ("//NUMBERS", |value| match value {
                VarValue::Number(text) => Some(text.clone()),
                _ => None,
            }),
            ("//FLAGS", |value| match value {
                VarValue::Flag(flag) => Some(flag.to_string()),
                _ => None,
            }),
        ];
        let mut text = TEMPLATE.to_owned();
        for (mark, shown) in parts {
            text = text.replace(mark, self.lines(shown).trim_end());
        }
        text
    }

    /// The lines of one of the functions.
    fn lines(&self, shown: ShowValue) -> String {
        let of = |values: &VarValues| {
            let mut lines = String::new();
            for (name, value) in values {
                if let Some(value) = shown(value) {
                    let _ = writeln!(lines, "  if (name == {}) return {value};", literal(name));
                }
            }
            lines
        };
        let mut lines = String::new();
        for (group, values) in &self.groups {
            // A group answers alone, because a value may have another type there.
            let (group, inner) = (literal(group), of(values));
            let _ = writeln!(
                lines,
                "  if (rbx::getGroup() == {group}) {{\n{inner}  return std::nullopt;\n  }}"
            );
        }
        lines + &of(&self.all)
    }
}

/// A text as a literal of C++.
fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            // No value looks like a mark of the template.
            b' '..=b'~' if !matches!(byte, b'?' | b'/') => out.push(char::from(byte)),
            // Three digits: the next one cannot belong to it.
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('"');
    out
}

/// An integer as a literal of C++. Beyond the signed ones, its bits count.
fn integer(text: &str) -> String {
    match text.parse::<i64>() {
        Ok(i64::MIN) => "INT64_MIN".to_owned(),
        Ok(value) => format!("INT64_C({value})"),
        Err(_) => format!("static_cast<int64_t>({text}ULL)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_change_some_variables_and_the_header_keeps_every_digit() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("problem.rbx.yml");
        let text = "vars:\n  N: {min: 1, max: 1_000_000_000_000_000_001}\n  author: 'a \"b\"?'\n  eps: 0.5\n  \
            big: true\n  made: py`2**3`\n  raw: '\\py`x`'\ntestcases:\n- {name: small, vars: {N: {max: 10}}}\n- {name: large}\n";
        std::fs::write(&path, text).unwrap();
        let mut notices = Notices::default();
        let file = crate::problem::layouts::fields::TableFile::read(&path, &mut notices).unwrap();
        let table = file.fields();
        let vars = RbxVars::read(&path, &table, &mut notices);
        let expected = [
            "--N.max=10",
            "--N.min=1",
            "--author=a \"b\"?",
            "--big=1",
            "--eps=0.5",
            "--raw=py`x`",
            "--group",
            "small",
        ];
        assert_eq!(vars.validator_args("small"), expected);
        assert_eq!(vars.validator_args("large")[0], "--N.max=1000000000000000001");
        let header = vars.header();
        for line in [
            "  if (rbx::getGroup() == \"small\") {\n  if (name == \"N.max\") return INT64_C(10);\n",
            "  }\n  if (name == \"N.max\") return INT64_C(1000000000000000001);\n",
            "if (name == \"author\") return \"a \\\"b\\\"\\077\";",
            "if (name == \"eps\") return 0.5;",
            "if (name == \"big\") return 1;",
            "if (name == \"big\") return true;",
        ] {
            assert!(header.contains(line), "{line}\n{header}");
        }
        assert!(!header.contains("made"), "{header}");
        vars.warn(dir.path(), &path, &mut notices);
        assert_eq!(notices.warnings.len(), 1);
    }
}
