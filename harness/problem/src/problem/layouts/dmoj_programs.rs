//! The programs of DMOJ that run or talk with submissions: signature graders, interactors, and graders in Python.

use std::path::Path;

use super::dmoj_checkers::{self, DmojRefusal};
use super::dmoj_keys;
use super::dmoj_python::{self, PythonProgram, PythonRole};
use super::fields::Fields;
use super::points::Share;
use super::scene::inside;
use crate::checker_spec::Convention;
use crate::notice::Notices;
use crate::problem::{Interactor, LocalIncludes, ReadOptions};

/// The languages of signature graders.
const LANGUAGES: [&str; 2] = ["c", "cpp"];

/// `signature_grader`: `entry` has `main` and calls the submission, which is compiled with it.
pub(super) fn signature(
    root: &Path,
    table: &Fields<'_>,
    local: &mut LocalIncludes,
    notices: &mut Notices,
) -> Option<()> {
    if !table.has("signature_grader") {
        return Some(());
    }
    let inner = table.table("signature_grader", notices)?;
    dmoj_keys::SIGNATURE.name_unused(&inner, notices);
    let mut named = |key: &str| {
        let name = inner.text(key, notices);
        let path = name.as_deref().and_then(|name| inside(root, name).ok());
        if let (Some(name), Some(path)) = (name, path.filter(|path| path.is_file())) {
            return Some((name, path));
        }
        let fault = format!("`signature_grader` needs `{key}`, a file next to `init.yml`");
        inner.fault(&fault, notices);
        None
    };
    let (entry, header) = (named("entry"), named("header"));
    let ((_, entry), (header, _)) = (entry?, header?);
    local.folders.push(local.root.clone());
    local.linked =
        LANGUAGES.iter().map(|language| ((*language).to_owned(), entry.clone())).collect();
    local.linked_only = true;
    let defined = "#define SIGNATURE_GRADER 1\n";
    let renamed =
        if inner.flag("allow_main") { "" } else { "#define main main_of_the_submission\n" };
    local.first_lines = [format!("{defined}#include \"{header}\"\n{renamed}"), defined.to_owned()];
    Some(())
}

/// `interactive`: an interactor whose verdict is final; or `custom_judge`: a grader in Python.
pub(super) fn interactor(
    table: &Fields<'_>,
    shares: &[Share],
    local: &mut LocalIncludes,
    options: ReadOptions<'_>,
    notices: &mut Notices,
) -> Option<Interactor> {
    let (key, found) = if table.has("interactive") {
        let inner = table.table("interactive", notices)?;
        dmoj_keys::INTERACTIVE.name_unused(&inner, notices);
        ("interactive", program(&inner, local, notices))
    } else if table.has("custom_judge") {
        let name = table.text("custom_judge", notices)?;
        ("custom_judge", grader((table, &name), shares, local))
    } else {
        return None;
    };
    match found {
        Ok(interactor) => Some(interactor),
        Err(why) => {
            options.unless_checked(notices, |notices| {
                dmoj_checkers::refuse(why, table, key, notices);
            });
            None
        }
    }
}

/// An interactor of one of DMOJ's types. Its standard output is not buffered.
fn program(
    inner: &Fields<'_>,
    local: &mut LocalIncludes,
    notices: &mut Notices,
) -> Result<Interactor, DmojRefusal> {
    let root = inner.path().parent().unwrap_or(inner.path());
    let kind = inner.text("type", notices).unwrap_or_default();
    let (usual, convention): (&[&str], _) = match kind.as_str() {
        "testlib" => (&[], Convention::DmojTestlib),
        "" | "default" => (&["{input_file}", "{answer_file}"], Convention::Dmoj),
        "coci" => (&["{input_file}", "{answer_file}"], Convention::Coci),
        _ => return Err(DmojRefusal::Kind(kind)),
    };
    let source = dmoj_checkers::source(root, inner, local, notices)?;
    let own = dmoj_checkers::call(inner, notices)?;
    if !inner.has("unbuffered") || inner.flag("unbuffered") {
        local.unbuffered.push(source.clone());
    }
    Ok(Interactor {
        source,
        then_check: false,
        call: if own.is_empty() {
            usual.iter().map(|&word| word.to_owned()).collect()
        } else {
            own
        },
        convention: Some(convention),
    })
}

/// A grader in Python that talks with submissions.
fn grader(
    (table, name): (&Fields<'_>, &str),
    shares: &[Share],
    local: &mut LocalIncludes,
) -> Result<Interactor, DmojRefusal> {
    let root = table.path().parent().unwrap_or(table.path());
    let text = dmoj_checkers::text_of(root, name)?;
    local.programs.extend(inside(root, name));
    if !dmoj_python::is_interactive(&text) {
        return Err(DmojRefusal::Grader);
    }
    let program = PythonProgram {
        role: PythonRole::Grader,
        name: name.to_owned(),
        text,
        is_binary: table.flag("binary_data"),
        args: serde_json::Value::Null,
    };
    let first = shares.first().map_or(1.0, |share| share.points);
    #[expect(clippy::float_cmp, reason = "both come from the same text")]
    let is_same = shares.iter().all(|share| share.points == first);
    Ok(Interactor {
        source: program.for_points(is_same.then_some(first))?,
        then_check: false,
        call: Vec::new(),
        convention: None,
    })
}
