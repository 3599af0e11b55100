//! XML: `roxmltree`, which checks well-formedness and namespaces; its tree is walked.
//!
//! Shows the repairing mutator on a strict parser. No planted bug.

#![no_main]

use libfuzzer_sys::fuzz_target;
use roxmltree::Document;

#[path = "mutate/in_place.rs"]
mod in_place;
#[path = "mutate/tally.rs"]
mod tally;

fn parse(data: &[u8]) -> Option<Document<'_>> {
    Document::parse(std::str::from_utf8(data).ok()?).ok()
}

fn is_valid(data: &[u8]) -> bool {
    parse(data).is_some()
}

fuzz_target!(init: in_place::or_in_a_worker(is_valid), |data: &[u8]| {
    let document = parse(data);
    tally::count(document.is_some());
    let Some(document) = document else { return };
    let mut weight = 0;
    for node in document.descendants() {
        weight += node.tag_name().name().len();
        weight += node.text().map_or(0, str::len);
        for attribute in node.attributes() {
            weight += attribute.value().len() + attribute.namespace().map_or(0, str::len);
        }
        if let Some(place) = node.next_sibling_element() {
            weight += usize::from(place.has_tag_name(node.tag_name()));
        }
    }
    std::hint::black_box(weight);
});

seedsmith::repairing_mutator!();
