//! A summary in Markdown, as GitHub shows it on the page of a job.

use crate::event::{FailureGroups, JoinedState};
use crate::report::show;
use crate::report::summary::failure::in_one_line;
use crate::report::summary::groups::headline;

/// A headline, and a row for each failure. With earlier groups a column says which failures are new,
/// and a line says how many are fixed.
/// The row's file is the smallest minimized result, else the smallest input. Without failures there is no
/// table. The caller appends the text, because the steps of a job share one summary.
pub(crate) fn markdown(groups: &FailureGroups) -> String {
    let joined = groups.joined.as_ref();
    let mut out = format!("### seedsmith: {}\n", escaped(&headline(groups)));
    if let Some(joined) = joined {
        out += &format!("\n{}\n", joined.headline());
    }
    if groups.rows.is_empty() {
        return out;
    }
    let state = if joined.is_some() { " state |" } else { "" };
    out += &format!("\n| target | failure | files | smallest |{state} identifier |\n");
    out += &format!("|---|---|---:|---|{} --- |\n", if joined.is_some() { "---|" } else { "" });
    for row in &groups.rows {
        let id = &row.id;
        let smallest = row.best().map_or(&row.smallest, |best| &best.output);
        let bytes = row.best().map_or(row.smallest_bytes, |best| best.bytes as u64);
        let state = joined.map_or(String::new(), |joined| match joined.state(id) {
            JoinedState::New => " **new** |".to_owned(),
            JoinedState::Known => " known |".to_owned(),
        });
        out += &format!(
            "| {} | {} | {} | {} ({}) |{state} `{id}` |\n",
            escaped(&row.target),
            escaped(&in_one_line(&row.signature, &row.stack).text()),
            row.inputs.len(),
            escaped(&show::path(smallest)),
            show::counted(bytes, "byte", "bytes"),
        );
    }
    out
}

/// Text without meaning to Markdown or HTML: characters that either gives a meaning are escaped.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\n' | '\r' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' | '@' => {
                out.push('\\');
                out.push(char);
            }
            _ => out.push(char),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::groups;
    use super::*;
    use crate::event::Joined;

    #[test]
    fn a_row_is_a_failure_and_its_text_has_no_markup() {
        let text = markdown(&groups());
        assert!(text.starts_with("### seedsmith: 5 inputs: 4 fail in 2 ways, 1 doesn't fail\n"));
        let row = "| parse | panic at src/lib.rs:17:9: &lt;index&gt; out of bounds | 2 | \
                   crashes/a b (7 bytes) | `";
        assert!(text.contains(row), "{text}");
    }

    #[test]
    fn new_failures_are_marked_and_fixed_ones_counted() {
        let mut groups = groups();
        let known = groups.rows[0].id.clone();
        groups.joined =
            Some(Joined::of(groups.rows.iter().map(|row| &row.id), vec![known, "gone".to_owned()]));
        let text = markdown(&groups);
        assert!(text.contains("1 new, 1 known, 1 fixed"), "{text}");
        assert_eq!((text.matches(" **new** |").count(), text.matches(" known |").count()), (1, 1));
    }
}
