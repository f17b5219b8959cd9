//! Checks an input of The Tree of Life: exit 42 if the statement allows it; otherwise exit 43, with the
//! line and the reason on standard error.
//!
//! Stricter than the solutions: extra blanks only between the parts of the tree, `\n` after every line,
//! nothing after the last line.

use std::io::Read;

const MAX_NODES: u64 = 1_000_000;

struct Lines<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self, what: &str) -> Result<&'a str, String> {
        self.line += 1;
        if self.rest.is_empty() {
            return Err(format!("line {}: {what} is missing", self.line));
        }
        let (text, rest) = self
            .rest
            .split_once('\n')
            .ok_or_else(|| format!("line {}: the newline is missing", self.line))?;
        self.rest = rest;
        Ok(text)
    }

    fn number(&self, text: &str, low: i64, high: i64) -> Result<i64, String> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if !plain || (digits.starts_with('0') && text != "0") {
            return Err(format!(
                "line {}: `{text}` is not a number without blanks and leading zeros",
                self.line
            ));
        }
        match text.parse() {
            Ok(value) if (low..=high).contains(&value) => Ok(value),
            _ => Err(format!("line {}: {text} is not from {low} to {high}", self.line)),
        }
    }
}

/// Checks the line of the tree and counts the nodes.
fn check_tree(text: &str) -> Result<u64, String> {
    // For every open parenthesis: the number of its three parts that are complete.
    let mut open: Vec<u8> = Vec::new();
    let (mut nodes, mut complete) = (0, false);
    if text.starts_with(' ') || text.ends_with(' ') {
        return Err("line 2: a blank outside the tree".into());
    }
    for (column, byte) in text.bytes().enumerate().filter(|&(_, byte)| byte != b' ') {
        let fits = match (byte, open.last()) {
            _ if complete => {
                return Err(format!("line 2, column {}: text after the tree", column + 1));
            }
            (b'(', None | Some(0 | 2)) => {
                open.push(0);
                continue;
            }
            (b'X' | b'.', None | Some(0..=2)) => {
                nodes += 1;
                true
            }
            (b')', Some(3)) => open.pop().is_some(),
            _ => false,
        };
        if !fits {
            return Err(format!(
                "line 2, column {}: `{}` does not belong here",
                column + 1,
                byte.escape_ascii()
            ));
        }
        match open.last_mut() {
            Some(parts) => *parts += 1,
            None => complete = true,
        }
    }
    match nodes {
        _ if !complete => Err("line 2: the tree is not complete".into()),
        1..=MAX_NODES => Ok(nodes),
        _ => Err(format!("line 2: {nodes} nodes: at most {MAX_NODES} are allowed")),
    }
}

fn check(input: &str) -> Result<(), String> {
    let mut lines = Lines { rest: input, line: 0 };
    let rule = lines.next("the rule")?;
    lines.number(rule, 0, 65535)?;
    let nodes = check_tree(lines.next("the tree")?)?;
    let queries = lines.next("the number of queries")?;
    let queries = lines.number(queries, 1, 1100)?;
    let (mut clock, mut latest, mut steps) = (0, 0, 0);
    for _ in 0..queries {
        let query = lines.next("a query")?;
        let parts = query.strip_suffix(']').and_then(|query| query.split_once(" ["));
        let (step, path) =
            parts.ok_or_else(|| format!("line {}: not of the form `s [path]`", lines.line))?;
        clock += lines.number(step, -1000, 1000)?;
        latest = latest.max(clock);
        steps += path.len();
        if clock < 0 {
            return Err(format!("line {}: the clock is negative: {clock}", lines.line));
        }
        if let Some(byte) = path.bytes().find(|b| !matches!(b, b'<' | b'>')) {
            return Err(format!(
                "line {}: `{}` is not allowed in a path",
                lines.line,
                byte.escape_ascii()
            ));
        }
    }
    if steps > 1_000_000 {
        return Err(format!("the paths have {steps} characters: at most 1000000 are allowed"));
    }
    if nodes * latest as u64 > 2_000_000_000 {
        return Err(format!(
            "{nodes} nodes times {latest} generations: at most 2000000000 is allowed"
        ));
    }
    if lines.rest.is_empty() {
        Ok(())
    } else {
        Err(format!("line {}: more than {queries} queries", lines.line + 1))
    }
}

fn main() {
    let mut input = String::new();
    let verdict = std::io::stdin()
        .read_to_string(&mut input)
        .map_err(|error| error.to_string())
        .and_then(|_| check(&input));
    std::process::exit(match verdict {
        Ok(()) => 42,
        Err(reason) => {
            eprintln!("{reason}");
            43
        }
    });
}
