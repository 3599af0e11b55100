//! Covers of small sets of features, made at random: nothing is lost, nothing can be exchanged, and the ways to compute one agree.

use super::*;
use seedsmith_engine::internal::{BUCKETS, features};

#[derive(Clone)]
struct Made {
    bytes: u64,
    digest: [u8; 20],
    features: FeatureText,
}

impl Made {
    fn rank(&self) -> (u64, [u8; 20]) {
        (self.bytes, self.digest)
    }
}

fn cover(all: &[Made]) -> Vec<usize> {
    cover_beyond(all, &[])
}

fn cover_beyond(all: &[Made], given: &[&FeatureText]) -> Vec<usize> {
    let lists: Vec<&FeatureText> = all.iter().map(|one| &one.features).collect();
    let index = FeatureIndex::of(&lists, NonZero::<usize>::MIN);
    let chosen = |jobs: usize, is_own: &dyn Fn(usize) -> bool| {
        let candidates = all.iter().enumerate().map(|(at, Made { bytes, digest, features })| {
            let listing = match is_own(at) {
                true => Listing::Own(features, chance_group(digest)),
                false => Listing::Indexed(features),
            };
            Candidate { weight: *bytes, digest: *digest, listing, is_estimate: false }
        });
        let candidates: Vec<_> = candidates.collect();
        let jobs = NonZero::new(jobs).expect("it is not 0");
        let all = super::cover(&index, &candidates, given, &[], &mut |_, _| None, jobs);
        for begun in [1, all.sequence.len() / 2] {
            let begun = &all.sequence[..begun.min(all.sequence.len())];
            assert_eq!(
                super::cover(&index, &candidates, given, begun, &mut |_, _| None, jobs),
                all
            );
        }
        all
    };
    let one = chosen(1, &|_| false);
    assert_eq!(one, chosen(3, &|_| true));
    assert_eq!(one, chosen(2, &|at| at % 3 == 0));
    one.chosen
}

fn candidate(bytes: u64, list: &[u32]) -> Made {
    let mut digest = [0; 20];
    digest[..8].copy_from_slice(&bytes.to_le_bytes());
    for (at, feature) in list.iter().enumerate() {
        digest[8 + at % 12] ^= (*feature as u8).wrapping_mul(31).rotate_left(at as u32 % 8);
    }
    let list: Vec<u32> = list.iter().map(|counter| counter * BUCKETS).collect();
    Made { bytes, digest, features: FeatureText::of(&list) }
}

fn covered(candidates: &[Made], chosen: &[usize]) -> std::collections::BTreeSet<u32> {
    chosen.iter().flat_map(|index| features(&candidates[*index].features)).collect()
}

/// Random candidates with at most 60 features; small inputs have few.
fn random(seed: u64, count: usize) -> Vec<Made> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut draw = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    (0..count)
        .map(|_| {
            let bytes = draw(400);
            let mut list: Vec<u32> =
                (0..1 + bytes / 30).map(|_| (draw(60) * draw(60) / 60) as u32).collect();
            list.sort_unstable();
            list.dedup();
            candidate(bytes, &list)
        })
        .collect()
}

#[test]
fn one_large_input_gives_way_to_two_small_ones() {
    let all = [candidate(1000, &[1, 2, 3]), candidate(10, &[1, 2]), candidate(12, &[3])];
    assert_eq!(cover(&all), [1, 2]);
}

#[test]
fn several_small_inputs_give_way_to_one_that_is_not_much_larger() {
    let all =
        [candidate(9, &[1]), candidate(9, &[2]), candidate(9, &[3]), candidate(40, &[1, 2, 3])];
    assert_eq!(cover(&all), [3]);
}

#[test]
fn what_the_greedy_choice_made_redundant_is_dropped() {
    // Greedy takes the first for its four features; the other two are needed for 5 and 6.
    let all = [candidate(1, &[1, 2, 3, 4]), candidate(1, &[1, 2, 5]), candidate(1, &[3, 4, 6])];
    assert_eq!(cover(&all).len(), 2);
}

