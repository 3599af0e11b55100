//! Fills the gaps of a repair that only dropped something: brings back what went without need, and
//! drops a shorter run in place of a longer one.
//!
//! ddmax over all dropped bytes sees one list, in which the faults of all gaps are; what it adds has
//! to be right in all of them at once. Here each gap is looked at alone, which takes a number of tests
//! that grows with the dropped bytes, not with their square. It knows no strategy.

use std::collections::HashSet;
use std::iter;
use std::ops::Range;

use crate::repair::deletions::parts::kept;
use crate::repair::validate::Validate;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::Units;
use seedsmith_grammar::internal::lines;

/// Runs of up to this many bytes are dropped wherever they begin near a gap; longer ones are of terminals,
/// so that a gap has some hundred runs and not thousands.
const MAX_RUN_BYTES: usize = 3;
/// How far beside a gap a shorter run is looked for, in bytes, because guidance drops a neighbour of the
/// damaged byte. Not measured.
const MAX_BYTES_BESIDE: usize = 8;
/// How far within a gap a shorter run is looked for, in bytes, so that a large gap costs no more than a
/// small one. Not measured.
const MAX_BYTES_WITHIN: usize = 64;
/// Runs that are tried for a gap, in tests, so that a gap costs no more than figure 5 does with some 15
/// dropped units. Not measured.
const MAX_RUNS: usize = 256;
/// Runs that are tried for a gap even if what all gaps share is used up: the likeliest come first. Not
/// measured.
const MIN_RUNS: usize = 32;
/// Runs that helped last and are tried first, because a fault that one line shares with another is
/// wrong in the next.
const REMEMBERED_RUNS: usize = 4;
/// Of a gap's rarest bytes up to this many are dropped together, because a damage of several bytes adds
/// bytes that the text has nowhere else. Not measured.
const MAX_RAREST_BYTES: usize = 4;
/// Gaps no further apart than this may be one fault. A guess, not measured: about a word and its
/// brackets.
const MAX_BYTES_APART: usize = 16;

/// Brings back as much of `input` as stays valid with `text`, a valid part of it: in lots of lines, then
/// gap by gap, then in lots of terminals and bytes, until nothing more can come back.
///
/// `units` are terminals and bytes (or characters) of the input; `runs` are the tests that all gaps share
/// in which something else is dropped. `told` receives each larger valid text. The last one is 1-maximal:
/// no dropped byte can be added to it. Nothing is tried where `text` is no part of `input`. Cost: some
/// `4 d` tests and those runs, a few times, where `d` bytes stay dropped.
pub(in crate::repair) fn fill(
    validator: &mut dyn Validate,
    input: &[u8],
    text: &[u8],
    units: (&Units, &Units),
    runs: usize,
    told: &mut dyn FnMut(&[u8]),
) -> Result<(), Stopped> {
    let Some(kept) = kept(input, text) else { return Ok(()) };
    let mut counts = [0; 256];
    input.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let (text, rank) = (text.to_vec(), Vec::new());
    let mut gaps = Gaps { validator, input, counts, kept, text, rank, told };
    gaps.count();
    let lines = lines(input);
    loop {
        let before = gaps.text.len();
        gaps.lots(&lines)?;
        gaps.shorter_runs(&lines, units, runs)?;
        gaps.lots(units.0)?;
        gaps.lots(units.1)?;
        if gaps.text.len() == before {
            return Ok(());
        }
    }
}

/// All of `back` comes back, but for `without`, which is in order of place.
#[derive(Clone)]
struct Filling {
    back: Range<usize>,
    without: Vec<Range<usize>>,
}

impl Filling {
    /// The bytes that it may change.
    ///
    /// Everything outside of it stays as it is.
    fn hull(&self) -> Range<usize> {
        let start = self.without.first().map_or(self.back.start, |run| run.start);
        let end = self.without.last().map_or(self.back.end, |run| run.end);
        self.back.start.min(start)..self.back.end.max(end)
    }

