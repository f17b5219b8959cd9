//! All changes of a source, one at a time: by the rules of its family, and by its structure.

use std::collections::BTreeSet;

use super::change::SourceChange;
use super::lexer::tokens;
use super::structure;
use super::syntax::{ChangeKind, SourceSyntax};
use super::token::{SourceToken, TokenSort};

/// Signs that need an operand before them to be operators: `-` may also be a sign of a number, and `*` a pointer.
const BINARY: [&str; 14] =
    ["+", "-", "*", "/", "%", "//", "<", ">", "<=", ">=", "==", "!=", "&&", "||"];

/// All changes of `source`, without repetitions.
pub(crate) fn changes(source: &str, syntax: &SourceSyntax) -> Vec<SourceChange> {
    let tokens = tokens(source, syntax);
    let mut found = Vec::new();
    for (kind, rules) in &syntax.rules {
        for (from, to) in rules {
            let pattern: Vec<&str> = from.split_whitespace().collect();
            for at in 0..tokens.len() {
                let window = TokenWindow { source, syntax, tokens: &tokens, at };
                if let Some(change) = window.changed(*kind, &pattern, to) {
                    found.push(change);
                }
            }
        }
    }
    found.extend(structure::changes(source, &tokens, syntax));
    let mut seen = BTreeSet::new();
    let whole = found.into_iter().filter_map(|change| change.trimmed(source));
    whole
        .filter(|change| {
            seen.insert((change.range.start, change.range.end, change.replacement.clone()))
        })
        .collect()
}

/// A place in the tokens of a source.
struct TokenWindow<'a> {
    source: &'a str,
    syntax: &'a SourceSyntax,
    tokens: &'a [SourceToken],
    at: usize,
}

impl TokenWindow<'_> {
    /// The change if the pattern matches here.
    fn changed(&self, kind: ChangeKind, pattern: &[&str], to: &str) -> Option<SourceChange> {
        let matched = self.tokens.get(self.at..self.at + pattern.len())?;
        if BINARY.contains(pattern.first()?) && !self.follows_operand() {
            return None;
        }
        let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
        let is_member = before.is_some_and(|one| [".", "::"].contains(&one.text(self.source)));
        let names = to.starts_with(|c: char| c.is_alphabetic());
        // Fields may be called by numbers, and a name after `::` cannot be left out.
        match matched[0].sort {
            TokenSort::Number if is_member => return None,
            TokenSort::Word if is_member && !names => return None,
            _ => {}
        }
        let mut replacement = to.to_owned();
        for (token, part) in matched.iter().zip(pattern) {
            let text = token.text(self.source);
            match *part {
                "{n}" => {
                    let (digits, suffix) = integer(*token, text)?;
                    let neighbour = |by: i128| format!("{}{suffix}", digits + by);
                    if replacement.contains("{n-1}") && digits == 0 {
                        return None;
                    }
                    replacement = replacement.replace("{n+1}", &neighbour(1));
                    replacement = replacement.replace("{n-1}", &neighbour(-1));
                }
                "{word}" => {
                    (token.sort == TokenSort::Word && self.is_operand(*token)).then_some(())?;
                    replacement = replacement.replace("{word}", text);
                }
                "{operand}" => self.is_operand(*token).then_some(())?,
                part => (part == text
                    && token.sort != TokenSort::Text
                    && token.sort != TokenSort::Bracket)
                    .then_some(())?,
            }
            replacement = replacement.replace("{operand}", text);
        }
        let (first, last) = (matched.first()?, matched.last()?);
        Some(SourceChange { kind, range: first.start..last.end, replacement })
    }

    /// Whether the token before this place ends an operand.
    fn follows_operand(&self) -> bool {
        let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
        before.is_some_and(|before| {
            let ends = [")", "]"].contains(&before.text(self.source));
            ends || self.is_operand(before)
        })
    }

    /// Whether the token is a name or a number, and not a keyword.
    fn is_operand(&self, token: SourceToken) -> bool {
        let text = token.text(self.source);
        match token.sort {
            TokenSort::Number => true,
            TokenSort::Word => !self.syntax.no_operands.iter().any(|word| word == text),
            _ => false,
        }
    }
}

