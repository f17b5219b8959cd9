//! Expressions in workflows of GitHub, as far as the recipes use them: texts, truth values, names such as `github.base_ref`,
//! `==`, `!=`, `!`, `&&`, `||`, parentheses, and the functions `always` and `startsWith`.
//!
//! As GitHub does, comparisons ignore case, `&&` and `||` give one of their operands, and an empty text is false. A name
//! without a value here is empty.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail, ensure};

/// The values of names.
pub(super) type Values = BTreeMap<String, String>;

/// What a name starts with.
const CONTEXTS: [&str; 4] = ["github", "inputs", "matrix", "runner"];

/// The text with the values of its expressions, which are between `${{` and `}}`.
pub(super) fn filled(text: &str, values: &Values) -> Result<String> {
    let mut parts = text.split("${{");
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (expression, rest) = part
            .split_once("}}")
            .with_context(|| format!("an expression without its end: {part}"))?;
        all += &evaluate(expression, values)?.into_text();
        all += rest;
    }
    Ok(all)
}

/// The value of a condition.
pub(super) fn holds(condition: &str, values: &Values) -> Result<bool> {
    let inner = condition.trim().strip_prefix("${{");
    let inner = inner.and_then(|inner| inner.strip_suffix("}}"));
    Ok(evaluate(inner.unwrap_or(condition), values)?.is_true())
}

fn evaluate(expression: &str, values: &Values) -> Result<Operand> {
    let mut parser = Parser { rest: expression, values };
    let value = parser.either();
    let value = value.and_then(|value| {
        let rest = parser.rest.trim_start();
        ensure!(rest.is_empty(), "cannot read `{rest}`");
        Ok(value)
    });
    value.with_context(|| format!("the expression `{}`", expression.trim()))
}

#[derive(Debug, PartialEq)]
enum Operand {
    Text(String),
    Truth(bool),
}

impl Operand {
    fn is_true(&self) -> bool {
        match self {
            Self::Text(text) => !text.is_empty(),
            Self::Truth(truth) => *truth,
        }
    }

    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Truth(truth) => truth.to_string(),
        }
    }
}

/// Reads an expression and computes its value in one pass. A part whose value does not matter is computed, too.
struct Parser<'a> {
    rest: &'a str,
    values: &'a Values,
}

impl<'a> Parser<'a> {
    /// Skips a sign, if it is the next one.
    fn skips(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn either(&mut self) -> Result<Operand> {
        let mut value = self.both()?;
        while self.skips("||") {
            let other = self.both()?;
            value = if value.is_true() { value } else { other };
        }
        Ok(value)
    }

    fn both(&mut self) -> Result<Operand> {
        let mut value = self.comparison()?;
        while self.skips("&&") {
            let other = self.comparison()?;
            value = if value.is_true() { other } else { value };
        }
        Ok(value)
    }

    fn comparison(&mut self) -> Result<Operand> {
        let value = self.operand()?;
        let is_equality = self.skips("==");
        if !is_equality && !self.skips("!=") {
            return Ok(value);
        }
        let is_equal = match (value, self.operand()?) {
            (Operand::Text(one), Operand::Text(other)) => one.eq_ignore_ascii_case(&other),
            (Operand::Truth(one), Operand::Truth(other)) => one == other,
            // GitHub converts both to numbers.
            _ => bail!("a text and a truth value are compared"),
        };
        Ok(Operand::Truth(is_equal == is_equality))
    }

    fn operand(&mut self) -> Result<Operand> {
        if self.skips("!") {
            Ok(Operand::Truth(!self.operand()?.is_true()))
        } else if self.skips("(") {
            let value = self.either()?;
            ensure!(self.skips(")"), "`)` is missing");
            Ok(value)
        } else if self.skips("'") {
            self.quoted().map(Operand::Text)
        } else {
            match self.word() {
                "true" => Ok(Operand::Truth(true)),
                "false" => Ok(Operand::Truth(false)),
                word if self.skips("(") => self.call(word),
                word => self.named(word),
            }
        }
    }

    /// The rest of a text in quotes, in which two quotes are one.
    fn quoted(&mut self) -> Result<String> {
        let mut text = String::new();
        loop {
            let (part, rest) = self.rest.split_once('\'').context("`'` is missing")?;
            text += part;
            self.rest = rest;
            let Some(rest) = rest.strip_prefix('\'') else {
                return Ok(text);
            };
            text.push('\'');
            self.rest = rest;
        }
    }

    fn word(&mut self) -> &'a str {
        let text = self.rest.trim_start();
        let is_outside = |c: char| !c.is_ascii_alphanumeric() && !"_-.".contains(c);
        let (word, rest) = text.split_at(text.find(is_outside).unwrap_or(text.len()));
        self.rest = rest;
        word
    }

