//! Rules of which there is one, such as the head of a table: the other rules are compared with the number of its tokens.
//!
//! Which rule is a head depends on the input alone. A table of one row has two heads, and the differences of both have
//! different names.

use crate::generalize::predicate::name::Name;
use std::collections::{BTreeMap, BTreeSet};

use crate::generalize::predicate::feature::{Feature, Features};
use crate::generalize::predicate::read::names::is_token;
use crate::generalize::predicate::read::outline::Names;
use crate::generalize::predicate::term::Term;

/// Counts of tokens of rules of which there is one. A bound on the time, because every rule is compared with each.
const MAX_COMPARED_HEADS: usize = 4;
/// What the tokens of a rule are called if they are of one kind, or if there are none.
const VALUES: &str = "values";

/// How many tokens of each kind the rules have of which there is one: the names of columns, which rows are compared with.
pub(super) struct Heads<'n> {
    /// The rule, the token, and how many of it.
    counts: Vec<(&'n Name, &'n Name, i128)>,
    /// Which kinds of tokens the rules of a name have.
    tokens: BTreeMap<&'n Name, BTreeSet<&'n Name>>,
}

impl<'n> Heads<'n> {
    /// The heads among some rules, each with its name.
    ///
    /// At most `MAX_COMPARED_HEADS` counts of tokens are kept.
    ///
    /// A rule is a head if no other one has its name.
    pub(super) fn of<'t: 'n>(told: impl Iterator<Item = (&'n Name, &'n Names<'n, 't>)>) -> Self {
        let mut rules: BTreeMap<&Name, Vec<&Names<'n, 't>>> = BTreeMap::new();
        for (rule, named) in told {
            rules.entry(rule).or_default().push(named);
        }
        let mut heads = Heads { counts: Vec::new(), tokens: BTreeMap::new() };
        for (rule, all) in rules {
            let open = all.iter().flat_map(|named| named.iter().filter(|(_, all)| !all.is_fixed));
            let tokens: BTreeSet<&Name> =
                open.map(|(name, _)| *name).filter(|name| is_token(name)).collect();
            if let [only] = all[..] {
                let counts =
                    tokens.iter().map(|token| (rule, *token, only[token].parts.len() as i128));
                heads.counts.extend(counts);
            }
            heads.tokens.insert(rule, tokens);
        }
        heads.counts.truncate(MAX_COMPARED_HEADS);
        heads
    }

    /// By how many tokens more or less a rule has than the heads.
    ///
    /// A rule of one kind of tokens may have none, and its tokens have no name then: they are its values.
    pub(super) fn compare(&self, rule: &Name, named: &Names<'_, '_>, own: &mut Features) {
        let heads = self.counts.iter().filter(|(head, ..)| *head != rule);
        let Some(tokens) = self.tokens.get(rule) else { return };
        let is_one_kind = tokens.len() <= 1;
        let values = Name::from(VALUES);
        let tokens = tokens.iter().copied().chain(is_one_kind.then_some(&values));
        let tokens: Vec<(&Name, i128)> = tokens
            .map(|token| {
                let of_name = named.get(token).map_or(0, |all| all.parts.len() as i128);
                let all = named.iter().filter(|(name, all)| !all.is_fixed && is_token(name));
                let all = all.map(|(_, all)| all.parts.len() as i128).sum();
                (token, if *token == values { all } else { of_name })
            })
            .collect();
        for (head, column, wanted) in heads {
            for (token, count) in &tokens {
                let column = Term::Count(format!("{column} in {head}").into());
                let difference = Feature::Difference(Term::Count((*token).to_owned()), column);
                own.insert(difference, count - wanted);
            }
        }
    }
}
