//! The page of a run of repairs: one HTML file without anything from elsewhere, which shows each
//! input with what was dropped and added in colour.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::repairs::{RepairRow, RepairStatus, RepairTotals, changes};

/// Unchanged bytes that are shown around a change.
const CONTEXT: usize = 160;
/// Bytes of one stretch that are shown at most.
const LONGEST: usize = 4000;

const HEAD: &str = "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><title>seedsmith repair</title>
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1c2126; background: #fff; }
h1 { font-size: 1.4rem; } h2 { font-size: 1rem; margin: 2rem 0 .3rem; word-break: break-all; }
pre { background: #f5f6f7; border: 1px solid #dfe3e6; border-radius: 4px; padding: .7rem; white-space: pre-wrap; word-break: break-all; margin: .3rem 0; }
del { background: #ffd7d5; color: #82071e; text-decoration: line-through; } ins { background: #ccffd8; color: #055d20; text-decoration: none; }
.gap { color: #6a737b; } .meta { color: #57606a; } .bad { color: #b35900; font-weight: 600; }
table { border-collapse: collapse; } td, th { padding: .15rem .8rem .15rem 0; text-align: left; }
@media (prefers-color-scheme: dark) { body { background: #14171a; color: #dde1e4; } pre { background: #1d2125; border-color: #33393f; }
del { background: #67060c; color: #ffd7d5; } ins { background: #033a16; color: #aff5b4; } .meta, .gap { color: #9aa4ad; } }
</style></head><body>
<h1>Repairs</h1>
<p class=\"meta\">Red was <del>dropped</del>, green was <ins>added</ins>. Bytes that are no text are shown as escapes.</p>
";

/// Writes a page as rows come, so that memory stays flat.
pub struct RepairPage<W: Write> {
    out: W,
}

impl<W: Write> RepairPage<W> {
    /// How much of a file tells whether it is such a page.
    pub const HEAD_BYTES: usize = 100;

    /// Whether a file that begins like this is such a page.
    pub fn is_ours(head: &[u8]) -> bool {
        head.starts_with(&HEAD.as_bytes()[..Self::HEAD_BYTES])
    }

    /// Begins the page.
    pub fn begin(mut out: W) -> io::Result<Self> {
        out.write_all(HEAD.as_bytes())?;
        Ok(RepairPage { out })
    }

    /// Adds an input. `texts` are the input and the valid text, if one was found.
    pub fn add(&mut self, row: &RepairRow, input: &[u8], text: Option<&[u8]>) -> io::Result<()> {
        if row.status == RepairStatus::Valid {
            return Ok(());
        }
        let class = if row.status == RepairStatus::NotRepaired { "bad" } else { "meta" };
        let name = escape(row.input.to_string_lossy().as_bytes());
        write!(self.out, "<h2>{name}</h2>\n<p class=\"{class}\">{}", row.status.name())?;
        if let Some(distance) = row.distance {
            write!(
                self.out,
                ": edit distance {distance}, {} of {} bytes kept",
                row.kept_bytes, row.input_bytes
            )?;
        }
        write!(self.out, ", {} tests, {} ms", row.executions, row.elapsed.as_millis())?;
        if let Some(output) = &row.output {
            write!(self.out, " → {}", escape(output.to_string_lossy().as_bytes()))?;
        }
        self.out.write_all(b"</p>\n")?;
        if let Some(text) = text {
            writeln!(self.out, "<pre>{}</pre>", marked(input, text))?;
        }
        Ok(())
    }

    /// Ends the page with a table of totals.
    pub fn finish(mut self, totals: &RepairTotals) -> io::Result<()> {
        write!(
            self.out,
            "<h2>All</h2>\n<table><tr><th>inputs<th>valid<th>repaired<th>not repaired<th>tests\
             <tr><td>{}<td>{}<td>{}<td>{}<td>{}</table>\n</body></html>\n",
            totals.inputs, totals.valid, totals.repaired, totals.not_repaired, totals.tests
        )?;
        self.out.flush()
    }
}

/// The input with its changes marked, and what lies far from any left out.
fn marked(input: &[u8], text: &[u8]) -> String {
    let mut out = String::new();
    let mut done = 0;
    let changes = changes(input, text);
    for change in &changes {
        between(&input[done..change.at], done > 0, true, &mut out);
        for (tag, bytes) in [("del", &change.dropped), ("ins", &change.added)] {
            if !bytes.is_empty() {
                let shown = &bytes[..bytes.len().min(LONGEST)];
                let more = if shown.len() < bytes.len() { "…" } else { "" };
                let _ = write!(out, "<{tag}>{}{more}</{tag}>", escape(shown));
            }
        }
        done = change.at + change.dropped.len();
    }
    between(&input[done..], done > 0, false, &mut out);
    out
}

/// Writes unchanged bytes between two changes, or between a change and an end.
fn between(bytes: &[u8], is_behind_one: bool, is_before_one: bool, out: &mut String) {
    let front = if is_behind_one { CONTEXT } else { 0 };
    let back = if is_before_one { CONTEXT } else { 0 };
    if bytes.len() <= front + back {
        out.push_str(&escape(bytes));
        return;
    }
    out.push_str(&escape(&bytes[..front]));
    let _ = write!(out, "<span class=\"gap\">\n… {} bytes …\n</span>", bytes.len() - front - back);
    out.push_str(&escape(&bytes[bytes.len() - back..]));
}

/// Text for HTML; what is no text, and what can't be seen, as `\xNN`.
fn escape(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' => out.push_str("&quot;"),
                '\n' | '\t' => out.push(character),
                other if other.is_control() => {
                    let _ = write!(out, "\\x{:02x}", u32::from(other));
                }
                other => out.push(other),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_marked_and_nothing_in_an_input_becomes_markup() {
        assert_eq!(marked(b"a<b>**c", b"a<b>c!"), "a&lt;b&gt;<del>**</del>c<ins>!</ins>");
        let long = [&[b'x'; 1000][..], b"!"].concat();
        let shown = marked(&long, &long[..1000]);
        assert!(shown.contains("… 840 bytes …") && shown.ends_with("<del>!</del>"));
    }
}
