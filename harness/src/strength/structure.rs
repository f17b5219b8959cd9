//! Changes by the structure of a source: a loop that ends after its first round, a statement that is removed.

use super::change::SourceChange;
use super::syntax::{ChangeKind, SourceSyntax};
use super::token::{SourceToken, TokenSort};

/// All such changes.
pub(super) fn changes(
    source: &str,
    tokens: &[SourceToken],
    syntax: &SourceSyntax,
) -> Vec<SourceChange> {
    if syntax.indented {
        return Indented { source, syntax }.changes(tokens);
    }
    let text = |token: &SourceToken| token.text(source);
    let mut found = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_loop = syntax.loops.iter().any(|word| word == text(token));
        if is_loop && token.sort == TokenSort::Word && !syntax.r#break.is_empty() {
            let end = body_end(source, &tokens[at + 1..]);
            found.extend(end.map(|end| SourceChange {
                kind: ChangeKind::EarlyBreak,
                range: end..end,
                replacement: format!("{} ", syntax.r#break),
            }));
        }
        let starts = at == 0 || [";", "{", "}"].contains(&text(&tokens[at - 1]));
        // The parts of a loop's head are no statements.
        let is_in_parens = open.last().is_some_and(|open| *open != "{");
        if starts && !is_in_parens && !syntax.nothing.is_empty() {
            found.extend(statement(source, &tokens[at..], syntax));
        }
        match text(token) {
            _ if token.sort != TokenSort::Sign => {}
            sign @ ("(" | "[" | "{") => open.push(sign),
            ")" | "]" | "}" => drop(open.pop()),
            _ => {}
        }
    }
    found
}

/// The place of the `}` that ends the body of a loop whose word comes before `tokens`.
fn body_end(source: &str, tokens: &[SourceToken]) -> Option<usize> {
    let mut parens = 0;
    let mut depth = 0;
    for token in tokens.iter().filter(|token| token.sort == TokenSort::Sign) {
        match token.text(source) {
            "(" | "[" => parens += 1,
            ")" | "]" => parens -= 1,
            // A loop without braces.
            ";" if parens == 0 && depth == 0 => return None,
            "{" => depth += 1,
            "}" if depth == 1 => return Some(token.start),
            "}" => depth -= 1,
            _ => {}
        }
        if parens < 0 || depth < 0 {
            return None;
        }
    }
    None
}

/// The change that removes the statement that starts here, if it is a simple one.
fn statement(source: &str, tokens: &[SourceToken], syntax: &SourceSyntax) -> Option<SourceChange> {
    let (first, second) = (tokens.first()?, tokens.get(1)?);
    let is_kept = syntax.kept.iter().any(|word| word == first.text(source));
    // Two words in a row declare a variable.
    let declares = matches!(second.sort, TokenSort::Word | TokenSort::Bracket);
    if first.sort != TokenSort::Word || is_kept || declares {
        return None;
    }
    let mut parens = 0;
    for token in tokens {
        match token.text(source) {
            _ if token.sort != TokenSort::Sign => {}
            "(" | "[" => parens += 1,
            ")" | "]" => parens -= 1,
            "{" | "}" => return None,
            ";" if parens == 0 => {
                return Some(SourceChange {
                    kind: ChangeKind::RemovedStatement,
                    range: first.start..token.end,
                    replacement: syntax.nothing.clone(),
                });
            }
            _ => {}
        }
        if parens < 0 {
            return None;
        }
    }
    None
}

/// A source whose blocks are indented.
struct Indented<'a> {
    source: &'a str,
    syntax: &'a SourceSyntax,
}

/// A line of such a source, with those that continue it.
struct LogicalLine {
    /// Its tokens, by their indices.
    first: usize,
    last: usize,
    indent: usize,
}

