//! Guidance over a whole input: its clues are collected, and its faults are mended one after
//! the other in the layout that explains it.

use crate::repair::best::Best;
use crate::repair::encoding::as_text;
use crate::repair::guided::{Allowance, Guide, LATE_SHARE};
use crate::repair::likelihood::Likelihood;
use crate::repair::options::Options;
use crate::repair::validate::Validate;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::Layout;

/// The work that is left when guidance has ended.
pub(in crate::repair) struct Remainder {
    /// Whether bytes that no text has were mended beforehand.
    pub was_cleaned: bool,
    /// What became of the input, where it is not valid yet.
    pub unfinished: Option<Vec<u8>>,
}

/// Mends fault by fault.
pub(in crate::repair) fn mend(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
    only_delete: bool,
    best: &mut Best<'_>,
) -> Result<Remainder, Stopped> {
    let mut likelihood = Likelihood::after(options.learnt.clone());
    likelihood.learn(input);
    let usual = match (validator.is_slow(), only_delete) {
        (true, _) => Allowance::SLOW,
        (false, true) => Allowance::DELETIONS,
        (false, false) => Allowance::QUICK,
    };
    let layout = Layout::guess(input);
    let cleaned = as_text(input, &likelihood, only_delete);
    let was_cleaned = cleaned.is_some();
    let mut unfinished = None;
    let texts = cleaned.as_deref().into_iter().chain([input]);
    for text in texts {
        let mut reached = None;
        // A text that gets no further in the other layout than in the first is no progress.
        let mut furthest = 0;
        for layout in [layout, layout.other()] {
            let guide = Guide {
                likelihood: &likelihood,
                layout,
                only_delete,
                allowance: options.allowance.unwrap_or(usual),
            };
            // The rest of the time is for lots of lines.
            if unfinished.is_some() && validator.spent() >= LATE_SHARE {
                if !validator.is_used_up() {
                    best.cut_short();
                }
                break;
            }
            // A layout that isn't the text's own gives no clue, and would try everything in vain.
            let reach = guide.reach(validator, text)?;
            if reached.is_some_and(|reached| reach < reached) {
                continue;
            }
            reached = Some(reach);
            let left = guide.repair(validator, text, furthest, &mut |text| best.offer(text))?;
            if left.is_none() && (best.distance() <= 2 || best.distance() * 8 <= input.len()) {
                return Ok(Remainder { was_cleaned, unfinished: None });
            }
            if let Some(left) = &left {
                furthest = left.furthest;
                if left.is_cut_short {
                    best.cut_short();
                }
            }
            unfinished = unfinished.or(left.map(|left| left.text));
        }
    }
    // One test, and rarely as close as what small edits find: so it is the last resort.
    let recovered = options.reader.as_ref().and_then(|one| one.recovered(input, only_delete));
    if let Some(recovered) = recovered
        && validator.is_valid(&recovered)?
    {
        best.offer(&recovered);
    }
    Ok(Remainder { was_cleaned, unfinished })
}
