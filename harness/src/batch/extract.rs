//! The program in what a model wrote.

use super::request::Extract;

/// The block of code that `rule` names; `None`: there is none. A block that is not closed goes to the end.
pub(super) fn extract(completion: &str, rule: Extract) -> Option<String> {
    let mut found: Option<String> = None;
    let mut open: Option<(usize, String)> = None;
    if rule == Extract::None {
        return Some(completion.to_owned());
    }
    for line in completion.split_inclusive('\n') {
        let ticks = fence(line);
        match (&mut open, ticks) {
            // A closing fence is at least as long, and has no other text.
            (Some((length, text)), Some((ticks, ""))) if ticks >= *length => {
                let text = std::mem::take(text);
                open = None;
                if rule == Extract::FirstFence {
                    return Some(text);
                }
                found = Some(text);
            }
            (Some((_, text)), _) => text.push_str(line),
            (None, Some((ticks, _))) => open = Some((ticks, String::new())),
            (None, None) => {}
        }
    }
    open.map(|(_, text)| text).or(found)
}

/// The number of backquotes of a fence, and what follows.
fn fence(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches(' ');
    let ticks = text.bytes().take_while(|byte| *byte == b'`').count();
    let rest = text[ticks..].trim();
    (ticks >= 3 && !rest.contains('`')).then_some((ticks, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_or_the_last_block_is_the_program() {
        let two = "Think.\n```python\na = 1\n```\nBetter:\n```py\nb = 2\n```\nDone.\n";
        let last = |text: &str| extract(text, Extract::LastFence);
        assert_eq!(last(two).as_deref(), Some("b = 2\n"));
        assert_eq!(extract(two, Extract::FirstFence).as_deref(), Some("a = 1\n"));
        assert_eq!(extract(two, Extract::None).as_deref(), Some(two));
        assert_eq!(last("no code"), None);
        assert_eq!(last("```cpp\nint main;"), Some("int main;".to_owned()));
        assert_eq!(last("  ```\r\nx\r\n  ```\r\n"), Some("x\r\n".to_owned()));
        assert_eq!(last("````md\n```\nx\n```\n````\n"), Some("```\nx\n```\n".to_owned()));
        assert_eq!(last("```a``` and\n"), None);
        assert_eq!(last("```\n```"), Some(String::new()));
    }
}
