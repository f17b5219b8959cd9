//! Tells the brackets around arguments of templates and generic types from the signs "less" and "greater".
//!
//! No lexer can be sure of it. A sign that is taken for a bracket is not changed; a bracket that is taken for a sign
//! makes a mutant that does not compile, and that is left out.

use super::token::{SourceToken, TokenSort};

/// Signs that may be between such brackets.
const INSIDE: [&str; 17] =
    ["::", ",", "*", "&", "[", "]", "(", ")", "...", "?", ":", "=", "+", "->", ";", ".", "-"];

/// Changes the sort of the tokens that are brackets.
pub(super) fn mark(source: &str, tokens: &mut [SourceToken]) {
    for at in 1..tokens.len() {
        let is_open = tokens[at].text(source) == "<" && tokens[at].sort == TokenSort::Sign;
        if !is_open || !may_open(source, tokens, at) {
            continue;
        }
        let Some(end) = end_of(source, tokens, at) else {
            continue;
        };
        for token in &mut tokens[at..=end] {
            let is_bracket = ["<", ">", ">>"].contains(&token.text(source));
            if is_bracket && token.sort == TokenSort::Sign {
                token.sort = TokenSort::Bracket;
            }
        }
    }
}

/// Whether a bracket may be here: right after a name, or after `::`.
fn may_open(source: &str, tokens: &[SourceToken], at: usize) -> bool {
    let before = tokens[at - 1];
    let is_name = before.sort == TokenSort::Word || before.text(source) == "::";
    let is_keyword = ["template", "impl"].contains(&before.text(source));
    is_name && (before.end == tokens[at].start || is_keyword)
}

/// The index of the token that closes the bracket at `open`, if everything between them may be arguments.
fn end_of(source: &str, tokens: &[SourceToken], open: usize) -> Option<usize> {
    let mut depth = 0;
    let mut parens: Vec<&str> = Vec::new();
    for (at, token) in tokens.iter().enumerate().skip(open) {
        let text = token.text(source);
        if token.sort != TokenSort::Sign {
            match token.sort {
                TokenSort::Word | TokenSort::Number | TokenSort::Bracket => continue,
                _ => return None,
            }
        }
        match text {
            "<" => depth += 1,
            ">" => depth -= 1,
            ">>" => depth -= 2,
            "(" | "[" => parens.push(text),
            ")" => (parens.pop()? == "(").then_some(())?,
            "]" => (parens.pop()? == "[").then_some(())?,
            ";" if parens.last() != Some(&"[") => return None,
            // A wildcard, and not a condition.
            "?" if !["<", ","].contains(&tokens[at - 1].text(source)) => return None,
            _ if INSIDE.contains(&text) => {}
            _ => return None,
        }
        if depth < 0 || (depth == 0 && !parens.is_empty()) {
            return None;
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::lexer::tokens;
    use crate::strength::syntax::SyntaxTable;

    /// The source with `[` and `]` for what is taken for a bracket.
    fn marked(family: &str, source: &str) -> String {
        let syntax = SyntaxTable::load().get(family).unwrap();
        let mut shown = source.to_owned();
        for token in tokens(source, &syntax).into_iter().rev() {
            if token.sort == TokenSort::Bracket {
                let open = token.text(source) == "<";
                let sign = if open { "[".to_owned() } else { "]".repeat(token.end - token.start) };
                shown.replace_range(token.start..token.end, &sign);
            }
        }
        shown
    }

    #[test]
    fn brackets_of_types_are_told_from_relations() {
        let table = [
            ("c", "vector<pair<int, int>> a(n);", "vector[pair[int, int]] a(n);"),
            (
                "c",
                "for (int i=0;i<n;i++) if (a<b && c>d) x = a<b ? c : d>e;",
                "for (int i=0;i<n;i++) if (a<b && c>d) x = a<b ? c : d>e;",
            ),
            (
                "c",
                "template <class T> map<T, array<int, 3>> m;",
                "template [class T] map[T, array[int, 3]] m;",
            ),
            ("c", "cout << (a<b) << (c>d); cin >> x;", "cout << (a<b) << (c>d); cin >> x;"),
            (
                "c",
                "priority_queue<int, vector<int>, greater<int>> q;",
                "priority_queue[int, vector[int], greater[int]] q;",
            ),
            ("c", "if (a < b) return c > d;", "if (a < b) return c > d;"),
            (
                "rust",
                "let a: Vec<[u8; 4]> = b.collect::<Vec<_>>();",
                "let a: Vec[[u8; 4]] = b.collect::[Vec[_]]();",
            ),
            (
                "rust",
                "fn f<'a, T: Ord + Copy>(x: &'a T) where a<b {}",
                "fn f['a, T: Ord + Copy](x: &'a T) where a<b {}",
            ),
            ("rust", "while i<n && n>i {}", "while i<n && n>i {}"),
            (
                "java",
                "Map<String, List<? extends X>> m = new HashMap<>();",
                "Map[String, List[? extends X]] m = new HashMap[]();",
            ),
        ];
        for (family, source, expected) in table {
            assert_eq!(marked(family, source), expected);
        }
    }
}