#[test]
fn inputs_without_features_and_copies_are_never_chosen() {
    let all = [candidate(0, &[]), candidate(5, &[7]), candidate(5, &[7])];
    assert_eq!(cover(&all).len(), 1);
    assert!(cover(&[]).is_empty());
}

#[test]
fn what_is_given_needs_no_input() {
    let all = [candidate(5, &[1, 2]), candidate(9, &[2, 3]), candidate(3, &[1])];
    let given = candidate(1, &[1, 2]).features;
    assert_eq!(cover_beyond(&all, &[&given]), [1]);
    let more = candidate(1, &[3, 9]).features;
    assert!(cover_beyond(&all, &[&given, &more]).is_empty());
}

#[test]
fn nothing_is_lost_the_order_does_not_matter_and_a_second_cover_changes_nothing() {
    for seed in 1..200 {
        let all = random(seed, 80);
        let chosen = cover(&all);
        let everything: Vec<usize> = (0..all.len()).collect();
        assert_eq!(covered(&all, &chosen), covered(&all, &everything), "{seed}");
        let mut turned = all.clone();
        turned.reverse();
        let ranks = |all: &[Made], chosen: &[usize]| {
            chosen.iter().map(|one| all[*one].rank()).collect::<Vec<_>>()
        };
        assert_eq!(ranks(&turned, &cover(&turned)), ranks(&all, &chosen), "{seed}");
        let kept: Vec<Made> = chosen.iter().map(|one| all[*one].clone()).collect();
        assert_eq!(cover(&kept).len(), kept.len(), "{seed}");
    }
}

#[test]
fn a_cover_begins_where_one_with_more_features_has_not_changed() {
    let mut begun_somewhere = 0;
    for seed in 1..200 {
        let all = random(seed, 80);
        let jobs = NonZero::<usize>::MIN;
        let lists: Vec<&FeatureText> = all.iter().map(|one| &one.features).collect();
        let index = FeatureIndex::of(&lists, jobs);
        let indexed: Vec<Candidate<'_>> = all
            .iter()
            .map(|one| Candidate {
                weight: one.bytes,
                digest: one.digest,
                listing: Listing::Indexed(&one.features),
                is_estimate: false,
            })
            .collect();
        let before = super::cover(&index, &indexed, &[], &[], &mut |_, _| None, jobs);
        let is_shorter = |at: usize| (at + seed as usize).is_multiple_of(11);
        let shorter: Vec<FeatureText> = all
            .iter()
            .map(|one| (&one.features).into_iter().step_by(2).collect::<FeatureText>())
            .collect();
        let changed = (0..all.len()).map(|at| match is_shorter(at) {
            true => {
                let group = chance_group(&all[at].digest);
                Candidate { listing: Listing::Own(&shorter[at], group), ..indexed[at] }
            }
            false => indexed[at],
        });
        let changed: Vec<Candidate<'_>> = changed.collect();
        let begun = before.sequence.iter().copied().take_while(|at| !is_shorter(*at));
        let begun: Vec<usize> = begun.collect();
        begun_somewhere += begun.len();
        let anew = super::cover(&index, &changed, &[], &[], &mut |_, _| None, jobs);
        assert_eq!(
            super::cover(&index, &changed, &[], &begun, &mut |_, _| None, jobs),
            anew,
            "{seed}"
        );
    }
    assert!(begun_somewhere > 200, "{begun_somewhere}");
}

#[test]
fn no_chosen_input_can_be_exchanged_for_a_smaller_one() {
    for seed in 1..60 {
        let all = random(seed, 60);
        let chosen = cover(&all);
        let everything = covered(&all, &chosen);
        for at in 0..chosen.len() {
            for other in 0..all.len() {
                let mut changed = chosen.clone();
                if all[other].rank() >= all[changed[at]].rank() {
                    continue;
                }
                changed[at] = other;
                assert_ne!(covered(&all, &changed), everything, "{seed}: {at} {other}");
            }
        }
    }
}

