//! The features of all inputs that a condition is learnt from, by columns: a feature, and its value for each input that
//! has it.
//!
//! An input has thousands of features, and a condition is learnt many times from inputs of which few are new. So a name
//! is looked up once for each input.

use crate::generalize::predicate::formula::Predicate;
use crate::generalize::predicate::name::Name;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::bits::Bits;
use super::part_table::PartTable;
use super::values::{Values, key};
use crate::generalize::predicate::condition::Condition;
use crate::generalize::predicate::feature::{Absent, Feature, Features};
use crate::generalize::predicate::hasher::BuildFeatureHasher;

/// The values of one feature by inputs.
#[derive(Debug)]
pub(super) struct Cells {
    pub(super) feature: Feature,
    pub(super) values: Values,
}

/// A value that is taken in: the key of its feature, its input, and where that has the feature.
struct Added {
    key: u64,
    value: i128,
    row: u32,
    at: u32,
}

/// Inputs with another word in the place of one, at least: with fewer, any word of theirs may be meant. Not measured.
const MIN_INPUTS_WITH_OTHER: usize = 4;

/// Inputs by their numbers: their features, and whether they fail.
#[derive(Debug, Default)]
pub(in crate::generalize::predicate) struct Table {
    /// The numbers of the columns by the keys of their features.
    numbers: HashMap<u64, u32, BuildFeatureHasher>,
    pub(super) columns: Vec<Cells>,
    /// The parts of all inputs, by their names.
    pub(super) parts: BTreeMap<Name, PartTable>,
    fails: Vec<bool>,
    /// Rows of failing inputs that no condition may miss.
    certain: Vec<usize>,
}

impl Table {
    /// Takes in inputs, each with whether it fails.
    ///
    /// The values of all are sorted by their columns first: columns are all over the memory, and each is looked for once.
    pub(in crate::generalize::predicate) fn add_all(
        &mut self,
        inputs: impl IntoIterator<Item = (Features, bool)>,
    ) {
        let mut added: Vec<Vec<(Feature, i128)>> = Vec::new();
        let mut cells: Vec<Added> = Vec::new();
        let first = self.fails.len() as u32;
        for (features, fails) in inputs {
            let row = self.fails.len() as u32;
            self.fails.push(fails);
            let (values, parts) = features.split();
            for (name, parts) in parts {
                self.parts.entry(name).or_default().add(row, parts);
            }
            let values: Vec<(Feature, i128)> = values.into_iter().collect();
            cells.extend(values.iter().enumerate().map(|(at, (feature, value))| Added {
                key: key(feature),
                value: *value,
                row,
                at: at as u32,
            }));
            added.push(values);
        }
        cells.sort_unstable_by_key(|cell| (cell.key, cell.row));
        for column in cells.chunk_by(|one, other| one.key == other.key) {
            let next = self.columns.len() as u32;
            let number = *self.numbers.entry(column[0].key).or_insert_with(|| {
                let feature = &added[(column[0].row - first) as usize][column[0].at as usize].0;
                self.columns.push(Cells { feature: feature.clone(), values: Values::default() });
                next
            });
            let values = &mut self.columns[number as usize].values;
            column.iter().for_each(|cell| values.push(cell.row, cell.value));
        }
    }

    /// The same of one input.
    #[cfg(test)]
    pub(in crate::generalize::predicate) fn add(&mut self, features: Features, fails: bool) {
        self.add_all([(features, fails)]);
    }

    /// No condition may miss the last input: it is a given one, or a failing one with another word in the place of one.
    pub(in crate::generalize::predicate) fn make_certain(&mut self) {
        self.certain.push(self.fails.len() - 1);
    }

    /// Which inputs no condition may miss, by their places.
    pub(super) fn certain(&self, places: &[usize]) -> Bits {
        let mut certain = vec![false; places.len()];
        self.certain.iter().for_each(|row| certain[places[*row]] = true);
        certain.into_iter().collect()
    }

    /// The same of some inputs only.
    pub(super) fn of_rows(&self, is_wanted: &dyn Fn(usize) -> bool) -> Table {
        let mut rows = Table::default();
        let mut now = vec![None; self.fails.len()];
        for (row, fails) in self.fails.iter().enumerate().filter(|(row, _)| is_wanted(*row)) {
            now[row] = Some(rows.fails.len() as u32);
            rows.fails.push(*fails);
        }
        rows.certain =
            self.certain.iter().filter_map(|row| now[*row]).map(|row| row as usize).collect();
        for (name, parts) in &self.parts {
            rows.parts.insert(name.clone(), parts.of_rows(&now));
        }
        for cells in &self.columns {
            let mut values = Values::default();
            let there = cells.values.iter().filter_map(|(row, value)| Some((now[row]?, value)));
            there.for_each(|(row, value)| values.push(row, value));
            if values.len() > 0 {
                let feature = cells.feature.clone();
                rows.numbers.insert(key(&feature), rows.columns.len() as u32);
                rows.columns.push(Cells { feature, values });
            }
        }
        rows
    }

    /// How often each name is in which inputs.
    pub(in crate::generalize::predicate) fn texts(
        &self,
    ) -> impl Iterator<Item = (&Name, impl Iterator<Item = (usize, i128)> + '_)> {
        self.columns.iter().filter_map(|cells| match &cells.feature {
            Feature::Count(name) => Some((name, cells.values.iter())),
            _ => None,
        })
    }

    /// Whether each input fails.
    pub(in crate::generalize::predicate) fn fails(&self) -> &[bool] {
        &self.fails
    }