impl Indented<'_> {
    fn changes(&self, tokens: &[SourceToken]) -> Vec<SourceChange> {
        let lines = self.lines(tokens);
        let mut found = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let first = tokens[line.first].text(self.source);
            let is = |words: &[String]| words.iter().any(|word| word == first);
            let end = tokens[line.last];
            if is(&self.syntax.loops) && end.text(self.source) == ":" {
                let body: Vec<&LogicalLine> =
                    lines[at + 1..].iter().take_while(|body| body.indent > line.indent).collect();
                if let (Some(start), Some(last)) = (body.first(), body.last()) {
                    let place = tokens[last.last].end;
                    let indent = " ".repeat(start.indent);
                    found.push(SourceChange {
                        kind: ChangeKind::EarlyBreak,
                        range: place..place,
                        replacement: format!("\n{indent}{}", self.syntax.r#break),
                    });
                }
            }
            let is_simple = end.text(self.source) != ":" && line.last > line.first;
            if is_simple && tokens[line.first].sort == TokenSort::Word && !is(&self.syntax.kept) {
                found.push(SourceChange {
                    kind: ChangeKind::RemovedStatement,
                    range: tokens[line.first].start..end.end,
                    replacement: self.syntax.nothing.clone(),
                });
            }
        }
        found
    }

    fn lines(&self, tokens: &[SourceToken]) -> Vec<LogicalLine> {
        let mut lines: Vec<LogicalLine> = Vec::new();
        let mut parens = 0;
        for (at, token) in tokens.iter().enumerate() {
            let before = &self.source[..token.start];
            let line = before.rsplit('\n').next().unwrap_or_default();
            // A text may be the end of a line of its own, so the end of the last token counts.
            let between = at.checked_sub(1).map(|last| &self.source[tokens[last].end..token.start]);
            let is_new =
                between.is_none_or(|between| between.contains('\n') && !between.contains('\\'));
            match lines.last_mut() {
                Some(last) if parens > 0 || !is_new => last.last = at,
                _ => lines.push(LogicalLine {
                    first: at,
                    last: at,
                    indent: line.len() - line.trim_start().len(),
                }),
            }
            if token.sort == TokenSort::Sign {
                match token.text(self.source) {
                    "(" | "[" | "{" => parens += 1,
                    ")" | "]" | "}" => parens -= 1,
                    _ => {}
                }
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::rules;
    use crate::strength::syntax::SyntaxTable;

    fn changed(family: &str, kind: ChangeKind, source: &str) -> Vec<String> {
        let syntax = SyntaxTable::load().get(family).unwrap();
        let found = rules::changes(source, &syntax).into_iter();
        found.filter(|change| change.kind == kind).map(|change| change.apply(source)).collect()
    }

    #[test]
    fn loops_end_early_and_statements_are_removed() {
        let table: [(&str, ChangeKind, &str, &[&str]); 8] = [
            (
                "c",
                ChangeKind::EarlyBreak,
                "for (;;) { if (a) { b(); } } while (c);",
                &["for (;;) { if (a) { b(); } break; } while (c);"],
            ),
            (
                "rust",
                ChangeKind::EarlyBreak,
                "for i in 0..n { f(i); }",
                &["for i in 0..n { f(i); break; }"],
            ),
            (
                "c",
                ChangeKind::RemovedStatement,
                "int a = 1; a += f(b, c); return a;",
                &["int a = 1; ; return a;"],
            ),
            ("c", ChangeKind::RemovedStatement, "for (a = 0; a < n; a++) b(a);", &[]),
            (
                "c",
                ChangeKind::RemovedStatement,
                "vector<int> a; a[f(1)] = 2;",
                &["vector<int> a; ;"],
            ),
            (
                "python",
                ChangeKind::EarlyBreak,
                "for i in a:\n    b(i)\n    c(\n  i)\nd()\n",
                &["for i in a:\n    b(i)\n    c(\n  i)\n    break\nd()\n"],
            ),
            (
                "python",
                ChangeKind::RemovedStatement,
                "def f(a):\n  a += g(a,\n b)\n  return a\n",
                &["def f(a):\n  pass\n  return a\n"],
            ),
            ("python", ChangeKind::EarlyBreak, "for i in a: b(i)\n", &[]),
        ];
        for (family, kind, source, expected) in table {
            assert_eq!(changed(family, kind, source), expected, "{source}");
        }
    }
}
