//! Reads expressions and tests.

use super::{Parser, ReadGrammar};
use crate::lexer::GrammarToken;
use crate::syntax::{Expression, GrammarComparison, Operator, Test};
use crate::value::{self, GrammarValue};

const SUMS: [(&str, Operator); 2] = [("+", Operator::Plus), ("-", Operator::Minus)];
const PRODUCTS: [(&str, Operator); 3] =
    [("*", Operator::Times), ("/", Operator::Divide), ("%", Operator::Remainder)];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> ReadGrammar<Expression> {
        self.deeper(|parser| parser.chained(&SUMS, Self::term))
    }

    fn term(&mut self) -> ReadGrammar<Expression> {
        self.chained(&PRODUCTS, Self::factor)
    }

    /// Operands with any of these operators between them.
    fn chained(
        &mut self,
        operators: &[(&str, Operator)],
        operand: fn(&mut Self) -> ReadGrammar<Expression>,
    ) -> ReadGrammar<Expression> {
        let first = operand(self)?;
        let mut rest = Vec::new();
        loop {
            let word = self.word();
            let Some(&(_, operator)) = operators.iter().find(|(sign, _)| *sign == word) else {
                return Ok(chain(first, rest));
            };
            self.advance();
            rest.push((operator, operand(self)?));
        }
    }

    /// A value with powers, which bind more strongly than a minus before them, and from the left.
    fn factor(&mut self) -> ReadGrammar<Expression> {
        if self.take("-") {
            return self.deeper(|parser| Ok(Expression::Negative(Box::new(parser.factor()?))));
        }
        let base = self.atom()?;
        let mut exponents = Vec::new();
        while self.take("^") {
            let exponent = if self.take("-") {
                Expression::Negative(Box::new(self.atom()?))
            } else {
                self.atom()?
            };
            exponents.push((Operator::Power, exponent));
        }
        Ok(chain(base, exponents))
    }

    fn atom(&mut self) -> ReadGrammar<Expression> {
        if self.take("(") {
            let inner = self.expression()?;
            self.need(")")?;
            return Ok(inner);
        }
        self.value()
    }

    pub(super) fn value(&mut self) -> ReadGrammar<Expression> {
        let value = match self.token().clone() {
            GrammarToken::Integer(digits) => GrammarValue::Integer(value::integer(&digits)),
            GrammarToken::Float(number) => GrammarValue::Float(value::fraction(&number)),
            GrammarToken::Text(text) => GrammarValue::Text(text),
            GrammarToken::Variable(_) => return Ok(Expression::Variable(self.variable()?)),
            GrammarToken::Word("STRLEN") => {
                self.advance();
                self.need("(")?;
                let text = self.deeper(Self::value)?;
                self.need(")")?;
                return Ok(Expression::Length(Box::new(text)));
            }
            _ => return Err(self.expected("a value")),
        };
        self.advance();
        Ok(Expression::Constant(value))
    }

    /// `||` binds less strongly than `&&`.
    pub(super) fn test(&mut self) -> ReadGrammar<Test> {
        self.deeper(|parser| {
            let mut tests = vec![parser.conjunction()?];
            while parser.take("||") {
                tests.push(parser.conjunction()?);
            }
            Ok(Test::Or(tests))
        })
    }

    fn conjunction(&mut self) -> ReadGrammar<Test> {
        let mut tests = vec![self.single_test()?];
        while self.take("&&") {
            tests.push(self.single_test()?);
        }
        Ok(Test::And(tests))
    }

    fn single_test(&mut self) -> ReadGrammar<Test> {
        match self.word() {
            "!" => {
                self.advance();
                self.deeper(|parser| Ok(Test::Not(Box::new(parser.single_test()?))))
            }
            "ISEOF" => {
                self.advance();
                Ok(Test::IsEndOfFile)
            }
            "MATCH" => self.call(|parser| Ok(Test::Match(parser.value()?))),
            "UNIQUE" => self.call(|parser| Ok(Test::Unique(parser.several(Self::name)?))),
            "INARRAY" => self.call(|parser| {
                let value = parser.expression()?;
                parser.need(",")?;
                Ok(Test::InArray(value, parser.variable()?.number))
            }),
            "(" => self.in_parentheses(),
            _ => self.comparison(),
        }
    }

    /// Parentheses are around a test, or at the start of an expression.
    fn in_parentheses(&mut self) -> ReadGrammar<Test> {
        let start = self.at;
        if let Ok(comparison) = self.comparison() {
            return Ok(comparison);
        }
        let furthest = self.at;
        self.at = start + 1;
        let test = self.test()?;
        if self.word() != ")" && furthest > self.at {
            self.at = furthest;
        }
        self.need(")")?;
        Ok(test)
    }

    fn call(&mut self, inside: impl FnOnce(&mut Self) -> ReadGrammar<Test>) -> ReadGrammar<Test> {
        self.advance();
        self.need("(")?;
        let test = inside(self)?;
        self.need(")")?;
        Ok(test)
    }

    fn comparison(&mut self) -> ReadGrammar<Test> {
        let left = self.expression()?;
        let comparison = match self.word() {
            "<" => GrammarComparison::Less,
            ">" => GrammarComparison::Greater,
            "<=" => GrammarComparison::AtMost,
            ">=" => GrammarComparison::AtLeast,
            "==" => GrammarComparison::Equal,
            "!=" => GrammarComparison::Different,
            _ => return Err(self.expected("a comparison")),
        };
        self.advance();
        Ok(Test::Compare(comparison, Box::new([left, self.expression()?])))
    }
}

fn chain(first: Expression, rest: Vec<(Operator, Expression)>) -> Expression {
    if rest.is_empty() {
        return first;
    }
    Expression::Chain(Box::new(first), rest)
}
