//! Brings back what a repair dropped without need: ddmax over the dropped units, with the repair
//! as base.

pub(super) mod lost_lines;

use super::best::Best;
use super::ddmax::ddmax;
use super::validate::Validate;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::Units;
use seedsmith_grammar::internal::{DiffStep, diff};

/// The texts between `base`, which is valid, and `input`: a configuration marks the differences
/// that are applied.
///
/// A difference is a unit that only one of the two has. `told` receives each valid text on the way;
/// the last one is 1-maximal: no single difference more can be applied. Where `keeps_base` is set,
/// units that only the base has stay, so that the differences are the dropped units.
pub(crate) fn towards(
    validator: &mut dyn Validate,
    base: (&[u8], &Units),
    input: (&[u8], &Units),
    keeps_base: bool,
    told: &mut dyn FnMut(Vec<u8>),
) -> Result<(), Stopped> {
    let steps = diff(base, input);
    let is_difference = |step: &DiffStep| match step {
        DiffStep::Common(_) => false,
        DiffStep::Delete(_) => !keeps_base,
        DiffStep::Insert(_) => true,
    };
    let count = steps.iter().filter(|step| is_difference(step)).count();
    let render = |applied: &[bool], out: &mut Vec<u8>| {
        let mut number = 0;
        for step in &steps {
            let is_applied = is_difference(step) && {
                number += 1;
                applied[number - 1]
            };
            match step {
                DiffStep::Common(span) => out.extend_from_slice(&base.0[span.clone()]),
                DiffStep::Delete(span) if !is_applied => {
                    out.extend_from_slice(&base.0[span.clone()])
                }
                DiffStep::Insert(span) if is_applied => {
                    out.extend_from_slice(&input.0[span.clone()])
                }
                _ => {}
            }
        }
    };
    if keeps_base && count > 0 {
        // With what only the base has, all differences together need not be the invalid input.
        let mut whole = Vec::new();
        render(&vec![true; count], &mut whole);
        if whole != input.0 && validator.is_valid(&whole)? {
            told(whole);
            return Ok(());
        }
    }
    let mut applied = vec![false; count];
    ddmax(validator, &mut applied, &render, &mut |applied| {
        let mut text = Vec::new();
        render(applied, &mut text);
        told(text);
    })
}

/// The same from the empty input over `units` of `input`, which is invalid: figure 5 to the letter. That
/// the empty input is valid is asked in the end only, where nothing else was found.
pub(super) fn from_nothing(
    validator: &mut dyn Validate,
    (input, units): (&[u8], &Units),
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    let nothing: (&[u8], _) = (b"", &Units::bytes(0));
    towards(validator, nothing, (input, units), true, &mut |text| best.offer(&text))?;
    if best.text().is_none() && validator.is_valid(b"")? {
        best.offer(b"");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::validate::InPlace;
    use seedsmith_engine::internal::Budget;

    #[test]
    fn a_mutant_keeps_the_mutations_that_are_valid_together() {
        let parent = br#"{"a":1,"b":[2,3]}"#;
        let mutant = br#"{"x":1,"b":[2,,3]]}"#;
        let is_valid = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).is_ok();
        let mut validator = InPlace::new(is_valid, Budget::default());
        let mut best = parent.to_vec();
        let units = |bytes: &[u8]| Units::bytes(bytes.len());
        towards(
            &mut validator,
            (parent, &units(parent)),
            (mutant, &units(mutant)),
            false,
            &mut |text| best = text,
        )
        .unwrap();
        assert_eq!(best, br#"{"x":1,"b":[2,3]}"#);
    }
}
