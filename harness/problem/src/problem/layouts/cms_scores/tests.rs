use super::*;
use crate::problem::layouts::fields::TableFile;

/// The score type in `yaml`, or its error.
fn read_yaml(yaml: &str, count: usize) -> Result<Option<ScoreType>, String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("task.yaml");
    std::fs::write(&path, yaml).unwrap();
    let mut notices = Notices::default();
    let file = TableFile::read(&path, &mut notices).unwrap();
    let table = file.fields();
    let found = is_stated(&table, &mut notices).then(|| read(&table, count, &mut notices));
    match notices.errors.first() {
        Some(error) => Err(error.message.clone()),
        None => Ok(found.flatten()),
    }
}

fn subtasks(kind: &str, parameters: &str) -> Result<Vec<ScoredSubtask>, String> {
    let yaml = format!("n_input: 5\nscore_type: {kind}\nscore_type_parameters: {parameters}\n");
    match read_yaml(&yaml, 5)? {
        Some(ScoreType::Subtasks(subtasks)) => Ok(subtasks),
        other => panic!("{other:?}"),
    }
}

#[test]
fn subtasks_have_points_and_cases() {
    let subtask = |points, aggregation, cases: &[usize]| ScoredSubtask {
        points,
        aggregation,
        cases: cases.to_vec(),
    };
    let (min, product) = (Aggregation::Min, Aggregation::Product);
    for (kind, parameters, expected) in [
        (
            "GroupMin",
            "[[30, 2], [70, 3]]",
            vec![subtask(30.0, min, &[0, 1]), subtask(70.0, min, &[2, 3, 4])],
        ),
        // As many as there are.
        ("GroupMin", "[[100, 99]]", vec![subtask(100.0, min, &[0, 1, 2, 3, 4])]),
        (
            "GroupMul",
            "[[1.5, '000|003', a name], [2, '.*[24]']]",
            vec![subtask(1.5, product, &[0, 3]), subtask(2.0, product, &[2, 4])],
        ),
        // Only the start of a name must match.
        ("GroupMin", "[[1, '00(?!1)']]", vec![subtask(1.0, min, &[0, 2, 3, 4])]),
        (
            "GroupMin",
            "[{max_score: 1, testcases: ['004', '000'], always_show_testcases: true}]",
            vec![subtask(1.0, min, &[0, 4])],
        ),
        (
            "GroupThreshold",
            "[[5, 2, 20.5], {max_score: 3, testcases: 3, threshold: 1}]",
            vec![
                subtask(5.0, Aggregation::Threshold(20.5), &[0, 1]),
                subtask(3.0, Aggregation::Threshold(1.0), &[2, 3, 4]),
            ],
        ),
    ] {
        assert_eq!(subtasks(kind, parameters), Ok(expected), "{parameters}");
    }
}

#[test]
fn faulty_parameters_are_named() {
    for (kind, parameters, expected) in [
        ("Max", "5", "unknown score type `Max`"),
        (
            "Sum",
            "[[30, 2]]",
            "`score_type_parameters` of `Sum` must be the points of a test case, got a list",
        ),
        (
            "GroupMin",
            "20",
            "`score_type_parameters` of `GroupMin` must be a list of subtasks, got `20`",
        ),
        (
            "GroupMin",
            "[]",
            "`score_type_parameters` of `GroupMin` must be a list of subtasks, got an empty list",
        ),
        ("GroupMin", "[[2], [x, 2]]", "subtask 1 names no test cases"),
        ("GroupMin", "[[2, 2], [x, 2]]", "subtask 2 has no number of points"),
        ("GroupMin", "[[-2, 2]]", "subtask 1 has no number of points"),
        ("GroupMin", "[7]", "subtask 1 has no number of points"),
        ("GroupThreshold", "[[2, 2]]", "subtask 1 has no threshold"),
        ("GroupMin", "[[1, 5], [1, 1]]", "subtask 2: no test cases are left"),
        (
            "GroupMin",
            "[[1, 2.5]]",
            "subtask 1: the number of test cases must be whole and positive",
        ),
        ("GroupMin", "[[1, '9']]", "subtask 1: no test case matches `9`"),
        ("GroupMin", "[[1, '(']]", "subtask 1: `(` is not a valid pattern"),
        ("GroupMin", "[[1, ['000', '9']]]", "subtask 1: there is no test case `9`"),
        ("GroupMin", "[[1, []]]", "subtask 1: the list of test cases is empty"),
        (
            "GroupMin",
            "[[1, 2], [1, '00']]",
            "subtask 2: its test cases are named differently from those of subtask 1",
        ),
        (
            "GroupMin",
            "[[1, true]]",
            "subtask 1: test cases must be a number, a pattern or a list of names",
        ),
    ] {
        let found = subtasks(kind, parameters).unwrap_err();
        assert!(found.ends_with(expected), "{parameters}: {found}");
    }
}

#[test]
fn a_score_type_needs_all_three_keys() {
    let all = "score_type: Sum\nscore_type_parameters: 5\n";
    assert_eq!(read_yaml(all, 3), Ok(None));
    assert_eq!(read_yaml(&format!("n_input: 3\n{all}"), 3), Ok(Some(ScoreType::Sum(5.0))));
}
