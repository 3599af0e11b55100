//! Features that are about less than another one: `value of "name" of one of "dishes"` in the place of `value of "name"`.
//!
//! A condition has the shortest names that agree with all inputs. Where all of these have a word that a longer name has, no input decides
//! between the two, and the longer one is rather what the program looks at.

use super::table::Table;
use crate::generalize::predicate::feature::Feature;
use crate::generalize::predicate::name::Name;

impl Table {
    /// The features of some input that are like this one but for one name, which begins as its name does and has a word besides. The
    /// shortest first.
    pub(in crate::generalize::predicate) fn narrower(
        &self,
        feature: &Feature,
        word: &str,
    ) -> Vec<Feature> {
        let names = feature.names();
        let of_columns = self.columns.iter().map(|cells| &cells.feature);
        let of_columns = of_columns.filter_map(|other| {
            let others = other.names();
            let mut different = names.iter().zip(&others).filter(|(one, other)| one != other);
            let (name, longer) = different.next().filter(|_| others.len() == names.len())?;
            let is_narrower = different.next().is_none() && is_longer(name, longer, word);
            (is_narrower && are_alike([feature, other], [name, longer])).then(|| other.clone())
        });
        let of_parts = match feature {
            Feature::Parts(name, bounds) => Some((name, bounds)),
            _ => None,
        };
        let of_parts = of_parts.into_iter().flat_map(|(name, bounds)| {
            let longer = self.parts.keys().filter(move |longer| is_longer(name, longer, word));
            longer.map(|longer| Feature::Parts(longer.clone(), bounds.clone()))
        });
        let mut found: Vec<Feature> = of_columns.chain(of_parts).collect();
        found.sort_by_key(|one| one.names().iter().map(|name| name.len()).sum::<usize>());
        found
    }
}

/// Whether a name begins as another one does and has a word that this has not.
fn is_longer(name: &Name, longer: &Name, word: &str) -> bool {
    longer.starts_with(&**name) && longer.contains(word) && !name.contains(word)
}

/// Whether two features are the same but for one name.
///
/// They are compared as texts, because a feature may have its names anywhere.
fn are_alike([one, other]: [&Feature; 2], [name, longer]: [&Name; 2]) -> bool {
    let texts = [one, other].map(|feature| format!("{feature:?}"));
    let names = [name, longer].map(|name| format!("{name:?}"));
    texts[0].replacen(&names[0], &names[1], 1) == texts[1]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_name_with_a_word_besides_is_narrower() {
        let within = |rule: &str, inner: Feature| Feature::Within(rule.into(), Arc::new(inner));
        let twins = || Feature::Twins("value of \"name\"".into());
        let wide = within("<array>", twins());
        let narrow = within("<array> value of \"dishes\"", twins());
        let others = [
            within("<array> value of \"drinks\"", twins()),
            within("<array> value of \"dishes\"", Feature::Unsorted("value of \"name\"".into())),
        ];
        let mut table = Table::default();
        let all = [&wide, &narrow, &others[0], &others[1]];
        table.add(all.into_iter().map(|one| (one.clone(), 1)).collect(), true);
        assert_eq!(table.narrower(&wide, "\"dishes\""), [narrow]);
        assert!(table.narrower(&wide, "\"none\"").is_empty());
    }
}
