//! The bounds of each feature that separate failing inputs from passing ones best.

use crate::generalize::predicate::name::Name;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::alternatives;
use super::bits::Bits;
use super::column::{Column, Counts};
use super::table::{Cells, Table, failing, places};
use crate::corpus::{in_parts, processors};
use crate::generalize::predicate::condition::{Bound, Condition, weight_of};
use crate::generalize::predicate::feature::{Absent, Feature};
use crate::generalize::predicate::hasher::BuildFeatureHasher;
use crate::generalize::predicate::term::{Term, is_value};

/// A text is a name if it is in three inputs, because drawn texts are in one or two. A feature that fewer inputs
/// have says nothing.
const MIN_INPUTS_WITH_NAME: usize = 3;
/// Columns for which a thread is started: some hundreds, because one takes a few microseconds.
const MIN_COLUMNS_OF_THREAD: usize = 512;
/// Columns with the same values that are looked at: several, because further inputs may show a difference.
const MAX_SAME_COLUMNS: usize = 4;
/// Required words that a condition is expected to name, because hardly any condition names three. Not measured.
const MAX_NAMED_WORDS: usize = 2;
/// What a required word weighs that a condition does not name: six, so that the lengths of two keys' lists come
/// before the lengths of any two lists (tests/generalize/fourth).
const UNNAMED_WORD_WEIGHT: u32 = 6;

/// What the required words weigh of which a condition names none.
pub(super) const MAX_UNNAMED_WEIGHT: u32 = UNNAMED_WORD_WEIGHT * MAX_NAMED_WORDS as u32;

/// A condition, and for which samples it holds: failing ones first.
///
/// The samples show no difference between candidates with the same `holds`.
pub(in crate::generalize::predicate) struct Candidate {
    /// The condition.
    pub condition: Condition,
    /// How hard it is to read; the lightest is taken.
    pub weight: u32,
    /// For which samples it holds.
    pub holds: Bits,
    /// Which of the required words it names, and what each that it does not name weighs with the others.
    pub named: Named,
}

/// Which of the required words a condition names: one bit each, up to 64.
#[derive(Clone, Copy, Debug)]
pub(in crate::generalize::predicate) struct Named {
    words: u64,
    most: u32,
}

impl Named {
    /// No words, of which none was required.
    pub(super) const NOTHING: Named = Named { words: 0, most: 0 };

    /// Those that a feature names.
    ///
    /// A word counts as named if any name of the feature has it, such as that of a key's value.
    pub(super) fn by(feature: &Feature, required: &[String]) -> Self {
        let mut words = 0;
        feature.each_name(&mut |name| {
            let named = required.iter().take(64).enumerate();
            let named = named.filter(|(_, word)| name.contains(&***word));
            named.for_each(|(at, _)| words |= 1u64 << at);
        });
        Named { words, most: required.len().min(MAX_NAMED_WORDS) as u32 }
    }

    /// What the words weigh that are not named.
    pub(super) fn missing_weight(self) -> u32 {
        UNNAMED_WORD_WEIGHT * (self.most - self.words.count_ones().min(self.most))
    }

    /// The words that one of two conditions names.
    pub(super) fn or(self, other: Named) -> Named {
        Named { words: self.words | other.words, ..self }
    }
}

/// Whether a condition on a feature is of use, given how many samples meet it and how many of these fail.
pub(super) type IsOfUse<'u> = dyn Fn(&Feature, usize, usize) -> bool + Sync + 'u;

/// The conditions on one feature that are of use, in no order.
///
/// Those on several features of one part are not among them.
pub(super) fn candidates(
    table: &Table,
    required: &[String],
    is_of_use: &IsOfUse<'_>,
) -> Vec<Candidate> {
    let (places, failing) = (places(table), failing(table));
    let reader = Reader::of(table, (&places, failing), required, is_of_use);
    let parts = in_parts(processors(), table.columns.len(), MIN_COLUMNS_OF_THREAD, |part| {
        reader.of_columns(&table.columns[part])
    });
    let mut columns: Vec<Bounds<'_>> = parts.into_iter().flatten().collect();
    for (feature, ranks) in alternatives::of_inputs(table, failing) {
        let column = Column::of(Cow::Owned(feature), ranks, failing);
        columns.extend(column.and_then(|column| {
            let bounds = column.counts().bounds(&column.feature, is_of_use);
            reader.bounds(column, &bounds)
        }));
    }
    // Of columns that are the same the lightest: hundreds are.
    columns.sort_unstable_by(|one, other| {
        (one.weight, &one.feature).cmp(&(other.weight, &other.feature))
    });
    let mut known: HashMap<u64, usize> = HashMap::new();
    columns.retain(|column| {
        let same = known.entry(column.fingerprint).or_default();
        *same += 1;
        *same <= MAX_SAME_COLUMNS
    });
    columns.into_iter().flat_map(|column| column.candidates).collect()
}

