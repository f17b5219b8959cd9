//! The directives with which a C or C++ source begins.
//!
//! A lexer that gives up early: whatever it does not fully understand ends the leading lines. What it returns contains
//! directives only: no token of the program, no comment.

/// The leading directives of a source, up to its last leading include.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Lead {
    /// One directive in each line, without comments.
    pub(super) text: Vec<u8>,
    /// The names that are included with quotation marks.
    pub(super) quoted: Vec<String>,
    /// Whether it changes how the compiler optimises.
    pub(super) has_pragma: bool,
}

/// More is no beginning of a source.
const LONGEST: usize = 16 << 10;

/// The names after `#pragma` and `#pragma GCC` that may lead: those that change no state but that of the optimiser, and those
/// that compilers ignore. `true`: it changes how the compiler optimises.
const PRAGMAS: [(&str, bool); 5] = [
    ("GCC optimize", true),
    ("GCC target", true),
    ("GCC optimise", false),
    ("GCC optimization", false),
    ("comment", false),
];

/// The leading directives of this text. `None`: it does not begin with an include.
pub(super) fn of(text: &[u8]) -> Option<Lead> {
    let mut rest = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut read = Lead { text: Vec::new(), quoted: Vec::new(), has_pragma: false };
    let mut lead = None;
    while let Some((directive, after)) = next_directive(rest) {
        let Some(kind) = DirectiveKind::of(&directive) else { break };
        read.text.extend_from_slice(&directive);
        read.text.push(b'\n');
        if read.text.len() > LONGEST {
            break;
        }
        match kind {
            DirectiveKind::Include { quoted } => {
                read.quoted.extend(quoted);
                lead = Some((read.text.len(), read.quoted.len(), read.has_pragma));
            }
            DirectiveKind::Pragma { optimises } => read.has_pragma |= optimises,
            DirectiveKind::Define => {}
        }
        rest = after;
    }
    let (bytes, names, has_pragma) = lead?;
    read.text.truncate(bytes);
    read.quoted.truncate(names);
    Some(Lead { has_pragma, ..read })
}

/// What a directive does, of those that may lead.
enum DirectiveKind {
    Include { quoted: Option<String> },
    Define,
    Pragma { optimises: bool },
}

impl DirectiveKind {
    /// `None`: it may not lead.
    fn of(directive: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(directive).ok()?;
        let rest = text.strip_prefix('#')?.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        let rest = rest.trim();
        match name {
            "include" => {
                let close = if rest.starts_with('<') { '>' } else { '"' };
                let name = rest.strip_prefix(['<', '"'])?.strip_suffix(close)?;
                if name.is_empty() || name.contains(['<', '>', '"', '\\', '\n']) {
                    return None;
                }
                Some(Self::Include { quoted: (close == '"').then(|| name.to_owned()) })
            }
            "define" => Some(Self::Define),
            "pragma" if !rest.contains('\n') => {
                let words: Vec<&str> = rest.split_ascii_whitespace().collect();
                let words = words.join(" ");
                let known = PRAGMAS.iter().find(|(name, _)| {
                    let after = words.strip_prefix(name);
                    after.is_some_and(|after| after.trim_start().starts_with('('))
                });
                known.map(|&(_, optimises)| Self::Pragma { optimises })
            }
            _ => None,
        }
    }
}

/// The next directive without comments, and what follows its line. `None`: something else comes first.
fn next_directive(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text;
    loop {
        rest = match rest {
            [b' ' | b'\t' | b'\n', after @ ..] | [b'\r', b'\n', after @ ..] => after,
            [b'/', b'/', after @ ..] => line_comment(after)?,
            [b'/', b'*', after @ ..] => block_comment(after)?,
            [b'#', after @ ..] => return directive(after),
            _ => return None,
        };
    }
}

/// What follows a comment to the end of the line. `None`: the next line may belong to it.
fn line_comment(text: &[u8]) -> Option<&[u8]> {
    let end = text.iter().position(|&byte| byte == b'\n')?;
    let line = text[..end].trim_ascii_end();
    let goes_on = line.ends_with(b"\\") || line.ends_with(b"??/");
    let is_plain = !goes_on && !text[..end].strip_suffix(b"\r").unwrap_or(line).contains(&b'\r');
    is_plain.then_some(&text[end..])
}

/// What follows a comment to `*/`. `None`: a continued line may hide its end.
fn block_comment(text: &[u8]) -> Option<&[u8]> {
    let end = text.windows(2).position(|pair| pair == b"*/")?;
    let hides = |pair: &[u8]| matches!(pair, [b'\\', b'\n' | b'\r' | b' ' | b'\t'] | b"??");
    (!text[..=end].windows(2).any(hides)).then_some(&text[end + 2..])
}

