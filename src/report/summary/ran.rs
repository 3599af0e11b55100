//! The result of running one input several times, without a search. The console prints it on stdout.

use crate::event::RanInput;
use std::time::Duration;

use anstyle::Style;

use super::failure::add_failure;
use super::whole;
use crate::report::show;
use crate::report::terminal::{FAILURE, Facts, GOOD, Styled};

/// `crash-1 (12 bytes) fails on parse in 5 of 5 runs, each at most 3 ms`.
///
/// If several failures were seen, the count is that of the most frequent one. The time is that of the slowest
/// run.
pub(crate) fn headline(ran: &RanInput<'_>) -> Styled {
    let RanInput { runs, slowest, .. } = ran;
    let input = format!("{} ({})", show::path(ran.input), show::bytes(ran.bytes.len()));
    let time = match *slowest {
        time if time < Duration::from_millis(1) => "less than 1 ms".to_owned(),
        time => format!("at most {}", show::time(time)),
    };
    match &ran.failure {
        Some((_, shown)) => {
            let rest = format!(" on {} in {shown} of {runs} runs, each {time}", ran.target);
            Styled::plain(&format!("{input} ")).with(FAILURE, "fails").with(Style::new(), &rest)
        }
        None => {
            let rest = format!(" on {}: run {runs} times, each {time}", ran.target);
            Styled::plain(&format!("{input} ")).with(GOOD, "doesn't fail").with(Style::new(), &rest)
        }
    }
}

/// Everything else, a fact a line. If not every run failed alike, `in all` says how each ended.
///
/// `decoded` is shown for a typed target. An input of more than 200 bytes is not shown. `all` is `--verbose`:
/// whole messages and stacks.
pub(crate) fn facts(ran: &RanInput<'_>, all: bool) -> Facts {
    let mut facts = Facts::default();
    match &ran.failure {
        Some((signature, shown)) => {
            add_failure(&mut facts, signature, &ran.stack, all);
            if *shown < ran.runs {
                facts.add("in all", &show::short_paths(&ran.outcome));
            }
        }
        None => facts.add("outcome", &show::short_paths(&ran.outcome)),
    }
    if let Some(text) = show::input(ran.bytes) {
        facts.add_whole("input", whole(&text));
    }
    if let Some(decoded) = &ran.decoded {
        facts.add_whole("decoded", whole(decoded));
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use seedsmith_engine::{Kind, Signature};

    #[test]
    fn an_unsteady_failure_is_told_with_everything_that_was_seen() {
        let signature = Arc::new(Signature::of_kind(Kind::Abort));
        let ran = RanInput {
            input: "crash".as_ref(),
            bytes: b"<a>",
            target: "parse",
            runs: 5,
            slowest: Duration::from_millis(3),
            outcome: "failed by abort 4 times, returned once".to_owned(),
            failure: Some((signature, 4)),
            stack: Vec::new(),
            decoded: None,
        };
        let line = "crash (3 bytes) fails on parse in 4 of 5 runs, each at most 3 ms";
        assert_eq!(headline(&ran).text(), line);
        let told = "  failure     abort\n  in all      failed by abort 4 times, returned once\n  \
                    input       \"<a>\"\n";
        assert_eq!(facts(&ran, false).text(), told);
        let passing = RanInput { failure: None, ..ran };
        let line = "crash (3 bytes) doesn't fail on parse: run 5 times, each at most 3 ms";
        assert_eq!(headline(&passing).text(), line);
    }
}