    fn call(&mut self, function: &str) -> Result<Operand> {
        let mut arguments = Vec::new();
        while !self.skips(")") {
            let is_next = arguments.is_empty() || self.skips(",");
            ensure!(is_next, "`)` is missing");
            arguments.push(self.either()?.into_text().to_ascii_lowercase());
        }
        let truth = match (function, &arguments[..]) {
            ("always", []) => true,
            ("startsWith", [text, start]) => text.starts_with(start),
            _ => bail!("no function `{function}` with {} arguments", arguments.len()),
        };
        Ok(Operand::Truth(truth))
    }

    fn named(&self, name: &str) -> Result<Operand> {
        let context = name.split_once('.').map(|(context, _)| context);
        ensure!(
            context.is_some_and(|context| CONTEXTS.contains(&context)),
            "no value is called `{name}`"
        );
        let value = self.values.get(name).cloned();
        Ok(Operand::Text(value.unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Values {
        let pairs = [
            ("github.event_name", "pull_request"),
            ("inputs.command", "run --json x"),
            ("inputs.working-directory", "."),
            ("matrix.shard", "3"),
        ];
        Values::from(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())))
    }

    #[test]
    fn conditions_have_their_value() {
        for (condition, expected) in [
            ("true", true),
            ("always()", true),
            ("github.event_name == 'pull_request'", true),
            ("${{ github.event_name == 'PULL_REQUEST' }}", true),
            ("github.event_name != 'pull_request'", false),
            ("inputs.report != ''", false),
            ("inputs.report", false),
            ("inputs.command", true),
            ("startsWith(inputs.command, 'Run')", true),
            ("startsWith(inputs.command, 'bench')", false),
            ("always() && inputs.command != '' && startsWith(inputs.command, 'run')", true),
            ("false || false && true || true", true),
            ("(true || false) && false", false),
            ("!(inputs.working-directory == '.') || !true", false),
            ("'it''s' == 'it''s'", true),
            ("('a' && '') == ''", true),
        ] {
            let value = holds(condition, &values()).expect(condition);
            assert_eq!(value, expected, "{condition}");
        }
    }

    #[test]
    fn what_is_not_known_is_an_error() {
        for condition in [
            "",
            "true false",
            "(true",
            "true)",
            "'a",
            "true &&",
            "== 'a'",
            "true == 'true'",
            "always(true)",
            "always(",
            "startsWith('a')",
            "startsWith('a' 'b')",
            "hashFiles('a')",
            "github",
            "secrets.token",
            "tru",
            "1 == 1",
        ] {
            assert!(holds(condition, &values()).is_err(), "{condition}");
        }
    }

    #[test]
    fn texts_are_filled() {
        let fill = |text| filled(text, &values());
        assert_eq!(
            fill("--shard ${{ matrix.shard }}/4 $a ${{matrix.shard}}.jsonl").expect("a text"),
            "--shard 3/4 $a 3.jsonl"
        );
        assert_eq!(fill("a${{ github.unknown }}b").expect("a text"), "ab");
        let choice = "${{ inputs.report || 'none' }} ${{ always() }}";
        assert_eq!(fill(choice).expect("a text"), "none true");
        assert!(fill("${{ matrix.shard").is_err());
        assert!(fill("${{ shard }}").is_err());
    }
}
