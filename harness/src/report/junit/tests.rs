//! Holds the report to the schema of Jenkins' xUnit plugin (`junit-10.xsd`), the strictest that is in use, as a table of
//! our own.

use std::time::Duration;

use roxmltree::{Document, Node};

use super::*;
use crate::event::{Build, Disturbance, Nearness, Score, ShownTranscript, Summary};
use crate::show::hostile;
use crate::specimen;

/// What an element may hold.
struct SchemaRule {
    element: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
    children: &'static [&'static str],
    text: bool,
}

const RULES: [SchemaRule; 9] = [
    SchemaRule {
        element: "testsuites",
        required: &[],
        optional: &["name", "time", "tests", "failures", "errors"],
        children: &["testsuite"],
        text: false,
    },
    SchemaRule {
        element: "testsuite",
        required: &["name", "tests", "failures", "errors"],
        optional: &[
            "group",
            "time",
            "skipped",
            "timestamp",
            "hostname",
            "id",
            "package",
            "file",
            "log",
            "url",
        ],
        children: &["testsuite", "properties", "testcase", "system-out", "system-err"],
        text: false,
    },
    SchemaRule {
        element: "testcase",
        required: &["name"],
        optional: &["time", "classname", "group"],
        children: &["skipped", "error", "failure", "system-out", "system-err"],
        text: false,
    },
    SchemaRule {
        element: "properties",
        required: &[],
        optional: &[],
        children: &["property"],
        text: false,
    },
    SchemaRule {
        element: "property",
        required: &["name", "value"],
        optional: &[],
        children: &[],
        text: false,
    },
    verdict("failure"),
    verdict("skipped"),
    stream("system-out"),
    stream("system-err"),
];

const fn verdict(element: &'static str) -> SchemaRule {
    SchemaRule { element, required: &[], optional: &["type", "message"], children: &[], text: true }
}

const fn stream(element: &'static str) -> SchemaRule {
    SchemaRule { element, required: &[], optional: &[], children: &[], text: true }
}

/// Seconds, with at most three decimals.
fn is_time(value: &str) -> bool {
    let (whole, decimals) = value.split_once('.').unwrap_or((value, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(decimals) && decimals.len() <= 3
}

/// The first violation of the schema at or below `node`.
fn violation(node: Node<'_, '_>) -> Option<String> {
    let name = node.tag_name().name();
    let Some(rule) = RULES.iter().find(|rule| rule.element == name) else {
        return Some(format!("unknown element {name}"));
    };
    for attribute in node.attributes() {
        let known = rule.required.iter().chain(rule.optional);
        if !known.into_iter().any(|known| *known == attribute.name()) {
            return Some(format!("{name} has an attribute {}", attribute.name()));
        }
        if attribute.name() == "time" && !is_time(attribute.value()) {
            return Some(format!("{name} has time {}", attribute.value()));
        }
    }
    if let Some(missing) = rule.required.iter().find(|one| !node.has_attribute(**one)) {
        return Some(format!("{name} has no attribute {missing}"));
    }
    for child in node.children() {
        let blank = child.text().is_some_and(|text| text.trim().is_empty());
        if child.is_text() && !rule.text && !blank {
            return Some(format!("{name} holds text"));
        }
        let word = child.tag_name().name();
        if child.is_element() && !rule.children.contains(&word) {
            return Some(format!("{name} holds {word}"));
        }
    }
    node.children().filter(Node::is_element).find_map(violation)
}

fn first_violation(document: &str) -> Option<String> {
    let parsed = Document::parse(document).unwrap();
    let root = parsed.root_element();
    if root.has_tag_name("testsuites") {
        violation(root)
    } else {
        Some(String::from("another root"))
    }
}

/// The report of a run in which everything that a report can hold occurs, with `text` in all foreign fields.
fn report(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.xml");
    let mut junit = Junit::new(&file).unwrap();
    let outline = specimen::outline(3);
    junit.event(&Event::Started(&outline)).unwrap();
    for verdict in [Verdict::Accepted, Verdict::WrongAnswer, Verdict::Skipped] {
        let mut result = specimen::result(text, verdict);
        result.usage.wall = Duration::from_micros(1_234_567);
        result.reason = Some(text.to_owned());
        result.diff = Some(text.to_owned());
        result.stderr = Some(text.to_owned());
        result.transcript = Some(ShownTranscript::of_text(text));
        result.nearness = Some(Nearness::Believed);
        result.disturbance = Some(Disturbance::default());
        junit.event(&Event::Case(&result)).unwrap();
    }
    let mut submission = specimen::report("solutions/p/a.rs", Verdict::WrongAnswer);
    submission.failed = 1;
    submission.score = Some(Score { score: 1.5, max: Some(100.0), groups: Vec::new() });
    junit.event(&Event::Submission(&submission)).unwrap();
    let mut refused = specimen::report(text, Verdict::CompileError);
    refused.build = Build { error: Some(text.to_owned()), ..Build::default() };
    junit.event(&Event::Submission(&refused)).unwrap();
    let summary = Summary { wall: Duration::from_secs(3661), ..Summary::default() };
    junit.event(&Event::Finished(&summary)).unwrap();
    std::fs::read_to_string(file).unwrap()
}

#[test]
fn the_report_is_valid_against_the_schema_of_jenkins_xunit_plugin() {
    for text in ["plain", "a\nb <c> & \"d\"", &hostile::corpus()] {
        let document = report(text);
        assert_eq!(first_violation(&document), None, "{document}");
    }
}

#[test]
fn the_schema_refuses_what_jenkins_refuses() {
    let suite = |inside: &str| {
        format!(
            "<testsuites><testsuite name='a' tests='1' failures='0' errors='0'>{inside}</testsuite></testsuites>"
        )
    };
    let table = [
        (String::from("<testsuites skipped='0'/>"), "testsuites has an attribute skipped"),
        (
            String::from("<testsuites><testsuite name='a'/></testsuites>"),
            "testsuite has no attribute tests",
        ),
        (suite("<testcase name='a' file='b'/>"), "testcase has an attribute file"),
        (suite("<testcase name='a'><properties/></testcase>"), "testcase holds properties"),
        (suite("<testcase name='a' time='1.2345'/>"), "testcase has time 1.2345"),
        (suite("text"), "testsuite holds text"),
    ];
    for (document, expected) in table {
        assert_eq!(first_violation(&document).as_deref(), Some(expected));
    }
    assert_eq!(first_violation(&suite("<testcase name='a' time='1.234'/>")), None);
}

#[test]
fn suites_count_their_tests_and_add_up_their_times() {
    let document = report("x");
    let parsed = Document::parse(&document).unwrap();
    let root = parsed.root_element();
    let figures = |node: Node<'_, '_>| {
        ["tests", "failures", "skipped", "time", "file"]
            .map(|name| node.attribute(name).unwrap_or("none").to_owned())
    };
    assert_eq!(figures(root), ["4", "2", "none", "3661.000", "none"]);
    let suites = root.children().filter(Node::is_element).map(figures);
    let expected = [["3", "1", "1", "3.704", "solutions/p/a.rs"], ["1", "1", "0", "0.000", "x"]];
    assert!(suites.eq(expected.map(|one| one.map(str::to_owned))), "{document}");
}
