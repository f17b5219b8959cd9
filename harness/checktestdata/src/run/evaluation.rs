//! The values of expressions and tests while a grammar runs.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::{GrammarRun, GrammarStep, MOST_MEMORY, Stop, failed, invalid};
use crate::arithmetic::compute;
use crate::arrays::{self, Array, Index, Repeated};
use crate::syntax::{Expression, GrammarComparison, Operator, Test, Variable};
use crate::value::GrammarValue;

impl<'a> GrammarRun<'a> {
    fn index(&mut self, variable: &'a Variable) -> GrammarStep<Index> {
        let mut index = Index::with_capacity(variable.indices.len());
        for expression in &variable.indices {
            match self.value(expression)? {
                GrammarValue::Integer(number) => index.push(number),
                other => {
                    return Err(failed(format_args!(
                        "the index {} is not an integer",
                        other.shown()
                    )));
                }
            }
        }
        Ok(index)
    }

    pub(super) fn set(&mut self, variable: &'a Variable, value: GrammarValue) -> GrammarStep<()> {
        let index = self.index(variable)?;
        let array = &mut self.arrays[variable.number];
        self.bytes -= array.bytes();
        array.set(index, value);
        self.bytes += array.bytes();
        if self.bytes > MOST_MEMORY << 20 {
            return Err(failed(format_args!(
                "the variables need more than {MOST_MEMORY} MiB of memory"
            )));
        }
        Ok(())
    }

    fn undefined(&self, number: usize) -> Stop {
        failed(format_args!("`{}` has no value", self.grammar.variables[number]))
    }

    pub(super) fn value(&mut self, expression: &'a Expression) -> GrammarStep<GrammarValue> {
        match expression {
            Expression::Constant(value) => Ok(value.clone()),
            Expression::Variable(variable) => {
                let index = self.index(variable)?;
                let value = self.arrays[variable.number].get(&index).cloned();
                value.ok_or_else(|| self.undefined(variable.number))
            }
            Expression::Length(text) => {
                Ok(GrammarValue::Integer(BigInt::from(self.string(text)?.len())))
            }
            Expression::Negative(inner) => {
                let zero = GrammarValue::Integer(BigInt::ZERO);
                compute(Operator::Minus, &zero, &self.value(inner)?).map_err(failed)
            }
            Expression::Chain(first, rest) => {
                let mut value = self.value(first)?;
                for (operator, operand) in rest {
                    self.tick()?;
                    value = compute(*operator, &value, &self.value(operand)?).map_err(failed)?;
                }
                Ok(value)
            }
        }
    }

    pub(super) fn test(&mut self, test: &'a Test) -> GrammarStep<bool> {
        Ok(match test {
            Test::Not(inner) => !self.test(inner)?,
            Test::And(tests) => !self.is_any(tests, false)?,
            Test::Or(tests) => self.is_any(tests, true)?,
            Test::Compare(comparison, both) => {
                let (left, right) = (self.value(&both[0])?, self.value(&both[1])?);
                let order = left.compare(&right);
                holds(
                    *comparison,
                    order.ok_or_else(|| failed("a number is compared with a string"))?,
                )
            }
            Test::IsEndOfFile => self.scanner.rest().is_empty(),
            Test::Match(bytes) => {
                let bytes = self.string(bytes)?;
                self.scanner.peek().is_some_and(|byte| bytes.contains(&byte))
            }
            Test::Unique(numbers) => self.unique(numbers)?,
            Test::InArray(value, number) => {
                let value = self.value(value)?;
                self.arrays[*number].contains(&value)
            }
        })
    }

    /// Whether the result of any of the tests is `wanted`. The tests after the first such one are not made.
    fn is_any(&mut self, tests: &'a [Test], wanted: bool) -> GrammarStep<bool> {
        for test in tests {
            self.tick()?;
            if self.test(test)? == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether no tuple of values occurs twice. Arrays with other indices are wrong even where `!` is before the test.
    fn unique(&mut self, numbers: &[usize]) -> GrammarStep<bool> {
        let arrays: Vec<&Array> = numbers.iter().map(|number| &self.arrays[*number]).collect();
        match arrays::repeated(&arrays) {
            None => Ok(true),
            Some(Repeated::OtherIndices) => {
                Err(invalid("the variables do not have the same indices"))
            }
            Some(Repeated::Tuple(places, tuple)) => {
                let [one, other] = places.map(|index| arrays::shown(&index));
                let tuple: Vec<String> = tuple.iter().map(GrammarValue::shown).collect();
                self.equal = format!(": ({}) is at {one} and at {other}", tuple.join(", "));
                Ok(false)
            }
        }
    }
}

fn holds(comparison: GrammarComparison, order: Ordering) -> bool {
    match comparison {
        GrammarComparison::Less => order.is_lt(),
        GrammarComparison::Greater => order.is_gt(),
        GrammarComparison::AtMost => order.is_le(),
        GrammarComparison::AtLeast => order.is_ge(),
        GrammarComparison::Equal => order.is_eq(),
        GrammarComparison::Different => order.is_ne(),
    }
}
