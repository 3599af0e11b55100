//! How often a candidate is run before its outcome is believed.
//!
//! A failure that shows in half of the runs is easily missed, and a candidate that shows it once
//! in a hundred is easily taken. So both have a price: a candidate is refused only when a failure
//! of the input's rate would have shown, and taken only when it shows four times as soon as one of
//! that rate would. The second keeps the rate from sinking, step by step: of candidates with a
//! tenth of the rate one in twenty gets through, of those with a fiftieth one in ten thousand.

use std::str::FromStr;

/// A good candidate may be refused once in a hundred: half of it for never showing, half for
/// showing too rarely.
const MAX_MISSED_SHARE: f64 = 0.005;
/// How often an unsteady failure has to show: see above.
const MIN_SHOWN_RUNS: u32 = 4;
/// Failures rarer than this would take hundreds of runs a candidate.
const MIN_FAILURE_RATE: f64 = 0.05;

/// How often to run, and how often the failure has to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// Runs without the failure after which it counts as absent.
    pub until_gone: u32,
    /// How often it has to show to count as there.
    pub shows: u32,
    /// The runs within which it has to.
    pub within: u32,
}

impl Repeats {
    /// For a failure that shows in every run.
    pub const STEADY: Repeats = Repeats { until_gone: 1, shows: 1, within: 1 };

    /// Up to `runs` runs, of which one has to show it.
    pub fn at_most(runs: u32) -> Self {
        let runs = runs.max(1);
        Repeats { until_gone: runs, shows: 1, within: runs }
    }

    /// For a failure that showed in `shown` of `runs` runs: a candidate that shows it as often is
    /// taken with 99 % confidence. `None` where it is too rare for that.
    pub fn for_rate(shown: u32, runs: u32) -> Option<Self> {
        if shown == runs {
            return Some(Repeats::STEADY);
        }
        let rate = cautious(shown, runs);
        if rate < MIN_FAILURE_RATE {
            return None;
        }
        let missing = 1.0 - rate;
        // The chance to show fewer than `shows` times, and the runs that make it small enough.
        let fewer = |runs: u32, shows: u32| {
            let mut exactly = missing.powi(runs as i32);
            let mut sum = exactly;
            for count in 1..shows.min(runs + 1) {
                exactly *= f64::from(runs + 1 - count) / f64::from(count) * rate / missing;
                sum += exactly;
            }
            sum
        };
        let least = |shows: u32| {
            (shows..)
                .find(|runs| fewer(*runs, shows) <= MAX_MISSED_SHARE)
                .expect("the chance sinks to nothing")
        };
        Some(Repeats { until_gone: least(1), shows: MIN_SHOWN_RUNS, within: least(MIN_SHOWN_RUNS) })
    }

    /// Whether one run is enough.
    pub fn is_steady(self) -> bool {
        self == Repeats::STEADY
    }
}

/// The lower end of the rate's interval, by Wilson's formula with one standard deviation: thirty
/// runs measure a rate to a tenth only.
fn cautious(shown: u32, runs: u32) -> f64 {
    let n = f64::from(runs.max(1));
    let rate = f64::from(shown) / n;
    (rate + 0.5 / n - (rate * (1.0 - rate) / n + 0.25 / (n * n)).sqrt()) / (1.0 + 1.0 / n)
}

/// The user's choice about repeated runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// As the measured rate asks for.
    #[default]
    Auto,
    /// Up to this number of runs a candidate.
    Times(u32),
}

impl FromStr for Repeat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Repeat::Auto),
            _ => text
                .parse()
                .ok()
                .filter(|times| (1..=10_000).contains(times))
                .map(Repeat::Times)
                .ok_or_else(|| "use auto, or a number from 1 to 10000".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chance that a candidate of some rate is taken.
    fn taken(repeats: Repeats, rate: f64) -> f64 {
        let shows = repeats.shows as usize;
        // The probability of each number of failures so far; at the last one the candidate is
        // accepted.
        let mut stands = vec![0.0; shows + 1];
        stands[0] = 1.0;
        for run in 1..=repeats.within {
            for count in (0..shows).rev() {
                stands[count + 1] += stands[count] * rate;
                stands[count] *= 1.0 - rate;
            }
            if run == repeats.until_gone {
                stands[0] = 0.0;
            }
        }
        stands[shows]
    }

    #[test]
    fn a_failure_of_the_measured_rate_is_taken_with_99_percent_confidence() {
        for shown in 5..30 {
            let repeats = Repeats::for_rate(shown, 30).unwrap();
            let chance = taken(repeats, f64::from(shown) / 30.0);
            assert!(chance >= 0.99, "{shown} of 30: {chance} with {repeats:?}");
        }
    }

    #[test]
    fn a_candidate_that_fails_much_more_rarely_is_not() {
        let repeats = Repeats::for_rate(15, 30).unwrap();
        assert!(taken(repeats, 0.05) < 0.05, "{}", taken(repeats, 0.05));
        assert!(taken(repeats, 0.01) < 0.0002, "{}", taken(repeats, 0.01));
    }

    #[test]
    fn what_always_shows_takes_one_run_and_what_hardly_shows_too_many() {
        assert_eq!(Repeats::for_rate(5, 5), Some(Repeats::STEADY));
        assert_eq!(Repeats::for_rate(2, 30), None);
        assert!(Repeats::for_rate(3, 30).is_some());
    }

    #[test]
    fn repeat_is_auto_or_a_number() {
        assert_eq!("auto".parse(), Ok(Repeat::Auto));
        assert_eq!("12".parse(), Ok(Repeat::Times(12)));
        assert!("0".parse::<Repeat>().is_err());
    }
}
