//! Finds files that are unused, duplicated or misnamed.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use walkdir::WalkDir;

use super::{Finding, FindingSubject, FirstFindings, Severity};
use crate::notice::Code;
use crate::problem::{
    DATA_PARTS, PACKAGE_PARTS, Problem, is_case_name, is_ignored, unreachable_limit, unread,
};

/// Endings of files that a setter keeps beside the cases, and that no tool reads.
const NOT_READ: [&str; 2] = [".disabled", ".template"];

/// Endings allowed next to cases, after the case's name.
const ENDINGS: [&str; 17] = [
    ".in",
    ".ans",
    ".out",
    ".interaction",
    ".in.statement",
    ".ans.statement",
    ".in.download",
    ".ans.download",
    ".out.statement",
    ".out.download",
    ".args",
    ".yaml",
    ".hint",
    ".desc",
    ".png",
    ".jpg",
    ".svg",
];

/// Checks the files of `problem`: for other files than those of the ICPC format, only that no input comes twice.
pub(crate) fn check(problem: &Problem, findings: &mut Vec<Finding>) {
    if Problem::is_package_in(&problem.dir) {
        parts(&problem.dir, &PACKAGE_PARTS, "a problem package", findings);
        parts(&problem.dir.join("data"), &DATA_PARTS, "`data/`", findings);
        unused(&problem.dir.join("data"), findings);
        attachments(&problem.dir.join("attachments"), findings);
        super::statement::check(problem, findings);
        resolution(problem, findings);
    }
    duplicates(problem, findings);
}

/// A time limit that 2025-09 does not allow.
fn resolution(problem: &Problem, findings: &mut Vec<Finding>) {
    let Some((limit, resolution)) = unreachable_limit(&problem.dir) else {
        return;
    };
    let message = format!(
        "`time_limit` is {} s, which is not a multiple of `time_resolution`, {resolution} s",
        limit.as_secs_f64()
    );
    let finding = Finding::error(FindingSubject::TimeLimit, Code::InvalidValue, message);
    let help = "change the limit, or set `limits.time_resolution` (default: 1.0)";
    findings.push(finding.at(problem.dir.join("problem.yaml")).help(help));
}

/// Reports names in `folder` that rejudge does not read.
fn parts(folder: &Path, known: &[&str], place: &str, findings: &mut Vec<Finding>) {
    // A folder that cannot be read was reported when the problem was read.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(notice) = unread(&name, known, place) {
            let finding = Finding {
                subject: FindingSubject::Files,
                ..Finding::of_notice(Severity::Warning, &notice)
            };
            findings.push(finding.at(entry.path()));
        }
    }
}

/// Reports folders among the attachments.
fn attachments(folder: &Path, findings: &mut Vec<Finding>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<_> =
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    for path in folders {
        let message = "is a folder: BAPCtools and problemtools accept only files here";
        let finding = Finding::warning(FindingSubject::Files, Code::NotAFile, message);
        findings.push(finding.at(path).help("put its files next to it, or make it an archive"));
    }
}

/// Reports files among the cases that belong to no case.
fn unused(data: &Path, findings: &mut Vec<Finding>) {
    let mut few = FirstFindings::default();
    for place in ["sample", "secret"] {
        let mut walk = WalkDir::new(data.join(place)).sort_by_file_name().into_iter();
        while let Some(entry) = walk.next() {
            let Ok(entry) = entry else { continue };
            let name = entry.file_name().to_string_lossy();
            if entry.depth() == 0 {
                continue;
            }
            if is_ignored(&name) {
                if entry.file_type().is_dir() {
                    walk.skip_current_dir();
                }
                continue;
            }
            if entry.file_type().is_dir() && name.ends_with(".files") {
                walk.skip_current_dir();
            }
            if let Some(finding) = misplaced(entry.path(), &name) {
                few.push(finding.at(entry.path()));
            }
        }
    }
    few.move_to(findings, "files among the cases that are never read");
}

/// The finding about a misplaced file or folder among the cases.
fn misplaced(path: &Path, name: &str) -> Option<Finding> {
    let help =
        "use letters, digits, `_`, `.` and `-` in case names, and do not start with `.` or `-`";
    if !is_case_name(name) {
        let message = "has a name that the format does not allow and is skipped";
        return Some(Finding::error(FindingSubject::Files, Code::InvalidName, message).help(help));
    }
    if NOT_READ.iter().any(|end| name.ends_with(end)) {
        return None;
    }
    if path.is_dir() || matches!(name, "testdata.yaml" | "test_group.yaml") {
        return None;
    }
    let ending =
        ENDINGS.iter().filter(|ending| name.ends_with(*ending)).max_by_key(|ending| ending.len());
    let Some(ending) = ending else {
        let message = "has an ending that belongs to no case and is never read";
        return Some(Finding::warning(FindingSubject::Files, Code::UnusedFile, message));
    };
    let case = path.with_file_name(name.strip_suffix(ending)?.to_owned() + ".in");
    // An answer without an input is reported when the problem is read.
    let own = [".in", ".ans", ".interaction", ".in.statement"];
    let statement = path.with_file_name(name.strip_suffix(ending)?.to_owned() + ".in.statement");
    let is_shown = matches!(*ending, ".ans.statement" | ".out.statement") && statement.exists();
    if own.contains(ending) || is_shown || case.exists() {
        return None;
    }
    let message = format!("belongs to no case: `{}` does not exist", super::file_name(&case));
    Some(Finding::warning(FindingSubject::Files, Code::UnusedFile, message))
}

/// Whether two paths lead to one file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let file = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
    one == other || file(one).is_some_and(|found| file(other) == Some(found))
}

/// Reports inputs that occur twice. A sample may also be a secret case.
fn duplicates(problem: &Problem, findings: &mut Vec<Finding>) {
    let mut by_size: HashMap<(u64, &str), Vec<usize>> = HashMap::new();
    for (index, case) in problem.cases.iter().enumerate() {
        let place = case.name().split('/').next().unwrap_or_default();
        if let Ok(file) = fs::metadata(case.input()) {
            by_size.entry((file.len(), place)).or_default().push(index);
        }
    }
    let mut copies = Vec::new();
    for indices in by_size.into_values().filter(|indices| indices.len() > 1) {
        let mut seen: HashMap<_, usize> = HashMap::new();
        for index in indices {
            let case = &problem.cases[index];
            // An unreadable input is reported elsewhere.
            let Ok(text) = fs::read(case.input()) else {
                continue;
            };
            let key = blake3::hash(&text);
            match seen.get(&key) {
                // A case may be in several groups, which some tools write as links.
                Some(&first) if is_same_file(&problem.cases[first].input(), &case.input()) => {}
                Some(&first) => copies.push((index, first)),
                None => {
                    seen.insert(key, index);
                }
            }
        }
    }
    copies.sort_unstable();
    let mut few = FirstFindings::default();
    for (index, first) in copies {
        let message = format!("is the same input as `{}`", problem.cases[first].name());
        let finding = Finding::warning(FindingSubject::Files, Code::DuplicateInput, message);
        few.push(finding.at(problem.cases[index].input()).help("remove one of the two cases"));
    }
    few.move_to(findings, "duplicate inputs");
}
