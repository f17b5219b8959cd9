//! Skips numbers that lie within a tolerance, at a speed close to that of memory.
//!
//! These are pure functions on bytes in buffers. They decide only what doubles can decide; the token
//! checker decides the rest exactly.

use super::matching::blanks;
use super::number::Tolerance;
use super::window::is_blank;

/// The number of digits that a mantissa keeps: as many as always fit in a `u64`.
const MANTISSA_DIGITS: usize = 19;
/// If digits are dropped, the mantissa is at least this large. Its relative error is then below 2⁻⁵³.
const LEAST_IF_CUT: u64 = 10_000_000_000_000_000;
/// The powers of ten that are exact as doubles.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];
const SMALL_POWERS: [u64; 9] =
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Skips pairs of numbers that the tolerance allows, with the blanks after them; returns the number
/// of bytes skipped in each slice. Both slices start where a token starts. Stops after numbers with
/// the same text, because whole stretches of text are compared faster; if `blanks_matter`, also
/// before different blanks.
pub(super) fn skip_close(
    output: &[u8],
    answer: &[u8],
    tolerance: &Tolerance,
    blanks_matter: bool,
) -> (usize, usize) {
    let (mut at, mut opposite) = (0, 0);
    loop {
        let (x, y) = (&output[at..], &answer[opposite..]);
        let (Some(s), Some(a)) = (ShortNumber::read(x), ShortNumber::read(y)) else {
            break;
        };
        if !tolerance.surely_allows(s.value, a.value)
            || (tolerance.exact_integers && !is_real(&y[..a.length]))
        {
            break;
        }
        at += s.length;
        opposite += a.length;
        let (in_output, in_answer) = (blanks(&output[at..]), blanks(&answer[opposite..]));
        if blanks_matter && output[at..at + in_output] != answer[opposite..opposite + in_answer] {
            break;
        }
        at += in_output;
        opposite += in_answer;
        if s == a && x[..s.length] == y[..a.length] {
            break;
        }
    }
    (at, opposite)
}

/// Whether a number has a point or an exponent.
fn is_real(number: &[u8]) -> bool {
    number.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
}

/// A number that is followed by a blank, as a double.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ShortNumber {
    /// Its relative error is at most 2⁻⁵¹: each of the conversion of the mantissa, the digits that
    /// were dropped, and the multiplication or division by an exact power contributes at most 2⁻⁵³.
    value: f64,
    /// The number of its bytes.
    length: usize,
}

impl ShortNumber {
    /// Reads the number at the start of `text`; `None` if no number is there, or if this function
    /// cannot read it as a double.
    ///
    /// Most numbers have less than eight digits before the point, less than eight after it, and no
    /// exponent. They take a few dozen instructions and no loop.
    #[inline]
    fn read(text: &[u8]) -> Option<Self> {
        let first = *text.first()?;
        let negative = first == b'-';
        let start = usize::from(negative || first == b'+');
        let word = eight(text, start)?;
        let whole = leading_digits(word);
        let mut mantissa = first_digits(word, whole);
        let (mut end, mut decimals) = (start + whole, 0);
        if text.get(end) == Some(&b'.') {
            let word = eight(text, end + 1)?;
            decimals = leading_digits(word);
            mantissa = mantissa * SMALL_POWERS[decimals] + first_digits(word, decimals);
            end += 1 + decimals;
        }
        if whole == 8 || decimals == 8 || whole + decimals == 0 {
            return Mantissa::read(text, start)?.number(text, negative);
        }
        if !is_blank(*text.get(end)?) {
            let scale = -i64::try_from(decimals).ok()?;
            let mantissa = Mantissa { value: mantissa, scale, end };
            return mantissa.number(text, negative);
        }
        #[expect(clippy::cast_precision_loss, reason = "at most fourteen digits")]
        let magnitude = mantissa.cast_signed() as f64 / POWERS[decimals];
        Some(Self { value: if negative { -magnitude } else { magnitude }, length: end })
    }
}

/// The digits of a number, of which the first [`MANTISSA_DIGITS`] are kept.
struct Mantissa {
    value: u64,
    /// The power of ten by which the value is multiplied.
    scale: i64,
    /// The index of the byte after the last digit.
    end: usize,
}

impl Mantissa {
    /// Reads the digits from `start` on, and a point before, between or after them.
    fn read(text: &[u8], start: usize) -> Option<Self> {
        let mut digits = Digits { text, at: start, mantissa: 0, kept: 0 };
        let whole = digits.take()?;
        // Digits that were dropped multiply the value, digits after the point divide it.
        let mut scale = i64::try_from(whole - digits.kept).ok()?;
        let mut read = whole;
        if *text.get(digits.at)? == b'.' {
            digits.at += 1;
            let before = digits.kept;
            read += digits.take()?;
            scale -= i64::try_from(digits.kept - before).ok()?;
        }
        let exact = read == digits.kept || digits.mantissa >= LEAST_IF_CUT;
        (read > 0 && exact).then_some(Self { value: digits.mantissa, scale, end: digits.at })
    }

    /// The number with these digits, which ends here or after an exponent.
    fn number(self, text: &[u8], negative: bool) -> Option<ShortNumber> {
        let (mut end, mut scale) = (self.end, self.scale);
        if text.get(end)? | 0x20 == b'e' {
            end += 1;
            let minus = *text.get(end)? == b'-';
            end += usize::from(minus || text[end] == b'+');
            let word = eight(text, end)?;
            let digits = leading_digits(word);
            if digits == 0 || digits == 8 {
                return None;
            }
            end += digits;
            let exponent = first_digits(word, digits).cast_signed();
            scale += if minus { -exponent } else { exponent };
        }
        if !is_blank(*text.get(end)?) {
            return None;
        }
        let power = *POWERS.get(usize::try_from(scale.unsigned_abs()).ok()?)?;
        #[expect(clippy::cast_precision_loss, reason = "rounds once, as `value` states")]
        let mantissa = self.value as f64;
        let magnitude = if scale < 0 { mantissa / power } else { mantissa * power };
        Some(ShortNumber { value: if negative { -magnitude } else { magnitude }, length: end })
    }
}

