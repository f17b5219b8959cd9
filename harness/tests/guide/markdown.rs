//! A parser for the subset of Markdown that the guide uses.

use crate::guide::pages::pages;

/// A fenced block.
pub(crate) struct Block {
    /// The text after the opening fence: `console`, or a language and the name of a file.
    pub(crate) info: String,
    /// Its lines, each with its newline.
    pub(crate) text: String,
    /// The line of the opening fence, from 1.
    pub(crate) line: usize,
}

/// The fenced blocks of a document.
pub(crate) fn blocks(document: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (line, text) in (1..).zip(document.lines()) {
        match (text.strip_prefix("```"), open.take()) {
            (Some(info), None) => {
                open = Some(Block { info: info.to_owned(), text: String::new(), line });
            }
            (Some(_), Some(block)) => blocks.push(block),
            (None, Some(mut block)) => {
                block.text.push_str(text);
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    blocks
}

/// The rows of all tables, as trimmed cells. Escaped bars are not supported.
pub(crate) fn rows(document: &str) -> Vec<Vec<&str>> {
    document
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect()
}

/// The words in back-quotes in a text.
pub(crate) fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_yaml_block_is_valid() {
    let mut jobs = 0;
    for page in pages() {
        for block in blocks(&page.text) {
            if block.info.split(' ').next() != Some("yaml") {
                continue;
            }
            let read: Result<serde_json::Value, _> = serde_saphyr::from_str(&block.text);
            let value =
                read.unwrap_or_else(|error| panic!("{}:{}: {error}", page.path, block.line));
            let steps = value["jobs"]["judge"]["steps"].as_array();
            jobs += usize::from(steps.is_some_and(|steps| steps.len() > 3));
            jobs += usize::from(value["include"][0]["remote"].is_string());
        }
    }
    assert_eq!(jobs, 4, "two workflows for each of two hosts");
}
