//! Properties that hold for every text: the built-in checkers agree with slow, simple versions.

use std::io::{self, Read};

use proptest::prelude::*;

use super::super::{TokenOptions, exact, tokens};
use super::mismatch;

/// A reader that returns a few bytes at a time.
struct Dribble<'a> {
    text: &'a [u8],
    sizes: std::iter::Cycle<std::vec::IntoIter<usize>>,
}

impl<'a> Dribble<'a> {
    fn new(text: &'a [u8], sizes: Vec<usize>) -> Self {
        let sizes = sizes.into_iter().cycle();
        Self { text, sizes }
    }
}

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes.next().unwrap_or(1);
        let count = size.min(self.text.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.text[..count]);
        self.text = &self.text[count..];
        Ok(count)
    }
}

/// The rule exactly as the format describes it: split, then compare, with whole tokens in memory.
fn slow(output: &[u8], answer: &[u8], options: &TokenOptions) -> bool {
    let blank = |byte: &u8| b" \t\n\x0b\x0c\r".contains(byte);
    let words = |text: &[u8]| -> Vec<Vec<u8>> {
        let split = text.split(blank).filter(|word| !word.is_empty());
        split.map(<[u8]>::to_vec).collect()
    };
    let gaps = |text: &[u8]| -> Vec<Vec<u8>> {
        let split = text.split(|byte| !blank(byte)).filter(|gap| !gap.is_empty());
        split.map(<[u8]>::to_vec).collect()
    };
    let begins_blank = |text: &[u8]| text.first().is_some_and(blank);
    if options.space_change_sensitive
        && (gaps(output) != gaps(answer) || begins_blank(output) != begins_blank(answer))
    {
        return false;
    }
    let (output, answer) = (words(output), words(answer));
    output.len() == answer.len()
        && output.iter().zip(&answer).all(|(s, a)| slow_token(s, a, options))
}

fn slow_token(s: &[u8], a: &[u8], options: &TokenOptions) -> bool {
    let tolerant = options.float_absolute.is_some() || options.float_relative.is_some();
    let is_integer = !a.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
    if tolerant
        && !(options.exact_integers && is_integer)
        && let Some(a) = rational(a)
    {
        return rational(s).is_some_and(|s| slow_number(s, a, options));
    }
    if options.case_sensitive { s == a } else { s.eq_ignore_ascii_case(a) }
}

/// All values in the tests are multiples of 10⁻¹², so plain integers decide.
const UNIT: i128 = 1_000_000_000_000;

fn slow_number(s: i128, a: i128, options: &TokenOptions) -> bool {
    let gap = (s - a).abs();
    let bound = |tolerance: f64| rational(tolerance.to_string().as_bytes()).unwrap();
    options.float_absolute.is_some_and(|e| gap <= bound(e))
        || options.float_relative.is_some_and(|e| gap * UNIT <= bound(e) * a.abs())
}

/// A number with at most twelve decimals, in units of 10⁻¹².
fn rational(text: &[u8]) -> Option<i128> {
    let text = std::str::from_utf8(text).ok()?;
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            (mantissa, exponent.parse::<i32>().ok()?)
        }
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let scale = 12 + exponent - i32::try_from(fraction.len()).ok()?;
    let value =
        digits.parse::<i128>().ok()?.checked_mul(10_i128.checked_pow(scale.try_into().ok()?)?)?;
    Some(if text.starts_with('-') { -value } else { value })
}

fn any_options() -> impl Strategy<Value = TokenOptions> {
    let tolerance = || {
        prop_oneof![
            Just(None),
            prop::sample::select(vec![0.0, 1e-3, 0.1, 0.25, 0.5, 1.0]).prop_map(Some),
        ]
    };
    (any::<[bool; 3]>(), tolerance(), tolerance()).prop_map(
        |(
            [case_sensitive, space_change_sensitive, exact_integers],
            float_absolute,
            float_relative,
        )| {
            TokenOptions {
                case_sensitive,
                space_change_sensitive,
                float_absolute,
                float_relative,
                exact_integers,
                ..TokenOptions::default()
            }
        },
    )
}

fn token() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-cA-C]{1,3}",
        4 => "[+-]?[0-9]{1,3}(\\.[0-9]{0,3})?",
        2 => "[+-]?[0-9]{0,2}\\.[0-9]{1,3}([eE][+-]?[0-3])?",
        1 => "[+-]{0,2}[0-9.]{1,4}([eE][+-]?[0-3]?)?",
        1 => prop::sample::select(vec!["inf", "NaN", "0x1", "1e", ".", "1", "1.", "01"])
            .prop_map(str::to_owned),
    ]
}

/// Two texts that mostly agree: tokens with their blanks, some of them spelt differently in one
/// text.
fn soups() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let gap = || "[ \t\n\r\x0b\x0c]{1,2}";
    let piece = (token(), gap(), 0..12_u8, token(), gap());
    (prop::collection::vec(piece, 0..12), 0..4_u8).prop_map(|(pieces, ends)| {
        let (mut output, mut answer) = (String::new(), String::new());
        for (token, gap, change, other_token, other_gap) in pieces {
            answer += &token;
            answer += &gap;
            output += &match change {
                0 => other_token,
                1 => token.to_ascii_uppercase(),
                // Not after an exponent: the slow version cannot hold large exponents.
                2 if !token.contains(['e', 'E']) => token + "0",
                3 => String::new(),
                _ => token,
            };
            output += if change == 4 { &other_gap } else { &gap };
        }
        if ends & 1 == 1 {
            output.pop();
        }
        if ends & 2 == 2 {
            answer.pop();
        }
        (output.into_bytes(), answer.into_bytes())
    })
}