/// Sorts conditions, the lightest first.
///
/// Of equals the condition decides, so that the order is the same for the same samples.
pub(super) fn sort(found: &mut Vec<Candidate>) {
    // That a key is there says more than that its text is.
    let of_words = |one: &Candidate| {
        let mut count = 0;
        one.condition.feature.each_name(&mut |name| count += usize::from(!is_value(name)));
        count
    };
    let ranked = found.drain(..).map(|one| ((one.weight, of_words(&one)), one));
    let mut ranked: Vec<((u32, usize), Candidate)> = ranked.collect();
    ranked.sort_by(|(rank, one), (other_rank, other)| {
        rank.cmp(other_rank).then_with(|| one.condition.cmp(&other.condition))
    });
    found.extend(ranked.into_iter().map(|(_, one)| one));
}

/// The conditions on one feature that are of use.
struct Bounds<'t> {
    feature: Cow<'t, Feature>,
    /// What the feature weighs with a usual bound.
    weight: u32,
    /// The same for two features with the same values.
    fingerprint: u64,
    candidates: Vec<Candidate>,
}

/// Reads the values of features off a table, and conditions off these.
struct Reader<'t, 'r> {
    table: &'t Table,
    /// Where each input is when failing ones come first, and how many fail.
    places: &'r [usize],
    failing: usize,
    required: &'r [String],
    is_of_use: &'r IsOfUse<'r>,
    /// Texts that are in enough inputs to be names.
    often: HashSet<&'t Name, BuildFeatureHasher>,
    /// Inputs that have a feature at least.
    least: usize,
}

/// Numbers by inputs that are asked for again and again.
#[derive(Default)]
struct Known<'t> {
    counts: HashMap<&'t Name, Vec<i128>, BuildFeatureHasher>,
    numbers: HashMap<&'t Term, Vec<Option<i128>>, BuildFeatureHasher>,
}

impl<'t> Known<'t> {
    /// How many parts of a name each input has.
    fn counts(&mut self, table: &Table, name: &'t Name) -> &[i128] {
        self.counts.entry(name).or_insert_with(|| table.counts(name))
    }

    /// The number that a term is in each input.
    fn numbers(&mut self, table: &Table, term: &'t Term) -> &[Option<i128>] {
        self.numbers.entry(term).or_insert_with(|| greatest(table, &[Feature::Value(term.clone())]))
    }
}

/// By input the greatest value of some features.
fn greatest(table: &Table, features: &[Feature]) -> Vec<Option<i128>> {
    let mut numbers = vec![None; table.fails().len()];
    for (row, value) in features.iter().flat_map(|one| table.cells(one)) {
        numbers[row] = numbers[row].max(Some(value));
    }
    numbers
}