/// The rest of a directive after its `#`, and what follows its line.
fn directive(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut made = vec![b'#'];
    let mut rest = text;
    loop {
        rest = match rest {
            [b'\n', after @ ..] | [b'\r', b'\n', after @ ..] => {
                return Some((made.trim_ascii_end().to_vec(), after));
            }
            // A continued line.
            [b'\\', b'\n', after @ ..] | [b'\\', b'\r', b'\n', after @ ..] => {
                made.extend_from_slice(b"\\\n");
                after
            }
            [b'\\', b' ' | b'\t' | b'\r', ..] | [b'?', b'?', ..] => return None,
            [b'/', b'/', after @ ..] => {
                let after = line_comment(after)?;
                return Some((made.trim_ascii_end().to_vec(), &after[1..]));
            }
            [b'/', b'*', after @ ..] => {
                let end = after.windows(2).position(|pair| pair == b"*/")?;
                if after[..end].iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
                    return None;
                }
                made.push(b' ');
                &after[end + 2..]
            }
            [quote @ (b'"' | b'\''), after @ ..] => {
                // A raw string, a separator of digits, or an apostrophe is not understood.
                if made.last().is_some_and(u8::is_ascii_alphanumeric) {
                    return None;
                }
                let length = literal(after, *quote)?;
                made.extend_from_slice(&rest[..=length]);
                &rest[length + 1..]
            }
            [byte @ (b'\t' | b' '..=b'~'), after @ ..] => {
                made.push(*byte);
                after
            }
            // The end of the text, or a byte that is neither printable nor white space.
            _ => return None,
        };
    }
}

/// The length of a literal with its closing quotation mark, which is on the same line.
fn literal(text: &[u8], quote: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        match text.get(at)? {
            b'\n' | b'\r' => return None,
            b'\\' if matches!(text.get(at + 1), Some(b' '..=b'~')) => at += 2,
            b'?' if text.get(at + 1) == Some(&b'?') => return None,
            byte if *byte == quote => return Some(at + 1),
            b'\t' | b' '..=b'[' | b']'..=b'~' => at += 1,
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(source: &str) -> Option<String> {
        of(source.as_bytes()).map(|lead| String::from_utf8(lead.text).unwrap())
    }

    #[test]
    fn leading_directives_end_with_the_last_include() {
        for (source, expected) in [
            ("#include <a>\nint x;\n", "#include <a>\n"),
            ("\u{feff}// by me\r\n#include <a>\r\n", "#include <a>\n"),
            ("/* a\n b */\n\n #  include <a> // why\n#define X 1\nint x;", "#  include <a>\n"),
            (
                "#define X 1 /* one */ + 2\n#include \"a.h\"\n",
                "#define X 1   + 2\n#include \"a.h\"\n",
            ),
            ("#define F(x) \\\n  x\n#include <a>\n", "#define F(x) \\\n  x\n#include <a>\n"),
            ("#define N \"//\\\"\"\n#include <a>\n", "#define N \"//\\\"\"\n#include <a>\n"),
            (
                "#pragma GCC  optimize (\"O3\")\n#include <a>\n",
                "#pragma GCC  optimize (\"O3\")\n#include <a>\n",
            ),
            ("#include <a>\n#if X\n#include <b>\n#endif\n", "#include <a>\n"),
            ("#include <a>\nusing namespace std;\n#include <b>\n", "#include <a>\n"),
            ("#include <a>\n#pragma once\n#include <b>\n", "#include <a>\n"),
            ("#include <a>\n#include FILE\n", "#include <a>\n"),
            ("#include <a>\n#define A R\"(\n#include <b>\n)\"\n#include <c>\n", "#include <a>\n"),
            ("#include <a>\n// end \\\n#include <b>\n", "#include <a>\n"),
            ("#include <a>\n/* *\\\n/\n#include <b>\n*/", "#include <a>\n"),
            ("#include <a>\n#include <b\\\n>\n", "#include <a>\n"),
            ("#include <a>\n#line 7\n#include <b>\n", "#include <a>\n"),
            ("#include <a>\n#include_next <b>\n", "#include <a>\n"),
            ("#include <a>\n#pragma GCC push_options\n#include <b>\n", "#include <a>\n"),
            ("#include <a>\n#define é\n#include <b>\n", "#include <a>\n"),
            ("#include <a>\n#define X 1'0\n#include <b>\n", "#include <a>\n"),
            ("#include <a>\n#include <b>", "#include <a>\n"),
            ("#include <a>\n??=include <b>\n#include <c>\n", "#include <a>\n"),
        ] {
            assert_eq!(text_of(source).as_deref(), Some(expected), "{source:?}");
        }
    }

    #[test]
    fn a_source_that_begins_otherwise_has_none() {
        for source in [
            "",
            "int x;\n#include <a>\n",
            "#if 1\n#include <a>\n#endif\n",
            "#pragma once\n#include <a>\n",
            "; // nothing\n#include <a>\n",
            "// \\\n#include <a>\n",
            "// ??/\n#include <a>\n",
            "/* never closed\n#include <a>\n",
            "R\"(\n#include <a>\n)\"",
            "#define X 1\nint x = X;\n#include <a>\n",
            "_Pragma(\"GCC optimize\")\n#include <a>\n",
            "%:include <a>\n",
            "\x0c#include <a>\n",
        ] {
            assert_eq!(text_of(source), None, "{source:?}");
        }
    }

    #[test]
    fn quoted_names_and_pragmas_are_noted_only_if_they_lead() {
        let lead =
            of(b"#include \"a.h\"\n#pragma GCC target(\"avx2\")\n#include \"b/c.h\"\nint x;\n");
        let lead = lead.unwrap();
        assert_eq!(
            (lead.quoted.as_slice(), lead.has_pragma),
            (["a.h", "b/c.h"].map(String::from).as_slice(), true)
        );
        let lead = of(b"#include <a>\n#pragma GCC target(\"avx2\")\nint x;\n").unwrap();
        assert!(!lead.has_pragma);
        let lead = of(b"#pragma comment(linker, \"/STACK:1\")\n#include <a>\n").unwrap();
        assert!(!lead.has_pragma);
    }
}
