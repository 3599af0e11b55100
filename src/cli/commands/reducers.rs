//! `reducers`: the names that `tmin --only`, `tmin --without` and `--stats` use.

use clap::Args;
use clap::builder::FalseyValueParser;

use crate::cli::exit::{Exit, Trouble};
use crate::event::{Event, ReducerDescription, Reporter};
use crate::reduce::REDUCERS;
use crate::reduce::registry::used_by;
use crate::report::Reporters;

/// The beginning of `reducers --help`, with the words of the columns `needs` and `cost`.
const LONG_ABOUT: &str = "\
Lists the reducers: what each needs of the input, how its number of tests grows with the input, which \
strategies use it, what it does and where it is from.

Needs: tree (a grammar), pairs (brackets, quotes, tags), lines, tokens, bytes; --format says which of \
these are touched. Cost, in tests: constant, logarithmic, linear, quadratic (in the number of bytes, \
tokens or nodes), limited (what the search gives it, such as --polish).";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(super) const USAGE: &str = "@reducers [OPTIONS]";

/// The end of the help: exit codes and examples.
const AFTER_HELP: &str = "\
Exit codes:
  0 done   2 usage   70 our bug

Examples:
  What is there?
      @reducers

  Shrink without making bytes plainer, and without random changes:
      @tmin crash-abc --without simplify,mutate

  The names alone, for a program:
      @reducers --json | jq -r .name";

/// Lists the reducers that tmin can switch on and off
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, max_term_width = 100, after_help = AFTER_HELP)]
pub(super) struct ReducersArgs {
    /// Report everything as JSON Lines on stdout
    #[arg(long, env = "SEEDSMITH_JSON", hide_env = true, value_parser = FalseyValueParser::new())]
    pub json: bool,
}

/// Lists them.
///
/// The published algorithms come first, then those that need a tree, then the others. The order is
/// that of `REDUCERS`, on the terminal and in JSON.
pub(super) fn run(report: &mut Reporters) -> Result<Exit, Trouble> {
    let described = REDUCERS.iter().map(|reducer| ReducerDescription {
        name: reducer.name(),
        description: reducer.description(),
        needs: reducer.needs().iter().map(ToString::to_string).collect(),
        cost: reducer.cost().to_string(),
        used_by: used_by(reducer),
        source: reducer.source(),
    });
    report.report(&Event::Reducers(&described.collect::<Vec<_>>()));
    Ok(Exit::Done)
}
