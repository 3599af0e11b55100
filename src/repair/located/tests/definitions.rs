//! Names that are missed far from where they are lost: the definition is valid as it is, and its uses are not.

use crate::repair::validate::InPlace;
use crate::repair::{Options, repair};
use seedsmith_engine::internal::Budget;

/// Statements `table NAME (COLUMN KIND, …);` and `put NAME (COLUMN, …);`. A column may lack its kind. Messages name
/// words and no place, as sqlite3's do.
fn tables(text: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(text);
    let mut known: Vec<(String, Vec<String>)> = Vec::new();
    for statement in text.split(';').map(str::trim).filter(|one| !one.is_empty()) {
        let inner = statement.strip_suffix(')').and_then(|one| one.split_once('('));
        let Some((head, items)) = inner else { return Err("incomplete input".to_owned()) };
        let head: Vec<&str> = head.split_whitespace().collect();
        let items: Vec<Vec<&str>> =
            items.split(',').map(|item| item.split_whitespace().collect()).collect();
        if items.iter().any(|item| item.is_empty() || item.len() > 4) {
            return Err("near \",\": syntax error".to_owned());
        }
        let first = |item: &Vec<&str>| item[0].to_owned();
        match head.as_slice() {
            ["table", name] => {
                known.push(((*name).to_owned(), items.iter().map(first).collect()));
            }
            ["put", name] => {
                let Some((_, columns)) = known.iter().find(|(one, _)| one == name) else {
                    return Err(format!("no such table: {name}"));
                };
                if let Some(other) = items.iter().map(first).find(|one| !columns.contains(one)) {
                    return Err(format!("table {name} has no column named {other}"));
                }
            }
            [first, ..] => return Err(format!("near \"{first}\": syntax error")),
            [] => return Err("near \"(\": syntax error".to_owned()),
        }
    }
    Ok(())
}

#[test]
fn a_column_that_all_uses_have_comes_back_in_the_definition_of_its_table() {
    let definition =
        "table pages (\n    id INTEGER,\n    title_ TEXT,\n    owner_ REAL,\n    size_ TEXT\n);\n";
    let uses = "put pages (title_, owner_, size_);\nput pages (owner_, id);\n".repeat(8);
    let whole = format!("{definition}{uses}");
    for (right, wrong) in [
        ("owner_ REAL", " REAL"),
        ("owner_ REAL", "owREAL ner_"),
        ("TEXT,\n    owner_", "TEXT\n    owner_"),
        ("owner_ REAL", "onwer_ REAL"),
    ] {
        let damaged = whole.replacen(right, wrong, 1);
        let budget = Budget { max_tests: Some(1000), ..Budget::default() };
        let mut validator = InPlace::new(tables, budget);
        let found = repair(&mut validator, damaged.as_bytes(), &Options::default()).unwrap();
        assert_eq!(String::from_utf8(found.text.unwrap()).unwrap(), whole, "{wrong}");
    }
}
