//! The reducers that options can switch on and off, as a table for people.

use crate::event::ReducerDescription;
use crate::report::terminal::table::{Align, aligned};

/// A line for each reducer, below a head, in the order of the registry. A reducer that needs nothing of the
/// input has `-` in the column `needs`. The console prints the table on stdout.
pub(crate) fn list(reducers: &[ReducerDescription<'_>]) -> String {
    let head = ["reducer", "needs", "cost", "used by", "what it does", "source"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for reducer in reducers {
        let needs = match reducer.needs.is_empty() {
            true => "-".to_owned(),
            false => reducer.needs.join(" "),
        };
        rows.push(vec![
            reducer.name.to_owned(),
            needs,
            reducer.cost.clone(),
            reducer.used_by.join(" "),
            reducer.description.to_owned(),
            reducer.source.to_owned(),
        ]);
    }
    aligned(&rows, &[Align::Left; 6])
}
