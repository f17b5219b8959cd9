//! `problem.yaml`: each key, and the exact message of each fault.

use std::time::Duration;

use rejudge_quantity::Bytes;

use super::{Format, Kind, PackageSettings, read};
use crate::notice::Notices;

/// The settings in a text, with its errors and warnings.
fn settings_of(text: &str) -> (PackageSettings, Vec<String>, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("problem.yaml");
    std::fs::write(&path, text).unwrap();
    let mut notices = Notices::relative_to(Some(dir.path()));
    let settings = read(&path, &mut notices);
    let texts = |list: &[crate::notice::Notice]| list.iter().map(ToString::to_string).collect();
    (settings, texts(&notices.errors), texts(&notices.warnings))
}

#[test]
fn reads_both_formats() {
    let (settings, errors, warnings) = settings_of(
        "problem_format_version: 2025-09\ntype: [pass-fail]\nname: {sv: Tal, en: Numbers}\n\
         limits:\n  time_limit: 1.5\n  memory: 64\n  output: 4\n  code: 128\n  \
         compilation_time: 30\n  compilation_memory: 512\n  validation_time: 20\n  \
         validation_memory: 100\n  validation_output: 2\n  time_resolution: 0.1\n  \
         time_multipliers: {ac_to_time_limit: 2, time_limit_to_tle: 1.5}\n",
    );
    assert_eq!((errors, warnings), (Vec::new(), Vec::new()));
    assert_eq!(settings.title.as_deref(), Some("Numbers"));
    assert_eq!(settings.limits.cpu_time, Some(Duration::from_millis(1500)));
    assert_eq!(settings.limits.memory, Some(Bytes::mib(64)));
    assert_eq!(settings.limits.output, Some(Bytes::mib(4)));
    assert_eq!(settings.limits.code, Some(Bytes::kib(128)));
    assert_eq!(settings.limits.compilation_time, Some(Duration::from_secs(30)));
    assert_eq!(settings.limits.compilation_memory, Some(Bytes::mib(512)));
    assert_eq!(settings.limits.validation_time, Some(Duration::from_secs(20)));
    assert_eq!(settings.limits.validation_memory, Some(Bytes::mib(100)));
    assert_eq!(settings.limits.validation_output, Some(Bytes::mib(2)));

    let (settings, errors, warnings) = settings_of(
        "name: Old\nauthor: A\nvalidation: custom\nvalidator_flags: float_tolerance 1e-6\n\
         limits: {time_multiplier: 5, time_safety_margin: 2}\n",
    );
    assert_eq!((errors, warnings), (Vec::new(), Vec::new()));
    assert_eq!(settings.custom_validator, Some(true));
    assert_eq!(settings.validator_flags, ["float_tolerance", "1e-6"]);
}

#[test]
fn the_kind_is_read_from_either_format() {
    let kind = |scoring, interactive, multi_pass, submit_answer| Kind {
        scoring,
        interactive,
        multi_pass,
        submit_answer,
        answers_are_outputs: None,
    };
    let table = [
        ("type: pass-fail", kind(false, false, false, false)),
        ("type: scoring", kind(true, false, false, false)),
        ("type: [interactive, multi-pass]", kind(false, true, true, false)),
        ("type: pass-fail interactive", kind(false, true, false, false)),
        ("type: submit-answer", kind(false, false, false, true)),
        ("type: scoring\nvalidation: custom interactive score", kind(true, true, false, false)),
        ("validation: custom multi-pass", kind(false, false, true, false)),
    ];
    for (text, expected) in table {
        let (settings, ..) = settings_of(text);
        assert_eq!(settings.kind, expected, "{text}");
        assert_eq!(settings.validator_scores, text.ends_with("score"));
        assert_eq!(settings.format, Format::Legacy);
    }
    let (settings, ..) =
        settings_of("problem_format_version: 2025-09\nlimits: {validation_passes: 5}");
    assert_eq!(settings.format, Format::V2025);
    assert_eq!(settings.limits.validation_passes, Some(5));
}

