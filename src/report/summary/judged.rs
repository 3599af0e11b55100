//! Whether a fix handles the inputs of a kit, for people.
//!
//! The verdict is decided in `session/kit/judge.rs`; here are only its words. The console prints them on
//! stdout.

use crate::event::{Became, FixVerdict, Judged, JudgedInput, JudgedKit};

use super::Facts;
use crate::report::show;

/// Inputs of one sort that are shown: examples of what is still wrong. A guess; not measured.
const MAX_SHOWN_INPUTS: usize = 5;
/// Characters of an input that are shown: with the file's name a line of 80 columns.
const MAX_INPUT_CHARS: usize = 60;

/// The verdict in a sentence without a full stop.
///
/// "Others" are the failing inputs of the kit and the new ones of its pattern, without the given input. If
/// there are none, the sentence for a fix says that no other input is known to fail.
pub(crate) fn headline(kit: &JudgedKit<'_>) -> String {
    let Judged { verdict, given, failing, fresh, passing, .. } = kit.judged;
    let others = || failing.iter().chain(fresh);
    let same = others().filter(|one| one.became == Became::FailsTheSame).count();
    let all = show::number(others().count() as u64);
    match verdict {
        FixVerdict::Fixed if failing.is_empty() && fresh.is_empty() => {
            "the given input is handled; no other input is known to fail".to_owned()
        }
        FixVerdict::Fixed => {
            let failing = given.len() + failing.len() + fresh.len();
            format!(
                "fixed: {} and {} are handled",
                show::counted(failing as u64, "failing input", "failing inputs"),
                show::counted(passing.len() as u64, "passing input", "passing inputs"),
            )
        }
        FixVerdict::SilencesTheGiven => format!(
            "not fixed: only the given input is handled; {} of {all} other inputs still fail in the \
             same way",
            show::number(same as u64)
        ),
        FixVerdict::StillFails if given.iter().all(|one| one.became.is_handled()) => format!(
            "not fixed: the given input is handled, and {} of {all} others still fail in the same way",
            show::number(same as u64)
        ),
        FixVerdict::StillFails => {
            "not fixed: the given input still fails in the same way".to_owned()
        }
        FixVerdict::FailsOtherwise => "not fixed: inputs fail in another way now".to_owned(),
        FixVerdict::BreaksPassing => {
            let broken = passing.iter().filter(|one| one.became != Became::Passes).count();
            format!(
                "the failure is fixed, and {} of {} that passed before {} not pass any more",
                show::number(broken as u64),
                show::counted(passing.len() as u64, "input", "inputs"),
                if broken == 1 { "does" } else { "do" }
            )
        }
        FixVerdict::Unknown => "not known: some inputs could not be judged".to_owned(),
    }
}

/// Everything else, a fact a line: inputs of each sort by what the target does now, and those that are wrong.
///
/// `still fail` has inputs that should be handled and are not; `broken` has inputs that passed before and do
/// not pass any more, rejected ones among them. Inputs that could not be judged are listed too. Either fact
/// is left out if it has no input. `executions` are all runs.
pub(crate) fn facts(kit: &JudgedKit<'_>) -> Facts {
    let Judged { given, failing, fresh, passing, executions, .. } = kit.judged;
    let mut facts = Facts::default();
    facts.add("target", kit.target);
    facts.add("given", &counts(given));
    facts.add("failing", &counts(failing));
    facts.add("new", &counts(fresh));
    facts.add("passing", &counts(passing));
    let is_wrong = |one: &&JudgedInput| !one.became.is_handled();
    let not_handled = given.iter().chain(failing).chain(fresh).filter(is_wrong);
    facts.add("still fail", &listed(not_handled));
    let broken = passing.iter().filter(|one| one.became != Became::Passes);
    facts.add("broken", &listed(broken));
    facts.add("executions", &show::number(*executions));
    facts
}

