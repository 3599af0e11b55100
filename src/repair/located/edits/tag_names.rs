//! Edits of the names of an element's two tags at once: a name that the validator does not know is misspelt in the
//! start tag and in the end tag.

use super::tags::{Tag, tags};
use super::words::{common, is_near};
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::Proposals;

/// The cost of two tags that are renamed at once (a logarithm): less than that of an edit of one of them. Not
/// measured.
const RENAMED_PAIR_COST: f32 = -10.0;
/// Names that are tried for one element, because each costs a test. Not measured.
const MAX_NAMES: usize = 4;
/// Bytes of an element of which both tags are renamed, because the edit holds all of it.
const MAX_ELEMENT_BYTES: usize = 4 << 10;

/// Renames both tags of an element whose start tag is at the fault, if the text has its name at no other place: to
/// names that are one edit away, those of the text first.
///
/// Costs no test.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let (tags, _) = tags(text);
    let places = proposals.places();
    let name = |tag: &Tag| &text[tag.name.clone()];
    for (index, start) in tags.iter().enumerate() {
        let is_near_fault =
            places.iter().any(|place| start.span.start <= place + 2 && *place <= start.span.end);
        if !is_near_fault || start.is_end || start.is_empty {
            continue;
        }
        let mut others = tags.iter().filter(|other| name(other) == name(start)).skip(1);
        let (Some(end), None) = (others.next(), others.next()) else { continue };
        let is_pair = tags[index].span.end <= end.span.start && end.is_end;
        if !is_pair || end.span.end - start.span.start > MAX_ELEMENT_BYTES {
            continue;
        }
        let of_text = tags.iter().map(name).filter(|other| is_near(name(start), other));
        let mut names: Vec<&[u8]> = of_text.collect();
        for word in common().filter(|word| is_near(name(start), word)) {
            names.push(word);
        }
        names.dedup();
        let between = &text[start.name.end..end.name.start];
        for new in names.into_iter().take(MAX_NAMES) {
            let edit = Edit::new(start.name.start..end.name.end, [new, between, new].concat());
            proposals.add_by_rule(edit, EditKind::Copy, RENAMED_PAIR_COST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::located::message::Message;
    use crate::repair::located::model::Model;
    use crate::repair::located::proposals::Fault;

    #[test]
    fn both_tags_of_an_element_get_the_name_that_they_were_meant_to_have() {
        let text = b"<html><body><nva><p>x</p></nva><p>y</p></body></html>";
        let fault = Fault { at: 12, from: 0, said: Message::default(), is_silent: false };
        let model = Model::of(text);
        let mut proposals = Proposals::new(text, &model, &fault);
        propose(&mut proposals);
        let edits = proposals.into_order(4);
        let edited = |edit: &Edit| String::from_utf8(edit.apply(text)).unwrap();
        let found: Vec<String> = edits.iter().map(edited).collect();
        let whole = "<html><body><nav><p>x</p></nav><p>y</p></body></html>";
        assert!(found.iter().any(|one| one == whole), "{found:?}");
    }
}
