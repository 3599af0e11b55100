//! Guidance over a whole input: what is known of it is put together, and its faults are mended one after
//! the other in the layout that explains it.

use super::best::Best;
use super::encoding::as_text;
use super::guided::{Allowance, Guide};
use super::likelihood::Likelihood;
use super::options::Options;
use super::validate::Validate;
use crate::oracle::Stopped;
use crate::structure::layout::Layout;

/// Mends fault by fault, and tells whether bytes that no text has were mended beforehand.
pub(super) fn mend(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    only_delete: bool,
    best: &mut Best<'_>,
) -> Result<bool, Stopped> {
    let mut likelihood = Likelihood::after(options.learnt.clone());
    likelihood.learn(input);
    let usual = match (validator.is_slow(), only_delete) {
        (true, _) => Allowance::SLOW,
        (false, true) => Allowance::DELETIONS,
        (false, false) => Allowance::QUICK,
    };
    let layout = Layout::guess(input);
    let cleaned = as_text(input, &likelihood, only_delete);
    let texts = cleaned.as_deref().into_iter().chain([input]);
    for text in texts {
        let mut reached = None;
        for layout in [layout, layout.other()] {
            let guide = Guide {
                likelihood: &likelihood,
                layout,
                only_delete,
                allowance: options.allowance.unwrap_or(usual),
            };
            // A layout that isn't the text's own tells nothing, and would try everything in vain.
            let reach = guide.reach(validator, text)?;
            if reached.is_some_and(|reached| reach < reached) {
                continue;
            }
            reached = Some(reach);
            let is_mended = guide.repair(validator, text, &mut |text| best.offer(text))?;
            if is_mended && (best.distance() <= 2 || best.distance() * 8 <= input.len()) {
                return Ok(cleaned.is_some());
            }
        }
    }
    // One test, and rarely as close as what small edits find: so it is the last resort.
    let recovered = options.reader.as_ref().and_then(|one| one.recovered(input, only_delete));
    if let Some(recovered) = recovered
        && validator.is_valid(&recovered)?
    {
        best.offer(&recovered);
    }
    Ok(cleaned.is_some())
}
