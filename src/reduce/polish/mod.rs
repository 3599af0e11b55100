//! Below 1-minimal, in the order of what it costs, and within what the user gives for it.

use super::options::{Options, Polish};
use crate::event::Minimality;
use crate::reduce::algorithms::allowance::Allowance;
use crate::reduce::auto::rounds::Spent;
use crate::reduce::flat::combinations::{drop_any_nearby, drop_any_two};
use crate::reduce::polish::alphabet::Alphabet;
use crate::reduce::polish::exhaust::{exhaust, shorter_than};
use crate::reduce::polish::mutate::mutate;
use crate::reduce::polish::shorten::shorten;
use crate::search::Search;
use seedsmith_engine::oracle::Stopped;
use seedsmith_grammar::structure::units::UnitKind;

/// Work that is always worth it where nothing else was said: some milliseconds.
const LEAST: u64 = 10_000;
/// Work that nobody waits for gladly.
const MOST: u64 = 100_000;

/// Tests where each of them starts processes, at most.
const MOST_DEAR: u64 = 50;

/// What luck may cost where each test starts processes: a twelfth of what the round has asked
/// for until now, cached answers too.
pub fn dear_tests(spent: Spent, search: &Search<'_, '_>) -> u64 {
    (spent.calls(search) / 12).min(MOST_DEAR)
}

/// Gets below 1-minimal.
#[derive(Debug)]
pub struct Polisher {
    alphabet: Alphabet,
    seed: u64,
    polish: Polish,
    are_tests_dear: bool,
    spent: Spent,
    /// What is left of [`Polish::Tests`].
    tests: u64,
}

impl Polisher {
    /// For a round that starts from the best.
    pub fn new(search: &Search<'_, '_>, options: &Options) -> Self {
        let Options { polish, seed, are_tests_dear, .. } = *options;
        let tests = match polish {
            Polish::Auto => u64::MAX,
            Polish::Tests(tests) => tests,
        };
        let (alphabet, spent) = (Alphabet::of(search.best()), Spent::from_here(search));
        Polisher { alphabet, seed, polish, are_tests_dear, spent, tests }
    }

    /// One round; whether a smaller input was found.
    ///
    /// Where every shorter input was tested, the claim is [`Minimality::Global`] and there is
    /// nothing more to be found.
    pub fn round(&mut self, search: &mut Search<'_, '_>) -> Result<bool, Stopped> {
        if self.are_tests_dear && self.polish == Polish::Auto {
            self.tests = dear_tests(self.spent, search);
            self.polish = Polish::Tests(self.tests);
        }
        if self.tests == 0 || search.minimality() == Minimality::Global {
            return Ok(false);
        }
        let before = search.best().len();
        let all = shorter_than(before);
        let (given, is_all_covered) = match self.polish {
            Polish::Auto => (self.spent.work(search).clamp(LEAST, MOST), all <= MOST),
            Polish::Tests(_) => (self.tests, all <= self.tests),
        };
        if is_all_covered {
            let most_extra = match self.polish {
                Polish::Auto => MOST,
                Polish::Tests(_) => u64::MAX,
            };
            search.run("exhaust", |search| exhaust(search, most_extra))?;
            return Ok(search.best().len() < before);
        }
        let started = search.work();
        // What is systematic may use up what is given but for a share for luck.
        let mut allowance = Allowance::new(given - given / 4);
        let found = search.run("shorten", |search| {
            Ok(drop_any_two(search, UnitKind::Lines, &mut allowance)?
                || drop_any_two(search, UnitKind::Tokens, &mut allowance)?
                || drop_any_nearby(search, UnitKind::Tokens, &mut allowance)?
                || shorten(search, &self.alphabet, &mut allowance)?)
        })?;
        if !found {
            let mut allowance = Allowance::new(allowance.left() + given / 4);
            search.run("mutate", |search| {
                mutate(search, &self.alphabet, self.seed, &mut allowance)
            })?;
        }
        self.tests = self.tests.saturating_sub(search.work() - started);
        Ok(search.best().len() < before)
    }
}
pub mod alphabet;
pub mod exhaust;
pub mod mutate;
pub mod shorten;
