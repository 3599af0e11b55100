//! The sentence that a condition is.

use crate::generalize::predicate::name::Name;
use std::fmt;

use super::condition::{Bound, Condition, is_bracket_pair};
use super::feature::{CHARACTER, EACH, Feature, Term, is_of_one_place};
use super::phrases::{every, joined, single, size, some};
use super::term::{
    BEGINS_WITH, BELOW, ENDS_WITH, IS_WORD, ITEMS_IN, VALUE_OF, WITH, has_one_text, is_affixed,
    is_value, quoted_length,
};
use crate::generalize::domain::number as written;

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&sentence(&self.feature, self.bound))
    }
}

/// Names come as patterns write them. A question is asked by the bound 1 and more; any other bound
/// denies it.
fn sentence(feature: &Feature, bound: Bound) -> String {
    let is_yes = bound == Bound::AtLeast(1);
    let either = |yes: String, no: String| if is_yes { yes } else { no };
    match feature {
        Feature::Count(name) => match bound {
            Bound::AtLeast(1) | Bound::AtMost(0) if name.contains(IS_WORD) => {
                let (value, word) = name.split_once(IS_WORD).unwrap_or((name, ""));
                let is = if bound == Bound::AtLeast(1) { "is" } else { "is not" };
                format!("the {value} {is} {word}")
            }
            Bound::AtLeast(1) | Bound::AtMost(0) if is_affixed(name) => {
                affixed(std::slice::from_ref(name), is_yes)
            }
            Bound::AtLeast(1) | Bound::AtMost(0) if is_value(name) && name.contains(WITH) => {
                let (value, mark) = name.split_once(WITH).unwrap_or((name, ""));
                let has = if bound == Bound::AtLeast(1) { "has" } else { "has no" };
                format!("the {value} {has} {mark}")
            }
            Bound::AtLeast(1) | Bound::AtMost(0) if kind(name).is_some() => {
                let (kind, value) = kind(name).unwrap_or_default();
                let is = if bound == Bound::AtLeast(1) { "is" } else { "is not" };
                format!("the {VALUE_OF}{value} {is} {kind}")
            }
            Bound::AtLeast(1) => match key(name) {
                Some(key) => format!("there is a key {key}"),
                None => format!("there is {name}"),
            },
            Bound::AtMost(0) => match key(name) {
                Some(key) => format!("there is no key {key}"),
                None => format!("there is no {name}"),
            },
            Bound::IsNot(_) => format!("the number of {name} {}", size(bound)),
            _ => format!("there are {} {name}", size(bound).trim_start_matches("is ")),
        },
        Feature::AnyOf(names) => any_of(names, bound),
        Feature::Without(ignored, inner) => {
            format!("{} ({ignored} are left out)", sentence(inner, bound))
        }
        Feature::Children(parent, child) => match bound {
            Bound::AtMost(most) => format!("no {parent} has more than {most} {child}"),
            Bound::AtLeast(least) => format!("some {parent} has at least {least} {child}"),
            _ => format!("the number of {child} in the longest {parent} {}", size(bound)),
        },
        Feature::Level(inner, outer) => match bound {
            Bound::AtLeast(1) => format!("some {inner} is inside a {outer}"),
            Bound::AtMost(0) => format!("no {inner} is inside a {outer}"),
            Bound::AtMost(most) => format!("no {inner} is inside more than {most} nested {outer}"),
            bound => {
                let size = size(bound);
                let size = size.trim_start_matches("is ");
                format!("some {inner} is inside {size} nested {outer}")
            }
        },
        Feature::Twins(name) => {
            either(format!("two {name} are equal"), format!("no two {name} are equal"))
        }
        Feature::TwinKeys(name) => either(
            format!("in some {name} two keys are equal"),
            format!("in no {name} two keys are equal"),
        ),
        Feature::BothKeys(one, other) => either(
            format!("there are both {one} and {other}"),
            format!("{one} and {other} are not both there"),
        ),
        Feature::Repeated(name) => either(
            format!("two {name} in a row are equal"),
            format!("no two {name} in a row are equal"),
        ),
        Feature::Alike(name) => match bound {
            Bound::AtMost(most) => format!("no more than {most} {name} are equal"),
            bound => format!("{} {name} are equal", size(bound).trim_start_matches("is ")),
        },
        Feature::AlikeInRow(name) => match bound {
            Bound::AtMost(most) => format!("no more than {most} {name} in a row are equal"),
            bound => {
                format!("{} {name} in a row are equal", size(bound).trim_start_matches("is "))
            }
        },
        Feature::InOwn(name) => either(
            format!("some {name} is inside another of the same name"),
            format!("no {name} is inside another of the same name"),
        ),
        Feature::RightInOwn(name) => either(
            format!("some {name} is right inside another of the same name"),
            format!("no {name} is right inside another of the same name"),
        ),
        Feature::Ends(name) => either(
            format!("the first and the last {name} are equal"),
            format!("the first and the last {name} differ"),
        ),
        Feature::Shared(one, other) => either(
            format!("some {one} and some {other} have the same text"),
            format!("no {one} and {other} have the same text"),
        ),
        Feature::Measures(one, other) => either(
            format!("{one} is the length of some {other}"),
            format!("{one} is the length of no {other}"),
        ),
        Feature::Missing(one, other) => either(
            format!("some {one} is not the text of any {other}"),
            format!("every {one} is the text of some {other}"),
        ),
        // What has one text is before others, and so are records, which have none.
        Feature::MissingBefore(one, other) if has_one_text(one) => either(
            format!("some {one} is before any {other}"),
            format!("every {one} has some {other} before it"),
        ),
        Feature::MissingBefore(one, other) => either(
            format!("some {one} is not the text of any {other} before it"),
            format!("every {one} is the text of some {other} before it"),
        ),
        Feature::MissingAfter(one, other) => either(
            format!("some {one} has no {other} after it"),
            format!("every {one} has some {other} after it"),
        ),
        Feature::Unseparated(one, other) => either(
            format!("two {one} have no {other} between them"),
            format!("every two {one} have some {other} between them"),
        ),
        Feature::Begins(name) => either(
            format!("some {name} begins with the text of another"),
            format!("no {name} begins with the text of another"),
        ),
        Feature::BeginsWith(name, other) => either(
            format!("some {name} begins with the text of {other}"),
            format!("no {name} begins with the text of {other}"),
        ),
        Feature::Bit(field, bit) => {
            let is = if is_yes { "is" } else { "is not" };
            format!("bit {bit} of {} {is} set", field.phrase())
        }
        Feature::Lacks(items, kind) if items.starts_with(ITEMS_IN) && kind.starts_with('<') => {
            either(format!("one of the {items} is no {kind}"), format!("all {items} are {kind}"))
        }
        Feature::Lacks(parent, child) => {
            let child = key(child).map_or(child.to_string(), |key| format!("key {key}"));
            either(
                format!("{} has no {child}", some(parent)),
                format!("{} has a {child}", every(parent)),
            )
        }
        Feature::Longer(parent, child) => either(
            format!("some {parent} has more {child} than the first"),
            format!("no {parent} has more {child} than the first"),
        ),
        Feature::Shorter(parent, child) => either(
            format!("some {parent} has fewer {child} than the first"),
            format!("no {parent} has fewer {child} than the first"),
        ),
        Feature::Difference(one, other) => difference(one, other, bound),
        Feature::Value(term) => value(term, bound),
        Feature::Multiple(term, 2) => {
            format!("{} is {}", term.phrase(), if is_yes { "even" } else { "odd" })
        }
        Feature::Multiple(term, of) => {
            let is = if is_yes { "is" } else { "is not" };
            format!("{} {is} a multiple of {of}", term.phrase())
        }
        Feature::Within(parent, inner) if parent.starts_with(EACH) => {
            let one = parent.trim_start_matches(EACH);
            match (&**inner, bound) {
                (inner, Bound::AtMost(_)) => format!("in some {one} {}", sentence(inner, bound)),
                (inner, bound) => format!("in {parent} {}", sentence(inner, bound)),
            }
        }
        Feature::Within(parent, inner) if is_of_one_place(parent) => {
            let verb = match &**inner {
                Feature::Count(name) => {
                    split_affixed(name).filter(|split| parent.ends_with(split.0))
                }
                _ => None,
            };
            match verb {
                Some((_, verb, text)) => either(
                    format!("the {parent} {verb}s with {text}"),
                    format!("the {parent} does not {verb} with {text}"),
                ),
                None => format!("in the {parent} {}", sentence(inner, bound)),
            }
        }
        Feature::Within(parent, inner) => {
            let is_all = matches!(bound, Bound::AtMost(_));
            match (&**inner, bound) {
                (inner, Bound::AtMost(0)) if inner.is_question() => {
                    format!("in no {} {}", single(parent), sentence(inner, Bound::AtLeast(1)))
                }
                (inner, bound) if is_all => {
                    format!("in {} {}", every(parent), sentence(inner, bound))
                }
                (inner, bound) => format!("in {} {}", some(parent), sentence(inner, bound)),
            }
        }
        Feature::Unsorted(name) => either(
            format!("the {name} are not in ascending order"),
            format!("the {name} are in ascending order"),
        ),
        Feature::Unequal(parent, child) if child == CHARACTER => either(
            format!("{} is longer than another", some(parent)),
            format!("all {parent} have the same length"),
        ),
        Feature::Unequal(parent, child) => either(
            format!("{} has more {child} than another", some(parent)),
            format!("all {parent} have the same number of {child}"),
        ),
        Feature::Negative(name) => {
            either(format!("some {name} is negative"), format!("no {name} is negative"))
        }
        Feature::Empty(name) => {
            either(format!("some {name} is empty"), format!("no {name} is empty"))
        }
        Feature::NonAscii(name) => either(
            format!("some {name} has a character that is not ASCII"),
            format!("all {name} are ASCII"),
        ),
        Feature::Before(first, second) => {
            either(format!("{first} is before {second}"), format!("no {first} is before {second}"))
        }
        Feature::InOrder(first, second, third) => {
            let is_item = |name: &Name| name.starts_with(ITEMS_IN);
            let a = |name: &Name| if is_item(name) { some(name) } else { format!("a {name}") };
            let one = if is_item(first) { some(first) } else { first.to_string() };
            let order = format!("is before {} that is before {}", a(second), a(third));
            either(format!("{one} {order}"), format!("no {} {order}", single(first)))
        }
        Feature::Adjacent(first, second) => either(
            format!("some {first} is right before {second}"),
            format!("no {first} is right before {second}"),
        ),
        Feature::Run(name) => match bound {
            Bound::AtMost(most) => format!("no more than {most} {name} follow each other"),
            bound => format!("{} {name} follow each other", size(bound).trim_start_matches("is ")),
        },
        Feature::More(open, close) => more(open, close, bound),
        Feature::Excess(one, other) => match bound {
            Bound::AtLeast(1) => format!("some {one} has no {other} before it"),
            Bound::AtMost(0) => format!("every {one} has a {other} of its own before it"),
            bound => {
                let size = size(bound);
                let size = size.trim_start_matches("is ");
                format!("up to some place there are {size} more {one} than {other}")
            }
        },
        Feature::Brackets => {
            format!("brackets are nested {} deep", size(bound).trim_start_matches("is "))
        }
        Feature::MixedBrackets => {
            let size = size(bound);
            format!("brackets of two kinds are nested {} deep", size.trim_start_matches("is "))
        }
        Feature::Rise(name) => match bound {
            Bound::AtMost(most) => format!("no {name} exceeds the one before by more than {most}"),
            bound => {
                let size = size(bound);
                format!("some {name} exceeds the one before by {}", size.trim_start_matches("is "))
            }
        },
        Feature::Parts(name, bounds) => {
            super::sentence_of_parts::parts(name, bounds, bound, &sentence)
        }
        Feature::Depth(name) => {
            let deep = format!("nested {} deep", size(bound).trim_start_matches("is "));
            let below = name.strip_prefix(BELOW);
            let below = below.and_then(|name| name.split_at_checked(quoted_length(name)?));
            match below {
                Some((key, parts)) => format!("{} is {deep} {BELOW}{key}", parts.trim_start()),
                None => format!("{name} is {deep}"),
            }
        }
    }
}

