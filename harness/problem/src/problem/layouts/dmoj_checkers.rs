//! The checkers of DMOJ: its built-in ones, and programs with their types.

use std::path::{Path, PathBuf};

use super::dmoj_keys;
use super::dmoj_python::{self, PythonProgram, PythonRole};
use super::fields::Fields;
use super::scene::inside;
use super::store::StoreError;
use crate::checker_spec::{CheckerSpec, Convention, FloatJudge, FloatLines, LineRule};
use crate::notice::{Code, Notices};
use crate::plain_file;
use crate::problem::LocalIncludes;
use crate::problem::yaml::Value;
use crate::shell::split_words;

/// Why a program of DMOJ cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum DmojRefusal {
    #[error("DMOJ's checker `{0}` is not supported")]
    Name(String),
    #[error("the file `{0}` does not exist")]
    Missing(String),
    #[error("`files` names no source")]
    NoFile,
    #[error("of `files` only one may be a source, and the others headers")]
    Sources,
    #[error("`type: {0}` is not a type of DMOJ's programs")]
    Kind(String),
    #[error("`{0}` must be {1}")]
    Argument(&'static str, &'static str),
    #[error("a quote in `args_format_string` is not closed")]
    Quote,
    #[error("`flags` must be a list of options that begin with `-`, and without `-o`")]
    Flags,
    #[error(
        "only a grader that is an `InteractiveGrader` with nothing but `interact` runs outside of DMOJ"
    )]
    Grader,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The checker that a table asks for.
#[derive(Clone)]
pub(super) enum DmojChecker {
    Ready(CheckerSpec),
    /// A program that depends on the points of the case.
    Python(PythonProgram),
}

impl DmojChecker {
    /// The checker of a case with these points.
    pub(super) fn for_points(&self, points: f64) -> Result<CheckerSpec, DmojRefusal> {
        Ok(match self {
            Self::Ready(spec) => spec.clone(),
            Self::Python(program) => CheckerSpec::Foreign {
                source: program.for_points(Some(points))?,
                convention: Convention::Cms,
                call: Vec::new(),
            },
        })
    }
}

/// Reads `checker` of the table, which has it: a name, or a table with `name` and `args`.
pub(super) fn read(
    root: &Path,
    path: &Path,
    table: &Fields<'_>,
    local: &mut LocalIncludes,
    notices: &mut Notices,
) -> Result<DmojChecker, DmojRefusal> {
    let Some(node) = table.get("checker") else {
        return Ok(DmojChecker::Ready(CheckerSpec::Lines(LineRule::Words)));
    };
    let (name, args) = match &node.value {
        Value::Text(name) => (name.clone(), None),
        _ => match Fields::of(path, node, notices) {
            Some(inner) => {
                dmoj_keys::CHECKER.name_unused(&inner, notices);
                let name = inner.text("name", notices).unwrap_or_default();
                (name, inner.table("args", notices))
            }
            None => return Err(DmojRefusal::NoFile),
        },
    };
    if Path::new(&name).extension().is_some_and(|end| end == "py") {
        let args = args.map(|args| {
            let pairs = args.entries().iter();
            let pairs = pairs.map(|(key, node)| (key.name.clone(), dmoj_python::json(node)));
            serde_json::Value::Object(pairs.collect())
        });
        let text = text_of(root, &name)?;
        if dmoj_python::runs_on_error(&text) {
            let at = notices.show_at(path, node.place);
            let message = "the checker sets `run_on_error`, but rejudge does not call it after a run that failed; such a \
                           case gives no points";
            notices.warn_help(
                Code::Unsupported.at(&at, message),
                "if these points matter, judge the submission with DMOJ",
            );
        }
        local.programs.extend(inside(root, &name));
        return Ok(DmojChecker::Python(PythonProgram {
            role: PythonRole::Checker,
            text,
            args: args.unwrap_or_else(|| serde_json::json!({})),
            is_binary: table.flag("binary_data"),
            name,
        }));
    }
    if name == "bridged" {
        let args = args.ok_or(DmojRefusal::NoFile)?;
        dmoj_keys::BRIDGED.name_unused(&args, notices);
        return program(root, &args, local, notices).map(DmojChecker::Ready);
    }
    built_in(name, args.as_ref(), notices).map(DmojChecker::Ready)
}

/// The text of a program of the package.
pub(super) fn text_of(root: &Path, name: &str) -> Result<String, DmojRefusal> {
    let path = inside(root, name).ok();
    let text = path.and_then(|path| plain_file::read_text(&path).ok());
    text.ok_or_else(|| DmojRefusal::Missing(name.to_owned()))
}

/// Reports that the checker cannot be used.
pub(super) fn refuse(why: DmojRefusal, table: &Fields<'_>, key: &str, notices: &mut Notices) {
    let place = table.get(key).map(|node| node.place);
    let at = notices.show_at(table.path(), place.unwrap_or_else(|| table.place()));
    let code = match why {
        // The package is not at fault.
        DmojRefusal::Store(error) => {
            return notices.error(error.notice(&notices.show(table.path())));
        }
        DmojRefusal::Missing(_) => Code::MissingFile,
        DmojRefusal::Quote
        | DmojRefusal::Flags
        | DmojRefusal::NoFile
        | DmojRefusal::Argument(..) => Code::InvalidValue,
        _ => Code::Unsupported,
    };
    let help = if key == "checker" {
        "correct it, or choose another comparison: `--checker lines:words`, or `--checker PATH`"
    } else {
        "correct it, or write it with testlib"
    };
    notices.error_help(code.at(&at, format!("`{key}`: {why}")), help);
}

