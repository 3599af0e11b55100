//! The bounds of each feature that separate failing inputs from passing ones best.

use crate::generalize::predicate::name::Name;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::alternatives;
use super::bits::Bits;
use super::column::Column;
use super::table::{Cells, Table, failing, places};
use crate::corpus::{in_parts, processors};
use crate::generalize::predicate::condition::Condition;
use crate::generalize::predicate::feature::{Absent, Feature};
use crate::generalize::predicate::hasher::BuildFeatureHasher;
use crate::generalize::predicate::term::is_value;

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
        let names = feature.names();
        let is_named = |word: &String| names.iter().any(|name| name.contains(&**word));
        let words = required.iter().take(64).enumerate();
        let words = words.filter(|(_, word)| is_named(word)).map(|(at, _)| 1u64 << at);
        Named { words: words.sum(), most: required.len().min(MAX_NAMED_WORDS) as u32 }
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

/// The conditions of one feature that may be of use, in no order.
///
/// Those of several features of one part are not among them.
pub(super) fn candidates(table: &Table, required: &[String]) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut columns = columns(table);
    // Of columns that are the same the lightest: hundreds are, and each takes sorting.
    let failing = failing(table);
    for (feature, values) in alternatives::of_inputs(table, failing) {
        columns.extend(Column::of(Cow::Owned(feature), &values, failing));
    }
    let columns = columns.into_iter().map(|column| (column.weight(required), column));
    let mut columns: Vec<(u32, Column<'_>)> = columns.collect();
    columns.sort_unstable_by(|(one_weight, one), (other_weight, other)| {
        (one_weight, &one.feature).cmp(&(other_weight, &other.feature))
    });
    let mut known: HashMap<u64, usize> = HashMap::new();
    for (_, column) in &columns {
        let same = known.entry(column.fingerprint()).or_default();
        *same += 1;
        if *same > MAX_SAME_COLUMNS {
            continue;
        }
        if column.is_of_nothing(table) {
            continue;
        }
        let named = Named::by(&column.feature, required);
        let more = named.missing_weight();
        let candidates = column.candidates().into_iter();
        found.extend(candidates.map(|one| Candidate { weight: one.weight + more, named, ..one }));
    }
    found
}

/// Sorts conditions, the lightest first.
///
/// Of equals the condition decides, so that the order is the same for the same samples.
pub(super) fn sort(found: &mut [Candidate]) {
    // That a key is there says more than that its text is.
    let of_words = |one: &Candidate| {
        let names = one.condition.feature.names();
        names.iter().filter(|name| !is_value(name)).count()
    };
    found.sort_by(|one, other| {
        let rank = |one: &Candidate| (one.weight, of_words(one));
        rank(one).cmp(&rank(other)).then_with(|| one.condition.cmp(&other.condition))
    });
}

/// The values of all features, but for those of a text that is hardly anywhere and those that are the same everywhere.
///
/// A feature that an input does not have gets the value that says so, if there is one.
fn columns(table: &Table) -> Vec<Column<'_>> {
    let fails = table.fails();
    let (places, failing) = (places(table), failing(table));
    let least = MIN_INPUTS_WITH_NAME.min(fails.len());
    let often: HashSet<&Name, BuildFeatureHasher> = table
        .columns
        .iter()
        .filter(|cells| cells.len() >= least)
        .filter_map(|cells| match &cells.feature {
            Feature::Count(name) => Some(name),
            _ => None,
        })
        .collect();
    let is_name = |name: &Name| !name.starts_with(['"', '\'', '`']) || often.contains(name);
    let parts = in_parts(processors(), table.columns.len(), MIN_COLUMNS_OF_THREAD, |part| {
        columns_of(table, &table.columns[part], (&places, failing, least), &is_name)
    });
    parts.into_iter().flatten().collect()
}

/// The same of some of the columns that `table` has.
fn columns_of<'t>(
    table: &'t Table,
    cells: &'t [Cells],
    (places, failing, least): (&[usize], usize, usize),
    is_name: &dyn Fn(&Name) -> bool,
) -> Vec<Column<'t>> {
    let fails = table.fails();
    let mut counts: HashMap<&Name, Vec<i128>, BuildFeatureHasher> = HashMap::default();
    let mut columns: Vec<Column<'_>> = Vec::new();
    let mut values: Vec<Option<i128>> = Vec::new();
    for cells in cells {
        let feature = &cells.feature;
        if cells.len() < least || !feature.names().into_iter().all(is_name) {
            continue;
        }
        let absent = match feature.absence() {
            Absent::Is(value) => Some(value),
            _ => None,
        };
        values.clear();
        values.resize(fails.len(), absent);
        for (row, value) in cells.iter() {
            values[places[row]] = Some(value);
        }
        if cells.len() < fails.len() && absent.is_none() {
            fill(&mut values, feature, table, (places, &mut counts));
        }
        columns.extend(Column::of(Cow::Borrowed(feature), &values, failing));
    }
    columns
}

/// Puts in the values of a feature for inputs that have none of it, if these depend on other features. Rows without an answer stay empty, and no bound
/// holds for them.
fn fill<'s>(
    values: &mut [Option<i128>],
    feature: &'s Feature,
    table: &Table,
    (places, known): (&[usize], &mut HashMap<&'s Name, Vec<i128>, BuildFeatureHasher>),
) {
    let absence = feature.absence();
    let names: &[&'s Name] = match &absence {
        Absent::Unknown | Absent::Is(_) => return,
        Absent::Deepest(_) => &[],
        Absent::IfThere(one)
        | Absent::IfTwo(one)
        | Absent::Count(one)
        | Absent::ValueIfNone(_, one) => &[one],
        Absent::More(one, other) => &[one, other],
    };
    for name in names {
        known.entry(name).or_insert_with(|| table.counts(name));
    }
    let count = |name: &Name, row: usize| known.get(name).map_or(0, |counts| counts[row]);
    // By row the number of another feature, the greatest of several.
    let numbers_of = |each: &[Feature]| {
        let mut numbers: Vec<Option<i128>> = vec![None; places.len()];
        for (row, value) in each.iter().flat_map(|one| table.cells(one)) {
            numbers[row] = numbers[row].max(Some(value));
        }
        numbers
    };
    let numbers = match &absence {
        Absent::ValueIfNone(term, _) => numbers_of(&[Feature::Value((*term).clone())]),
        Absent::Deepest(each) => numbers_of(each),
        _ => Vec::new(),
    };
    for (row, place) in places.iter().enumerate() {
        if values[*place].is_some() {
            continue;
        }
        values[*place] = match &absence {
            Absent::Unknown | Absent::Is(_) => None,
            Absent::IfThere(one) => Some(i128::from(count(one, row) > 0)),
            Absent::IfTwo(one) => Some(i128::from(count(one, row) > 1)),
            Absent::More(one, other) => Some(count(one, row) - count(other, row)),
            Absent::Count(one) => Some(count(one, row)),
            Absent::ValueIfNone(_, one) if count(one, row) == 0 => numbers[row],
            Absent::Deepest(_) => Some(numbers[row].unwrap_or(0)),
            Absent::ValueIfNone(..) => None,
        };
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
