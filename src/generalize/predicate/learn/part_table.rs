//! The parts of one name in all inputs that a condition is learnt from.

use std::collections::HashMap;

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
    numbers: HashMap<Feature, usize, BuildFeatureHasher>,
    /// A feature, and its value for each part that has it. Filled as parts come, because a condition is learnt many times
    /// from inputs of which few are new.
    columns: Vec<(Feature, Vec<(u32, i128)>)>,
}

impl PartTable {
    /// Takes in the parts of an input, whose number is greater than all before.
    pub(super) fn add(&mut self, row: u32, parts: Vec<Part>) {
        for part in parts {
            let at = self.parts.len() as u32;
            for (feature, value) in part.iter() {
                let number = match self.numbers.get(feature) {
                    Some(number) => *number,
                    None => {
                        self.numbers.insert(feature.clone(), self.columns.len());
                        self.columns.push((feature.clone(), Vec::new()));
                        self.columns.len() - 1
                    }
                };
                self.columns[number].1.push((at, value));
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
    pub(super) fn columns(&self) -> impl Iterator<Item = (&Feature, Vec<Option<i128>>)> {
        self.columns.iter().map(|(feature, cells)| {
            let mut values = vec![default(feature); self.parts.len()];
            cells.iter().for_each(|(at, value)| values[*at as usize] = Some(*value));
            (feature, values)
        })
    }
}