#[test]
fn every_fault_names_its_line_and_key() {
    let table: [(&str, String); 20] = [
        ("limits: {time_limit: 0}", "problem.yaml:1:22: `limits.time_limit` must be greater than zero, got `0`".into()),
        ("limits: {time_limit: -1.5}", "problem.yaml:1:22: `limits.time_limit` must be greater than zero, got `-1.5`".into()),
        ("limits: {time_limit: .nan}", "problem.yaml:1:22: `limits.time_limit` must be greater than zero, got `NaN`".into()),
        ("limits: {time_limit: .inf}", "problem.yaml:1:22: `limits.time_limit` must be at most 86400, got `inf`".into()),
        ("limits: {time_limit: 2 s}", "problem.yaml:1:22: `limits.time_limit` must be a number of seconds, got the text `2 s`".into()),
        ("limits: {memory: [1]}", "problem.yaml:1:18: `limits.memory` must be a whole number of MiB, got a list".into()),
        ("limits: {memory: 1.5}", "problem.yaml:1:18: `limits.memory` must be a whole number of MiB, got `1.5`".into()),
        ("limits: {memory: 99999999999}", "problem.yaml:1:18: `limits.memory` must be at most 1048576, got `99999999999`".into()),
        ("limits: {code: true}", "problem.yaml:1:16: `limits.code` must be a whole number of KiB, got `true`".into()),
        ("limits: 3", "problem.yaml:1:9: `limits` must be a table, got `3`".into()),
        ("name: [x]", "problem.yaml:1:7: `name` must be a text or a table of languages, got a list".into()),
        ("- a", "problem.yaml:1:1: expected a table of keys, got a list".into()),
        ("problem_format_version: 2031-01", "problem.yaml:1:25: unknown `problem_format_version`: the text `2031-01`\nhelp: use `2025-09` or `legacy`".into()),
        ("type: [submit-answer, interactive]", "problem.yaml:1:7: `type` cannot be both `submit-answer` and `interactive`".into()),
        ("type: [scoring, pass-fail]", "problem.yaml:1:7: `type` cannot be both `pass-fail` and `scoring`".into()),
        ("type: [pass-fail, pass-fail]", "problem.yaml:1:7: `type` contains `pass-fail` twice".into()),
        ("validation: custom speed", "problem.yaml:1:13: unknown `validation`: `custom speed`".into()),
        ("limits: {validation_passes: 1}", "problem.yaml:1:29: `limits.validation_passes` must be a whole number of at least 2, got `1`".into()),
        ("limits: {validation_passes: 2.5}", "problem.yaml:1:29: `limits.validation_passes` must be a whole number of at least 2, got `2.5`".into()),
        ("type: pas-fail", "problem.yaml:1:7: unknown `type`: `pas-fail`\nhelp: did you mean `pass-fail`?".into()),
    ];
    for (text, error) in table {
        assert_eq!(settings_of(text).1.join("\n"), error, "{text}");
    }
    let version = "problem_format_version: 2025-09";
    for text in [
        format!("{version}\nlimits: {{time_multipliers: 2}}"),
        format!("limits: {{time_multipliers: 2}}\n{version}"),
    ] {
        let (_, errors, _) = settings_of(&text);
        assert!(errors[0].ends_with("`limits.time_multipliers` must be a table, got `2`"));
    }
    // The legacy format does not have it, so that any value is ignored.
    let (_, errors, warnings) = settings_of("limits: {time_multipliers: 1}");
    let unknown = "problem.yaml:1:10: unknown key `limits.time_multipliers`; it is ignored";
    assert_eq!((errors, warnings), (Vec::new(), vec![unknown.to_owned()]));
    let (_, errors, _) = settings_of("name: a\n---\nname: b\n");
    assert_eq!(errors.len(), 1);
    assert!(errors[0].contains("not valid YAML: there is a second document (`---`)"), "{errors:?}");
    let (_, errors, _) = settings_of("name: a\nname: b\n");
    assert_eq!(errors.len(), 1);
    assert!(errors[0].starts_with("problem.yaml:2:1: not valid YAML: "), "{errors:?}");
}
