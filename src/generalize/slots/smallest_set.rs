//! The least set of slots that cause a pass or a rejection: ddmin over slots.

use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;

use crate::generalize::draws::prober::{Prober, Witness};
use crate::generalize::pattern::{Replaced, Slot};

impl Prober<'_, '_> {
    /// Whether exactly these words give a text with that outcome.
    ///
    /// Costs a test if the candidate is new. Words that cannot be written show nothing.
    fn shows(&mut self, replaced: &Replaced, outcome: Outcome) -> Result<bool, Stopped> {
        self.check_time()?;
        match self.subject.render(replaced) {
            Some(text) => Ok(self.oracle.outcome(&text)? == outcome),
            None => Ok(false),
        }
    }

    /// The least set of slots whose words of a witness still give `outcome`, a pass or a
    /// rejection: none of them can get its old text back. Cost: at most `n² + 3n` tests
    /// for `n` slots, mostly `2·log2(n)`.
    pub fn smallest_set(
        &mut self,
        slots: &[Slot],
        witness: &Witness,
        context: &Replaced,
        outcome: Outcome,
    ) -> Result<Vec<usize>, Stopped> {
        let changed = |kept: &[usize]| {
            let mut replaced = context.clone();
            for &at in kept {
                for &node in &slots[at].nodes {
                    replaced.insert(node, witness.words[at].clone());
                }
            }
            replaced
        };
        let mut kept: Vec<usize> = (0..slots.len()).collect();
        let mut parts = 2;
        while kept.len() > 1 {
            let chunks: Vec<Vec<usize>> =
                crate::reduce::algorithms::ddmin::split(kept.len(), parts)
                    .map(|part| kept[part].to_vec())
                    .collect();
            let mut found = None;
            for chunk in &chunks {
                if self.shows(&changed(chunk), outcome)? {
                    found = Some((chunk.clone(), 2));
                    break;
                }
            }
            if found.is_none() && parts > 2 {
                for chunk in &chunks {
                    let rest: Vec<usize> =
                        kept.iter().copied().filter(|at| !chunk.contains(at)).collect();
                    if self.shows(&changed(&rest), outcome)? {
                        found = Some((rest, (parts - 1).max(2)));
                        break;
                    }
                }
            }
            match found {
                Some((rest, next)) => {
                    parts = next.min(rest.len()).max(2);
                    kept = rest;
                }
                None if parts >= kept.len() => break,
                None => parts = (parts * 2).min(kept.len()),
            }
        }
        Ok(kept)
    }
}
