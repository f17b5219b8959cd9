//! Two habits of beginners that make a right program wrong: it prints prompts, or its `main` is never called. A reason that
//! only names the first difference does not tell them.

use std::io::Read as _;

use super::run::{Run, Subject};
use crate::checker::CheckOutcome;
use crate::plain_file;
use crate::printable::{one_line, quoted};

/// Only the start of texts is looked at.
const READ: u64 = 64 << 10;

/// How a `main` that must be called is defined.
const DEFINITIONS: [&str; 2] = ["def main(", "function main("];

/// The ends of a prompt.
const ENDS: [char; 4] = [':', '?', '>', '='];

/// The shortest and the longest text that counts as a prompt, and how much of it is shown.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=200;
const SHOWN: usize = 40;

/// What is added to the reason of a wrong answer.
pub(super) fn hint(subject: &Subject<'_>, run: &Run) -> Option<String> {
    let is_wrong = matches!(run.checked.as_ref()?.outcome, CheckOutcome::Wrong(_));
    if !is_wrong || !subject.is_one_text() {
        return None;
    }
    let output = &run.execution.as_ref()?.stdout;
    let mut start = Vec::new();
    output.reader().ok()?.take(READ).read_to_end(&mut start).ok()?;
    let source = plain_file::read(&subject.submission.path).ok()?;
    let source = String::from_utf8(source).ok()?;
    if start.trim_ascii().is_empty() {
        let is_forgotten = main_is_never_called(&source);
        return is_forgotten.then(|| "`main` is defined and never called".to_owned());
    }
    let answer = plain_file::read(&subject.case.answer()?).ok()?;
    let (output, answer) = (String::from_utf8_lossy(&start), String::from_utf8_lossy(&answer));
    let mut prompts = prompts(&source).into_iter();
    let printed = prompts.find(|text| output.contains(text) && !answer.contains(text.trim()))?;
    let shown = quoted(&one_line(printed.as_bytes(), SHOWN));
    Some(format!("the source prints the text {shown}, which is part of the output"))
}

/// Whether a function called `main`, which the language does not call, is defined and called nowhere.
fn main_is_never_called(source: &str) -> bool {
    DEFINITIONS.iter().any(|definition| {
        let is_defined = source.lines().any(|line| line.starts_with(definition));
        is_defined && !source.replace(definition, "").contains("main")
    })
}

/// The texts in quotation marks that look like prompts.
fn prompts(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in source.lines() {
        let mut rest = line;
        while let Some(start) = rest.find(['"', '\'']) {
            let (before, from) = rest.split_at(start);
            let (mark, text) = from.split_at(1);
            let Some(end) = text.find(mark) else { break };
            let inside = &text[..end];
            let is_asked = before.trim_end().ends_with("input(");
            let is_prompt = is_asked || inside.trim_end().ends_with(ENDS);
            let is_plain = !inside.contains(['\\', '{', '%']);
            if is_prompt
                && is_plain
                && LENGTHS.contains(&inside.len())
                && inside.contains(char::is_alphabetic)
            {
                found.push(inside);
            }
            rest = &text[end + 1..];
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_the_source_may_be_a_prompt() {
        for (line, expected) in [
            ("n = int(input(\"Enter n\"))", &["Enter n"][..]),
            ("a = input( 'a? ' ); b = input('b? ')", &["a? ", "b? "]),
            ("cout << \"How many: \" << endl;", &["How many: "]),
            ("printf(\"n = %d\", n); puts(\"n =\");", &["n ="]),
            ("print(\"Yes\")", &[]),
            ("print(f\"{n}:\"); print(\":\"); x = 'it", &[]),
        ] {
            assert_eq!(prompts(line), expected, "{line}");
        }
    }

    #[test]
    fn a_main_that_nothing_names_is_never_called() {
        for (source, expected) in [
            ("def main():\n    print(1)\n", true),
            ("def main():\n    print(1)\nmain()\n", false),
            ("def main():\n    print(1)\nif __name__ == '__main__':\n    run(main)\n", false),
            ("function main() {\n  console.log(1);\n}\n", true),
            ("class A:\n    def main(self): pass\n", false),
            ("print()\n", false),
        ] {
            assert_eq!(main_is_never_called(source), expected, "{source}");
        }
    }
}