    /// Whether the text has the byte at `at` then, if it has it now or not.
    ///
    /// Answers for offsets outside of the hull too.
    fn keeps(&self, at: usize, is_kept: bool) -> bool {
        (is_kept || self.back.contains(&at)) && !self.without.iter().any(|run| run.contains(&at))
    }
}

/// The best text so far is always a part of the input, so it is known by which bytes it keeps.
struct Gaps<'g> {
    validator: &'g mut dyn Validate,
    input: &'g [u8],
    /// How often the input has each byte.
    counts: [usize; 256],
    /// For each byte of the input whether the text has it.
    kept: Vec<bool>,
    text: Vec<u8>,
    /// How many bytes before each place are kept.
    rank: Vec<usize>,
    told: &'g mut dyn FnMut(&[u8]),
}

impl Gaps<'_> {
    /// Counts the kept bytes again.
    fn count(&mut self) {
        self.rank.clear();
        self.rank.push(0);
        let counts = self.kept.iter().scan(0, |count, is_kept| {
            *count += usize::from(*is_kept);
            Some(*count)
        });
        self.rank.extend(counts);
    }

    /// How many bytes of a span are dropped now.
    fn dropped(&self, span: &Range<usize>) -> usize {
        span.len() - (self.rank[span.end] - self.rank[span.start])
    }

    /// Whether the text gets longer by it.
    fn gains(&self, filling: &Filling) -> bool {
        let hull = filling.hull();
        let dropped = hull.clone().filter(|at| !filling.keeps(*at, self.kept[*at])).count();
        dropped < self.dropped(&hull)
    }

    /// Applies the first of some fillings that is valid, and returns it with its number.
    fn first(
        &mut self,
        fillings: &mut dyn Iterator<Item = Filling>,
    ) -> Result<Option<(usize, Filling)>, Stopped> {
        let mut tried = Vec::new();
        let (input, kept, rank, text) = (self.input, &self.kept, &self.rank, &self.text);
        let answer = self.validator.first_valid(&mut |buffer| {
            let Some(filling) = fillings.next() else { return false };
            let Range { start, end } = filling.hull();
            buffer.extend_from_slice(&text[..rank[start]]);
            let has = |at: &usize| filling.keeps(*at, kept[*at]);
            buffer.extend((start..end).filter(has).map(|at| input[at]));
            buffer.extend_from_slice(&text[rank[end]..]);
            tried.push(filling);
            true
        })?;
        let Some((index, text)) = answer else { return Ok(None) };
        let filling = tried.swap_remove(index);
        self.kept[filling.back.clone()].fill(true);
        filling.without.iter().for_each(|run| self.kept[run.clone()].fill(false));
        (self.told)(&text);
        self.text = text;
        self.count();
        Ok(Some((index, filling)))
    }

    /// Brings back units that lack something: half of them at once, a quarter, down to single ones.
    ///
    /// Costs about twice as many tests as units lack something, if none comes back.
    fn lots(&mut self, units: &Units) -> Result<(), Stopped> {
        let lacking = |gaps: &Self, from: usize| -> Vec<Range<usize>> {
            let spans = (0..units.len()).map(|unit| units.span(unit..unit + 1));
            spans.filter(|span| span.start >= from && gaps.dropped(span) > 0).collect()
        };
        let mut size = lacking(self, 0).len().div_ceil(2);
        while size > 0 {
            let mut from = 0;
            loop {
                let spans = lacking(self, from);
                let mut lots = spans.chunks(size).map(|lot| {
                    let (first, last) = (&lot[0], &lot[lot.len() - 1]);
                    Filling { back: first.start..last.end, without: Vec::new() }
                });
                let Some((_, filling)) = self.first(&mut lots)? else { break };
                from = filling.back.end;
            }
            size /= 2;
        }
        Ok(())
    }

    /// Drops less in place of each gap: line by line, then gap by gap.
    fn shorter_runs(
        &mut self,
        lines: &Units,
        units: (&Units, &Units),
        runs: usize,
    ) -> Result<(), Stopped> {
        let ends: Vec<usize> = (1..=lines.len()).map(|line| lines.start(line)).collect();
        let mut tried = HashSet::new();
        let mut left = runs;
        // The runs that helped last: how far before their gap's end they began, and their length.
        let mut helped: Vec<(usize, usize)> = Vec::new();
        for (apart, ends) in [(MAX_BYTES_APART, &ends[..]), (0, &[self.input.len()])] {
            for gap in self.gaps(apart, ends) {
                if !tried.insert(gap.clone()) {
                    continue;
                }
                let most = left.clamp(MIN_RUNS, MAX_RUNS);
                let as_before = helped.iter().filter_map(|(back, length)| {
                    let start = gap.end.checked_sub(*back)?;
                    (start + length <= self.input.len()).then_some(start..start + length)
                });
                let near = as_before.chain(runs_near(&gap, units, self.input.len()));
                let near = near.map(|run| vec![run]);
                let without = iter::once(Vec::new()).chain(self.rarest(&gap)).chain(near);
                let fillings = without.map(|without| Filling { back: gap.clone(), without });
                let longer: Vec<Filling> =
                    fillings.filter(|filling| self.gains(filling)).take(most).collect();
                let count = longer.len();
                let Some((index, filling)) = self.first(&mut longer.into_iter())? else {
                    left = left.saturating_sub(count);
                    continue;
                };
                left = left.saturating_sub(index + 1);
                if let [run] = &filling.without[..]
                    && run.start <= gap.end
                {
                    let one = (gap.end - run.start, run.len());
                    helped.retain(|other| *other != one);
                    helped.insert(0, one);
                    helped.truncate(REMEMBERED_RUNS);
                }
            }
        }
        Ok(())
    }

    /// The rarest bytes of a gap, more and more of them.
    ///
    /// Each list of spans drops what the one before drops, and one byte more.
    fn rarest(&self, gap: &Range<usize>) -> Vec<Vec<Range<usize>>> {
        let mut places: Vec<usize> = gap.clone().take(MAX_BYTES_WITHIN).collect();
        places.sort_by_key(|at| (self.counts[usize::from(self.input[*at])], *at));
        let sets = (1..=MAX_RAREST_BYTES.min(places.len())).map(|many| {
            let mut chosen = places[..many].to_vec();
            chosen.sort_unstable();
            chosen.into_iter().map(|at| at..at + 1).collect()
        });
        sets.collect()
    }

    /// The gaps, those that are no further apart as one, none beyond the next of `ends`.
    fn gaps(&self, apart: usize, ends: &[usize]) -> Vec<Range<usize>> {
        let is_dropped = |at: &usize| !self.kept[*at];
        let mut gaps: Vec<Range<usize>> = Vec::new();
        let mut last = 0;
        for at in (0..self.input.len()).filter(is_dropped) {
            match gaps.last_mut().filter(|gap| at <= gap.end + apart && at < last) {
                Some(gap) => gap.end = at + 1,
                None => {
                    last = ends[ends.partition_point(|end| *end <= at)];
                    gaps.push(at..at + 1);
                }
            }
        }
        gaps
    }
}

