//! A custom reporter: it prints each smaller input while a session shrinks.
//!
//! ```text
//! cargo run --example custom_reporter
//! ```

use std::path::Path;

use seedsmith::event::{Event, Reporter};
use seedsmith::exec::closure::ClosureTarget;
use seedsmith::session::minimize::Options as MinimizeOptions;
use seedsmith::session::target::OpenTarget;
use seedsmith::session::{Options, Session};

struct Sizes;

impl Reporter for Sizes {
    fn report(&mut self, event: &Event<'_>) {
        if let Event::Reduced { best, counts, .. } = event {
            println!("{} bytes after {} tests", best.len(), counts.tests);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let closure = ClosureTarget::failing_if(|bytes| bytes.windows(2).any(|pair| pair == b"<<"));
    let target = OpenTarget::new(Box::new(closure));
    let (path, input) = (Path::new("query.sql"), b"select a << b from t;");
    let mut session = Session::open(&target, path, input, &Options::default(), &mut Sizes)?;
    let minimized = session.minimize(&MinimizeOptions::default(), None, &mut Sizes)?;
    assert_eq!(minimized.best, b"<<");
    Ok(())
}
