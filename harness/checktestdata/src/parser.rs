//! Reads the tokens of a grammar as commands.

mod expressions;

use super::lexer::{GrammarToken, Placed, tokens};
use super::syntax::{
    Condition, Expression, FloatCommand, GrammarAction, GrammarCommand, Loop, Notation, Variable,
};
use super::{Grammar, GrammarError};

/// The depth to which expressions, tests and blocks may be nested.
const DEEPEST: usize = 100;

pub(super) fn read(text: &[u8]) -> Result<Grammar, GrammarError> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, depth: 0, variables: Vec::new() };
    let commands = parser.block()?;
    if *parser.token() != GrammarToken::End {
        return Err(parser.expected("a command"));
    }
    Ok(Grammar { commands, variables: parser.variables })
}

struct Parser<'a> {
    text: &'a [u8],
    tokens: Vec<Placed>,
    at: usize,
    depth: usize,
    variables: Vec<String>,
}

type ReadGrammar<T> = Result<T, GrammarError>;

impl Parser<'_> {
    fn token(&self) -> &GrammarToken {
        &self.tokens[self.at].token
    }

    fn word(&self) -> &'static str {
        match self.token() {
            GrammarToken::Word(word) => word,
            _ => "",
        }
    }

    /// Moves past the token. The end stays.
    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        if found {
            self.advance();
        }
        found
    }

    fn need(&mut self, word: &str) -> ReadGrammar<()> {
        if self.take(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    fn expected(&self, wanted: &str) -> GrammarError {
        let here = &self.tokens[self.at];
        let found = self.text[here.start..here.end].escape_ascii();
        let what = match here.token {
            GrammarToken::End => format!("expected {wanted}, found the end of the file"),
            _ => format!("expected {wanted}, found `{found}`"),
        };
        GrammarError::Syntax { line: here.line, what }
    }

    /// Reads something one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> ReadGrammar<T>) -> ReadGrammar<T> {
        if self.depth == DEEPEST {
            let what = format!("more than {DEEPEST} levels are nested");
            return Err(GrammarError::Syntax { line: self.tokens[self.at].line, what });
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// All commands up to `END`, `ELSE` or the end of the file.
    fn block(&mut self) -> ReadGrammar<Vec<GrammarCommand>> {
        self.deeper(|parser| {
            let mut commands = Vec::new();
            while *parser.token() != GrammarToken::End && !matches!(parser.word(), "END" | "ELSE") {
                commands.push(parser.command(true)?);
            }
            Ok(commands)
        })
    }

    /// A command; a separator cannot have a block.
    fn command(&mut self, with_blocks: bool) -> ReadGrammar<GrammarCommand> {
        let (line, start) = (self.tokens[self.at].line, self.at);
        let word = self.word();
        let is_block = matches!(word, "REP" | "REPI" | "WHILE" | "WHILEI" | "IF");
        if is_block && !with_blocks {
            return Err(self.expected("a command without a block"));
        }
        if !is_block && !SIMPLE.contains(&word) {
            return Err(self.expected("a command"));
        }
        self.advance();
        let (action, end) =
            if is_block { self.block_action(word)? } else { (self.action(word)?, self.at) };
        let text = &self.text[self.tokens[start].start..self.tokens[end - 1].end];
        let text = String::from_utf8_lossy(text).into_owned();
        Ok(GrammarCommand { line, text, action })
    }

    /// A command without a block, after its word.
    fn action(&mut self, word: &'static str) -> ReadGrammar<GrammarAction> {
        match word {
            "SPACE" => return Ok(GrammarAction::Space),
            "NEWLINE" => return Ok(GrammarAction::Newline),
            "EOF" => return Ok(GrammarAction::EndOfFile),
            _ => {}
        }
        self.need("(")?;
        let action = match word {
            "INT" => {
                let [min, max] = self.two()?;
                let name = if self.take(",") { Some(self.variable()?) } else { None };
                GrammarAction::Integer { min, max, name }
            }
            "FLOAT" | "FLOATP" => self.float(word == "FLOATP")?,
            "STRING" => GrammarAction::Text(self.value()?),
            "REGEX" => {
                let pattern = self.value()?;
                let name = if self.take(",") { Some(self.variable()?) } else { None };
                GrammarAction::Pattern(pattern, name)
            }
            "ASSERT" => GrammarAction::Assert(self.test()?),
            "SET" => GrammarAction::Set(self.several(|parser| {
                let variable = parser.variable()?;
                parser.need("=")?;
                Ok((variable, parser.expression()?))
            })?),
            _ => GrammarAction::Unset(self.several(Self::name)?),
        };
        self.need(")")?;
        Ok(action)
    }

    fn float(&mut self, has_decimals: bool) -> ReadGrammar<GrammarAction> {
        let [min, max] = self.two()?;
        let mut decimals = None;
        if has_decimals {
            self.need(",")?;
            decimals = Some(self.two()?);
        }
        let (mut name, mut notation) = (None, Notation::Any);
        if self.take(",") {
            name = Some(self.variable()?);
            if self.take(",") {
                notation = match self.word() {
                    "FIXED" => Notation::Fixed,
                    "SCIENTIFIC" => Notation::Scientific,
                    _ => return Err(self.expected("`FIXED` or `SCIENTIFIC`")),
                };
                self.advance();
            }
        }
        Ok(GrammarAction::Float(Box::new(FloatCommand { min, max, decimals, name, notation })))
    }

    /// A command with a block, after its word; and the token after its head.
    fn block_action(&mut self, word: &'static str) -> ReadGrammar<(GrammarAction, usize)> {
        self.need("(")?;
        let counter = match word {
            "REPI" | "WHILEI" => {
                let variable = self.variable()?;
                self.need(",")?;
                Some(variable)
            }
            _ => None,
        };
        let condition = match word {
            "REP" | "REPI" => Condition::Times(self.expression()?),
            _ => Condition::While(self.test()?),
        };
        let mut separator = None;
        if word != "IF" && self.take(",") {
            separator = Some(self.command(false)?);
        }
        self.need(")")?;
        let end = self.at;
        let body = self.block()?;
        let action = match condition {
            Condition::While(test) if word == "IF" => {
                let otherwise = if self.take("ELSE") { self.block()? } else { Vec::new() };
                GrammarAction::If { test, then: body, otherwise }
            }
            condition => {
                GrammarAction::Loop(Box::new(Loop { condition, counter, separator, body }))
            }
        };
        self.need("END")?;
        Ok((action, end))
    }

    /// One or more parts with commas between them.
    fn several<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> ReadGrammar<T>,
    ) -> ReadGrammar<Vec<T>> {
        let mut parts = vec![read(self)?];
        while self.take(",") {
            parts.push(read(self)?);
        }
        Ok(parts)
    }

    fn two(&mut self) -> ReadGrammar<[Expression; 2]> {
        let first = self.expression()?;
        self.need(",")?;
        Ok([first, self.expression()?])
    }

    /// The number of the variable of this name.
    fn name(&mut self) -> ReadGrammar<usize> {
        let GrammarToken::Variable(name) = self.token().clone() else {
            return Err(self.expected("the name of a variable"));
        };
        self.advance();
        let known = self.variables.iter().position(|known| *known == name);
        Ok(known.unwrap_or_else(|| {
            self.variables.push(name);
            self.variables.len() - 1
        }))
    }

    fn variable(&mut self) -> ReadGrammar<Variable> {
        let number = self.name()?;
        let mut indices = Vec::new();
        if self.take("[") {
            indices = self.several(Self::expression)?;
            self.need("]")?;
        }
        Ok(Variable { number, indices })
    }
}

/// The words of commands without a block.
const SIMPLE: [&str; 11] = [
    "SPACE", "NEWLINE", "EOF", "INT", "FLOAT", "FLOATP", "STRING", "REGEX", "ASSERT", "SET",
    "UNSET",
];
