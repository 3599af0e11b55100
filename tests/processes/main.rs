//! Targets in real processes: what is observed of them, and what they leave behind.
//!
//! This program is the linked target's own executable and the injected one too, so its `main`
//! begins with `linked::serve_talking`; the tests then run under a harness that allows that.

mod forks;
mod hostile;
mod kinds;
#[path = "../common/left.rs"]
mod left;
mod library;
mod limits;
mod own;
mod slots;
mod torments;
mod trust;

use libtest_mimic::{Arguments, Trial};

fn main() {
    torments::this_is_the_zygote();
    seedsmith::exec::linked::serve_talking(|candidate, room| {
        room.say(candidate.strip_prefix(b"panic ").unwrap_or(candidate));
        hostile::body(candidate)
    });
    let arguments = Arguments::from_args();
    let trials: Vec<Trial> = [
        kinds::trials(),
        slots::trials(),
        trust::trials(),
        forks::trials(),
        own::trials(),
        limits::trials(),
        library::trials(),
    ]
    .into_iter()
    .flatten()
    .collect();
    libtest_mimic::run(&arguments, trials).exit();
}
