//! Tables of the names of inputs and answers.

use super::*;

fn pairs(names: &[&str]) -> Vec<(String, String, Option<String>)> {
    let mut names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    names.sort();
    let pairs = pair(&names).pairs.into_iter();
    let mut pairs: Vec<_> = pairs
        .map(|pair| (pair.key().to_owned(), pair.input.clone(), pair.answer.clone()))
        .collect();
    pairs.sort();
    pairs
}

#[test]
fn a_pair_has_one_frame() {
    let table: [(&str, &str, &str); 37] = [
        ("in样例2.txt", "ans样例2.txt", "样例2"),
        ("样例in.txt", "样例out.txt", "样例"),
        ("I.in", "I.out", "I"),
        ("sampleInput.txt", "sampleOutput.txt", "sample"),
        ("sampleInput2.txt", "sampleOutput2.txt", "sample.2"),
        ("1.in", "1.out", "1"),
        ("1.inp", "1.ok", "1"),
        ("1.IN", "1.OUT", "1"),
        ("01", "01.a", "01"),
        ("test3", "test3.ans", "test3"),
        ("a.in", "a.sol", "a"),
        ("a.in", "a.out", "a"),
        ("a.in.txt", "a.out", "a"),
        ("in.txt", "out.txt", ""),
        ("in", "out", ""),
        ("input", "output", ""),
        ("input.txt", "expected.txt", ""),
        ("input.txt", "answer.txt", ""),
        ("sample_input.txt", "sample_output.txt", "sample"),
        ("input1", "output1", "1"),
        ("input1.txt", "expected1.txt", "1"),
        ("input_small.txt", "output_small.txt", "small"),
        ("in1.txt", "ans1.txt", "1"),
        ("1_in.txt", "1_out.txt", "1"),
        ("1in.txt", "1out.txt", "1"),
        ("a-input.txt", "a-output.txt", "a"),
        ("a_input0.txt", "a_output0.txt", "a.0"),
        ("a.in1", "a.ans1", "a.1"),
        ("sum.in.1", "sum.out.1", "sum.1"),
        ("sum.in.1a", "sum.out.1a", "sum.1a"),
        ("sum.in.1ab", "sum.out.1ab", "sum.1ab"),
        ("sum.in.4-1", "sum.out.4-1", "sum.4-1"),
        ("sum.in.5.1", "sum.out.5.1", "sum.5.1"),
        ("I.1", "O.1", "1"),
        ("I.1a", "O.1a", "1a"),
        ("I.3ab", "O.3ab", "3ab"),
        ("Sample Input 2.in", "Sample Input 2.out", "Sample Input 2"),
    ];
    for (input, answer, key) in table {
        let expected = (key.to_owned(), input.to_owned(), Some(answer.to_owned()));
        assert_eq!(pairs(&[input, answer]), [expected], "{input}");
    }
}

#[test]
fn other_names_are_no_pairs() {
    let table: [&[&str]; 7] = [
        &["I.sample", "O.sample"],
        &["sum.in.a", "sum.out.a"],
        &["a.out"],
        &["readme.txt", "output.md"],
        &["index.html", "inner.txt", "outer.txt"],
        &["1.out", "2.ans"],
        &["input.json", "output.json"],
    ];
    for names in table {
        assert_eq!(pairs(names), [], "{names:?}");
    }
}

#[test]
fn numbered_cases_show_what_is_a_case_without_a_number() {
    let keys = |names: &[&str]| -> Vec<String> {
        let pairs = pairs(names).into_iter();
        pairs.map(|(key, _, _)| key).collect()
    };
    let coci =
        ["t.in.1", "t.out.1", "t.in.dummy.1", "t.out.dummy.1", "t.in.bak", "u.in.a", "u.out.a"];
    assert_eq!(keys(&coci), ["t.1", "t.dummy.1"]);
    assert_eq!(keys(&["I.1", "O.1", "I.sample", "O.sample", "I.x"]), ["1", "sample"]);
}

#[test]
fn what_is_answered_and_numbered_wins() {
    let keys = |names: &[&str]| -> Vec<String> {
        let pairs = pairs(names).into_iter();
        pairs.map(|(_, input, _)| input).collect()
    };
    assert_eq!(keys(&["1.in", "1.out", "2.in", "input.txt", "output.txt"]), ["1.in", "2.in"]);
    assert_eq!(
        keys(&["input.txt", "input2.txt", "output.txt", "output2.txt"]),
        ["input.txt", "input2.txt"]
    );
    assert_eq!(keys(&["input.txt", "1.in", "1.ans"]), ["1.in"]);
    assert_eq!(keys(&["input.txt"]), ["input.txt"]);
}

#[test]
fn the_answer_wins_over_what_a_program_printed() {
    let found = pairs(&["1.in", "1.out", "1.ans"]);
    assert_eq!(found[0].2.as_deref(), Some("1.ans"));
}

#[test]
fn folders_of_inputs_and_answers_are_paired_by_name() {
    let names =
        |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.to_owned()).collect() };
    let table: [(&str, &str, &str); 6] = [
        ("hand.txt", "hand.txt", "hand.txt"),
        ("a_00", "a_00", "a_00"),
        ("s1a.in", "s1a.out", "s1a"),
        ("input00.txt", "output00.txt", "00"),
        ("1.in", "1.ans", "1"),
        ("1.txt", "1.out", "1.txt"),
    ];
    for (input, answer, key) in table {
        let paired = pair_folders(&names(&[input]), &names(&[answer]));
        assert_eq!(paired.pairs[0].key(), key);
        assert_eq!(paired.pairs[0].answer.as_deref(), Some(answer), "{input}");
    }
}

#[test]
fn an_archive_of_cases_has_nothing_else() {
    let only = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        are_only_cases(&names)
    };
    assert!(only(&["1.in", "1.out", "sample/a.ans", "input/x", "output/x.txt"]));
    assert!(!only(&["1.in", "1.out", "a.cpp"]));
    assert!(!only(&["1.in", "README"]));
    assert!(!only(&["input/x", "photos/x.jpg"]));
    assert!(!only(&[]));
}
