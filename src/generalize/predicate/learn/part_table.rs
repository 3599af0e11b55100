//! The parts of one name in all inputs that a condition is learnt from.

use std::collections::HashMap;

use super::values::{Ranks, Values, key};
use crate::generalize::predicate::feature::{Feature, Part};
use crate::generalize::predicate::features::default;
use crate::generalize::predicate::hasher::BuildFeatureHasher;

/// Parts in the order of their inputs.
///
/// An input of which no part has the name is not in it.
#[derive(Debug, Default)]
pub(super) struct PartTable {
    rows: Vec<u32>,
    parts: Vec<Part>,
    /// The numbers of the columns by the keys of their features.
    numbers: HashMap<u64, usize, BuildFeatureHasher>,
    /// A feature, and its value for each part that has it. Filled as parts come, because a condition is learnt many times
    /// from inputs of which few are new.
    columns: Vec<(Feature, Values)>,
}

impl PartTable {
    /// Takes in the parts of an input, whose number is greater than all before.
    pub(super) fn add(&mut self, row: u32, parts: Vec<Part>) {
        for part in parts {
            let at = self.parts.len() as u32;
            for (feature, value) in part.iter() {
                let number = *self.numbers.entry(key(feature)).or_insert_with(|| {
                    self.columns.push((feature.clone(), Values::default()));
                    self.columns.len() - 1
                });
                self.columns[number].1.push(at, value);
            }
            self.rows.push(row);
            self.parts.push(part);
        }
    }

    /// The parts of the inputs that have a number now, under that number.
    pub(super) fn of_rows(&self, now: &[Option<u32>]) -> PartTable {
        let mut kept = PartTable::default();
        for (row, part) in self.rows.iter().zip(&self.parts) {
            if let Some(row) = now[*row as usize] {
                kept.add(row, vec![part.clone()]);
            }
        }
        kept
    }

    /// The number of each part's input.
    pub(super) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The parts of one input.
    pub(super) fn of_row(&self, row: usize) -> &[Part] {
        let from = self.rows.partition_point(|one| (*one as usize) < row);
        let to = self.rows.partition_point(|one| *one as usize <= row);
        &self.parts[from..to]
    }

    /// The values of all features by parts, nothing where a part has none.
    ///
    /// Questions and counts have a value for every part.
    pub(super) fn columns(&self) -> impl Iterator<Item = (&Feature, Ranks)> {
        self.columns.iter().map(|(feature, values)| {
            (feature, values.ranks(self.parts.len(), |part| part, default(feature)))
        })
    }
}
