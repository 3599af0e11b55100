//! Executions and patterns of the subjects, against the published algorithm with 100 checks.

use super::SUBJECTS;
use crate::patterns::drawn;
use crate::rejecting::{Rejecting, rejecting_with};
use crate::{PUBLISHED, joint};
use seedsmith::internal::generalize::TestCost;
use seedsmith::internal::generalize::{Generalized, Method, Options};

/// Executions of the published algorithm on each subject, rejections included: measured on 2026-11-22 with
/// `PUBLISHED`. It takes minutes, so the tests run it on the shortest rows only.
const PUBLISHED_EXECUTIONS: [u64; 14] =
    [2805, 3085, 3034, 2159, 9282, 12162, 8505, 23429, 13421, 957, 1207, 2762, 6243, 711];

/// Rows of at most this many executions are measured again.
const SHORT_ROW: u64 = 1000;

fn found(subject: &Rejecting, rejects: bool, method: Method) -> Generalized {
    // The subjects of the paper are commands: a test starts a process.
    let options = Options { cost: TestCost::High, method, ..Options::default() };
    rejecting_with(subject, rejects, &options)
}

#[test]
fn subjects_take_a_third_of_the_published_executions_and_draw_valid_inputs_that_fail() {
    let mut bad: Vec<String> = Vec::new();
    for rejects in [true, false] {
        let mut logarithms = 0.0;
        for (subject, published) in SUBJECTS.iter().zip(PUBLISHED_EXECUTIONS) {
            let found = found(subject, rejects, joint());
            let valid = if rejects { subject.valid } else { |_: &[u8]| true };
            let (valid, failing, distinct) = drawn(&found.pattern, valid, subject.fails);
            let executions = found.counts.executions;
            println!(
                "{}{}: {:?}; {valid} valid, {failing} fail, {distinct} distinct; {executions} \
                 executions of {published}, and {} to explain",
                subject.name,
                if rejects { "" } else { ", no rejections" },
                found.pattern.compact(),
                found.reason_counts.executions,
            );
            if valid < 900 || failing * 1000 < valid * 995 || executions > published {
                bad.push(format!("{}: rejects {rejects}", subject.name));
            }
            logarithms += (executions as f64 / published as f64).ln();
        }
        let mean = (logarithms / SUBJECTS.len() as f64).exp();
        println!("geometric mean: {mean:.3} of the published executions");
        if mean > 1.0 / 3.0 {
            bad.push(format!("rejects {rejects}: {mean:.3} of the published executions"));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn the_published_algorithm_takes_as_many_executions_of_the_shortest_subjects_as_noted() {
    for (subject, published) in SUBJECTS.iter().zip(PUBLISHED_EXECUTIONS) {
        if published <= SHORT_ROW {
            let executions = found(subject, true, PUBLISHED).counts.executions;
            assert_eq!(executions, published, "{}", subject.name);
        }
    }
}
