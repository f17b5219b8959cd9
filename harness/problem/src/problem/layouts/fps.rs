//! A Free Problem Set of HUSTOJ: an XML file with problems. It is read as the folder that it is unpacked to, with a subfolder
//! for each problem, as in an export of QDUOJ.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use roxmltree::Node;

use super::qduoj_json::{CASES, FILE, HUSTOJ, QduojCase, QduojProblem, QduojSample, QduojSource};
use super::store::{self, StoreError};
use super::xml;
use crate::plain_file;

/// The start of a file in which its root element is looked for.
const HEAD: usize = 4096;

/// The largest file, in bytes.
const LARGEST: u64 = 512 << 20;

const HELP: &str = "export the problems again, or remove what is wrong";

/// Whether the file at `path` is a set of problems.
pub(super) fn is_at(path: &Path) -> bool {
    let is_xml = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("xml"));
    is_xml && path.is_file() && {
        let head = plain_file::read_up_to(path, HEAD as u64 + 1).unwrap_or_default();
        root_of(&head[..head.len().min(HEAD)]).is_some()
    }
}

/// The offset of the root element, if it is that of a set.
fn root_of(head: &[u8]) -> Option<usize> {
    memchr::memmem::find(head, b"<fps").filter(|at| {
        head.get(at + 4).is_none_or(|next| next.is_ascii_whitespace() || *next == b'>')
    })
}

/// Whether a document type declares something itself: `<!DOCTYPE fps [`. Exports name a file that declares their elements.
fn has_declarations(text: &str) -> bool {
    text.match_indices("<!DOCTYPE").any(|(at, _)| {
        let mut quote = None;
        let end = text[at..].chars().find(|c| match quote {
            Some(open) => {
                if *c == open {
                    quote = None;
                }
                false
            }
            None if matches!(c, '"' | '\'') => {
                quote = Some(*c);
                false
            }
            None => matches!(c, '[' | '>'),
        });
        end == Some('[')
    })
}

/// Unpacks the file, and returns the folder with the problems.
pub(super) fn unpack(path: &Path) -> Result<PathBuf, StoreError> {
    let size = std::fs::metadata(path)?.len();
    if size > LARGEST {
        let what = format!("it is larger than {} MiB", LARGEST >> 20);
        return Err(StoreError::content(what, "split it into several files"));
    }
    let text = plain_file::read_text(path)?;
    if has_declarations(&text) {
        let what = "its document type has declarations of its own, such as entities";
        return Err(StoreError::content(what.to_owned(), HELP));
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"fps 1\n").update(text.as_bytes());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    store::materialise(&hasher.finalize(), |root| {
        let document = xml::parse_with_dtd(&text, &name)
            .map_err(|fault| StoreError::content(fault.message, HELP))?;
        let mut taken = BTreeSet::new();
        let items = document.root_element().children().filter(|node| node.has_tag_name("item"));
        for (item, number) in items.zip(1..) {
            let folder = folder_of(&text_of(item, "title"), number, &mut taken);
            write(item, root, &folder)?;
        }
        Ok(())
    })
}

/// The text of an element, which may be in several sections.
fn whole_text(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|one| one.text()).collect()
}

/// The text of the first child element with this name.
fn text_of(item: Node<'_, '_>, name: &str) -> String {
    xml::child(item, name).map(whole_text).unwrap_or_default()
}

/// The name of the folder of a problem: the letters and digits of its title, otherwise its number.
fn folder_of(title: &str, number: usize, taken: &mut BTreeSet<String>) -> String {
    let word = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
    let words: String = title.chars().take(60).map(word).collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut name = words.join("-");
    // A digit alone says nothing.
    if !name.contains(|c: char| c.is_ascii_alphabetic()) {
        name = format!("problem{number}");
    }
    if !taken.insert(name.clone()) {
        name = format!("{name}-{number}");
        taken.insert(name.clone());
    }
    name
}

/// Writes one problem.
fn write(item: Node<'_, '_>, root: &Path, folder: &str) -> Result<(), StoreError> {
    let cases = format!("{folder}/{CASES}");
    let (inputs, mut outputs) = (named(item, "test_input"), named(item, "test_output"));
    let outputs_of: BTreeMap<String, String> = outputs.drain(..).collect();
    let mut listed = Vec::new();
    std::fs::create_dir_all(root.join(&cases))?;
    for ((name, input), number) in inputs.iter().zip(1..) {
        store::write_new(root, format!("{cases}/{number}.in"), input.as_bytes())?;
        if let Some(output) = outputs_of.get(name) {
            store::write_new(root, format!("{cases}/{number}.out"), output.as_bytes())?;
        }
        listed.push(QduojCase {
            score: 0.0,
            input_name: format!("{number}.in"),
            output_name: Some(format!("{number}.out")),
            name: Some(name.clone()),
        });
    }
    let problem = QduojProblem {
        title: text_of(item, "title").trim().to_owned(),
        time_limit: limit(item, "time_limit", &[("ms", 1.0)], 1000.0),
        memory_limit: limit(item, "memory_limit", &[("kb", 1.0 / 1024.0)], 1.0),
        samples: vec![QduojSample {
            input: text_of(item, "sample_input"),
            output: text_of(item, "sample_output"),
        }],
        test_case_score: Some(listed),
        spj: checker(item),
        answers: sources(item, "solution").collect(),
        judge: Some(HUSTOJ.to_owned()),
        ..QduojProblem::default()
    };
    let text = serde_json::to_vec(&problem).map_err(std::io::Error::from)?;
    store::write_new(root, format!("{folder}/{FILE}"), &text)
}

