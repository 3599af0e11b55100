//! What the user wants of the mutants: in the fuzz target, and before that in the environment.

/// Mutants that may be ours where a share of valid ones is wanted: not all, so that libFuzzer's own are
/// still sampled.
const SHARE_FOR_VALID: f64 = 0.98;

/// What the user wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settings {
    /// The share of mutants that may be ours.
    pub share: f64,
    /// The share of all inputs that should be valid; without it, finds decide.
    pub valid: Option<f64>,
}

impl Settings {
    /// What the environment says, and for the rest what the fuzz target says.
    pub(super) fn or_environment(self) -> Self {
        self.or(|name| std::env::var(name).ok())
    }

    fn or(mut self, variable: impl Fn(&str) -> Option<String>) -> Self {
        let number = |name: &str| {
            let text = variable(name)?;
            Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
        };
        if let Some(valid) = number("SEEDSMITH_VALID_SHARE") {
            self = Settings { share: self.share.max(SHARE_FOR_VALID), valid: Some(valid) };
        }
        if let Some(share) = number("SEEDSMITH_REPAIR_SHARE") {
            self.share = share;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF_TARGET: Settings = Settings { share: 0.5, valid: None };

    fn with(variables: &[(&str, &str)]) -> Settings {
        let value = |name: &str| {
            let found = variables.iter().find(|(own, _)| *own == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        OF_TARGET.or(value)
    }

    #[test]
    fn the_environment_overrides_the_target() {
        assert_eq!(with(&[]), OF_TARGET);
        let share = with(&[("SEEDSMITH_REPAIR_SHARE", "0.7")]);
        assert_eq!(share, Settings { share: 0.7, valid: None });
        let valid = with(&[("SEEDSMITH_VALID_SHARE", "0.3")]);
        assert_eq!(valid, Settings { share: SHARE_FOR_VALID, valid: Some(0.3) });
        let both = with(&[("SEEDSMITH_VALID_SHARE", "0.3"), ("SEEDSMITH_REPAIR_SHARE", "0.4")]);
        assert_eq!(both, Settings { share: 0.4, valid: Some(0.3) });
    }

    #[test]
    #[should_panic = "SEEDSMITH_VALID_SHARE=much is no number"]
    fn a_variable_that_is_no_number_is_refused() {
        with(&[("SEEDSMITH_VALID_SHARE", "much")]);
    }
}
