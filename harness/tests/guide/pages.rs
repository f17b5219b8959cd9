//! The documents for users: the pages of the guide, and the documents in the root of the repository.

use std::path::{Path, PathBuf};

/// A document and its path.
pub(crate) struct GuidePage {
    /// The path from the root of the repository, for example `harness/guide/src/limits.md`.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// The folder of the guide's pages, from the root of the repository.
pub(crate) const FOLDER: &str = "harness/guide/src";

/// The documents in the root of the repository.
const AT_THE_TOP: [&str; 5] =
    ["README.md", "GUIDE.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"];

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The document at a path from the root.
pub(crate) fn page(path: &str) -> GuidePage {
    let text = std::fs::read_to_string(root().join(path));
    GuidePage {
        path: path.to_owned(),
        text: text.unwrap_or_else(|error| panic!("{path}: {error}")),
    }
}

/// The pages of the guide without its summary, sorted by name.
pub(crate) fn pages() -> Vec<GuidePage> {
    let entries = std::fs::read_dir(root().join(FOLDER)).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| Path::new(name).extension().is_some_and(|end| end == "md"))
        .filter(|name| name != "SUMMARY.md")
        .collect();
    names.sort_unstable();
    let path = |name| format!("{FOLDER}/{name}");
    names.into_iter().map(|name| page(&path(name))).collect()
}

/// The pages of the guide, its summary, and the documents in the root.
pub(crate) fn documents() -> Vec<GuidePage> {
    let mut documents = pages();
    documents.push(page(&format!("{FOLDER}/SUMMARY.md")));
    documents.extend(AT_THE_TOP.map(page));
    documents
}

/// All pages of the guide in one text.
pub(crate) fn guide() -> String {
    pages().into_iter().map(|page| page.text + "\n").collect()
}

/// The page of the guide called `name`.
pub(crate) fn guide_page(name: &str) -> String {
    page(&format!("{FOLDER}/{name}.md")).text
}

#[test]
fn the_contents_link_to_every_page_with_its_title() {
    let summary = page(&format!("{FOLDER}/SUMMARY.md")).text;
    let guide = page("GUIDE.md").text;
    for page in pages() {
        let title = page.text.lines().next().unwrap();
        let title = title.strip_prefix("# ").unwrap_or_else(|| panic!("{}: no title", page.path));
        let name = page.path.rsplit('/').next().unwrap();
        let link = format!("[{title}]({name})");
        assert!(summary.contains(&link), "SUMMARY.md has no `{link}`");
        let linked = guide.contains(&format!("]({})", page.path));
        assert!(linked, "GUIDE.md has no link to {}", page.path);
    }
}

#[test]
fn the_contents_have_one_sentence_about_every_page() {
    for line in page("GUIDE.md").text.lines().filter(|line| line.starts_with("- ")) {
        let (_, sentence) = line.split_once("): ").unwrap_or_else(|| panic!("{line}"));
        assert!(sentence.ends_with('.'), "{line}");
        assert!(!sentence.contains(". "), "more than one sentence: {line}");
    }
}

#[test]
fn no_page_has_more_than_200_lines() {
    for page in pages() {
        let lines = page.text.lines().count();
        assert!(lines <= 200, "{} has {lines} lines", page.path);
    }
}
