//! Which reducers may run: all, only some, or all but some.

/// Names of reducers that a caller switched on or off.
///
/// [`select`](super::registry::select) makes one of names that a user typed and refuses those that do
/// not exist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only these run; all where the list is empty.
    pub(crate) only: Vec<String>,
    /// These do not run, even if they are in the first list.
    pub(crate) without: Vec<String>,
}

impl Selection {
    /// Whether a reducer of that name may run.
    pub fn runs(&self, name: &str) -> bool {
        let is_in = |names: &[String]| names.iter().any(|other| other == name);
        (self.only.is_empty() || is_in(&self.only)) && !is_in(&self.without)
    }

    /// The only ones that may run; all where the list is empty.
    pub fn only(&self) -> &[String] {
        &self.only
    }

    /// Those that may not run.
    pub fn without(&self) -> &[String] {
        &self.without
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_switched_off_does_not_run_even_if_it_is_switched_on() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let all = Selection::default();
        assert!(all.runs("lines"));
        let some = Selection { only: names(&["lines", "ends"]), without: names(&["ends"]) };
        assert!(some.runs("lines") && !some.runs("ends") && !some.runs("bytes"));
    }
}