/// The texts of the elements with this name, by the name of their case.
fn named(item: Node<'_, '_>, element: &str) -> Vec<(String, String)> {
    let nodes = item.children().filter(|node| node.has_tag_name(element));
    let mut found: Vec<(String, String)> = Vec::new();
    for (node, number) in nodes.zip(0..) {
        let stated = node.attribute("name").map(str::trim).filter(|name| !name.is_empty());
        let name = stated.map_or_else(|| format!("test{number}"), str::to_owned);
        // As in HUSTOJ, the last text with a name is written to its file.
        found.retain(|(known, _)| *known != name);
        found.push((name, whole_text(node)));
    }
    found
}

/// A limit in its unit; other units than these have this factor.
fn limit(item: Node<'_, '_>, element: &str, units: &[(&str, f64)], usual: f64) -> Option<f64> {
    let node = xml::child(item, element)?;
    let number: f64 = whole_text(node).trim().parse().ok()?;
    let unit = node.attribute("unit").unwrap_or_default();
    let known = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit));
    Some(number * known.map_or(usual, |(_, factor)| *factor))
}

/// The sources in the elements with this name.
fn sources<'a>(
    item: Node<'a, 'a>,
    element: &'static str,
) -> impl Iterator<Item = QduojSource> + use<'a> {
    let nodes = item.children().filter(move |node| node.has_tag_name(element));
    let all = nodes.map(|node| QduojSource {
        code: whole_text(node),
        language: node.attribute("language").unwrap_or_default().to_owned(),
        testlib: false,
    });
    all.filter(|source| !source.code.trim().is_empty())
}

/// The checker: one of testlib, one of HUSTOJ, or an interactor, which is not supported.
fn checker(item: Node<'_, '_>) -> Option<QduojSource> {
    let testlib = sources(item, "tpj").next().map(|one| QduojSource { testlib: true, ..one });
    let interactor = sources(item, "interactor")
        .next()
        .map(|one| QduojSource { language: "interactor".to_owned(), ..one });
    interactor.or(testlib).or_else(|| sources(item, "spj").next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_type_may_only_name_a_file() {
        for (text, expected) in [
            ("<fps/>", false),
            ("<!DOCTYPE fps PUBLIC \"-//[a]//\" 'http://a/b.dtd' ><fps>[1]</fps>", false),
            ("<!DOCTYPE fps [<!ENTITY a 'b'>]><fps/>", true),
            (
                "<!-- <!DOCTYPE fps> --><!DOCTYPE fps SYSTEM '>' [ <!-- <fps> --> <!ENTITY a 'b'> ]><fps/>",
                true,
            ),
        ] {
            assert_eq!(has_declarations(text), expected, "{text}");
        }
    }

    #[test]
    fn folders_are_named_after_titles() {
        let mut taken = BTreeSet::new();
        let names = ["A+B Problem", "../../etc", "两数之和", "A B: problem", "7", ""];
        let found: Vec<String> = names
            .iter()
            .zip(1..)
            .map(|(title, number)| folder_of(title, number, &mut taken))
            .collect();
        assert_eq!(
            found,
            ["a-b-problem", "etc", "problem3", "a-b-problem-4", "problem5", "problem6"]
        );
    }

    #[test]
    fn cases_are_joined_by_their_names_and_texts_by_their_sections() {
        let text = "<fps><item><time_limit unit='MS'> 1500 </time_limit><memory_limit unit='kb'>65536</memory_limit>\
                    <test_input name='b'><![CDATA[1]]]]><![CDATA[>2]]></test_input><test_input>x</test_input>\
                    <test_output>y</test_output><test_output name='b'>z</test_output>\
                    <tpj language='C++'>int x;</tpj></item></fps>";
        let document = roxmltree::Document::parse(text).unwrap();
        let item = document.root_element().first_element_child().unwrap();
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(named(item, "test_input"), [pair("b", "1]]>2"), pair("test1", "x")]);
        assert_eq!(named(item, "test_output"), [pair("test0", "y"), pair("b", "z")]);
        assert_eq!(limit(item, "time_limit", &[("ms", 1.0)], 1000.0), Some(1500.0));
        assert_eq!(limit(item, "memory_limit", &[("kb", 1.0 / 1024.0)], 1.0), Some(64.0));
        assert!(checker(item).unwrap().testlib);
    }

    #[test]
    fn other_documents_are_no_sets() {
        for (head, expected) in [
            ("<?xml version='1.0'?>\n<fps version='1.2'>", true),
            ("<fps>", true),
            ("<fpsx>", false),
            ("<problem>", false),
        ] {
            assert_eq!(root_of(head.as_bytes()).is_some(), expected, "{head}");
        }
    }
}
