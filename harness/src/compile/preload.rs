//! What a program in Python imports when it starts.

use std::collections::BTreeSet;

use super::CompileRequest;
use crate::language::Template;
use crate::sandbox::Preload;

/// The command of programs that can begin in a copy of an interpreter.
const RUN: [&str; 2] = ["python3", "{source}"];

/// How the program of this request begins in a copy of an interpreter; `None` if it must start its own: it is no single
/// source of `CPython`, or a module beside it could be meant by a name.
pub(super) fn of(request: &CompileRequest<'_>) -> Option<Preload> {
    let [file] = request.files.as_slice() else {
        return None;
    };
    let is_plain = request.language.id == RUN[0]
        && request.language.run.iter().map(Template::as_str).eq(RUN)
        && !request.is_unbuffered
        && !request.has_include;
    is_plain.then(|| Preload { modules: imports(&file.text) })
}

/// The modules that the text imports, by the lines that are not indented. More lines may look like that, inside of a string:
/// the interpreter imports nothing that acts, so an import too many changes nothing.
fn imports(text: &[u8]) -> Vec<String> {
    let mut found = BTreeSet::new();
    for line in String::from_utf8_lossy(text).lines() {
        let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
        let names = match (line.starts_with([' ', '\t']), words.next()) {
            (false, Some("from")) => words.next().unwrap_or_default().to_owned(),
            (false, Some("import")) => line.split_once("import").unwrap_or_default().1.to_owned(),
            _ => continue,
        };
        let names = names.split(['#', ';']).next().unwrap_or_default();
        for name in names.split(',').filter_map(|name| name.split_whitespace().next()) {
            let is_name = |part: &str| {
                !part.is_empty()
                    && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            };
            if name.split('.').all(is_name) {
                found.insert(name.to_owned());
            }
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_those_of_lines_that_import() {
        let text = b"import sys, os.path as p,heapq # x\nfrom collections import deque\nfrom . import a\n\
                     from\tmath import *\nimport re; import io\n\
                     if x:\n    import json\nimported = 1\nfrom __future__ import annotations\nimport a-b\n";
        assert_eq!(
            imports(text),
            ["__future__", "collections", "heapq", "math", "os.path", "re", "sys"]
        );
    }
}
