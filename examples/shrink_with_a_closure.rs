//! Shrinks bytes to the fewest for which a closure says that they fail.
//!
//! ```text
//! cargo run --example shrink_with_a_closure
//! ```

/// A parser with a bug: it panics on an entity without a name.
fn parse(text: &[u8]) {
    for part in text.split(|byte| *byte == b'&').skip(1) {
        assert_ne!(part.first(), Some(&b';'), "an entity has a name");
    }
}

fn main() -> Result<(), seedsmith::ShrinkError> {
    let input = b"<p>salt &amp; pepper &; vinegar</p>";
    let parses = |bytes: &[u8]| {
        parse(bytes);
        false
    };
    let smallest = seedsmith::Shrink::new().panics_fail(true).run(input, parses)?;
    println!("{} of {} bytes: {}", smallest.len(), input.len(), smallest.escape_ascii());
    assert_eq!(smallest, b"&;");
    Ok(())
}
