//! Tests of the page as text; `tests/page` has those in a browser.

use std::io::Read as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use proptest::prelude::*;

use super::*;
use crate::event::{Origin, Outline, Summary};
use crate::show::hostile;
use crate::specimen;
use crate::verdict::Verdict;

/// The page of a run with findings, in which every foreign text is `text`.
fn page(text: &str) -> String {
    let mut run = Collected::default();
    let origin = Origin {
        version: text.to_owned(),
        arguments: vec![text.to_owned()],
        ..Origin::here(Vec::new())
    };
    let outline = Outline { origin, ..specimen::outline(2) };
    run.add(&Event::Started(&outline)).unwrap();
    for verdict in [Verdict::WrongAnswer, Verdict::Accepted] {
        let mut result = specimen::result(text, verdict);
        let mut report = specimen::report(text, verdict);
        for foreign in [&mut result.submission, &mut result.problem] {
            text.clone_into(foreign);
        }
        result.reason = Some(text.to_owned());
        result.stderr = Some(text.to_owned());
        result.input_path = Some(text.to_owned());
        text.clone_into(&mut report.problem);
        text.clone_into(&mut report.expected);
        report.complaint = Some(text.to_owned());
        run.add(&Event::Case(&result)).unwrap();
        run.add(&Event::Submission(&report)).unwrap();
    }
    let summary = Summary {
        missing: vec![text.to_owned()],
        remarks: vec![text.to_owned()],
        ..Summary::default()
    };
    run.add(&Event::Finished(&summary)).unwrap();
    let finding = |is_error| PageFinding {
        problem: text.to_owned(),
        is_error,
        code: "a_code",
        path: Some(text.to_owned()),
        message: text.to_owned(),
        help: Some(text.to_owned()),
    };
    let findings = Findings {
        is_strict: true,
        list: vec![finding(false), finding(true)],
        checks: vec![PageCheck {
            problem: text.to_owned(),
            errors: 1,
            warnings: 1,
            checked: text.to_owned(),
        }],
    };
    let mut out = Vec::new();
    page::write(&mut out, &run, Some(&run), Some(&findings)).unwrap();
    String::from_utf8(out).unwrap()
}

/// The data of the element with this id.
fn data(page: &str, id: &str) -> Vec<u8> {
    let (_, rest) = page.split_once(&format!("id=\"{id}\">")).unwrap();
    let packed = BASE64_STANDARD.decode(rest.split_once('<').unwrap().0);
    let mut data = Vec::new();
    let packed = packed.unwrap();
    flate2::read::DeflateDecoder::new(&packed[..]).read_to_end(&mut data).unwrap();
    data
}

/// The tags of the page, without texts and without our own script and style.
fn tags(page: &str) -> Vec<&str> {
    let (before, rest) = page.split_once("<style>").unwrap();
    let (_, rest) = rest.split_once("</style>").unwrap();
    let (body, _) = rest.rsplit_once("<script>").unwrap();
    let tags = before.split('<').chain(body.split('<')).skip(1);
    tags.map(|tag| tag.split([' ', '>', '\n']).next().unwrap()).collect()
}

#[test]
fn the_index_and_the_details_are_read_back() {
    let page = page("a");
    let index = data(&page, "index");
    let length = u32::from_le_bytes(index[..4].try_into().unwrap()) as usize;
    let header: serde_json::Value = serde_json::from_slice(&index[4..4 + length]).unwrap();
    assert_eq!(header["problems"][0]["cases"], serde_json::json!(["a"]));
    // Two cells of 11 bytes; the first is WA and not permitted, with details.
    let cells = &index[4 + length..];
    assert_eq!(cells.len(), 22);
    assert_eq!((cells[0], cells[1]), (2, 0));
    assert_eq!(cells[2] & 1, 1);
    let details: serde_json::Value = serde_json::from_slice(&data(&page, "details-0")).unwrap();
    assert_eq!(details["cases"]["0"]["stderr"], "a");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn no_text_becomes_markup(text in hostile::text()) {
        let (hostile, plain) = (page(&format!("x{text}")), page("plain"));
        prop_assert_eq!(tags(&hostile), tags(&plain));
        let hazard = hostile.chars().find(|c| crate::printable::is_hazardous(*c) && *c != '\n');
        prop_assert_eq!(hazard, None);
    }
}

#[test]
fn the_script_contains_no_markup_that_ends_it() {
    let lower = SCRIPT.text().to_lowercase();
    for end in ["</script", "<!--"] {
        assert!(!lower.contains(end), "{end}");
    }
}

#[test]
fn a_hostile_corpus_stays_text() {
    for text in
        [hostile::corpus().as_str(), "</script><script>alert(1)</script>", "\"><img onerror=x>"]
    {
        assert_eq!(tags(&page(text)), tags(&page("plain")), "{text}");
    }
}
