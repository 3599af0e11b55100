//! ddmin, exactly as 'Simplifying and Isolating Failure-Inducing Input' defines it.
//!
//! The algorithm works on any list of elements that can be rendered: bytes, lines, tokens, or the
//! nodes on a level of a tree. It is the one ddmin of this package; every reducer that makes a list
//! 1-minimal one calls it.

use std::ops::Range;

use crate::search::Search;
use seedsmith_engine::Stopped;

/// The parts of a list of `len` elements split into `n`, in order, as the paper's
/// implementations split: part `i` takes the next `floor(rest / (n - i))` elements.
pub(crate) fn split(len: usize, n: usize) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    (0..n).map(move |i| {
        let end = start + (len - start) / (n - i);
        let part = start..end;
        start = end;
        part
    })
}

/// Writes all elements but those of `part` into `kept`, whose old content goes: one buffer for many
/// candidates.
pub(crate) fn complement<T: Clone>(elements: &[T], part: &Range<usize>, kept: &mut Vec<T>) {
    kept.clear();
    kept.extend_from_slice(&elements[..part.start]);
    kept.extend_from_slice(&elements[part.end..]);
}

/// A step that ddmin tries.
#[derive(Clone)]
enum Motion {
    /// Keeps this part and nothing else.
    Subset(Range<usize>),
    /// Keeps all but this part, at granularity `n`.
    Complement { part: Range<usize>, n: usize },
}

/// All tests that ddmin would make from granularity `n` on if none of them failed.
fn motions(len: usize, n: usize) -> impl Iterator<Item = Motion> {
    let granularities =
        std::iter::successors(Some(n), move |n| (*n < len).then(|| (n * 2).min(len)));
    granularities.flat_map(move |n| {
        let subsets = split(len, n).map(Motion::Subset);
        let complements = split(len, n).map(move |part| Motion::Complement { part, n });
        subsets.chain(complements)
    })
}

/// Reduces `elements` to a 1-minimal list whose rendering still shows the failure.
///
/// `render` writes a list of elements into an empty buffer. The rendering of the whole list is
/// taken to fail. Cost: at most `n² + 3n` tests for `n` elements, at best `2·log2(n)`.
///
/// Source: Zeller & Hildebrandt 2002, section 3.2, figure 5 ("reduce to subset", "reduce to
/// complement", "increase granularity").
pub(crate) fn ddmin<T: Clone>(
    search: &mut Search<'_, '_>,
    elements: Vec<T>,
    render: impl Fn(&[T], &mut Vec<u8>),
) -> Result<Vec<T>, Stopped> {
    ddmin_within(search, elements, render, &|_| usize::MAX)
}

/// How many more tests a reducer may make, by the state of the search. It is called again after
/// each success, so that deleted bytes can earn more tests.
pub(crate) type TestsLeft<'a> = &'a dyn Fn(&Search<'_, '_>) -> usize;

/// [`ddmin`] that ends with the list that it has when no tests are left to it. Then that list need
/// not be 1-minimal.
pub(crate) fn ddmin_within<T: Clone>(
    search: &mut Search<'_, '_>,
    mut elements: Vec<T>,
    render: impl Fn(&[T], &mut Vec<u8>),
    tests_left: TestsLeft<'_>,
) -> Result<Vec<T>, Stopped> {
    let mut n = 2;
    let mut kept = Vec::new();
    while elements.len() >= 2 {
        let mut stream = motions(elements.len(), n).take(tests_left(search));
        let accepted = search.first(|buffer| {
            let motion = stream.next()?;
            match &motion {
                Motion::Subset(part) => render(&elements[part.clone()], buffer),
                Motion::Complement { part, .. } => {
                    complement(&elements, part, &mut kept);
                    render(&kept, buffer);
                }
            }
            Some(motion)
        })?;
        match accepted {
            None => break,
            Some(Motion::Subset(part)) => {
                elements = elements[part].to_vec();
                n = 2;
            }
            Some(Motion::Complement { part, n: at }) => {
                elements.drain(part);
                n = (at - 1).max(2);
            }
        }
    }
    Ok(elements)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    /// Result, calls, distinct tests and the consumed candidates of ddmin over bytes.
    fn reduce(input: &[u8], fails: fn(&[u8]) -> bool) -> (Vec<u8>, u64, u64, Vec<String>) {
        let found = reduce_by(input, fails, |search| {
            let result = ddmin(search, input.to_vec(), |bytes, out| out.extend_from_slice(bytes))?;
            assert_eq!(result, search.best());
            Ok(())
        });
        let order = found.order.into_iter().map(|text| String::from_utf8(text).unwrap());
        (found.best, found.calls, found.tests, order.collect())
    }

    #[test]
    fn parts_are_split_by_what_is_left() {
        let parts: Vec<_> = split(8, 3).collect();
        assert_eq!(parts, [0..2, 2..5, 5..8]);
    }

    #[test]
    fn the_published_examples_take_the_published_tests() {
        let (result, calls, distinct, _) =
            reduce(b"12345678", |bytes| b"178".iter().all(|b| bytes.contains(b)));
        assert_eq!((result.as_slice(), calls, distinct), (&b"178"[..], 31, 17));
        let (result, calls, distinct, order) = reduce(b"12345678", |bytes| bytes.contains(&b'3'));
        assert_eq!((result.as_slice(), calls, distinct), (&b"3"[..], 4, 4));
        assert_eq!(order, ["1234", "12", "34", "3"]);
        let (result, calls, distinct, _) = reduce(b"12345678", |bytes| bytes.len() == 8);
        assert_eq!((result.as_slice(), calls, distinct), (&b"12345678"[..], 28, 26));
    }

    const SELECT: &[u8] = br#"<SELECT NAME="priority" MULTIPLE SIZE=7>"#;

    fn crashes_mozilla(text: &[u8]) -> bool {
        let text = std::str::from_utf8(text).unwrap();
        text.contains("<SELECT>")
            || text.find("<SELECT ").is_some_and(|at| text[at..].contains('>'))
    }

    #[test]
    fn the_select_tag_of_mozilla_takes_142_calls_of_81_configurations() {
        // The elements are positions, so that different configurations have different texts.
        let positions: Vec<u8> = (0..SELECT.len() as u8).collect();
        let (result, calls, distinct, _) = reduce(&positions, |kept| {
            let text: Vec<u8> = kept.iter().map(|at| SELECT[usize::from(*at)]).collect();
            crashes_mozilla(&text)
        });
        assert_eq!((calls, distinct), (142, 81));
        let text: Vec<u8> = result.iter().map(|at| SELECT[usize::from(*at)]).collect();
        assert_eq!(text, b"<SELECT>");
    }

    #[test]
    fn two_configurations_with_one_text_are_one_test() {
        let (result, calls, distinct, _) = reduce(SELECT, crashes_mozilla);
        assert_eq!((result.as_slice(), calls, distinct), (&b"<SELECT>"[..], 142, 80));
    }
}
