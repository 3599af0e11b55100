//! A reducer of one's own: it halves every number in a text at once, which no built-in reducer does.
//!
//! ```text
//! cargo run --example custom_reducer
//! ```

use seedsmith::exec::closure::ClosureTarget;
use seedsmith::oracle::{Oracle, Stopped, budget::Budget, judge::Hunt};
use seedsmith::reduce::{Options, Reducer, minimize};
use seedsmith::sameness::Sameness;
use seedsmith::search::Search;
use seedsmith::signature::{Kind, Signature};

/// Halves both numbers as long as the input fails. The search keeps what fails and is simpler.
fn halve(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    while let Some((left, right)) = numbers(search.best()) {
        let halved = format!("{}+{}", left / 2, right / 2);
        if left.max(right) == 0 || !search.fails(halved.as_bytes())? {
            break;
        }
    }
    Ok(())
}

fn numbers(bytes: &[u8]) -> Option<(u32, u32)> {
    let (left, right) = std::str::from_utf8(bytes).ok()?.split_once('+')?;
    Some((left.parse().ok()?, right.parse().ok()?))
}

fn main() {
    // It fails where both numbers are equal and large: neither can get smaller alone.
    let fails =
        |bytes: &[u8]| numbers(bytes).is_some_and(|(left, right)| left == right && left > 9);
    let target = ClosureTarget::failing_if(fails);
    let hunt = Hunt { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() };
    let mut oracle =
        Oracle::new(&target, hunt, 1, Budget::default()).expect("a closure can be run");
    let mut quiet = |_: &seedsmith::event::Event<'_>| {};
    let mut search = Search::new(&mut oracle, b"7389+7389".to_vec(), &mut quiet);
    let options = Options { reducers: vec![Reducer::new("halve", halve)], ..Options::default() };
    minimize(&mut search, &options).expect("nothing stops it");
    println!("{}", String::from_utf8_lossy(search.best()));
    assert_eq!(search.best().len(), "14+14".len());
}
