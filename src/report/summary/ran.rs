//! What came of running one input, for people.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::Facts;
use crate::report::show;
use crate::session::first_runs::FirstRuns;
use crate::session::stack::StackLine;
use seedsmith_engine::signature::Signature;

/// What came of running one input.
#[derive(Clone, Debug)]
pub struct Ran<'a> {
    /// The input's path.
    pub input: &'a Path,
    /// The input.
    pub bytes: &'a [u8],
    /// The target's name.
    pub target: &'a str,
    /// The runs.
    pub runs: &'a FirstRuns,
    /// The failure that showed most often, and in how many runs; `None` if there was none.
    pub failure: Option<(Arc<Signature>, u32)>,
    /// The stack of the failure.
    pub stack: Vec<StackLine>,
    /// What a typed target makes of the input.
    pub decoded: Option<String>,
}

/// `crash-1 (12 bytes) fails on parse in 5 of 5 runs, each at most 3 ms`.
pub fn headline(ran: &Ran<'_>) -> String {
    let FirstRuns { runs, slowest, .. } = ran.runs;
    let input = format!("{} ({})", show::path(ran.input), show::bytes(ran.bytes.len()));
    let time = match *slowest {
        time if time < Duration::from_millis(1) => "less than 1 ms".to_owned(),
        time => format!("at most {}", show::time(time)),
    };
    match &ran.failure {
        Some((_, shown)) => {
            format!("{input} fails on {} in {shown} of {runs} runs, each {time}", ran.target)
        }
        None => format!("{input} doesn't fail on {}: run {runs} times, each {time}", ran.target),
    }
}

/// Everything else, a fact a line.
pub fn facts(ran: &Ran<'_>) -> String {
    let mut facts = Facts::default();
    match &ran.failure {
        Some((signature, shown)) => {
            facts.add("failure", &show::short_paths(&signature.to_string()));
            facts.add_stack(&ran.stack, signature);
            if *shown < ran.runs.runs {
                facts.add("in all", &show::short_paths(&ran.runs.what_happened()));
            }
        }
        None => facts.add("outcome", &show::short_paths(&ran.runs.what_happened())),
    }
    if let Some(text) = show::input(ran.bytes) {
        facts.add("input", &text);
    }
    if let Some(decoded) = &ran.decoded {
        facts.add("decoded", decoded);
    }
    facts.text
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::exec::decided::DecidedBy;
    use seedsmith_engine::observation::{Observation, Verdict};
    use seedsmith_engine::signature::Kind;

    #[test]
    fn an_unsteady_failure_is_told_with_everything_that_was_seen() {
        let signature = Arc::new(Signature::of_kind(Kind::Abort));
        let runs = FirstRuns {
            seen: vec![
                (Observation::Failed(signature.clone()), 4),
                (Observation::Returned(Verdict::Keep), 1),
            ],
            runs: 5,
            slowest: Duration::from_millis(3),
            decided: Ok(DecidedBy::Anything),
        };
        let ran = Ran {
            input: "crash".as_ref(),
            bytes: b"<a>",
            target: "parse",
            runs: &runs,
            failure: Some((signature, 4)),
            stack: Vec::new(),
            decoded: None,
        };
        let line = "crash (3 bytes) fails on parse in 4 of 5 runs, each at most 3 ms";
        assert_eq!(headline(&ran), line);
        let told = "  failure     abort\n  in all      failed by abort 4 times, returned 1 times\n  \
                    input       \"<a>\"\n";
        assert_eq!(facts(&ran), told);
        let passing = Ran { failure: None, ..ran };
        let line = "crash (3 bytes) doesn't fail on parse: run 5 times, each at most 3 ms";
        assert_eq!(headline(&passing), line);
    }
}
