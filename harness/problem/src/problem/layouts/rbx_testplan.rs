//! The test plans of rbx: generator calls, `@copy`, `@input` and `@testgroup`.

/// Why a text is not a test plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum PlanError {
    #[error("`{0}` is not a directive of a test plan")]
    Directive(String),
    #[error("`@testgroup` needs a name and `{{`")]
    Group,
    #[error("a `{{` or a quote is not closed")]
    Open,
    #[error("`}}` without `@testgroup`")]
    Closed,
    #[error("`{0}` is not a line of a test plan of Box")]
    Box(String),
    #[error("`@input` needs a text in quotes or in braces")]
    Input,
}

/// How a test is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PlanStep {
    /// A generator with its arguments.
    Call(String),
    /// A copy of a file.
    Copy(String),
    /// This text.
    Text(String),
}

/// A test of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlanTest {
    /// The path of the group to which the test is restricted; empty: every group that uses the plan.
    pub(super) group: String,
    pub(super) step: PlanStep,
}

impl PlanTest {
    /// Whether the group, or the subgroup `GROUP/NAME`, has the test.
    pub(super) fn is_for(&self, group: &str) -> bool {
        let below = group.strip_prefix(self.group.as_str());
        self.group.is_empty() || below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// Reads a plan in the format of Box: `GROUP ; GENERATOR.exe ARGUMENTS` or `GROUP ; copy FILE`, whose groups do not count.
pub(super) fn read_box(text: &str) -> Result<Vec<PlanTest>, PlanError> {
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let wrong = || PlanError::Box(line.to_owned());
            let (group, call) = line.split_once(';').ok_or_else(wrong)?;
            let is_number = group.trim().parse::<i64>().is_ok();
            let call =
                Some(call.trim()).filter(|call| is_number && !call.is_empty()).ok_or_else(wrong)?;
            let (name, args) = call.split_once(char::is_whitespace).unwrap_or((call, ""));
            let step = if name == "copy" || name == "@copy" {
                PlanStep::Copy(args.trim().to_owned())
            } else {
                let name = name.strip_suffix(".exe").unwrap_or(name);
                PlanStep::Call(format!("{name} {}", args.trim()))
            };
            Ok(PlanTest { group: String::new(), step })
        })
        .collect()
}

/// Reads a plan.
pub(super) fn read(text: &str) -> Result<Vec<PlanTest>, PlanError> {
    let (mut tests, mut groups) = (Vec::new(), Vec::new());
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let line = line.trim_end();
        let step = if line.starts_with('#') || line.starts_with("//") {
            rest = after;
            None
        } else if let Some(inner) = rest.strip_prefix('}') {
            groups.pop().ok_or(PlanError::Closed)?;
            rest = inner;
            None
        } else if let Some(inner) = word(rest, "@testgroup") {
            let (name, inner) = inner.split_once('{').ok_or(PlanError::Group)?;
            let name = name.trim();
            if name.is_empty() || name.contains(char::is_whitespace) {
                return Err(PlanError::Group);
            }
            groups.push(name.to_owned());
            rest = inner;
            None
        } else if let Some(inner) = word(rest, "@input") {
            let (text, inner) = input(inner.trim_start())?;
            rest = inner;
            Some(PlanStep::Text(text))
        } else {
            rest = after;
            Some(match word(line, "@copy") {
                Some(file) => PlanStep::Copy(file.trim().to_owned()),
                None if line.starts_with('@') => {
                    return Err(PlanError::Directive(line.to_owned()));
                }
                None => PlanStep::Call(line.to_owned()),
            })
        };
        let group = groups.join("/");
        tests.extend(step.map(|step| PlanTest { group, step }));
        rest = rest.trim_start();
    }
    if groups.is_empty() { Ok(tests) } else { Err(PlanError::Open) }
}

/// What follows a directive.
fn word<'t>(text: &'t str, directive: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(directive)?;
    rest.starts_with([' ', '\t', '{', '"', '\'']).then_some(rest)
}

