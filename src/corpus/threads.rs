//! One task on many items, by as many threads as there are jobs.
//!
//! Items are numbered, each thread has a row of them, and the answers come in the order of the rows. So what is made
//! of them does not depend on the number of threads, as long as an answer for all rows can be made of those of any rows.

use std::num::NonZero;
use std::ops::Range;

/// How many threads run at once; one if the system does not say.
///
/// Linux is asked by reading some files, so the answer is kept where it is needed often.
pub(crate) fn processors() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Calls `work` with even parts of `0..count`, at most `jobs` at once, and gives its answers in the order of the parts.
///
/// Each part has `least` items or more, if there are as many. The first part is done by the caller's thread.
pub(crate) fn in_parts<T: Send>(
    jobs: NonZero<usize>,
    count: usize,
    least: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let parts = part_count(jobs, count, least);
    in_rows(parts, |number| count * number / parts, work)
}

/// The same for as many items as there are `weights`: each part has about the same weight. It may
/// have fewer items than `least`, but not none.
pub(crate) fn in_weighed_parts<T: Send>(
    jobs: NonZero<usize>,
    weights: impl Iterator<Item = usize>,
    least: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    // By item, the weight of those before it; and that of all.
    let mut sums = vec![0];
    sums.extend(weights.scan(0, |sum, weight| {
        *sum += weight;
        Some(*sum)
    }));
    let (count, all) = (sums.len() - 1, sums[sums.len() - 1]);
    let parts = part_count(jobs, count, least);
    let mut begins = vec![0];
    for number in 1..parts {
        // No part is empty.
        let before = sums.partition_point(|before| *before < all / parts * number);
        begins.push(before.clamp(begins[number - 1] + 1, count - (parts - number)));
    }
    begins.push(count);
    in_rows(parts, |number| begins[number], work)
}

/// The number of parts that `count` items are divided into.
fn part_count(jobs: NonZero<usize>, count: usize, least: usize) -> usize {
    (count / least.max(1)).clamp(1, jobs.get())
}

/// Calls `work` with as many parts at once, each of which ends where the next one begins.
fn in_rows<T: Send>(
    parts: usize,
    begin: impl Fn(usize) -> usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let part = |number: usize| begin(number)..begin(number + 1);
    std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = (1..parts)
            .map(|number| {
                let part = part(number);
                scope.spawn(move || work(part))
            })
            .collect();
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
    #[test]
    fn parts_of_about_the_same_weight_have_each_item_once_and_in_order() {
        for weigh in
            [|_: usize| 0, |_: usize| 3, |item: usize| item * item, |item: usize| 1 << (item % 50)]
        {
            for count in [0, 1, 47, 1000] {
                for jobs in 1..5 {
                    let jobs = NonZero::new(jobs).unwrap();
                    let weights = (0..count).map(weigh);
                    let parts =
                        in_weighed_parts(jobs, weights, 16, |part| part.collect::<Vec<_>>());
                    assert_eq!(parts.concat(), (0..count).collect::<Vec<_>>());
                    assert!(count == 0 || parts.iter().all(|part| !part.is_empty()));
                }
            }
        }
        let two = NonZero::new(2).unwrap();
        let parts = in_weighed_parts(two, 0..1000, 16, |part| part.len());
        assert!((700..710).contains(&parts[0]), "{parts:?}");
    }
}
