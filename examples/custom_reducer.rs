//! A reducer of one's own, for two numbers of which one is twice the other: it makes both smaller at once.
//!
//! ```text
//! cargo run --example custom_reducer
//! ```

use seedsmith::event::Event;
use seedsmith::exec::closure::ClosureTarget;
use seedsmith::oracle::{Oracle, Stopped, budget::Budget, judge::SameFailure};
use seedsmith::reduce::{Options, Reducer, minimize};
use seedsmith::sameness::Sameness;
use seedsmith::search::Search;
use seedsmith::signature::{Kind, Signature};

/// Halves the numbers as long as that fails. The search keeps what fails and is simpler.
fn halve(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    while let Some(halved) = number(search.best()).map(|number| number / 2) {
        if !search.fails(format!("{halved}+{}", 2 * halved).as_bytes())? {
            break;
        }
    }
    Ok(())
}

/// The left number, if the right one is twice as large.
fn number(bytes: &[u8]) -> Option<u32> {
    let (left, right) = std::str::from_utf8(bytes).ok()?.split_once('+')?;
    let (left, right) = (left.parse::<u32>().ok()?, right.parse::<u32>().ok()?);
    (right == 2 * left).then_some(left)
}

fn main() {
    let target =
        ClosureTarget::failing_if(|bytes: &[u8]| number(bytes).is_some_and(|left| left > 9));
    let hunt =
        SameFailure { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() };
    let mut oracle =
        Oracle::new(&target, hunt, 1, Budget::default()).expect("a closure can be run");
    let mut quiet = |_: &Event<'_>| {};
    let mut search = Search::new(&mut oracle, b"4938271+9876542".to_vec(), &mut quiet);
    let options = Options { reducers: vec![Reducer::new("halve", halve)], ..Options::default() };
    minimize(&mut search, &options).expect("nothing stops it");
    println!("{}", String::from_utf8_lossy(search.best()));
}