impl<'t, 'r> Reader<'t, 'r> {
    fn of(
        table: &'t Table,
        (places, failing): (&'r [usize], usize),
        required: &'r [String],
        is_of_use: &'r IsOfUse<'r>,
    ) -> Self {
        let least = MIN_INPUTS_WITH_NAME.min(places.len());
        let columns = table.columns.iter().filter(|cells| cells.values.len() >= least);
        let often = columns.filter_map(|cells| match &cells.feature {
            Feature::Count(name) => Some(name),
            _ => None,
        });
        let often = often.collect();
        Reader { table, places, failing, required, is_of_use, often, least }
    }

    /// The conditions on some of the table's features, but for those of a text that is hardly anywhere and those that are
    /// the same everywhere.
    fn of_columns(&self, all: &'t [Cells]) -> Vec<Bounds<'t>> {
        let mut known = Known::default();
        let columns = all.iter().filter(|cells| {
            let mut are_names = cells.values.len() >= self.least;
            if are_names {
                cells.feature.each_name(&mut |name| are_names &= self.is_name(name));
            }
            are_names
        });
        let mut found = Vec::new();
        for cells in columns {
            let absent = self.absent(cells, &mut known);
            let counts = Counts::of(&cells.values, (self.table.fails(), self.failing), &absent);
            if counts.are_all_the_same(self.places.len()) {
                continue;
            }
            // Hardly one feature in ten gives a condition.
            let bounds = counts.bounds(&cells.feature, self.is_of_use);
            if bounds.is_empty() {
                continue;
            }
            let Some(column) = self.column(cells, &absent) else { continue };
            let is_of_nothing = column.counted().is_some_and(|name| {
                column.is_of_nothing(known.counts(self.table, name), self.table.fails())
            });
            if !is_of_nothing {
                found.extend(self.bounds(column, &bounds));
            }
        }
        found
    }

    fn is_name(&self, name: &Name) -> bool {
        // A mark between cells is counted, and is no text of the input: `'&'`.
        !name.starts_with('"') || self.often.contains(name)
    }

    /// The conditions on a feature, if some are of use.
    fn bounds(&self, column: Column<'t>, bounds: &[Bound]) -> Option<Bounds<'t>> {
        let mut candidates = column.candidates(bounds);
        if candidates.is_empty() {
            return None;
        }
        let named = Named::by(&column.feature, self.required);
        let more = named.missing_weight();
        for one in &mut candidates {
            one.weight += more;
            one.named = named;
        }
        Some(Bounds {
            weight: weight_of(&column.feature, Bound::AtLeast(1)) + more,
            fingerprint: column.fingerprint(),
            candidates,
            feature: column.feature,
        })
    }

    /// The values of a feature, if they differ. An input that does not have it gets the value that says so, if there is one.
    fn column(&self, cells: &'t Cells, absent: &[Option<i128>]) -> Option<Column<'t>> {
        let (always, each) = match absent {
            [of_all] => (*of_all, &[][..]),
            of_each => (None, of_each),
        };
        let mut ranks = cells.values.ranks(self.places.len(), |row| self.places[row], always);
        if !each.is_empty() && ranks.have_gaps() {
            let mut of_places = vec![None; each.len()];
            each.iter().zip(self.places).for_each(|(value, place)| of_places[*place] = *value);
            ranks.fill(|place| of_places[place]);
        }
        Column::of(Cow::Borrowed(&cells.feature), ranks, self.failing)
    }

    /// The value of a feature for inputs that have none of it: nothing, one for all, or one for each, where it depends on other features. Inputs
    /// without an answer stay without a value, and no bound holds for them.
    fn absent(&self, cells: &'t Cells, known: &mut Known<'t>) -> Vec<Option<i128>> {
        let table = self.table;
        if cells.values.len() == self.places.len() {
            return Vec::new();
        }
        match &cells.feature.absence() {
            Absent::Unknown => Vec::new(),
            Absent::Is(value) => vec![Some(*value)],
            Absent::IfThere(one) => {
                known.counts(table, one).iter().map(|count| Some(i128::from(*count > 0))).collect()
            }
            Absent::IfTwo(one) => {
                known.counts(table, one).iter().map(|count| Some(i128::from(*count > 1))).collect()
            }
            Absent::Count(one) => {
                known.counts(table, one).iter().map(|count| Some(*count)).collect()
            }
            Absent::More(one, other) => {
                let counts = known.counts(table, one).to_vec();
                let others = known.counts(table, other).iter();
                counts.iter().zip(others).map(|(one, other)| Some(one - other)).collect()
            }
            Absent::ValueIfNone(term, one) => {
                let is_none: Vec<bool> =
                    known.counts(table, one).iter().map(|count| *count == 0).collect();
                let numbers = known.numbers(table, term).iter();
                numbers.zip(is_none).map(|(value, is_none)| value.filter(|_| is_none)).collect()
            }
            Absent::Deepest(each) => {
                greatest(table, each).into_iter().map(|value| Some(value.unwrap_or(0))).collect()
            }
        }
    }
}

/// The bound between a value that is outside and one that is inside: of sizes the one that people
/// would have chosen, else the one that was seen.
pub(super) fn roundest(outside: Option<i128>, inside: i128, feature: &Feature) -> i128 {
    let Some(outside) = outside.filter(|_| feature.is_size()) else { return inside };
    let (low, high) = match outside < inside {
        true => (outside.saturating_add(1), inside),
        false => (inside, outside.saturating_sub(1)),
    };
    let is_between = |value: &i128| (low..=high).contains(value);
    if feature.is_difference() {
        // Greater, or as great.
        let signs = if outside < inside { [1, 0] } else { [-1, 0] };
        return signs.into_iter().find(is_between).unwrap_or(inside);
    }
    // From below a power of two is the first that is too much, from above the last that isn't.
    let powers = (1..126).map(|bits| 1i128 << bits);
    let powers = powers.map(|power| if outside < inside { power } else { power - 1 });
    let tens = (1..37).rev().flat_map(|digits| {
        let step = 10i128.pow(digits);
        let below = low.div_euclid(step).saturating_mul(step);
        [below.saturating_add(step), below]
    });
    let mut round = powers.filter(|power| *power >= 256).chain(tens);
    match high == low {
        true => inside,
        false => round.find(is_between).unwrap_or(inside),
    }
}