fn sizes() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(1..=7_usize, 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_text_is_accepted_as_its_own_answer(text: Vec<u8>, options in any_options()) {
        prop_assert_eq!(tokens::compare(&text[..], &text[..], &options).unwrap(), None);
        prop_assert_eq!(exact::compare(&text[..], &text[..]).unwrap(), None);
    }

    #[test]
    fn streaming_agrees_with_the_slow_version((output, answer) in soups(), options in any_options()) {
        let found = mismatch(&output, &answer, &options);
        prop_assert_eq!(found.is_none(), slow(&output, &answer, &options), "{:?}", found);
    }

    #[test]
    fn the_size_of_reads_does_not_matter(
        (output, answer) in soups(), options in any_options(), of_output in sizes(), of_answer in sizes(),
    ) {
        let whole = tokens::compare(&output[..], &answer[..], &options).unwrap();
        let dribbled = tokens::compare(
            Dribble::new(&output, of_output.clone()), Dribble::new(&answer, of_answer.clone()), &options,
        ).unwrap();
        prop_assert_eq!(&whole, &dribbled);
        let whole = exact::compare(&output[..], &answer[..]).unwrap();
        let dribbled = exact::compare(
            Dribble::new(&output, of_output), Dribble::new(&answer, of_answer),
        ).unwrap();
        prop_assert_eq!(whole, dribbled);
    }

    #[test]
    fn arbitrary_bytes_are_judged(output: Vec<u8>, answer: Vec<u8>, options in any_options()) {
        if let Some(finding) = tokens::compare(&output[..], &answer[..], &options).unwrap() {
            let mismatch = finding.explain(&output[..], &answer[..]).unwrap();
            prop_assert!(mismatch.headline.chars().all(|c| !c.is_control()));
        }
        let same = exact::compare(&output[..], &answer[..]).unwrap().is_none();
        prop_assert_eq!(same, output == answer);
    }

    /// Values at the edge of the tolerance, exact to the last of twelve decimals.
    #[test]
    fn the_edge_of_a_tolerance_is_exact(
        whole in -2000..2000_i64, decimals in 0..1_000_000_u32, step in -2..=2_i64, up: bool,
        relative: bool, exponent in 0..=6_u32,
    ) {
        let tolerance = 10_f64.powi(-exponent.cast_signed());
        let a = i128::from(whole) * UNIT + i128::from(decimals) * 1_000_000;
        let bound = UNIT / 10_i128.pow(exponent);
        let bound = if relative { a.abs() * bound / UNIT } else { bound };
        let s = if up { a + bound } else { a - bound } + i128::from(step);
        let options = TokenOptions {
            float_absolute: (!relative).then_some(tolerance),
            float_relative: relative.then_some(tolerance),
            ..TokenOptions::default()
        };
        let (s, a) = (decimal_text(s), decimal_text(a));
        let expected = slow_token(s.as_bytes(), a.as_bytes(), &options);
        let found = mismatch(s.as_bytes(), a.as_bytes(), &options);
        prop_assert_eq!(found.is_none(), expected, "{} {}", s, a);
        // After a token that differs, numbers are compared in the buffers.
        let (s, a) = (among_others("1.0", &s), among_others("1", &a));
        let found = mismatch(s.as_bytes(), a.as_bytes(), &options);
        prop_assert_eq!(found.is_none(), expected, "{} {}", s, a);
    }

    /// The same number in two notations, and next to it, among other numbers.
    #[test]
    fn numbers_in_the_buffers_are_read_exactly(
        value in -1_000_000_000_000_000_i64..1_000_000_000_000_000, step in -2..=2_i64, zeros in 0..8_usize,
        exponent in -6..=6_i32, upper: bool,
    ) {
        let plain = decimal_text(i128::from(value) * 1_000_000);
        let scaled = decimal_text(i128::from(value + step) * 10_i128.pow((6 - exponent).try_into().unwrap()));
        let e = if upper { 'E' } else { 'e' };
        let scientific = format!("{}{e}{exponent}", scaled + &"0".repeat(zeros));
        // A millionth is the last digit of `value`.
        let options = TokenOptions { float_absolute: Some(1e-6), ..TokenOptions::default() };
        let output = among_others("1.0", &scientific);
        let answer = among_others("1", &plain);
        let found = mismatch(output.as_bytes(), answer.as_bytes(), &options);
        prop_assert_eq!(found.is_none(), step.abs() <= 1, "{} {}", output, answer);
    }
}

/// A text with other numbers around one.
fn among_others(first: &str, number: &str) -> String {
    format!("{first} {number} 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2\n")
}

fn decimal_text(value: i128) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let (whole, fraction) = (value.abs() / UNIT, value.abs() % UNIT);
    format!("{sign}{whole}.{fraction:012}")
}
