//! The parts of a grammar after it is read.

use super::value::GrammarValue;

/// A command and its place.
#[derive(Debug)]
pub(super) struct GrammarCommand {
    /// The line in the grammar, counted from 1.
    pub(super) line: usize,
    /// The command as it is written.
    pub(super) text: String,
    pub(super) action: GrammarAction,
}

#[derive(Debug)]
pub(super) enum GrammarAction {
    Space,
    Newline,
    EndOfFile,
    Integer { min: Expression, max: Expression, name: Option<Variable> },
    Float(Box<FloatCommand>),
    Text(Expression),
    Pattern(Expression, Option<Variable>),
    Assert(Test),
    Set(Vec<(Variable, Expression)>),
    Unset(Vec<usize>),
    Loop(Box<Loop>),
    If { test: Test, then: Vec<GrammarCommand>, otherwise: Vec<GrammarCommand> },
}

#[derive(Debug)]
pub(super) struct FloatCommand {
    pub(super) min: Expression,
    pub(super) max: Expression,
    /// The smallest and the largest number of decimals, for `FLOATP`.
    pub(super) decimals: Option<[Expression; 2]>,
    pub(super) name: Option<Variable>,
    pub(super) notation: Notation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    Any,
    Fixed,
    Scientific,
}

#[derive(Debug)]
pub(super) struct Loop {
    pub(super) condition: Condition,
    /// Holds the number of the iteration.
    pub(super) counter: Option<Variable>,
    /// Stands between two iterations.
    pub(super) separator: Option<GrammarCommand>,
    pub(super) body: Vec<GrammarCommand>,
}

#[derive(Debug)]
pub(super) enum Condition {
    Times(Expression),
    While(Test),
}

/// A variable by its number, with indices for an array.
#[derive(Debug)]
pub(super) struct Variable {
    pub(super) number: usize,
    pub(super) indices: Vec<Expression>,
}

#[derive(Debug)]
pub(super) enum Expression {
    Constant(GrammarValue),
    Variable(Variable),
    Length(Box<Expression>),
    Negative(Box<Expression>),
    /// Operators of one rank, computed from the left. A list, because a grammar may chain hundreds of thousands of them.
    Chain(Box<Expression>, Vec<(Operator, Expression)>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Plus,
    Minus,
    Times,
    Divide,
    Remainder,
    Power,
}

#[derive(Debug)]
pub(super) enum Test {
    Not(Box<Test>),
    And(Vec<Test>),
    Or(Vec<Test>),
    Compare(GrammarComparison, Box<[Expression; 2]>),
    IsEndOfFile,
    Match(Expression),
    Unique(Vec<usize>),
    InArray(Expression, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GrammarComparison {
    Less,
    Greater,
    AtMost,
    AtLeast,
    Equal,
    Different,
}