/// Runs near the beginning of a gap, the shortest first.
fn runs_near(gap: &Range<usize>, units: (&Units, &Units), length: usize) -> Vec<Range<usize>> {
    let window = gap.start.saturating_sub(MAX_BYTES_BESIDE)
        ..(gap.end.min(gap.start + MAX_BYTES_WITHIN) + MAX_BYTES_BESIDE).min(length);
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (units, most) in [(units.1, MAX_RUN_BYTES), (units.0, usize::MAX)] {
        let starts = (0..=units.len()).map(|unit| units.start(unit));
        let bounds: Vec<usize> = starts
            .skip_while(|start| *start < window.start)
            .take_while(|start| *start <= window.end)
            .collect();
        for (index, start) in bounds.iter().enumerate() {
            runs.extend(bounds[index + 1..].iter().take(most).map(|end| *start..*end));
        }
    }
    runs.sort_by_key(|run| (run.len(), run.start));
    runs.dedup();
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::validate::InPlace;
    use seedsmith_engine::internal::Budget;
    use seedsmith_grammar::internal::terminals::terminals;

    /// What comes of `text`, and in how many tests.
    fn filled(input: &str, text: &str, is_valid: impl Fn(&str) -> bool) -> (String, u64) {
        let check = |bytes: &[u8]| is_valid(std::str::from_utf8(bytes).unwrap());
        let mut validator = InPlace::new(check, Budget::default());
        let (input, mut best) = (input.as_bytes(), text.as_bytes().to_vec());
        let units = (&terminals(input), &Units::bytes(input.len()));
        fill(&mut validator, input, text.as_bytes(), units, 1500, &mut |text| best = text.to_vec())
            .unwrap();
        (String::from_utf8(best).unwrap(), validator.counts().tests)
    }

    /// Lines of three numbers below 100.
    fn is_table(text: &str) -> bool {
        text.lines().all(|line| {
            let numbers = line.split(' ').map(|word| word.parse::<u32>());
            numbers.clone().count() == 3 && numbers.into_iter().all(|n| n.is_ok_and(|n| n < 100))
        })
    }

    #[test]
    fn of_many_dropped_lines_only_the_bytes_that_are_wrong_stay_dropped() {
        let line = |n: u32| format!("{} {} {}\n", n % 89 + 10, n * 7 % 89 + 10, n * 3 % 89 + 10);
        let lines: Vec<String> = (0..60).map(line).collect();
        let mut damaged = lines.clone();
        for at in [12, 13, 30, 41] {
            damaged[at].insert(4, 'x');
        }
        let (text, tests) = filled(&damaged.concat(), &lines[..10].concat(), is_table);
        assert_eq!(text, lines.concat());
        assert!(tests < 150, "{tests}");
    }

    #[test]
    fn another_byte_than_those_of_the_gap_may_be_the_one_to_drop() {
        let (text, _) = filled("12 a34 56 7\n", "12 34 7\n", |text| text.contains("34 56 7"));
        assert_eq!(text, "12 a34 56 7\n");
        let is_valid = |text: &str| text.contains("bc") && !text.contains("abc");
        assert_eq!(filled("xyabcz", "bc", is_valid).0, "xybcz");
        assert_eq!(filled("1 abb 2", "1 b 2", |text| !text.contains("abb")).0.len(), 6);
    }

    #[test]
    fn rare_bytes_of_one_line_go_together() {
        let input = "10 20 30\n1!0 2?0 3;0\n40 50 60\n70 80 90\n";
        let (text, _) = filled(input, "10 20 30\n", is_table);
        assert_eq!(text, "10 20 30\n10 20 30\n40 50 60\n70 80 90\n");
    }

    #[test]
    fn no_single_dropped_byte_can_be_added_back() {
        // Validators with holes: every subset of a few bytes, by a fixed scramble of its number.
        let input = "abcdefg";
        for seed in 0..200u32 {
            let is_valid = |text: &str| {
                let mask = text.bytes().fold(0u32, |mask, byte| mask | 1 << (byte - b'a'));
                mask == 0 || (mask != 0x7f && mask.wrapping_mul(2_654_435_761 ^ seed) >> 30 == 0)
            };
            let (text, _) = filled(input, "", is_valid);
            assert!(is_valid(&text));
            for byte in input.chars().filter(|byte| !text.contains(*byte)) {
                let larger: String =
                    input.chars().filter(|c| text.contains(*c) || *c == byte).collect();
                assert!(!is_valid(&larger), "{text:?} could have had {byte:?}");
            }
        }
    }

    #[test]
    fn what_is_no_part_is_left_alone() {
        assert_eq!(filled("abc", "acb", |_| true), ("acb".to_owned(), 0));
    }
}