/// The text of an `@input`, and what follows it.
fn input(text: &str) -> Result<(String, &str), PlanError> {
    if let Some(inner) = text.strip_prefix('{') {
        let (block, rest) = inner.split_once('}').ok_or(PlanError::Open)?;
        let lines: Vec<&str> = block.lines().map(str::trim).collect();
        return Ok((whole_lines(&lines.join("\n")), rest));
    }
    if let Some(inner) = text.strip_prefix("\"\"\"") {
        let (raw, rest) = inner.split_once("\"\"\"").ok_or(PlanError::Open)?;
        return Ok((whole_lines(raw), rest));
    }
    let quote = text.chars().next().filter(|c| ['"', '\''].contains(c)).ok_or(PlanError::Input)?;
    let mut out = String::new();
    let mut chars = text[1..].char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            _ if c == quote => return Ok((out, &text[at + 2..])),
            '\\' => match chars.next().ok_or(PlanError::Open)?.1 {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                '\n' => {}
                other if ['\\', '"', '\''].contains(&other) => out.push(other),
                other => out.extend(['\\', other]),
            },
            c => out.push(c),
        }
    }
    Err(PlanError::Open)
}

/// A text without blanks around it, and with a line end.
fn whole_lines(text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        text => format!("{text}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_has_calls_copies_texts_and_groups() {
        let text = "# comment\ngen 1 2 # not one\n@copy a/1.in\n@input \"3 4\\n\"\n@input '\"'\n\
            @input \"\"\"\n5\n  6\n\"\"\"\n@input {\n 7 \n\n8\n}\n@testgroup one {\n  gen 9\n  \
            @testgroup two { \n gen 10\n }\n}\n// end\n";
        let tests = read(text).unwrap();
        let found: Vec<(&str, PlanStep)> =
            tests.iter().map(|test| (test.group.as_str(), test.step.clone())).collect();
        let call = |line: &str| PlanStep::Call(line.to_owned());
        let made = |text: &str| PlanStep::Text(text.to_owned());
        let expected = [
            ("", call("gen 1 2 # not one")),
            ("", PlanStep::Copy("a/1.in".to_owned())),
            ("", made("3 4\n")),
            ("", made("\"")),
            ("", made("5\n  6\n")),
            ("", made("7\n\n8\n")),
            ("one", call("gen 9")),
            ("one/two", call("gen 10")),
        ];
        assert_eq!(found, expected);
        for (test, group, expected) in [
            (0, "two", true),
            (6, "one", true),
            (6, "one/two", true),
            (6, "one2", false),
            (7, "one", false),
            (7, "one/two", true),
        ] {
            assert_eq!(tests[test].is_for(group), expected, "{test} {group}");
        }
    }

    #[test]
    fn a_plan_of_box_has_lines_with_numbers_of_groups() {
        let text = "# groups\n1 ; gen.exe 5 'a b'\n\n2;copy a/1.in\n3 ; other\n";
        let tests = read_box(text).unwrap();
        let steps: Vec<PlanStep> = tests.into_iter().map(|test| test.step).collect();
        let call = |line: &str| PlanStep::Call(line.to_owned());
        let expected = [call("gen 5 'a b'"), PlanStep::Copy("a/1.in".to_owned()), call("other ")];
        assert_eq!(steps, expected);
        for line in ["gen 5", "x ; gen", "1 ;"] {
            assert_eq!(read_box(line), Err(PlanError::Box(line.to_owned())));
        }
    }

    #[test]
    fn what_is_no_plan_is_an_error() {
        for (text, error) in [
            ("@test x", PlanError::Directive("@test x".to_owned())),
            ("@testgroup {\n}", PlanError::Group),
            ("@testgroup a {\n", PlanError::Open),
            ("}", PlanError::Closed),
            ("@input 5", PlanError::Input),
            ("@input \"5", PlanError::Open),
            ("@input {5", PlanError::Open),
        ] {
            assert_eq!(read(text), Err(error), "{text}");
        }
    }
}
