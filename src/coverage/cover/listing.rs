//! What a candidate of a cover has: the list of an index, or one of its own.

use seedsmith_engine::internal::FeatureText;

/// Groups of candidates, by digest, of which each has to have a feature that no candidate has for certain. With two ways to run, a
/// feature that one of them has is missed by all of four inputs once in 16 times. A guess, not measured.
pub(super) const CHANCE_GROUPS: u8 = 4;

/// What a candidate has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Listing<'f> {
    /// This list, which is in the index.
    Indexed(&'f FeatureText),
    /// These features; those that are there by chance as a member of a group: see [`chance_group`].
    Own(&'f FeatureText, u8),
    /// It is no candidate.
    Absent,
}

/// The group, among inputs that have a feature by chance, of the one with this digest.
pub(crate) fn chance_group(digest: &[u8; 20]) -> u8 {
    digest[0] % CHANCE_GROUPS
}

/// A feature, and the group of candidates that would have this part of it by chance.
pub(crate) type Part = (u32, u8);

/// The parts of features that an exact list lacks and its estimate, which has all features of the exact one, has not by chance.
pub(crate) fn lost_parts(estimate: &FeatureText, exact: &FeatureText, group: u8) -> Vec<Part> {
    let mut kept = exact.into_iter().peekable();
    let mut lost = Vec::new();
    for (feature, _) in estimate {
        let kept = kept.next_if(|(other, _)| *other == feature);
        let has = |part: u8| kept.is_some_and(|(_, by_chance)| !by_chance || part == group);
        lost.extend((0..CHANCE_GROUPS).filter(|part| !has(*part)).map(|part| (feature, part)));
    }
    lost
}
