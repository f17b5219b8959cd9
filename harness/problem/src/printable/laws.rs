//! Properties that hold for any bytes.

use proptest::prelude::*;

use super::*;

/// Bytes that are likely to cause trouble: escapes, parts of characters, characters that reorder
/// text.
fn nasty() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        any::<u8>().prop_map(|byte| vec![byte]),
        any::<char>().prop_map(|c| c.to_string().into_bytes()),
        prop::sample::select(vec![
            "\x1b[2J", "\u{202e}", "\u{200b}", "\r", "\r\n", "\n", "\t", "\u{9b}"
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_line_is_one_harmless_line_of_bounded_length(bytes in nasty(), limit in 0..60_usize) {
        let text = one_line(&bytes, limit);
        prop_assert!(!text.contains(is_hazardous), "{text:?}");
        // A piece is at most as long as `\u{10ffff}`.
        prop_assert!(text.chars().count() <= limit * 10 + 1);
    }

    #[test]
    fn a_paragraph_is_harmless_and_of_bounded_length(bytes in nasty(), limit in 0..60_usize) {
        let text = paragraph(&bytes, limit);
        prop_assert!(!text.contains(|c| is_hazardous(c) && c != '\n'), "{text:?}");
        prop_assert!(text.chars().count() <= limit * 4 + 1);
    }

    #[test]
    fn pieces_omit_no_byte(bytes in nasty()) {
        let size = |piece| match piece {
            PrintablePiece::Plain(c) | PrintablePiece::Escaped(c) => c.len_utf8(),
            PrintablePiece::Byte(_) => 1,
        };
        prop_assert_eq!(pieces(&bytes).map(size).sum::<usize>(), bytes.len());
    }

    #[test]
    fn plain_text_is_unchanged(text in "[a-zA-Zäöü .,]{0,40}") {
        prop_assert_eq!(one_line(text.as_bytes(), 40), text);
    }
}
