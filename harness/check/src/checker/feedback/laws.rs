//! For any bytes that a checker writes, reading ends, stays within its limits, and shows nothing
//! raw.

use std::fs;

use proptest::prelude::*;

use super::*;
use rejudge_sandbox::{Exit, Usage};

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn messages_of_any_bytes_are_bounded_and_harmless(
        judge: Vec<u8>, score: Vec<u8>, stderr_tail: Vec<u8>, times in 1..200_usize,
    ) {
        let feedback = Feedback::new().unwrap();
        fs::write(feedback.folder().join("judgemessage.txt"), judge.repeat(times)).unwrap();
        fs::write(feedback.folder().join("score.txt"), &score).unwrap();
        let execution = Execution {
            exit: Exit::Code(43),
            usage: Usage::default(),
            stdout: Captured::default(),
            stderr_tail: stderr_tail.repeat(times),
        };
        let messages = Messages::read(&feedback, &execution, &crate::OwnPaths::default());
        for text in [&messages.judge, &messages.team, &messages.stderr].into_iter().flatten() {
            // An escaped byte takes several characters, and a cut is marked.
            prop_assert!(text.len() <= 8 * MESSAGE_BYTES, "{} bytes", text.len());
            prop_assert!(!text.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{:?}", text);
        }
        prop_assert!(messages.team.is_none());
        prop_assert!(messages.judge_bytes.len() as u64 <= FILE_BYTES);
        prop_assert_eq!(feedback.scores().score, Some(score));
    }
}