    /// How many failing inputs a predicate misses; nothing if it may not miss one of them.
    pub(super) fn missed(&self, predicate: &Predicate) -> Option<usize> {
        let is_missed =
            |row: &usize| !predicate.holds(&self.features(*row, predicate.conditions()));
        let failing = (0..self.fails.len()).filter(|row| self.fails[*row]);
        let is_right = !self.certain.iter().any(is_missed);
        is_right.then(|| failing.filter(is_missed).count())
    }

    /// Of an input the features that some conditions are about, and the counts that these need where they are absent.
    pub(in crate::generalize::predicate) fn features(
        &self,
        row: usize,
        conditions: &[Condition],
    ) -> Features {
        let mut found = Features::new();
        let mut put = |feature: &Feature| {
            let cells =
                self.numbers.get(&key(feature)).map(|number| &self.columns[*number as usize]);
            if let Some(value) = cells.and_then(|cells| cells.values.value(row)) {
                found.insert(feature.clone(), value);
            }
        };
        let mut parts: BTreeSet<&Name> = BTreeSet::new();
        for Condition { feature, .. } in conditions {
            if let Feature::Parts(name, _) = feature {
                parts.insert(name);
                continue;
            }
            put(feature);
            for name in feature.names() {
                put(&Feature::Count(name.clone()));
            }
            match feature.absence() {
                Absent::ValueIfNone(term, _) => put(&Feature::Value(term.clone())),
                Absent::Deepest(each) => each.iter().for_each(&mut put),
                _ => {}
            }
        }
        for name in parts {
            let known = self.parts.get(name).into_iter().flat_map(|table| table.of_row(row));
            known.for_each(|part| found.add_part(name, part.clone()));
        }
        found
    }

    /// The number of parts of a name in each input.
    pub(in crate::generalize::predicate) fn counts(&self, name: &Name) -> Vec<i128> {
        let mut counts = vec![0; self.fails.len()];
        for (row, value) in self.cells(&Feature::Count(name.clone())) {
            counts[row] = value;
        }
        counts
    }

    /// That a word is there, if all inputs have it; that it or another one is, if all inputs without it have that and no input
    /// with it has. Nothing if inputs differ in more than one word.
    pub(in crate::generalize::predicate) fn everywhere(&self, word: &Name) -> Option<Feature> {
        let counts = self.counts(word);
        let lacking = counts.iter().filter(|count| **count == 0).count();
        match lacking {
            0 => return Some(Feature::Count(word.clone())),
            1..MIN_INPUTS_WITH_OTHER => return None,
            _ => {}
        }
        let is_word = |name: &Name| name.starts_with('"') && name.contains(char::is_alphabetic);
        let mut others = self.texts().filter_map(|(name, cells)| {
            let there = cells.filter(|(_, count)| *count > 0);
            let rows: Vec<usize> = there.map(|(row, _)| row).collect();
            let is_instead = rows.len() == lacking && rows.iter().all(|row| counts[*row] == 0);
            (is_instead && is_word(name)).then_some(name)
        });
        others.next().map(|other| Feature::AnyOf(vec![word.clone(), other.clone()]))
    }

    /// The values of a feature; none if no input has it.
    pub(super) fn cells(&self, feature: &Feature) -> impl Iterator<Item = (usize, i128)> + '_ {
        let number = self.numbers.get(&key(feature));
        number.map(|number| self.columns[*number as usize].values.iter()).into_iter().flatten()
    }
}

/// How many inputs fail.
pub(super) fn failing(table: &Table) -> usize {
    table.fails().iter().filter(|fails| **fails).count()
}

/// Where each input is when failing ones come first.
pub(super) fn places(table: &Table) -> Vec<usize> {
    let (mut next_failing, mut next_passing) = (0, failing(table));
    let next = table.fails().iter().map(|fails| {
        let next = if *fails { &mut next_failing } else { &mut next_passing };
        *next += 1;
        *next - 1
    });
    next.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_everywhere_alone_or_with_another_one_in_its_place() {
        let mut table = Table::default();
        for number in 0..10 {
            let word = if number % 2 == 0 { "\"put\"" } else { "\"patch\"" };
            let other = if number < 4 { "\"x\"" } else { "\"y\"" };
            table.add([word, other].map(|word| (Feature::Count(word.into()), 1)).into(), true);
        }
        let counted = |word: &str| table.everywhere(&word.into());
        let either = Feature::AnyOf(vec!["\"put\"".into(), "\"patch\"".into()]);
        assert_eq!(counted("\"put\""), Some(either));
        assert_eq!(counted("\"z\""), None);
        table.add([(Feature::Count("\"get\"".into()), 1)].into(), false);
        assert_eq!(table.everywhere(&"\"put\"".into()), None);
        let mut table = Table::default();
        table.add([(Feature::Count("\"put\"".into()), 2)].into(), true);
        assert_eq!(table.everywhere(&"\"put\"".into()), Some(Feature::Count("\"put\"".into())));
    }

    #[test]
    fn some_rows_have_the_features_that_they_had() {
        let feature = |name: &str| Feature::Count(name.into());
        let mut table = Table::default();
        for (name, value, fails) in [("a", 1, true), ("b", 2, false), ("a", 3, false)] {
            table.add([(feature(name), value)].into_iter().collect(), fails);
        }
        let rows = table.of_rows(&|row| row != 1);
        assert_eq!(rows.cells(&feature("a")).collect::<Vec<_>>(), [(0, 1), (1, 3)]);
        assert_eq!((rows.cells(&feature("b")).count(), rows.fails()), (0, &[true, false][..]));
    }
}