fn built_in(
    name: String,
    args: Option<&Fields<'_>>,
    notices: &mut Notices,
) -> Result<CheckerSpec, DmojRefusal> {
    let known: &[&str] = match name.as_str() {
        "identical" => &["pe_allowed"],
        "rstripped" => &["filter_new_line"],
        "sorted" => &["split_on"],
        "linecount" => &["feedback"],
        "floats" => &["precision", "error_mode"],
        "floatsabs" | "floatsrel" => &["precision"],
        _ => &[],
    };
    if let Some(args) = args {
        dmoj_keys::of_args(known).name_unused(args, notices);
    }
    let word = |key: &str, notices: &mut Notices| args.and_then(|args| args.text(key, notices));
    Ok(CheckerSpec::Lines(match name.as_str() {
        "standard" => LineRule::Words,
        "rstripped" if args.is_some_and(|args| args.flag("filter_new_line")) => {
            LineRule::FilledEnds
        }
        "rstripped" => LineRule::Ends,
        "easy" => LineRule::Letters,
        "unordered" => LineRule::SortedWords,
        "sorted" => match word("split_on", notices).as_deref() {
            None | Some("lines") => LineRule::Sorted,
            Some("whitespace") => LineRule::SortedWords,
            Some(_) => return Err(DmojRefusal::Argument("split_on", "`lines` or `whitespace`")),
        },
        "linecount" => LineRule::Filled,
        "identical" => return Ok(CheckerSpec::Exact),
        "floats" | "floatsabs" | "floatsrel" => {
            let digits = args.and_then(|args| args.number("precision", notices));
            let mode = word("error_mode", notices);
            let epsilon = 10_f64.powf(-digits.unwrap_or(6.0).trunc());
            let only = match (name.as_str(), mode.as_deref()) {
                ("floatsabs", _) | (_, Some("absolute")) => [true, false],
                ("floatsrel", _) | (_, Some("relative")) => [false, true],
                (_, None | Some("default")) => [true, true],
                _ => {
                    let words = "`absolute`, `relative` or `default`";
                    return Err(DmojRefusal::Argument("error_mode", words));
                }
            };
            return Ok(CheckerSpec::FloatLines(FloatLines {
                absolute: only[0].then_some(epsilon),
                relative: only[1].then_some(epsilon),
                judge: FloatJudge::Dmoj,
            }));
        }
        _ => return Err(DmojRefusal::Name(name)),
    }))
}

/// A checker that is a program, with its type.
fn program(
    root: &Path,
    args: &Fields<'_>,
    local: &mut LocalIncludes,
    notices: &mut Notices,
) -> Result<CheckerSpec, DmojRefusal> {
    let source = source(root, args, local, notices)?;
    let call = call(args, notices)?;
    let kind = args.text("type", notices).unwrap_or_default();
    let convention = match kind.as_str() {
        "testlib" => Convention::DmojTestlib,
        "" | "default" => Convention::Dmoj,
        "coci" => Convention::Coci,
        "peg" => Convention::Peg,
        _ => return Err(DmojRefusal::Kind(kind)),
    };
    Ok(CheckerSpec::Foreign { source, convention, call })
}

/// `args_format_string`: the arguments, with names for the files of the case. Empty: those of its type.
pub(super) fn call(table: &Fields<'_>, notices: &mut Notices) -> Result<Vec<String>, DmojRefusal> {
    let text = table.text("args_format_string", notices);
    match text {
        Some(text) => split_words(&text).ok_or(DmojRefusal::Quote),
        None => Ok(Vec::new()),
    }
}

/// The texts of a list.
fn texts(table: &Fields<'_>, key: &str, notices: &mut Notices) -> Vec<String> {
    let items = match table.get(key) {
        None => return Vec::new(),
        Some(node) if matches!(node.value, Value::List(_)) => table.list(key, notices),
        Some(node) => std::slice::from_ref(node),
    };
    let text = |node: &crate::problem::yaml::Node| match &node.value {
        Value::Text(text) => text.clone(),
        _ => String::new(),
    };
    items.iter().map(text).collect()
}

/// Notes the `flags` of a table for the compilation of `source`.
pub(super) fn note_flags(
    table: &Fields<'_>,
    source: &Path,
    local: &mut LocalIncludes,
    notices: &mut Notices,
) -> Result<(), DmojRefusal> {
    let flags = texts(table, "flags", notices);
    if flags.iter().any(|flag| !flag.starts_with('-') || flag.starts_with("-o")) {
        return Err(DmojRefusal::Flags);
    }
    if !flags.is_empty() {
        local.flags.insert(source.to_owned(), flags);
    }
    Ok(())
}

/// The source in `files`: the only file, or the only one of a list that is no header. Its `flags` are noted.
pub(super) fn source(
    root: &Path,
    table: &Fields<'_>,
    local: &mut LocalIncludes,
    notices: &mut Notices,
) -> Result<PathBuf, DmojRefusal> {
    let files = texts(table, "files", notices);
    let is_header = |name: &&String| [".h", ".hpp", ".hh"].iter().any(|end| name.ends_with(end));
    let mut sources = files.iter().filter(|name| !is_header(name));
    let (Some(name), None) = (sources.next(), sources.next()) else {
        return Err(if files.is_empty() { DmojRefusal::NoFile } else { DmojRefusal::Sources });
    };
    let source = inside(root, name).ok().filter(|path| path.is_file());
    let source = source.ok_or_else(|| DmojRefusal::Missing(name.clone()))?;
    note_flags(table, &source, local, notices)?;
    Ok(source)
}
