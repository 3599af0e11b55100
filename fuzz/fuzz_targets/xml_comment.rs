//! XML: `quick-xml` 0.27.1 takes `<!-->` for a whole comment and slices three bytes from a shorter one.
//!
//! The event buffer is kept from one event to the next, as the report has it: clearing it hides the bug.
//! Fails by a panic at `quick-xml-0.27.1/src/reader/parser.rs:104`.
//! Report: tafia/quick-xml#570.

#![no_main]

use libfuzzer_sys::fuzz_target;
use quick_xml::Reader;
use quick_xml::events::Event;

fuzz_target!(|data: &[u8]| {
    let mut reader = Reader::from_reader(data);
    let mut buffer = Vec::new();
    while let Ok(event) = reader.read_event_into(&mut buffer) {
        if matches!(event, Event::Eof) {
            break;
        }
    }
});