#[test]
fn estimates_that_are_confirmed_one_by_one_lead_to_the_choice_of_exact_features() {
    let jobs = NonZero::<usize>::MIN;
    let (mut asked, mut all_lost) = (0, 0);
    for seed in 1..200 {
        let exact = random(seed, 80);
        // Each third has more features, and some have features by chance; those that no input has for certain are among them.
        let with_chance = |at: usize| (at + seed as usize).is_multiple_of(5);
        let exact: Vec<Made> = (0..exact.len())
            .map(|at| {
                let marked = |(number, (feature, _)): (usize, (u32, bool))| {
                    (feature, with_chance(at) && number % 2 == 0)
                };
                let features = (&exact[at].features).into_iter().enumerate().map(marked).collect();
                Made { features, ..exact[at].clone() }
            })
            .collect();
        let estimate = |at: usize| {
            let mut list: std::collections::BTreeSet<u32> = features(&exact[at].features).collect();
            if !at.is_multiple_of(3) {
                let more = (0..at as u32 % 7).map(|more| (at as u32 * 13 + more * 29) % 66);
                list.extend(more.map(|counter| counter * BUCKETS));
            }
            FeatureText::of(&list.into_iter().collect::<Vec<_>>())
        };
        let estimates: Vec<FeatureText> = (0..exact.len()).map(estimate).collect();
        let given = [&exact[3].features];
        let mut chosen = |lists: &[&FeatureText], is_estimate: &dyn Fn(usize) -> bool| {
            let index = FeatureIndex::of(lists, jobs);
            let candidates = exact.iter().enumerate().map(|(at, one)| {
                let listing = match index.length(at) {
                    Some(_) => Listing::Indexed(lists[at]),
                    None => Listing::Own(lists[at], chance_group(&one.digest)),
                };
                let (weight, digest) = (one.bytes, one.digest);
                Candidate { weight, digest, listing, is_estimate: is_estimate(at) }
            });
            let candidates: Vec<Candidate<'_>> = candidates.collect();
            let mut known: Vec<bool> = (0..exact.len()).map(|at| !is_estimate(at)).collect();
            let mut confirm = |_: &FeatureIndex, wanted: &[usize]| {
                // Others come along, as doubtful inputs do.
                let more = wanted.iter().map(|at| (at + 7) % exact.len());
                let all: std::collections::BTreeSet<usize> =
                    wanted.iter().copied().chain(more).filter(|at| !known[*at]).collect();
                let confirmed = all.into_iter().map(|candidate| {
                    known[candidate] = true;
                    let group = chance_group(&exact[candidate].digest);
                    let lost = lost_parts(lists[candidate], &exact[candidate].features, group);
                    (asked, all_lost) = (asked + 1, all_lost + lost.len());
                    Confirmed { candidate, lost }
                });
                Some(confirmed.collect())
            };
            let found = super::cover(&index, &candidates, &given, &[], &mut confirm, jobs);
            assert!(found.tried.iter().all(|at| known[*at]), "{seed}");
            found
        };
        let lists: Vec<&FeatureText> = exact.iter().map(|one| &one.features).collect();
        let expected = chosen(&lists, &|_| false);
        let estimated: Vec<&FeatureText> = estimates.iter().collect();
        let found = chosen(&estimated, &|_| true);
        assert_eq!(
            (&found.chosen, &found.sequence),
            (&expected.chosen, &expected.sequence),
            "{seed}"
        );
        // The same if some features are certain before.
        let some: Vec<&FeatureText> = (0..lists.len())
            .map(|at| if at % 2 == 0 { lists[at] } else { estimated[at] })
            .collect();
        assert_eq!(chosen(&some, &|at| at % 2 == 1).chosen, expected.chosen, "{seed}");
    }
    assert!(asked > 2000 && all_lost > 2000, "{asked} {all_lost}");
}
