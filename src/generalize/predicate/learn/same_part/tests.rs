//! Conditions about one row with words and a number, about two kinds of rows, and about the number of rows.

use super::*;
use crate::generalize::predicate::feature::{Features, Part, Term};
use crate::generalize::predicate::learn::{learn, learn_either};

/// An input of rows, each with the words that it has and a number.
fn table(inputs: &[(&[(&str, i128)], bool)]) -> Table {
    let mut table = Table::default();
    for (rows, fails) in inputs {
        let mut features = Features::new();
        for (words, number) in *rows {
            let words = words.split_whitespace();
            let mut own: Features =
                words.map(|word| (Feature::Count(format!("{word:?}").into()), 1)).collect();
            own.insert(Feature::Value(Term::First("<N>".into())), *number);
            for (feature, value) in own.iter() {
                let known = features.get(feature).copied().unwrap_or(i128::MIN);
                features.insert(feature.clone(), known.max(*value));
            }
            features.add_part(&"<row>".into(), Part::of(own.iter()));
        }
        table.add(features, *fails);
    }
    table
}

fn learnt(inputs: &[(&[(&str, i128)], bool)]) -> String {
    learn(&table(inputs), &[]).map_or("nothing".to_owned(), |found| found.to_string())
}

#[test]
fn two_words_of_one_row_are_told_from_two_words_of_two_rows() {
    let inputs: [(&[(&str, i128)], bool); 6] = [
        (&[("deny tcp", 1)], true),
        (&[("allow udp", 1), ("deny tcp", 1)], true),
        (&[("deny udp", 1), ("allow tcp", 1)], false),
        (&[("deny", 1), ("tcp", 1)], false),
        (&[("deny udp", 1)], false),
        (&[("allow tcp", 1), ("deny udp", 1)], false),
    ];
    assert_eq!(learnt(&inputs), "some <row> has \"deny\" and has \"tcp\"");
}

#[test]
fn a_row_with_one_word_and_without_another_is_told() {
    let inputs: [(&[(&str, i128)], bool); 5] = [
        (&[("a", 1)], true),
        (&[("a b", 1), ("a", 1)], true),
        (&[("a b", 1)], false),
        (&[("a b", 1), ("b", 1)], false),
        (&[("c", 1), ("a b", 1)], false),
    ];
    assert_eq!(learnt(&inputs), "some <row> has \"a\" and has no \"b\"");
}

#[test]
fn a_number_in_a_range_is_told_with_another_condition_where_few_that_pass_have_one() {
    let mut inputs: Vec<(&[(&str, i128)], bool)> = vec![
        (&[("a", 50), ("a", 20)], true),
        (&[("a", 3), ("a", 40), ("a", 90)], true),
        (&[("a", 90), ("a", 59), ("a", 1)], true),
        // Nothing but the number is there.
        (&[("", 50)], false),
    ];
    let passing: [&[(&str, i128)]; 5] = [
        &[("a", 3), ("a", 60), ("a", 90)],
        &[("a", 39), ("a", 70)],
        &[("a", 3)],
        &[("a", 80)],
        &[("a", 2), ("a", 81)],
    ];
    inputs.extend(passing.into_iter().chain(passing).map(|rows| (rows, false)));
    let passing_alone: Vec<_> = inputs.iter().copied().filter(|(_, fails)| !fails).collect();
    assert_eq!(learnt(&passing_alone), "nothing");
    let found = learnt(&inputs);
    assert!(found.contains("is at least 40") && found.contains("is at most 59"), "{found}");
    assert!(found.contains("\"a\""), "{found}");
}

#[test]
fn a_row_with_another_number_than_all_others_is_told_and_one_with_a_number_that_no_other_has() {
    let inputs: [(&[(&str, i128)], bool); 6] = [
        (&[("a", 2), ("a", 1)], true),
        (&[("a", 3), ("a", 2)], true),
        (&[("a", 7)], true),
        (&[("a", 2)], false),
        (&[("a", 2), ("b", 2)], false),
        (&[("b", 2), ("a", 2), ("a", 2)], false),
    ];
    assert_eq!(learnt(&inputs), "in some <row> the first <N> is not 2");
    let inputs: [(&[(&str, i128)], bool); 6] = [
        (&[("a", 4), ("a", 9)], true),
        (&[("a", 4), ("b", 1)], true),
        (&[("a", 4), ("b", 2)], true),
        (&[("a", 3), ("a", 9)], false),
        (&[("a", 5), ("b", 1)], false),
        (&[("b", 2), ("a", 9)], false),
    ];
    assert_eq!(learnt(&inputs), "in some <row> the first <N> is 4");
}

