//! Reads JSON, with the offsets of all values.

use super::JsonObject;

/// Values that are nested deeper are not read.
const DEEPEST: usize = 500;

/// A value and where it stands.
#[derive(Debug)]
pub(super) struct JsonTree<'a> {
    pub(super) value: JsonValue<'a>,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Debug, PartialEq)]
pub(super) enum JsonValue<'a> {
    /// `null`, `true`, `false`, and the words that Python writes for numbers that JSON does not have.
    Word(&'static str),
    Number(&'a [u8]),
    /// Without escapes. Half of a surrogate pair has three bytes, as in other generalisations of UTF-8.
    Text(Vec<u8>),
    List(Vec<JsonTree<'a>>),
    Object(JsonObject<'a>),
}

impl PartialEq for JsonTree<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

const WORDS: [&str; 6] = ["null", "true", "false", "NaN", "Infinity", "-Infinity"];

/// The values of a text, one after the other. `Err`: the offset of the first byte that is not JSON.
pub(super) fn read_all(text: &[u8]) -> Result<Vec<JsonTree<'_>>, usize> {
    let mut reader = JsonReader { text, at: 0, depth: 0 };
    let mut all = Vec::new();
    loop {
        reader.skip_blanks();
        if reader.at == text.len() {
            return Ok(all);
        }
        all.push(reader.value().ok_or(reader.at)?);
    }
}

/// Each method returns `None` at a byte that is not JSON, and stays there.
struct JsonReader<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
}

impl<'a> JsonReader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn value(&mut self) -> Option<JsonTree<'a>> {
        self.skip_blanks();
        let start = self.at;
        let value = match self.peek()? {
            b'[' => self.nested(Self::list)?,
            b'{' => self.nested(Self::object)?,
            b'"' => JsonValue::Text(self.string()?),
            _ => self.word().or_else(|| self.number())?,
        };
        Some(JsonTree { value, start, end: self.at })
    }

    fn nested(&mut self, read: fn(&mut Self) -> Option<JsonValue<'a>>) -> Option<JsonValue<'a>> {
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn word(&mut self) -> Option<JsonValue<'a>> {
        let rest = &self.text[self.at..];
        let word = WORDS.into_iter().find(|word| rest.starts_with(word.as_bytes()))?;
        let after = rest.get(word.len());
        if after.is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        self.at += word.len();
        Some(JsonValue::Word(word))
    }

    fn number(&mut self) -> Option<JsonValue<'a>> {
        let start = self.at;
        let _ = self.take(b'-');
        if self.take(b'0').is_none() {
            self.digits()?;
        }
        if self.take(b'.').is_some() {
            self.digits()?;
        }
        if self.take(b'e').or_else(|| self.take(b'E')).is_some() {
            let _ = self.take(b'+').or_else(|| self.take(b'-'));
            self.digits()?;
        }
        let is_over = !self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
        is_over.then(|| JsonValue::Number(&self.text[start..self.at]))
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn list(&mut self) -> Option<JsonValue<'a>> {
        let mut items = Vec::new();
        self.skip_blanks();
        if self.take(b']').is_some() {
            return Some(JsonValue::List(items));
        }
        loop {
            items.push(self.value()?);
            self.skip_blanks();
            if self.take(b']').is_some() {
                return Some(JsonValue::List(items));
            }
            self.take(b',')?;
        }
    }

    fn object(&mut self) -> Option<JsonValue<'a>> {
        let mut items = JsonObject::new();
        self.skip_blanks();
        if self.take(b'}').is_some() {
            return Some(JsonValue::Object(items));
        }
        loop {
            self.skip_blanks();
            let key = self.string()?;
            self.skip_blanks();
            self.take(b':')?;
            items.insert(key, self.value()?);
            self.skip_blanks();
            if self.take(b'}').is_some() {
                return Some(JsonValue::Object(items));
            }
            self.take(b',')?;
        }
    }

    fn string(&mut self) -> Option<Vec<u8>> {
        self.take(b'"')?;
        let mut text = Vec::new();
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(text);
                }
                b'\\' => {
                    self.at += 1;
                    self.escape(&mut text)?;
                }
                byte if byte < b' ' => return None,
                byte => {
                    text.push(byte);
                    self.at += 1;
                }
            }
        }
    }

    fn escape(&mut self, text: &mut Vec<u8>) -> Option<()> {
        let plain = match self.peek()? {
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            byte @ (b'"' | b'\\' | b'/') => byte,
            b'u' => {
                let unit = self.hex()?;
                let code = self.low_half(unit).unwrap_or(unit);
                push(text, code);
                return Some(());
            }
            _ => return None,
        };
        text.push(plain);
        self.at += 1;
        Some(())
    }

    /// The four digits after `u`.
    fn hex(&mut self) -> Option<u32> {
        let digits = std::str::from_utf8(self.text.get(self.at + 1..self.at + 5)?).ok()?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 5;
        u32::from_str_radix(digits, 16).ok()
    }

    /// The character of a surrogate pair whose first half was just read.
    fn low_half(&mut self, high: u32) -> Option<u32> {
        let before = self.at;
        let is_high = (0xd800..0xdc00).contains(&high);
        if is_high && self.text[self.at..].starts_with(b"\\u") {
            self.at += 1;
            if let Some(low) = self.hex().filter(|low| (0xdc00..0xe000).contains(low)) {
                return Some(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
            }
            self.at = before;
        }
        None
    }
}

/// Adds a character.
fn push(text: &mut Vec<u8>, code: u32) {
    if let Some(character) = char::from_u32(code) {
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    } else {
        // Half of a pair.
        let [_, _, high, low] = code.to_be_bytes();
        text.extend([0xe0 | high >> 4, 0x80 | (high & 15) << 2 | low >> 6, 0x80 | low & 63]);
    }
}
