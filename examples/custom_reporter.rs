//! A custom reporter: it prints the size of each smaller input while a session shrinks.
//!
//! ```text
//! cargo run --example custom_reporter
//! ```

use seedsmith::{Event, MinimizeOptions, Reporter, Session, Target};

struct Sizes;

impl Reporter for Sizes {
    fn report(&mut self, event: &Event<'_>) {
        if let Event::Reduced { best, counts, .. } = event {
            println!("{} bytes after {} tests", best.len(), counts.tests);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = Target::closure(|bytes| bytes.windows(2).any(|pair| pair == b"<<"));
    let mut session = Session::new(&target, b"select a << b from t;").reporter(Sizes);
    let minimized = session.minimize(&MinimizeOptions::new())?;
    assert_eq!(minimized.bytes(), b"<<");
    Ok(())
}
