//! A typed target: `arbitrary` makes an expression tree of the bytes, and its evaluator has a planted bug.
//!
//! The evaluator refuses a division by the number 0, but not one by an expression that comes to 0.
//! Fails by a panic ("attempt to divide by zero") in `Expression::value`.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;

/// A calculation on small whole numbers; values wrap at 32 bits.
#[derive(Arbitrary, Debug)]
enum Expression {
    Number(i8),
    Negate(Box<Expression>),
    Add(Box<Expression>, Box<Expression>),
    Subtract(Box<Expression>, Box<Expression>),
    Multiply(Box<Expression>, Box<Expression>),
    Divide(Box<Expression>, Box<Expression>),
    Sum(Vec<Expression>),
}

impl Expression {
    /// The value, or nothing where the expression divides by a number that reads 0.
    fn value(&self) -> Option<i32> {
        Some(match self {
            Self::Number(number) => i32::from(*number),
            Self::Negate(operand) => operand.value()?.wrapping_neg(),
            Self::Add(left, right) => left.value()?.wrapping_add(right.value()?),
            Self::Subtract(left, right) => left.value()?.wrapping_sub(right.value()?),
            Self::Multiply(left, right) => left.value()?.wrapping_mul(right.value()?),
            Self::Divide(_, right) if matches!(**right, Self::Number(0)) => return None,
            Self::Divide(left, right) => {
                // 64 bits wide, so that nothing but a zero can go wrong.
                (i64::from(left.value()?) / i64::from(right.value()?)) as i32
            }
            Self::Sum(terms) => {
                terms.iter().try_fold(0_i32, |sum, term| Some(sum.wrapping_add(term.value()?)))?
            }
        })
    }
}

fuzz_target!(|expression: Expression| {
    let _ = expression.value();
});
