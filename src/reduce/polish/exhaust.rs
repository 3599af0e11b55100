//! Tests every shorter input there is.
//!
//! A minimized crash often has two or three bytes; then all shorter inputs can be tested in a
//! fraction of a second, and the result is known to be as small as any.

use std::borrow::Cow;

use crate::event::Minimality;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Kind;
use seedsmith_engine::Observation;
use seedsmith_engine::Stopped;

/// Tests every shorter input.
///
/// The shortest come first, so that the first that fails is as small as any; then the claim is
/// [`Minimality::Global`](crate::event::Minimality::Global). Cost: 257 tests for a best of two bytes,
/// 65,793 for three.
pub(crate) static EXHAUST: Reducer = Reducer {
    name: Cow::Borrowed("exhaust"),
    description: Cow::Borrowed("tests every shorter input"),
    activity: "trying all shorter inputs",
    needs: &[Need::Bytes],
    cost: Cost::Limited,
    source: HERE,
    function: Function::Flat(|search, context| exhaust(search, context.polisher.max_extra_work)),
};

/// The cost of a candidate that dies by another failure, in candidates that return: a worker is
/// forked again, for 1 to 2 ms instead of some 10 µs.
const WORK_PER_DEATH: u64 = 128;
/// The same of one that runs into a limit: time or memory, each about a second, so some 100,000
/// candidates of 10 µs; the power of two below a third of that.
const WORK_PER_LIMIT: u64 = 1 << 15;

/// Tests every input shorter than the best, the shortest first, and claims [`Minimality::Global`].
/// Gives up without the claim where more than `most_extra` is spent on candidates that die, counted
/// in candidates that return; it is a sum over candidates in their order, so it is the same for any
/// number of workers. Cost: [`shorter_than`](super::polisher::shorter_than) tests at most.
pub(crate) fn exhaust(search: &mut Search<'_, '_>, most_extra: u64) -> Result<(), Stopped> {
    let length = search.best().len();
    let mut next = Some(Vec::new());
    let mut extra = 0;
    let stream = |buffer: &mut Vec<u8>| {
        let candidate = next.take()?;
        buffer.extend_from_slice(&candidate);
        next = successor(candidate).filter(|successor| successor.len() < length);
        Some(())
    };
    let found = search.first_while(stream, &mut |observation| {
        extra += extra_cost(observation);
        extra <= most_extra
    })?;
    // The candidates come shortest first, so a failing one is minimal whatever was spent.
    if found.is_some() || extra <= most_extra {
        search.claim(Minimality::Global);
    }
    Ok(())
}

fn extra_cost(observation: &Observation) -> u64 {
    match observation {
        Observation::Returned(_) | Observation::Complained(_) => 0,
        Observation::Failed(signature) => match signature.kind {
            Kind::Timeout | Kind::OutOfMemory => WORK_PER_LIMIT,
            _ => WORK_PER_DEATH,
        },
        _ => WORK_PER_DEATH,
    }
}

/// The next input of the same length, or the first that is longer.
fn successor(mut input: Vec<u8>) -> Option<Vec<u8>> {
    for byte in input.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return Some(input);
        }
    }
    input.push(0);
    Some(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::reduce::polish::polisher::shorter_than;
    use crate::reduce::testing::reduce_by;
    use seedsmith_engine::ClosureTarget;
    use seedsmith_engine::SameFailure;
    use seedsmith_engine::Sameness;
    use seedsmith_engine::Signature;
    use seedsmith_engine::Verdict;
    use seedsmith_engine::internal::Budget;
    use seedsmith_engine::internal::Oracle;

    #[test]
    fn a_claim_of_global_minimality_took_every_shorter_input() {
        let found = reduce_by(b"ab", |bytes| bytes.len() > 1, |search| exhaust(search, 0));
        assert_eq!((found.tests, found.minimality), (257, Minimality::Global));
        assert_eq!(shorter_than(2), 257);
        assert_eq!(shorter_than(0), 0);
        assert_eq!(shorter_than(100), u64::MAX);
    }

    #[test]
    fn the_first_shorter_input_that_fails_is_the_shortest() {
        let fails = |bytes: &[u8]| bytes == b"abc" || bytes.contains(&0x80);
        let found = reduce_by(b"abc", fails, |search| exhaust(search, 0));
        assert_eq!((found.best, found.minimality), (vec![0x80], Minimality::Global));
    }

    /// Tests and claim where every second candidate dies by another failure.
    fn beside_another_failure(kind: Kind, jobs: usize, most_extra: u64) -> (u64, Minimality) {
        let target = ClosureTarget::observing(move |bytes: &[u8]| match bytes {
            b"abc" => Observation::Failed(Signature::of_kind(Kind::Abort).into()),
            [.., last] if last % 2 == 1 => {
                Observation::Failed(Signature::of_kind(kind.clone()).into())
            }
            _ => Observation::Returned(Verdict::Keep),
        });
        let judge = SameFailure {
            signature: Signature::of_kind(Kind::Abort),
            sameness: Sameness::default(),
        };
        let mut oracle = Oracle::new(&target, judge, jobs, Budget::default()).unwrap();
        let mut quiet = |_: &Event<'_>| {};
        let mut search = Search::new(&mut oracle, b"abc".to_vec(), &mut quiet);
        exhaust(&mut search, most_extra).unwrap();
        (search.counts().tests, search.minimality())
    }

    #[test]
    fn deaths_count_as_many_candidates_and_end_it_at_the_same_one_for_any_number_of_workers() {
        for jobs in [1, 3] {
            let stack = beside_another_failure(Kind::StackOverflow, jobs, 100 * WORK_PER_DEATH);
            // The empty input, and of the bytes from 0 on every second one, up to the 101st death.
            assert_eq!(stack, (1 + 2 * 101, Minimality::None));
            let hang = beside_another_failure(Kind::Timeout, jobs, 3 * WORK_PER_LIMIT);
            assert_eq!(hang, (1 + 2 * 4, Minimality::None));
        }
        let all = beside_another_failure(Kind::StackOverflow, 1, u64::MAX);
        assert_eq!(all, (shorter_than(3), Minimality::Global));
    }
}