/// The value and the suffix of a decimal integer.
fn integer(token: SourceToken, text: &str) -> Option<(i128, &str)> {
    if token.sort != TokenSort::Number || text.contains('.') {
        return None;
    }
    let end = text.find(|c: char| !c.is_ascii_digit());
    let (digits, suffix) = text.split_at(end.unwrap_or(text.len()));
    let is_octal = digits.len() > 1 && digits.starts_with('0');
    let has_other_base = digits == "0" && suffix.starts_with(['x', 'X', 'b', 'B', 'o', 'O']);
    let is_exponent = suffix.starts_with(['e', 'E']);
    let is_type = suffix.chars().all(|c| c.is_ascii_alphanumeric());
    if is_octal || has_other_base || is_exponent || !is_type {
        return None;
    }
    Some((digits.parse().ok()?, suffix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::syntax::SyntaxTable;

    /// The sources after each change of a kind.
    fn changed(family: &str, kind: ChangeKind, source: &str) -> Vec<String> {
        let syntax = SyntaxTable::load().get(family).unwrap();
        let found = changes(source, &syntax).into_iter();
        found.filter(|change| change.kind == kind).map(|change| change.apply(source)).collect()
    }

    #[test]
    fn each_rule_changes_one_place() {
        let table: [(&str, ChangeKind, &str, &[&str]); 24] = [
            ("c", ChangeKind::Relation, "a < b;", &["a <= b;"]),
            ("c", ChangeKind::Relation, "vector<int> a; cout << b >> c;", &[]),
            ("c", ChangeKind::FirstValue, "int a = 0;", &["int a = 1;"]),
            ("c", ChangeKind::OffByOne, "a[i + 1]", &["a[i ]", "a[i + 2]", "a[i + 0]"]),
            ("c", ChangeKind::OffByOne, "return -1;", &["return -2;", "return -0;"]),
            (
                "c",
                ChangeKind::OffByOne,
                "1LL + 0x10 + 1e9 + 1.5",
                &["2LL + 0x10 + 1e9 + 1.5", "0LL + 0x10 + 1e9 + 1.5"],
            ),
            ("c", ChangeKind::Arithmetic, "a + b", &["a - b"]),
            ("c", ChangeKind::Arithmetic, "int *p = f(-1, *q)", &[]),
            ("c", ChangeKind::Logic, "a && !b", &["a || !b", "a && b"]),
            ("c", ChangeKind::MinMax, "std::min(a, b)", &["std::max(a, b)"]),
            ("c", ChangeKind::Absolute, "std::abs(a)", &["(a)"]),
            ("c", ChangeKind::Modulus, "a * b % MOD;", &["a * b ;"]),
            ("c", ChangeKind::Modulus, "a %= MOD;", &["a += 0;"]),
            ("c", ChangeKind::Modulus, "a %= b.size();", &[]),
            ("python", ChangeKind::Modulus, "a %= MOD\nb = 1", &["a += 0\nb = 1"]),
            ("go", ChangeKind::Modulus, "a %= 7\n", &["a += 0\n"]),
            ("c", ChangeKind::WideType, "long long a;", &["int a;"]),
            ("rust", ChangeKind::Range, "0..n", &["0..=n"]),
            ("rust", ChangeKind::Logic, "println!(\"\"); !a", &["println!(\"\"); a"]),
            ("rust", ChangeKind::OffByOne, "x.0", &[]),
            ("python", ChangeKind::Range, "range(n)", &["range(n - 1)", "range(1, n)"]),
            (
                "python",
                ChangeKind::Logic,
                "a and not b # and",
                &["a or not b # and", "a and b # and"],
            ),
            ("python", ChangeKind::Arithmetic, "a // b", &["a * b"]),
            ("java", ChangeKind::Absolute, "Math.abs(a)", &["(a)"]),
        ];
        for (family, kind, source, expected) in table {
            assert_eq!(changed(family, kind, source), expected, "{source}");
        }
    }

    #[test]
    fn no_change_is_made_twice() {
        let syntax = SyntaxTable::load().get("c").unwrap();
        let source = "int a = 0; if (a + 1 < 2) a = -1;";
        let mut all: Vec<String> =
            changes(source, &syntax).iter().map(|change| change.apply(source)).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(!all.contains(&source.to_owned()));
    }
}
