//! Environment variables that look like ours and are not: a misspelt name would be ignored without
//! a word, and the option that it was meant to set would keep its default.

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::Command;

use crate::cargo_fuzz::nearest;

/// The prefix of our variables' names.
const PREFIX: &str = "SEEDSMITH_";
/// Variables that no option declares: the mutator reads this one inside a fuzz target.
const OTHERS: [&str; 1] = ["SEEDSMITH_REPAIR_SHARE"];

/// Whether the name of a variable begins as ours do.
pub(super) fn has_our_prefix(name: &OsString) -> bool {
    name.as_encoded_bytes().starts_with(PREFIX.as_bytes())
}

/// A warning for each of the `set` variables that has our prefix and that no option of `command`
/// (or of its subcommands) reads.
pub(super) fn warnings(command: &Command, set: impl Iterator<Item = OsString>) -> Vec<String> {
    let known = known(command);
    let unknown = set.filter_map(|name| {
        let shown = name.to_string_lossy().into_owned();
        (has_our_prefix(&name) && !known.contains(shown.as_str())).then_some(shown)
    });
    let mut unknown: Vec<String> = unknown.collect();
    unknown.sort_unstable();
    unknown.iter().map(|name| warning(name, &known)).collect()
}

/// The warning for one name, with the name that was probably meant.
fn warning(name: &str, known: &BTreeSet<String>) -> String {
    match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("warning: no option reads {name}; did you mean {near}?"),
        None => format!("warning: no option reads {name}; --help lists the options"),
    }
}

/// The names of all variables that options read.
fn known(command: &Command) -> BTreeSet<String> {
    let below = command.get_subcommands().flat_map(known);
    let here = command.get_arguments().filter_map(|option| option.get_env());
    let here = here.map(|name| name.to_string_lossy().into_owned());
    here.chain(below).chain(OTHERS.map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    #[test]
    fn a_misspelt_variable_gets_one_warning_with_the_nearest_name() {
        let option = |name: &'static str, env: &'static str| Arg::new(name).long(name).env(env);
        let command = Command::new("all").subcommand(
            Command::new("one").arg(option("jobs", "SEEDSMITH_JOBS")).arg(option("x", "OTHER_X")),
        );
        let of = |names: &[&str]| {
            warnings(
                &command,
                names.iter().copied().map(OsString::from).collect::<Vec<_>>().into_iter(),
            )
        };
        assert_eq!(of(&["PATH", "OTHER_Y", "SEEDSMITH_JOBS", "SEEDSMITH_REPAIR_SHARE"]), [""; 0]);
        let near = "warning: no option reads SEEDSMITH_JOB; did you mean SEEDSMITH_JOBS?";
        let far = "warning: no option reads SEEDSMITH_WHATEVER; --help lists the options";
        assert_eq!(of(&["SEEDSMITH_WHATEVER", "SEEDSMITH_JOB"]), [near, far]);
    }
}
