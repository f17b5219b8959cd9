//! Code stays in pieces that can be read at once: files of at most 400 lines, and functions of at most 60. Comments, blank
//! lines and tests do not count.

use std::collections::BTreeSet;

use crate::words::{WORKSPACE, sources};

/// The most lines of a file and of the body of a function.
const MOST: [usize; 2] = [400, 60];

/// What is longer, by file and function, with the reason. The list may only get shorter.
const EXCEPTIONS: [(&str, &str); 7] = [
    (
        "discover/join/owners.rs by_names",
        "one decision, whose cases exclude each other in this order",
    ),
    ("discover/submissions.rs submit", "one submission, field by field"),
    (
        "judge/interaction.rs interact",
        "two programs and four threads that share their ends of the pipes",
    ),
    ("problem/layouts/rbx_recipes.rs read", "one settings file, key by key"),
    ("problem/layouts/sinol.rs load", "one settings file, key by key"),
    ("problem/package.rs load", "one package, file by file"),
    ("report/json/case.rs from", "one line of a report, field by field"),
];

/// The functions in code that rustfmt has formatted, each with the number of lines of its body.
fn functions(code: &str) -> Vec<(String, usize)> {
    // The texts of programs are no code.
    let code: String = code
        .split("r#\"")
        .map(|part| part.split_once("\"#").map_or(part, |(_, code)| code))
        .collect();
    let lines: Vec<&str> = code.lines().filter(|line| !line.trim().is_empty()).collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let indent = &line[..line.len() - line.trim_start().len()];
        let Some((before, after)) = line.split_once("fn ") else {
            continue;
        };
        let is_item = before.split_whitespace().all(|word| {
            word.starts_with("pub")
                || ["const", "async", "unsafe", "extern", "\"C\"", "in"].contains(&word)
        });
        let name = after.split(|c: char| c != '_' && !c.is_alphanumeric()).next();
        let end = lines[start..].iter().position(|line| {
            line.strip_prefix(indent)
                .is_some_and(|rest| rest == "}" || rest.starts_with("fn ") && rest.ends_with(';'))
        });
        if line.ends_with('}') {
            continue;
        }
        let opens = lines[start..].iter().position(|line| line.ends_with('{'));
        if let (true, Some(name), Some(end), Some(opens)) = (is_item, name, end, opens) {
            found.push((name.to_owned(), end.saturating_sub(opens + 1)));
        }
    }
    found
}

#[test]
fn the_lines_of_a_body_are_counted() {
    let code = "impl A {\n    pub(crate) fn a(\n        b: u8,\n    ) {\n        c();\n\n        d();\n    }\n}\n\
                fn short() {}\nconst fn e() -> u8 {\n    1\n}\n";
    let counts = [("a", 2), ("e", 1)].map(|(name, count)| (name.to_owned(), count));
    assert_eq!(functions(code), counts);
}

#[test]
fn files_and_functions_are_short() {
    let mut long = BTreeSet::new();
    for (path, code) in sources(&WORKSPACE) {
        let lines = code.lines().filter(|line| !line.trim().is_empty()).count();
        if lines > MOST[0] {
            long.insert(path.clone());
        }
        for (name, lines) in functions(&code) {
            if lines > MOST[1] {
                long.insert(format!("{path} {name}"));
            }
        }
    }
    let known: BTreeSet<String> = EXCEPTIONS.iter().map(|(what, _)| (*what).to_owned()).collect();
    assert_eq!(long, known, "left: too long; right: the exceptions, which must be needed");
    assert!(EXCEPTIONS.iter().all(|(_, reason)| reason.len() > 20));
    assert!(EXCEPTIONS.len() <= 12);
}