/// That one of some names is there. Values of one key are written after it.
fn any_of(names: &[Name], bound: Bound) -> String {
    let of_key: Option<Vec<(&str, &str)>> =
        names.iter().map(|name| name.split_once(IS_WORD)).collect();
    let is_yes = bound == Bound::AtLeast(1);
    let parts: Vec<Option<(&str, &str)>> = names
        .iter()
        .map(|name| split_affixed(name).filter(|_| is_affixed(name)))
        .map(|split| split.map(|(part, verb, _)| (part, verb)))
        .collect();
    if parts[0].is_some() && parts.iter().all(|part| *part == parts[0]) {
        return affixed(names, is_yes);
    }
    match of_key.as_deref() {
        Some(all @ [(value, _), ..]) if all.iter().all(|(other, _)| other == value) => {
            let words: Vec<&str> = all.iter().map(|(_, word)| *word).collect();
            let (is, or) = if is_yes { ("is", " or ") } else { ("is neither", " nor ") };
            format!("the {value} {is} {}", words.join(or))
        }
        _ if is_yes => format!("there is {}", joined(names, " or ")),
        _ => format!("there is neither {}", joined(names, " nor ")),
    }
}

/// How some parts begin or end: all names are of the same parts, and all are of their beginnings or all of their ends.
fn affixed(names: &[Name], is_yes: bool) -> String {
    let (part, verb) = split_affixed(&names[0]).map_or(("", ""), |(part, verb, _)| (part, verb));
    let texts = names.iter().filter_map(|name| Some(split_affixed(name)?.2));
    let texts = texts.collect::<Vec<&str>>().join(" or ");
    match (is_yes, part.starts_with(VALUE_OF)) {
        (true, _) => format!("{} {verb}s with {texts}", some(part)),
        (false, true) => format!("{} does not {verb} with {texts}", some(part)),
        (false, false) => format!("no {} {verb}s with {texts}", single(part)),
    }
}

