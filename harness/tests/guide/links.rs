//! Checks that every link in the documents has a target: a file, and a heading in it.

use std::path::{Component, Path, PathBuf};

use crate::guide::pages::{GuidePage, documents, root};

/// The target of a link: a path from the root of the repository, and the anchor of a heading.
struct LinkTarget<'a> {
    path: PathBuf,
    heading: Option<&'a str>,
}

/// The text outside of fenced blocks and back-quotes, where brackets are links.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            prose.extend(line.split('`').step_by(2));
            prose.push('\n');
        }
    }
    prose
}

/// The targets of a document's links, without those to other sites.
fn targets(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
    targets.filter(|target| !target.contains("://")).collect()
}

/// Resolves a link of the document at `page`.
fn resolve<'a>(page: &str, link: &'a str) -> LinkTarget<'a> {
    let (file, heading) = match link.split_once('#') {
        Some((file, heading)) => (file, Some(heading)),
        None => (link, None),
    };
    let mut path = PathBuf::from(page);
    if !file.is_empty() {
        path.pop();
        for part in Path::new(file).components() {
            match part {
                Component::ParentDir => assert!(path.pop(), "{page}: {link}"),
                other => path.push(other),
            }
        }
    }
    LinkTarget { path, heading }
}

/// The anchor of a heading in links.
fn anchor(title: &str) -> String {
    let kept: String =
        title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_')).collect();
    kept.to_lowercase().replace(' ', "-")
}

/// The anchors of a document's headings.
fn anchors(page: &GuidePage) -> Vec<String> {
    let mut fenced = false;
    let mut anchors = Vec::new();
    for line in page.text.lines() {
        fenced ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        if !fenced && title.len() < line.len() && title.starts_with(' ') {
            anchors.push(anchor(title.trim()));
        }
    }
    anchors
}

/// The links of `documents` without a target, each with its document.
fn broken(documents: &[GuidePage]) -> Vec<String> {
    let mut broken = Vec::new();
    for page in documents {
        for link in targets(&prose(&page.text)) {
            let target = resolve(&page.path, link);
            let found = documents.iter().find(|page| Path::new(&page.path) == target.path);
            let leads = match (found, target.heading) {
                (Some(page), Some(heading)) => anchors(page).iter().any(|one| one == heading),
                (_, None) => root().join(&target.path).exists(),
                // A page for maintainers, which no other test reads.
                (None, Some(heading)) => {
                    let text = std::fs::read_to_string(root().join(&target.path));
                    let text = text.unwrap_or_default();
                    let page = GuidePage { path: String::new(), text };
                    anchors(&page).iter().any(|one| one == heading)
                }
            };
            if !leads {
                broken.push(format!("{}: {link}", page.path));
            }
        }
    }
    broken
}

#[test]
fn every_link_leads_somewhere() {
    assert_eq!(broken(&documents()), Vec::<String>::new());
}

#[test]
fn a_link_to_a_missing_file_or_heading_is_found() {
    let page = |path: &str, text: &str| GuidePage { path: path.to_owned(), text: text.to_owned() };
    let documents = [
        page(
            "a/one.md",
            "[x](two.md#the-end) [y](two.md#end) [z](#top) [w](../nowhere.md) `[v](u)`\n",
        ),
        page("a/two.md", "# Two\n\n## The end\n\n```sh\n# end\n```\n"),
    ];
    let expected = ["two.md#end", "#top", "../nowhere.md"];
    assert_eq!(broken(&documents), expected.map(|link| format!("a/one.md: {link}")));
}
