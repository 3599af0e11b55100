//! Which inputs fail the same way.

use std::sync::Arc;

use seedsmith_engine::Sameness;
use seedsmith_engine::Signature;

/// Inputs that show one failure; `T` is whatever the caller knows an input by.
#[derive(Clone, Debug)]
pub struct Group<T> {
    /// The failure, as the first of them showed it.
    pub signature: Arc<Signature>,
    /// The inputs, in the order in which they came.
    pub members: Vec<T>,
}

/// Sorts failures into groups as they come.
///
/// Sameness need not be transitive (a part of a recursion is the same as the whole), so an input
/// goes to the first group whose failure it shows. Inputs added in the same order give the same
/// groups.
#[derive(Debug)]
pub(crate) struct Grouping<T> {
    sameness: Sameness,
    groups: Vec<Group<T>>,
}

impl<T> Grouping<T> {
    /// No groups yet.
    pub(crate) fn new(sameness: Sameness) -> Self {
        Grouping { sameness, groups: Vec::new() }
    }

    /// Adds an input that failed by `signature`. Costs a comparison with each group.
    pub(crate) fn add(&mut self, signature: &Arc<Signature>, member: T) {
        let is_same = |group: &&mut Group<T>| self.sameness.is_same(&group.signature, signature);
        match self.groups.iter_mut().find(is_same) {
            Some(group) => group.members.push(member),
            None => {
                self.groups.push(Group { signature: signature.clone(), members: vec![member] });
            }
        }
    }

    /// The groups, in the order of their first members.
    pub(crate) fn into_groups(self) -> Vec<Group<T>> {
        self.groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::Kind;
    use seedsmith_engine::Rule;

    fn groups(rule: Rule) -> Vec<Vec<u32>> {
        let mut grouping = Grouping::new(Sameness { rule, pattern: None });
        for (member, (kind, place)) in
            [(Kind::Panic, "a"), (Kind::Abort, ""), (Kind::Panic, "b"), (Kind::Panic, "a")]
                .into_iter()
                .enumerate()
        {
            let place = (!place.is_empty()).then(|| place.to_owned());
            let signature = Signature { place, ..Signature::of_kind(kind) };
            grouping.add(&Arc::new(signature), member as u32);
        }
        grouping.into_groups().into_iter().map(|group| group.members).collect()
    }

    #[test]
    fn inputs_are_together_that_fail_the_same_way() {
        assert_eq!(groups(Rule::Auto), [vec![0, 3], vec![1], vec![2]]);
        assert_eq!(groups(Rule::Kind), [vec![0, 2, 3], vec![1]]);
        assert_eq!(groups(Rule::Any), [vec![0, 1, 2, 3]]);
    }
}