/// The parts, the verb and the text in a name of parts by how they begin or end.
fn split_affixed(name: &str) -> Option<(&str, &str, &str)> {
    let of = |words: &str, verb| name.split_once(words).map(|(part, text)| (part, verb, text));
    of(BEGINS_WITH, "begin").or_else(|| of(ENDS_WITH, "end"))
}

/// The key of a value, in quotation marks.
///
/// Nothing for a name that is not that of a value.
fn key(name: &str) -> Option<&str> {
    name.strip_prefix(VALUE_OF)
}

/// The kind of a value and its key, if the name has both.
fn kind(name: &str) -> Option<(&str, &str)> {
    name.split_once(VALUE_OF)
        .map(|(kind, key)| (kind.trim(), key))
        .filter(|(kind, _)| !kind.is_empty())
}

fn value(term: &Term, bound: Bound) -> String {
    match (term, bound) {
        (Term::Greatest(name) | Term::Least(name), bound) if is_value(name) => {
            format!("the {name} {}", size(bound))
        }
        (Term::Greatest(name), Bound::AtMost(most)) => {
            format!("no {name} is greater than {}", written(most))
        }
        (Term::Greatest(name), Bound::AtLeast(_)) => format!("some {name} {}", size(bound)),
        (Term::Least(name), Bound::AtLeast(least)) => {
            format!("no {name} is less than {}", written(least))
        }
        (Term::Least(name), Bound::AtMost(_)) => format!("some {name} {}", size(bound)),
        (Term::Longest(name), Bound::AtMost(most)) => {
            format!("no {name} is longer than {most} characters")
        }
        (Term::Longest(name), Bound::AtLeast(least)) => {
            format!("some {name} is at least {least} characters long")
        }
        (Term::Decimals(name), Bound::AtLeast(least)) if !is_value(name) => {
            format!("some {name} has at least {least} decimals")
        }
        (Term::Precision(name), Bound::AtLeast(least)) if !is_value(name) => {
            format!("some {name} has at least {least} decimals as a floating-point number")
        }
        (Term::Widest(name), Bound::AtLeast(least)) => {
            format!("some {name} has a character of at least {least} bytes in UTF-8")
        }
        (Term::Widest(name), Bound::AtMost(most)) => {
            format!("no {name} has a character of more than {most} bytes in UTF-8")
        }
        (Term::Bytes, bound) => format!("the input {} bytes long", size(bound)),
        (term, bound) => format!("{} {}", term.phrase(), size(bound)),
    }
}

