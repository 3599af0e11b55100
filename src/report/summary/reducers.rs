//! The reducers as a table for people.

use crate::reduce::Reducer;
use crate::reduce::registry::used_by;
use crate::report::terminal::table::{Align, aligned};

/// What a reducer needs, in words.
pub fn needs(reducer: &Reducer) -> Vec<String> {
    reducer.needs().iter().map(ToString::to_string).collect()
}

/// A line for each reducer, below a head.
pub fn list(reducers: &[&Reducer]) -> String {
    let head = ["reducer", "needs", "cost", "used by", "what it does", "source"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for reducer in reducers {
        let needs = needs(reducer);
        rows.push(vec![
            reducer.name().to_owned(),
            if needs.is_empty() { "-".to_owned() } else { needs.join(" ") },
            reducer.cost().to_string(),
            used_by(reducer).join(" "),
            reducer.description().to_owned(),
            reducer.source().to_owned(),
        ]);
    }
    aligned(&rows, &[Align::Left; 6])
}
