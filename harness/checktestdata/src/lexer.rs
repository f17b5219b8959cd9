//! Divides a grammar into words, numbers, strings and signs.

use super::GrammarError;
use super::value::MOST_DIGITS;

/// All words in capital letters. A longer word comes before those it starts with.
const WORDS: [&str; 25] = [
    "SCIENTIFIC",
    "NEWLINE",
    "INARRAY",
    "WHILEI",
    "UNIQUE",
    "STRLEN",
    "STRING",
    "FLOATP",
    "ASSERT",
    "WHILE",
    "UNSET",
    "SPACE",
    "REGEX",
    "MATCH",
    "ISEOF",
    "FLOAT",
    "FIXED",
    "REPI",
    "ELSE",
    "SET",
    "REP",
    "INT",
    "EOF",
    "END",
    "IF",
];

/// All signs. A longer sign comes before those it starts with.
const SIGNS: [&str; 20] = [
    "&&", "||", "<=", ">=", "==", "!=", "<", ">", "!", "=", "(", ")", "[", "]", ",", "+", "-", "*",
    "/", "%",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GrammarToken {
    /// A command, a test, a function or an option, or a sign.
    Word(&'static str),
    Variable(String),
    Integer(String),
    Float(String),
    Text(Vec<u8>),
    End,
}

/// A token, its line, and where it starts and ends in the file.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub(super) token: GrammarToken,
    pub(super) line: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// All tokens of a grammar. The last one is [`GrammarToken::End`].
pub(super) fn tokens(text: &[u8]) -> Result<Vec<Placed>, GrammarError> {
    let mut lexer = GrammarLexer { text, at: 0, line: 1 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let (line, start) = (lexer.line, lexer.at);
        let token = lexer.token()?;
        let is_end = token == GrammarToken::End;
        tokens.push(Placed { token, line, start, end: lexer.at });
        if is_end {
            return Ok(tokens);
        }
    }
}

struct GrammarLexer<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
}

impl GrammarLexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn fault(&self, what: String) -> GrammarError {
        GrammarError::Syntax { line: self.line, what }
    }

    /// Blanks, line ends and comments.
    fn skip_blanks(&mut self) {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                b'#' => self.take_while(|byte| byte != b'\n'),
                _ => return,
            }
        }
    }

    fn take_while(&mut self, holds: impl Fn(u8) -> bool) {
        while self.text.get(self.at).is_some_and(|&byte| holds(byte)) {
            self.at += 1;
        }
    }

    fn token(&mut self) -> Result<GrammarToken, GrammarError> {
        let rest = &self.text[self.at..];
        let Some(&first) = rest.first() else {
            return Ok(GrammarToken::End);
        };
        let known = WORDS.iter().chain(&SIGNS).chain(&["^"]);
        if let Some(word) = known.into_iter().find(|word| rest.starts_with(word.as_bytes())) {
            self.at += word.len();
            return Ok(GrammarToken::Word(word));
        }
        let start = self.at;
        match first {
            b'"' => self.string(),
            b'0'..=b'9' => self.number(),
            b'a'..=b'z' => {
                self.take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
                let name = &self.text[start..self.at];
                Ok(GrammarToken::Variable(String::from_utf8_lossy(name).into_owned()))
            }
            _ => {
                let shown = first.escape_ascii();
                Err(self.fault(format!("`{shown}` is not part of the language")))
            }
        }
    }

    fn number(&mut self) -> Result<GrammarToken, GrammarError> {
        let start = self.at;
        let mut is_float = false;
        self.take_while(|byte| byte.is_ascii_digit());
        let digits = self.at - start;
        if self.peek(0) == b'.' {
            is_float = true;
            self.at += 1;
            self.take_while(|byte| byte.is_ascii_digit());
        }
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
            if self.peek(1 + sign).is_ascii_digit() {
                is_float = true;
                self.at += 1 + sign;
                self.take_while(|byte| byte.is_ascii_digit());
            }
        }
        let number = String::from_utf8_lossy(&self.text[start..self.at]).into_owned();
        if number.len() > MOST_DIGITS {
            return Err(self.fault(format!("a number has more than {MOST_DIGITS} characters")));
        }
        if is_float {
            return Ok(GrammarToken::Float(number));
        }
        if digits > 1 && number.starts_with('0') {
            return Err(self.fault(format!("the integer `{number}` starts with a zero")));
        }
        Ok(GrammarToken::Integer(number))
    }

    fn string(&mut self) -> Result<GrammarToken, GrammarError> {
        let line = self.line;
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            let Some(&byte) = self.text.get(self.at) else {
                let what = "the string has no end: write `\"`".to_owned();
                return Err(GrammarError::Syntax { line, what });
            };
            self.at += 1;
            match byte {
                b'"' => return Ok(GrammarToken::Text(bytes)),
                b'\\' => self.escape(&mut bytes)?,
                _ => {
                    self.line += usize::from(byte == b'\n');
                    bytes.push(byte);
                }
            }
        }
    }

    /// What follows a backslash in a string.
    fn escape(&mut self, bytes: &mut Vec<u8>) -> Result<(), GrammarError> {
        let next = self.peek(0);
        let plain = match next {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            b'"' | b'\\' => next,
            b'\n' => {
                self.line += 1;
                self.at += 1;
                return Ok(());
            }
            b'0'..=b'7' => return self.octal(bytes),
            _ => {
                // The next byte is read as if there was no backslash before it.
                bytes.push(b'\\');
                return Ok(());
            }
        };
        self.at += 1;
        bytes.push(plain);
        Ok(())
    }

    fn octal(&mut self, bytes: &mut Vec<u8>) -> Result<(), GrammarError> {
        let start = self.at;
        while self.at < start + 3 && matches!(self.peek(0), b'0'..=b'7') {
            self.at += 1;
        }
        let digits = &self.text[start..self.at];
        let value = digits.iter().fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
        let Ok(byte) = u8::try_from(value) else {
            let shown = digits.escape_ascii();
            return Err(self.fault(format!("`\\{shown}` is not a byte: use at most `\\377`")));
        };
        bytes.push(byte);
        Ok(())
    }
}
