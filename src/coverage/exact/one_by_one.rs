//! Runs inputs alone while inputs are chosen, just before the choice depends on them.

use std::collections::{BTreeMap, BTreeSet};

use super::doubtful::has_all;
use super::{Verified, is_open_in, run_alone};
use crate::corpus::sha1_of;
use crate::coverage::cover::{Confirmed, FeatureIndex, chance_group, lost_parts};
use crate::coverage::gather::{GatherError, Reached};
use crate::coverage::rerun::Reruns;
use crate::coverage::survey::Survey;

/// What runs one after the other. The survey stays as it is meanwhile.
pub(super) struct OneByOne<'o, 'r, 't> {
    survey: &'o Survey,
    reruns: &'o mut Reruns<'r, 't>,
    seen: &'o mut Verified,
    /// How many inputs may run.
    room: usize,
    /// What each reached, by its place.
    found: BTreeMap<usize, Reached>,
    /// Whether the choice is another one than that of exact features: an input that it depends on did not run, or has other features than a
    /// part of its estimate.
    has_ended: bool,
    trouble: Option<GatherError>,
}

impl<'o, 'r, 't> OneByOne<'o, 'r, 't> {
    /// At most `room` inputs run.
    pub(super) fn new(
        survey: &'o Survey,
        reruns: &'o mut Reruns<'r, 't>,
        seen: &'o mut Verified,
        room: usize,
    ) -> Self {
        let (found, has_ended) = (BTreeMap::new(), false);
        OneByOne { survey, reruns, seen, room, found, has_ended, trouble: None }
    }

    /// Runs inputs alone, and those that are doubtful after that. Gives the features that their estimates have too many; nothing if the
    /// choice has to continue with estimates, and then it does not ask again.
    pub(super) fn confirm(
        &mut self,
        index: &FeatureIndex,
        wanted: &[usize],
    ) -> Option<Vec<Confirmed>> {
        let confirmed = self.all_confirmed(index, wanted.iter().copied().collect());
        self.has_ended = confirmed.is_none();
        confirmed
    }

    /// The same, without noting that there is no answer.
    fn all_confirmed(
        &mut self,
        index: &FeatureIndex,
        mut wanted: BTreeSet<usize>,
    ) -> Option<Vec<Confirmed>> {
        let mut confirmed = Vec::new();
        while !wanted.is_empty() {
            self.room = self.room.checked_sub(wanted.len()).filter(|_| !self.seen.has_state)?;
            let found = run_alone(self.survey, &wanted, self.reruns, self.seen);
            let found = found.map_err(|error| self.trouble = Some(error)).ok()?;
            let of_found = found.iter().map(|(at, reached)| self.confirmed(*at, reached));
            let of_found: Option<Vec<Confirmed>> = of_found.collect();
            self.found.extend(found);
            confirmed.extend(of_found?);
            let is_open = |at: &usize| is_open_in(self.survey)(at) && !self.found.contains_key(at);
            wanted = self.seen.doubts.holders(index, is_open);
        }
        Some(confirmed)
    }

    /// The features that the estimate of an input has too many, if that is its only fault.
    fn confirmed(&self, at: usize, reached: &Reached) -> Option<Confirmed> {
        let (Reached::Kept(exact) | Reached::Rejected(exact)) = reached else { return None };
        let one = &self.survey.passing[at];
        if !has_all(&one.features, exact) {
            return None;
        }
        let group = chance_group(&sha1_of(&one.input.sha1));
        Some(Confirmed { candidate: at, lost: lost_parts(&one.features, exact, group) })
    }

    /// What each input reached that ran, and whether the choice depends on more than that.
    ///
    /// Fails if no worker could be started, or the run is interrupted.
    pub(super) fn into_found(self) -> Result<(BTreeMap<usize, Reached>, bool), GatherError> {
        match self.trouble {
            Some(trouble) => Err(trouble),
            None => Ok((self.found, self.has_ended)),
        }
    }
}
