//! `tmin --view`: the reporters that draw on the terminal, and what its keys do.

use crate::cli::exit::{Exit, Trouble};
use crate::report::{ReportOptions, Reporters};
use crate::wishes::Wishes;

/// The reporters of a run that is drawn on the terminal. Its keys set `wishes`, and one of them stops the run.
///
/// # Errors
///
/// There is no terminal to draw on.
#[cfg(feature = "view")]
pub(crate) fn reporters(tell: ReportOptions, wishes: &Wishes) -> Result<Reporters, Trouble> {
    use std::sync::Arc;

    use signal_hook::consts::SIGINT;

    // As Ctrl-C in a usual terminal: the first one saves, the second one ends at once.
    let stop = Arc::new(|| {
        // It fails for signals that cannot be sent only.
        let _ = signal_hook::low_level::raise(SIGINT);
    });
    let keys = crate::report::Keys { wishes: wishes.clone(), stop };
    Reporters::with_view("tmin", tell, keys).map_err(|error| Trouble::new(Exit::Usage, error))
}

/// A build without the feature says how to get it.
#[cfg(not(feature = "view"))]
pub(crate) fn reporters(_: ReportOptions, _: &Wishes) -> Result<Reporters, Trouble> {
    Err(Trouble::new(
        Exit::Usage,
        "this program was built without --view: `cargo install seedsmith --features view` builds it in",
    ))
}