#[test]
fn a_bound_is_taken_from_the_rows_that_have_the_word() {
    let inputs: [(&[(&str, i128)], bool); 7] = [
        (&[("deny", 80), ("allow", 900)], true),
        (&[("deny", 70), ("allow", 800)], true),
        (&[("deny", 1023)], true),
        (&[("deny", 1024), ("allow", 5)], false),
        (&[("deny", 4000), ("allow", 80)], false),
        (&[("allow", 7), ("log", 7)], false),
        (&[("deny", 7), ("log", 2000)], true),
    ];
    let found = learnt(&inputs);
    assert_eq!(found, "in some <row> there is \"deny\" and the first <N> is at most 1023");
}

#[test]
fn two_kinds_of_rows_of_which_one_is_enough_are_told() {
    let mut inputs: Vec<(&[(&str, i128)], bool)> = Vec::new();
    for _ in 0..3 {
        inputs.extend([
            (&[("set", 1)][..], true),
            (&[("set", 0), ("log", 5)], true),
            (&[("if", 6), ("set", 4)], true),
            (&[("if", 4)], true),
            (&[("if", 9), ("set", 3)], true),
            (&[("log", 1), ("set", 1)], true),
            (&[("set", 2), ("if", 1)], false),
            (&[("if", 3), ("set", 6), ("log", 0)], false),
            (&[("log", 9)], false),
            (&[("if", 0), ("log", 4)], false),
        ]);
    }
    let table = table(&inputs);
    assert_eq!(learn(&table, &[]), None);
    let found = learn_either(&table, &[]).unwrap().to_string();
    let [set, if_] =
        ["\"set\" and the first <N> is at most 1", "\"if\" and the first <N> is at least 4"];
    assert!(found.contains(set) && found.contains(if_) && found.contains(" or "), "{found}");
}

#[test]
fn rows_that_have_a_word_are_counted() {
    let inputs: [(&[(&str, i128)], bool); 4] = [
        (&[("a", 1), ("a", 2), ("b", 1)], true),
        (&[("b", 3), ("a", 1), ("a", 1)], true),
        (&[("a", 1), ("b", 1), ("b", 1)], false),
        (&[("b", 1), ("b", 4), ("a", 3), ("b", 1)], false),
    ];
    assert_eq!(learnt(&inputs), "of at least 2 <row> each has \"a\"");
}

#[test]
fn a_missing_word_is_told_although_rows_have_many_others() {
    // More words than are joined, of which the one that matters is the last.
    let words: Vec<String> = (0..60).map(|number| format!("a{number}")).collect();
    let row = |own: &str, number: usize| {
        format!("{own} {} {}", words[number % 60], words[(number * 7 + 1) % 60])
    };
    let rows: Vec<([String; 3], bool)> = (0..90)
        .map(|number| {
            let fails = number % 2 == 0;
            let first = row(["deny", "deny z", "deny", "allow"][number % 4], number);
            ([first, row("deny z", number + 17), row("allow", number + 31)], fails)
        })
        .collect();
    let inputs: Vec<(Vec<(&str, i128)>, bool)> = rows
        .iter()
        .map(|(rows, fails)| (rows.iter().map(|words| (&words[..], 1)).collect(), *fails))
        .collect();
    let inputs: Vec<(&[(&str, i128)], bool)> =
        inputs.iter().map(|(rows, fails)| (&rows[..], *fails)).collect();
    // Each row has one of `deny` and `allow`, so that two conditions are the same.
    let found = learnt(&inputs);
    assert!(
        found.starts_with("some <row> has ") && found.ends_with(" and has no \"z\""),
        "{found}"
    );
}
