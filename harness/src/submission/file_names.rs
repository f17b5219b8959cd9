//! The files that a solution reads and writes instead of standard input and output: USACO and many older contests ask for
//! `NAME.in` and `NAME.out`.

/// The maximum length of a name.
const LONGEST: usize = 64;

/// The endings of inputs that any contest may name.
const INPUTS: [&str; 2] = ["in", "inp"];

/// The endings of outputs.
const OUTPUTS: [&str; 5] = ["out", "txt", "ans", "ou", "res"];

/// The names of files in a source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileNames {
    /// The names under which the solution may open its input.
    pub inputs: Vec<String>,
    /// The names of files that it may write its output to.
    pub outputs: Vec<String>,
}

impl FileNames {
    /// The names in a source of a problem with these stems: those of the source, the problem and its cases. `input.txt`
    /// is an input, and so is `STEM.in`. Another `NAME.in` is one only if the source names no second one, because a
    /// source may also list the cases on which its author tried it.
    pub(crate) fn in_source(text: &[u8], is_stem: impl Fn(&str) -> bool) -> Self {
        let literals = literals(&String::from_utf8_lossy(text));
        let inputs: Vec<&String> = literals
            .iter()
            .filter(|name| INPUTS.contains(&ending(name).as_str()))
            .collect();
        let is_input = |name: &String| {
            name.eq_ignore_ascii_case("input.txt")
                || (inputs.contains(&name) && (inputs.len() == 1 || is_stem(stem(name))))
        };
        let (inputs, others): (Vec<String>, Vec<String>) =
            literals.iter().cloned().partition(is_input);
        let outputs = others
            .into_iter()
            .filter(|name| OUTPUTS.contains(&ending(name).as_str()));
        Self {
            outputs: outputs.collect(),
            inputs,
        }
    }

    /// The names of files in the text of a source, without its comments.
    pub(crate) fn named_in(text: &[u8]) -> Vec<String> {
        literals(&without_comments(&String::from_utf8_lossy(text)))
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.inputs.is_empty() && self.outputs.is_empty()
    }
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn ending(name: &str) -> String {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.unwrap_or_default().to_ascii_lowercase()
}

/// The text without the comments of C-like languages and of scripts. Marks of comments inside of quotes count too, which
/// is harmless, because they are not part of the names of files.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        kept.push_str(&rest[..start]);
        let end = rest[start..].find("*/").map(|end| start + end + 2);
        rest = &rest[end.unwrap_or(rest.len())..];
    }
    kept.push_str(rest);
    let is_script = |line: &str| {
        let line = line.trim_start();
        line.starts_with('#') && !line[1..].trim_start().starts_with("define")
    };
    let lines = kept.lines().filter(|line| !is_script(line));
    let lines = lines.map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<&str>>().join("\n")
}

/// The texts in quotes that look like names of files, each once.
fn literals(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("#include") {
            continue;
        }
        for quote in ['"', '\''] {
            // A name has no quotes, so every second part is between two of them, from one of both sides.
            for part in line.split(quote).skip(1) {
                let name = part.strip_prefix("./").unwrap_or(part);
                if is_file_name(name) && !found.iter().any(|known| known == name) {
                    found.push(name.to_owned());
                }
            }
        }
    }
    found
}

fn is_file_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    name.len() <= LONGEST
        && !name.starts_with('.')
        && name.bytes().all(is_plain)
        && name
            .rsplit_once('.')
            .is_some_and(|(stem, ending)| !stem.is_empty() && !ending.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_comments_do_not_count() {
        let table: [(&str, &[&str]); 6] = [
            ("freopen(\"a.in\"); // freopen(\"b.in\")", &["a.in"]),
            ("/* \"a.in\"\n\"c.in\" */ open(\"b.in\")", &["b.in"]),
            ("  # open('a.in')\nopen('b.in')", &["b.in"]),
            ("#define IN \"a.in\"\n#include \"b.in\"", &["a.in"]),
            ("/* \"a.in\"", &[]),
            ("", &[]),
        ];
        for (source, names) in table {
            assert_eq!(FileNames::named_in(source.as_bytes()), names, "{source}");
        }
    }

    #[test]
    fn inputs_and_outputs_are_found_in_any_language() {
        let table: [(&str, &[&str], &[&str]); 9] = [
            (
                "ifstream fin(\"gift1.in\"); ofstream fout (\"gift1.out\");",
                &["gift1.in"],
                &["gift1.out"],
            ),
            (
                "freopen(\"input.txt\",\"r\",stdin);\nfreopen(\"output.txt\", \"w\", stdout);",
                &["input.txt"],
                &["output.txt"],
            ),
            (
                "open('./blist.in'), open('blist.out', 'w')",
                &["blist.in"],
                &["blist.out"],
            ),
            ("assign(input, 'BAI1.INP');", &["BAI1.INP"], &[]),
            // Cases on which the author tried it.
            ("for f in ['1.in', '2.in', 'sum.in']:", &["sum.in"], &[]),
            ("#include \"data.in\"\nint main() {}", &[], &[]),
            ("open('/etc/passwd.in'); open('../up.in')", &[], &[]),
            ("print(\"a.b\", '%.2f', \"x..\", 'it.is')", &[], &[]),
            ("std::ofstream log(\"log.txt\");", &[], &["log.txt"]),
        ];
        for (source, inputs, outputs) in table {
            let names = FileNames::in_source(source.as_bytes(), |stem| stem == "sum");
            assert_eq!(names.inputs, inputs, "{source}");
            assert_eq!(names.outputs, outputs, "{source}");
        }
    }
}