/// A class of results: how it is called in the text, and whether a result belongs to it. Every result belongs
/// to exactly one.
type Sort = (&'static str, fn(&Became) -> bool);

/// `20: 19 passed, 1 failed in the same way`; `none` without inputs. Classes without inputs are left out.
fn counts(inputs: &[JudgedInput]) -> String {
    if inputs.is_empty() {
        return "none".to_owned();
    }
    let sorts: [Sort; 5] = [
        ("passed", |became| *became == Became::Passes),
        ("rejected", |became| *became == Became::Rejected),
        ("failed in the same way", |became| *became == Became::FailsTheSame),
        ("failed in another way", |became| matches!(became, Became::FailsOtherwise(_))),
        ("could not be judged", |became| *became == Became::Unknown),
    ];
    let counted = sorts.map(|(name, is_it)| {
        let count = inputs.iter().filter(|one| is_it(&one.became)).count();
        (count > 0).then(|| format!("{} {name}", show::number(count as u64)))
    });
    let all = show::number(inputs.len() as u64);
    format!("{all}: {}", counted.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// A few of the inputs, one a line, and how many more there are: `failing/01: "{#"`. Inputs that were drawn
/// from the pattern have no file and are called `new`.
///
/// An input that fails in another way has that failure on a second line. The text is empty without inputs.
fn listed<'j>(inputs: impl Iterator<Item = &'j JudgedInput>) -> String {
    let inputs: Vec<&JudgedInput> = inputs.collect();
    let one = |one: &&JudgedInput| {
        let name = match &one.name {
            Some(name) => format!("{name}: "),
            None => "new: ".to_owned(),
        };
        let text = show::shortened(&show::escaped(&one.input), MAX_INPUT_CHARS);
        let how = match &one.became {
            Became::FailsOtherwise(signature) => {
                format!("\n  {}", show::short_paths(&signature.to_string()))
            }
            Became::Rejected => " (rejected)".to_owned(),
            _ => String::new(),
        };
        format!("{name}{text}{how}")
    };
    let mut lines: Vec<String> = inputs.iter().take(MAX_SHOWN_INPUTS).map(one).collect();
    if inputs.len() > MAX_SHOWN_INPUTS {
        lines.push(format!("and {} more", show::number((inputs.len() - MAX_SHOWN_INPUTS) as u64)));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(became: &[Became]) -> Vec<JudgedInput> {
        let one = |(at, became): (usize, &Became)| JudgedInput {
            name: Some(format!("failing/{:02}", at + 1)),
            input: b"{#".to_vec(),
            became: became.clone(),
        };
        became.iter().enumerate().map(one).collect()
    }

    #[test]
    fn a_fix_of_one_input_is_told_with_the_inputs_that_still_fail() {
        let judged = Judged {
            verdict: FixVerdict::SilencesTheGiven,
            given: inputs(&[Became::Rejected]),
            failing: inputs(&[Became::FailsTheSame, Became::FailsTheSame]),
            fresh: Vec::new(),
            passing: inputs(&[Became::Passes]),
            executions: 4,
        };
        let kit = JudgedKit { kit: "kit".as_ref(), target: "parse", code: None, judged: &judged };
        assert_eq!(
            headline(&kit),
            "not fixed: only the given input is handled; 2 of 2 other inputs still fail in the same \
             way"
        );
        let told = facts(&kit).text();
        assert!(told.contains("given       1: 1 rejected\n"), "{told}");
        assert!(told.contains("failing     2: 2 failed in the same way\n"), "{told}");
        assert!(told.contains("still fail  failing/01: \"{#\"\n"), "{told}");
    }

    #[test]
    fn nothing_is_said_of_inputs_that_are_not_known() {
        let judged = Judged {
            verdict: FixVerdict::Fixed,
            given: inputs(&[Became::Passes]),
            failing: Vec::new(),
            fresh: Vec::new(),
            passing: inputs(&[Became::Passes]),
            executions: 2,
        };
        let kit = JudgedKit { kit: "kit".as_ref(), target: "parse", code: None, judged: &judged };
        assert_eq!(headline(&kit), "the given input is handled; no other input is known to fail");
    }
}
