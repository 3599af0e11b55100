//! Edits of tags that their names show. A name that the validator does not know is misspelt in the start tag and in the
//! end tag, so both are edited at once. A start tag directly after one of the same name was its end tag.

use super::tags::{Tag, tags};
use super::words::is_near;
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::Proposals;

/// The cost of two tags that are renamed at once (a logarithm): less than that of an edit of one of them. Not
/// measured.
const RENAMED_PAIR_COST: f32 = -10.0;
/// The cost of a slash that makes an end tag of a start tag (a logarithm): low, because the fault is reported where an
/// outer element ends, and the distance to it costs up to 15. Not measured.
const LOST_SLASH_COST: f32 = -16.0;
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
    lost_slash(proposals, &tags);
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
        for word in proposals.keywords.all().filter(|word| is_near(name(start), word)) {
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

/// Makes an end tag of a start tag without attributes that is directly after one of the same name, if the text has more
/// start tags of that name than end tags: `<b>x<b>` becomes `<b>x</b>`.
fn lost_slash(proposals: &mut Proposals<'_>, tags: &[Tag]) {
    let text = proposals.text;
    let name = |tag: &Tag| &text[tag.name.clone()];
    let is_start = |tag: &Tag| !tag.is_end && !tag.is_empty;
    let mut found: Vec<&Tag> = Vec::new();
    for pair in tags.windows(2).filter(|pair| pair.iter().all(is_start)) {
        let (first, second) = (&pair[0], &pair[1]);
        let is_bare = second.span.end == second.name.end + 1;
        let is_end = found.last().is_some_and(|end| end.span == first.span);
        if is_bare && name(first) == name(second) && !is_end {
            found.push(second);
        }
    }
    let fault = proposals.fault.at;
    found.sort_by_key(|tag| tag.span.start.abs_diff(fault));
    for tag in found.into_iter().take(MAX_NAMES) {
        let own = tags.iter().filter(|other| name(other) == name(tag) && !other.is_empty);
        let (ends, starts): (Vec<&Tag>, Vec<&Tag>) = own.partition(|other| other.is_end);
        // The element may have no end tags at all in HTML. One lost slash makes two tags' difference.
        if !ends.is_empty() && starts.len() >= ends.len() + 2 {
            let edit = Edit::insert(tag.name.start, *b"/");
            proposals.add_by_rule(edit, EditKind::Separator, LOST_SLASH_COST);
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
    fn a_start_tag_after_one_of_the_same_name_becomes_its_end_tag() {
        let whole = "<r>\n<b>x</b>\n<b>y</b>\n<b>z</b>\n</r>\n";
        let text = whole.replace("y</b>", "y<b>");
        let found = super::super::testing::edited(&text, text.len() - 5, propose, 1);
        assert_eq!(found, [whole]);
    }

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
