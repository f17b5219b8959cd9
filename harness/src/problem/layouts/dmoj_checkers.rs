//! The checkers of DMOJ: its built-in ones, and programs with their types.

use std::path::{Path, PathBuf};

use super::Wish;
use super::fields::Fields;
use super::foreign_problem::inside;
use crate::checker_spec::{CheckerSpec, Convention, LineRule, TokenOptions};
use crate::notice::{Code, Notices};
use crate::problem::yaml::Value;

/// Reads `checker` of the table, which has it: a name, or a table with `name` and `args`. `None`: it is not supported.
pub(super) fn read(
    root: &Path,
    path: &Path,
    table: &Fields<'_>,
    wish: Wish<'_>,
    notices: &mut Notices,
) -> Option<CheckerSpec> {
    let node = table.get("checker")?;
    let (name, args) = if let Value::Text(name) = &node.value {
        (name.clone(), None)
    } else {
        let inner = Fields::of(path, node, notices)?;
        let name = inner.text("name", notices).unwrap_or_default();
        (name, inner.table("args", notices))
    };
    let found = named(root, &name, args.as_ref(), notices);
    if found.is_none() {
        wish.unless_checked(notices, |notices| {
            let at = notices.show_at(path, node.place);
            notices.error_help(
                Code::Unsupported.at(&at, format!("DMOJ's checker `{name}` is not supported")),
                "choose another comparison: `--checker lines:words`, or `--checker PATH`",
            );
        });
    }
    found
}

fn named(
    root: &Path,
    name: &str,
    args: Option<&Fields<'_>>,
    notices: &mut Notices,
) -> Option<CheckerSpec> {
    Some(match name {
        "standard" => CheckerSpec::Lines(LineRule::Words),
        "identical" => CheckerSpec::Exact,
        "rstripped" => CheckerSpec::Lines(LineRule::Ends),
        "easy" => CheckerSpec::Lines(LineRule::Letters),
        "sorted" | "unordered" => CheckerSpec::Lines(LineRule::Sorted),
        "linecount" => CheckerSpec::Lines(LineRule::Filled),
        "floats" | "floatsabs" | "floatsrel" => {
            let digits = args.and_then(|args| args.number("precision", notices));
            let mode = args.and_then(|args| args.text("error_mode", notices));
            let epsilon = 10_f64.powf(-digits.unwrap_or(6.0));
            let only = match (name, mode.as_deref()) {
                ("floatsabs", _) | (_, Some("absolute")) => [true, false],
                ("floatsrel", _) | (_, Some("relative")) => [false, true],
                _ => [true, true],
            };
            CheckerSpec::Tokens(TokenOptions {
                case_sensitive: true,
                float_absolute: only[0].then_some(epsilon),
                float_relative: only[1].then_some(epsilon),
                ..TokenOptions::default()
            })
        }
        "bridged" => program(root, args?, notices)?,
        _ => return None,
    })
}

/// A checker that is a program, with its type.
fn program(root: &Path, args: &Fields<'_>, notices: &mut Notices) -> Option<CheckerSpec> {
    // These would change how it is compiled or called.
    if args.has("flags") || args.has("args_format_string") {
        return None;
    }
    let source = source(root, args, notices)?;
    let kind = args.text("type", notices);
    let convention = match kind.as_deref() {
        Some("testlib") => return Some(CheckerSpec::Testlib { source }),
        None | Some("default") => Convention::Dmoj,
        Some("coci") => Convention::Coci,
        Some("peg") => Convention::Peg,
        Some(_) => return None,
    };
    Some(CheckerSpec::Foreign { source, convention })
}

/// The source in `files`: the only file, or the first of a list; the others are headers next to it.
pub(super) fn source(root: &Path, table: &Fields<'_>, notices: &mut Notices) -> Option<PathBuf> {
    let files = match &table.get("files")?.value {
        Value::List(_) => table.list("files", notices),
        _ => std::slice::from_ref(table.get("files")?),
    };
    let Value::Text(first) = &files.first()?.value else {
        return None;
    };
    let is_header = |node: &crate::problem::yaml::Node| match &node.value {
        Value::Text(name) => [".h", ".hpp", ".hh"].iter().any(|end| name.ends_with(end)),
        _ => false,
    };
    if !files[1..].iter().all(is_header) {
        return None;
    }
    let source = inside(root, first).ok()?;
    source.is_file().then_some(source)
}
