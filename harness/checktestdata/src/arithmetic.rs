//! Computes with values. Integers stay integers; an integer next to a fraction becomes one.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive as _, Zero as _};

use super::syntax::Operator;
use super::value::GrammarValue;

/// The largest size of a number, in bits.
const LARGEST: u64 = 1 << 17;

/// Why an expression has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum ArithmeticError {
    #[error("a string is not a number")]
    Text,
    #[error("a number is divided by zero")]
    Zero,
    #[error("`%` is for integers")]
    Remainder,
    #[error("an exponent must be an integer and not negative")]
    Exponent,
    #[error("a number is too large")]
    TooLarge,
}

/// The result of an operator.
pub(super) fn compute(
    operator: Operator,
    left: &GrammarValue,
    right: &GrammarValue,
) -> Result<GrammarValue, ArithmeticError> {
    let value = match (left, right) {
        (_, exponent) if operator == Operator::Power => return power(left, exponent),
        (GrammarValue::Integer(left), GrammarValue::Integer(right)) => {
            GrammarValue::Integer(of_integers(operator, left, right)?)
        }
        _ => {
            let text = ArithmeticError::Text;
            let (left, right) = (left.as_fraction().ok_or(text)?, right.as_fraction().ok_or(text)?);
            GrammarValue::Float(of_fractions(operator, &left, &right)?)
        }
    };
    if size(&value) > LARGEST { Err(ArithmeticError::TooLarge) } else { Ok(value) }
}

fn of_integers(
    operator: Operator,
    left: &BigInt,
    right: &BigInt,
) -> Result<BigInt, ArithmeticError> {
    if matches!(operator, Operator::Divide | Operator::Remainder) && right.is_zero() {
        return Err(ArithmeticError::Zero);
    }
    Ok(match operator {
        Operator::Plus => left + right,
        Operator::Minus => left - right,
        Operator::Times | Operator::Power => left * right,
        Operator::Divide => left / right,
        Operator::Remainder => left % right,
    })
}

fn of_fractions(
    operator: Operator,
    left: &BigRational,
    right: &BigRational,
) -> Result<BigRational, ArithmeticError> {
    Ok(match operator {
        Operator::Plus => left + right,
        Operator::Minus => left - right,
        Operator::Times | Operator::Power => left * right,
        Operator::Divide if right.is_zero() => return Err(ArithmeticError::Zero),
        Operator::Divide => left / right,
        Operator::Remainder => return Err(ArithmeticError::Remainder),
    })
}

fn power(base: &GrammarValue, exponent: &GrammarValue) -> Result<GrammarValue, ArithmeticError> {
    let GrammarValue::Integer(exponent) = exponent else {
        return Err(ArithmeticError::Exponent);
    };
    let small = exponent.to_u64().ok_or(ArithmeticError::Exponent)?;
    // 0, 1 and -1 stay small for every exponent.
    let small = if size(base) <= 1 { small.min(2 + small % 2) } else { small };
    if size(base).saturating_mul(small) > LARGEST {
        return Err(ArithmeticError::TooLarge);
    }
    let small = u32::try_from(small).map_err(|_| ArithmeticError::TooLarge)?;
    match base {
        GrammarValue::Integer(base) => Ok(GrammarValue::Integer(base.pow(small))),
        GrammarValue::Float(base) => {
            let (numerator, denominator) = (base.numer().pow(small), base.denom().pow(small));
            Ok(GrammarValue::Float(BigRational::new(numerator, denominator)))
        }
        GrammarValue::Text(_) => Err(ArithmeticError::Text),
    }
}

/// The size of a number in bits.
fn size(value: &GrammarValue) -> u64 {
    match value {
        GrammarValue::Integer(number) => number.bits(),
        GrammarValue::Float(number) => number.numer().bits().max(number.denom().bits()),
        GrammarValue::Text(_) => 0,
    }
}
