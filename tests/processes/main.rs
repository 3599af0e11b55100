//! Targets in real processes: the observations of them, and the files and processes that they
//! leave.
//!
//! This program is the executable of the linked target and of the injected one, so its `main`
//! begins with `linked::serve_answering`; the tests then run under a harness that allows that.

mod attacks;
mod forks;
mod hostile;
mod kinds;
#[path = "../common/left.rs"]
mod left;
mod library;
mod limits;
mod own;
mod slots;
mod trust;

use libtest_mimic::{Arguments, Trial};

fn main() {
    attacks::this_is_the_zygote();
    seedsmith_engine::internal::linked::serve_answering(|candidate, room| {
        room.write(candidate.strip_prefix(b"panic ").unwrap_or(candidate));
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