fn difference(one: &Term, other: &Term, bound: Bound) -> String {
    let (one, other) = (one.phrase(), other.phrase());
    match bound {
        Bound::AtLeast(1) => format!("{one} is greater than {other}"),
        Bound::AtLeast(0) => format!("{one} is at least {other}"),
        Bound::AtMost(-1) => format!("{one} is less than {other}"),
        Bound::AtMost(0) => format!("{one} is at most {other}"),
        Bound::Is(0) => format!("{one} equals {other}"),
        Bound::IsNot(0) => format!("{one} differs from {other}"),
        bound => format!("{one} minus {other} {}", size(bound)),
    }
}

fn more(one: &str, other: &str, bound: Bound) -> String {
    let is_pair = is_bracket_pair(one, other);
    match bound {
        Bound::AtLeast(_) if is_pair => {
            format!("{} {one} are not closed", size(bound).trim_start_matches("is "))
        }
        Bound::AtLeast(1) => format!("there are more {one} than {other}"),
        Bound::AtLeast(0) => format!("there are at least as many {one} as {other}"),
        Bound::AtMost(-1) => format!("there are fewer {one} than {other}"),
        Bound::AtMost(0) => format!("there are at most as many {one} as {other}"),
        Bound::Is(0) => format!("there are as many {one} as {other}"),
        Bound::IsNot(0) => format!("the numbers of {one} and {other} differ"),
        bound => format!("the number of {one} minus the number of {other} {}", size(bound)),
    }
}
