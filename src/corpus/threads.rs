//! One task on many items, by as many threads as there are jobs.
//!
//! Items are numbered, each thread has a row of them, and the answers come in the order of the rows. So what is made
//! of them does not depend on the number of threads, as long as an answer for all rows can be made of those of any rows.

use std::num::NonZero;
use std::ops::Range;

/// Calls `work` with even parts of `0..count`, at most `jobs` at once, and gives its answers in the order of the parts.
///
/// Each part has `least` items or more, if there are as many. The first part is done by the caller's thread.
pub(crate) fn in_parts<T: Send>(
    jobs: NonZero<usize>,
    count: usize,
    least: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let parts = (count / least.max(1)).clamp(1, jobs.get());
    let part = |number: usize| count * number / parts..count * (number + 1) / parts;
    std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> =
            (1..parts).map(|number| scope.spawn(move || work(part(number)))).collect();
        let first = work(part(0));
        let others = others.into_iter().map(|other| match other.join() {
            Ok(answer) => answer,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        std::iter::once(first).chain(others).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_in_one_part_and_parts_come_in_order() {
        for count in [0, 1, 255, 1000, 10_001] {
            for jobs in 1..5 {
                let jobs = NonZero::new(jobs).unwrap();
                let parts = in_parts(jobs, count, 16, |part| part.collect::<Vec<_>>());
                assert!(parts.len() <= jobs.get());
                assert_eq!(parts.concat(), (0..count).collect::<Vec<_>>());
            }
        }
    }
}
