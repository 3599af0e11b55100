//! A custom reducer for two numbers of which one is twice the other: it makes both smaller at once.
//!
//! ```text
//! cargo run --example custom_reducer
//! ```

use seedsmith::{MinimizeOptions, Reducer, Search, Session, SessionError, Stopped, Target};

/// Halves the numbers as long as the result fails. The search keeps each candidate that fails and
/// is simpler.
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

fn main() -> Result<(), SessionError> {
    let target = Target::closure(|bytes| number(bytes).is_some_and(|left| left > 9));
    let options = MinimizeOptions::new().reducer(Reducer::new("halve", halve));
    let minimized = Session::new(&target, b"4938271+9876542").minimize(&options)?;
    println!("{}", String::from_utf8_lossy(minimized.bytes()));
    Ok(())
}
