//! Parents of mutants: inputs of the corpus that are valid or were repaired, and valid mutants that were new lately.

/// New mutants that are remembered. With them half of the changes start from a mutant that was new lately; 64 was
/// not measured (docs/notes/2026-11-22-mutator-runs-the-target.md).
const MAX_RECENT_MUTANTS: usize = 64;

/// An input that is not mended in this many visits is not tried again, because each visit costs up to 10
/// ms. Not measured.
pub(super) const MAX_VISITS: u8 = 3;

/// An input of the corpus.
pub(super) struct CorpusInput {
    /// What mutants can be made of.
    pub parent: Parent,
    /// Whether it would not be there without us.
    pub is_ours: bool,
}

/// What an input of the corpus is good for.
pub(super) enum Parent {
    /// It is valid.
    Valid,
    /// It was not, and this is what became of it.
    Repaired(Vec<u8>),
    /// The number of visits, after which it is not valid yet.
    Broken(u8),
}

/// The latest valid mutants that reached something new. Their neighbours were not tried yet, and libFuzzer
/// comes to them late in a large corpus.
#[derive(Debug, Default)]
pub(super) struct RecentMutants {
    texts: Vec<Vec<u8>>,
    oldest: usize,
}

impl RecentMutants {
    /// Remembers a mutant instead of the oldest.
    pub(super) fn put(&mut self, text: &[u8]) {
        if self.texts.len() < MAX_RECENT_MUTANTS {
            self.texts.push(text.to_vec());
        } else {
            self.texts[self.oldest] = text.to_vec();
            self.oldest = (self.oldest + 1) % MAX_RECENT_MUTANTS;
        }
    }

    /// In half of all cases one of them, by a random number.
    pub(super) fn one(&self, random: u32) -> Option<&[u8]> {
        let number = (random >> 8) as usize;
        if random & 1 == 0 || self.texts.is_empty() {
            return None;
        }
        Some(&self.texts[number % self.texts.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_new_mutants_are_chosen_in_half_of_all_cases() {
        let mut recent = RecentMutants::default();
        assert_eq!(recent.one(1), None);
        (0..3 * MAX_RECENT_MUTANTS).for_each(|number| recent.put(number.to_string().as_bytes()));
        let chosen: Vec<&[u8]> = (0..1000).filter_map(|one| recent.one(one * 131)).collect();
        assert_eq!(chosen.len(), 500);
        let number = |text: &&[u8]| std::str::from_utf8(text).unwrap().parse::<usize>().unwrap();
        assert!(chosen.iter().all(|text| number(text) >= 2 * MAX_RECENT_MUTANTS));
    }
}