/// The digits of a number while they are read from a text.
struct Digits<'a> {
    text: &'a [u8],
    at: usize,
    mantissa: u64,
    /// The number of digits in the mantissa.
    kept: usize,
}

impl Digits<'_> {
    /// Reads all digits that follow, eight at a time; returns their number. `None` if the text ends
    /// within eight bytes.
    fn take(&mut self) -> Option<usize> {
        let start = self.at;
        loop {
            let word = eight(self.text, self.at)?;
            let found = leading_digits(word);
            let fit = found.min(MANTISSA_DIGITS - self.kept);
            self.mantissa = self.mantissa * SMALL_POWERS[fit] + first_digits(word, fit);
            self.kept += fit;
            self.at += found;
            if found < 8 {
                return Some(self.at - start);
            }
        }
    }
}

/// The eight bytes from `at` on, the first as the lowest.
#[inline]
fn eight(text: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*text.get(at..)?.first_chunk()?))
}

/// The number of ASCII digits at the start of eight bytes, the first of which is the lowest.
#[inline]
fn leading_digits(word: u64) -> usize {
    const EACH: u64 = u64::MAX / 255;
    // A digit becomes a number below ten, to which adding 0x76 leaves the highest bit clear. Other
    // bytes set it, and only bytes after them can be changed by a carry.
    let digits = word ^ (0x30 * EACH);
    let other = (digits.wrapping_add(0x76 * EACH) | digits) & (0x80 * EACH);
    (other.trailing_zeros() / 8) as usize
}

/// The value of the first `count` of eight bytes, which are digits; `count` is at most 8.
#[inline]
fn first_digits(word: u64, count: usize) -> u64 {
    const EACH: u64 = u64::MAX / 255;
    if count == 0 {
        return 0;
    }
    // Leading zeros take the place of the bytes that are shifted out.
    let digits = (word ^ (0x30 * EACH)) << (64 - 8 * count);
    // Joins two digits to a number below 100 in each pair of bytes, then two of these, then all.
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    (fours * 10_000 + (fours >> 32)) & 0xffff_ffff
}

#[cfg(test)]
mod tests {
    use super::super::TokenOptions;
    use super::*;

    fn read(token: &str) -> Option<f64> {
        let number = ShortNumber::read(format!("{token} 12345678 ").as_bytes())?;
        assert_eq!(number.length, token.len(), "{token}");
        Some(number.value)
    }

    #[test]
    fn numbers_of_every_notation_are_read() {
        for token in [
            "0",
            "7",
            "-7",
            "+7",
            "1.",
            ".5",
            "-.5",
            "1.25",
            "1234567.1234567",
            "12345678",
            "00012.50",
            "0.00000000",
            "1e5",
            "1E+05",
            "25e-1",
            "1.5e-10",
            "-1.e3",
            "123456789.123456789",
            "3.14159265358979323846",
            "12345678901234567890123",
            "1234567890123456789.5",
            "0.1e22",
            "9e22",
            "5.000e-19",
        ] {
            let expected: f64 = token.parse().unwrap();
            let value = read(token).unwrap_or_else(|| panic!("{token}"));
            assert!(
                (value - expected).abs() <= expected.abs() * f64::EPSILON * 2.0,
                "{token}: {value}"
            );
            assert_eq!(value == 0.0, expected == 0.0, "{token}");
        }
    }

    #[test]
    fn other_tokens_are_left_to_the_token_checker() {
        for token in [
            "",
            ".",
            "-",
            "+-1",
            "1,5",
            "1x",
            "x",
            "1.5.5",
            "e5",
            ".e5",
            "1e",
            "1e+",
            "1e--5",
            "1e12345678",
            "1e23",
            "1e-23",
            "0.00000000000000000000001",
            "nan",
            "inf",
            "0x10",
            "1\0",
        ] {
            assert_eq!(read(token), None, "{token}");
        }
        // A number that the slice may not hold whole.
        for text in ["1", "1 ", "1.5 2 3", "12345678", "1.12345678"] {
            assert_eq!(ShortNumber::read(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn skipping_stops_at_a_number_that_is_too_far() {
        let options = TokenOptions { float_absolute: Some(1e-6), ..TokenOptions::default() };
        let tolerance = Tolerance::of(&options).unwrap();
        let end = "x 12345678";
        // Output, answer, and how much of both is skipped: if blanks do not matter, and if they do.
        for (output, answer, expected, if_blanks_matter) in [
            ("1.0 2.00 3 ", "1 2 3.5 ", (9, 4), (9, 4)),
            ("1.0\t\n 2.00 3 ", "1  2 3.5 ", (11, 5), (3, 1)),
            ("1.0 2 3.0 ", "1 2 3 ", (6, 4), (6, 4)),
            ("1.000001 ", "1 ", (0, 0), (0, 0)),
            ("1.0 y ", "1 y ", (4, 2), (4, 2)),
        ] {
            let [output, answer] = [output, answer].map(|text| format!("{text}{end}"));
            let skip =
                |matter| skip_close(output.as_bytes(), answer.as_bytes(), &tolerance, matter);
            assert_eq!(skip(false), expected, "{output}");
            assert_eq!(skip(true), if_blanks_matter, "{output}");
        }
    }
}
