//! As much of Markdown as the guide is written in.

/// A section under a heading of the second level.
pub(crate) struct Section<'a> {
    pub(crate) title: &'a str,
    pub(crate) blocks: Vec<Block>,
}

/// A fenced block.
pub(crate) struct Block {
    /// What follows the opening fence: `console`, or a language and a file's name.
    pub(crate) info: String,
    /// Its lines, each with its end.
    pub(crate) text: String,
    /// The line of the opening fence, from 1.
    pub(crate) line: usize,
}

/// The sections of a document; what comes before the first heading is one too.
pub(crate) fn sections(document: &str) -> Vec<Section<'_>> {
    let mut sections = vec![Section {
        title: "",
        blocks: Vec::new(),
    }];
    let mut open: Option<Block> = None;
    for (line, text) in (1..).zip(document.lines()) {
        match (text.strip_prefix("```"), open.take()) {
            (Some(info), None) => {
                open = Some(Block {
                    info: info.to_owned(),
                    text: String::new(),
                    line,
                });
            }
            (Some(_), Some(block)) => sections.last_mut().unwrap().blocks.push(block),
            (None, Some(mut block)) => {
                block.text.push_str(text);
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) => {
                if let Some(title) = text.strip_prefix("## ") {
                    let blocks = Vec::new();
                    sections.push(Section { title, blocks });
                }
            }
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    sections
}

/// The rows of all tables, as trimmed cells; no cell holds an escaped bar.
pub(crate) fn rows(document: &str) -> Vec<Vec<&str>> {
    document
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect()
}

/// The words between back-quotes of a line or a text.
pub(crate) fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// What a heading is called in links.
fn anchor(title: &str) -> String {
    let kept = title
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
    let kept: String = kept.collect();
    kept.to_lowercase().replace(' ', "-")
}

#[test]
fn every_link_within_the_guide_leads_somewhere() {
    let anchors: Vec<String> = sections(super::GUIDE)
        .iter()
        .map(|section| anchor(section.title))
        .collect();
    for document in [super::GUIDE, super::README] {
        let targets = document.split("](").skip(1);
        for target in targets.map(|rest| rest.split(')').next().unwrap()) {
            let Some((file, name)) = target.split_once('#') else {
                let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../").to_owned() + target;
                assert!(std::path::Path::new(&path).exists(), "{target}");
                continue;
            };
            assert!(matches!(file, "" | "GUIDE.md"), "{target}");
            assert!(anchors.iter().any(|anchor| anchor == name), "{target}");
        }
    }
}

#[test]
fn the_guide_begins_with_links_to_all_its_sections() {
    let (contents, _) = super::GUIDE.split_once("\n## ").unwrap();
    for section in &sections(super::GUIDE)[1..] {
        let link = format!("[{}](#{})", section.title, anchor(section.title));
        assert!(contents.contains(&link), "{link}");
    }
}

#[test]
fn every_workflow_and_package_in_yaml_can_be_read() {
    let mut jobs = 0;
    for section in sections(super::GUIDE) {
        for block in &section.blocks {
            if block.info.split(' ').next() != Some("yaml") {
                continue;
            }
            let read: Result<serde_json::Value, _> = serde_saphyr::from_str(&block.text);
            let value = read.unwrap_or_else(|error| panic!("GUIDE.md:{}: {error}", block.line));
            let steps = value["jobs"]["judge"]["steps"].as_array();
            jobs += usize::from(steps.is_some_and(|steps| steps.len() > 3));
            jobs += usize::from(value["judge"]["script"].is_array());
        }
    }
    assert_eq!(jobs, 2, "one workflow for each of two hosts");
}
