//! The page of a run of repairs: each input with dropped and added bytes in colour.
//!
//! It is written as results come, so that memory stays flat whatever their number. The totals,
//! known last and shown first, go into room that is left for them.

use crate::event::{
    Event, RepairRow, RepairStatus, RepairTotals, RepairedInput, ReportError, Reporter,
};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use maud::{Markup, html};

use super::controls::controls;
use super::file;
use super::frame::{self, Hole, Made, SCRIPT, Text, name};
use super::parts::excerpt::{beginning, repaired};
use crate::aside::Aside;
use crate::report::show::{number, time};
use crate::report::summary::repairs::words;
use crate::session::repair::changes;
use crate::session::saved::output::OutputError;

/// Texts after this size of a page are left out: a browser keeps them in memory. A guess; not measured.
const MAX_TEXT_BYTES: u64 = 48 << 20;
/// Room for the totals: the largest numbers fit, as a test shows.
const TOTALS_BYTES: usize = 600;

/// Writes a page to `out`, which has to be at its beginning. Its memory does not grow with the inputs.
pub(super) struct RepairPage<W: Write + Seek> {
    /// Inputs are appended to it; `finish` goes back to `totals_at`.
    out: W,
    /// Offset of the room for the totals, in bytes from the beginning of the page.
    totals_at: u64,
    /// What follows the inputs.
    end: String,
    /// Bytes of the inputs that were added.
    written: u64,
}

impl<W: Write + Seek> RepairPage<W> {
    /// Begins the page, with blanks where the totals will be.
    ///
    /// # Errors
    ///
    /// `out` cannot be written; so it is with the other functions.
    pub(super) fn begin(mut out: W, made: &Made) -> io::Result<Self> {
        let [head, controls, end] = frame::parts(&empty_page(made));
        let totals_at = head.len() as u64;
        write!(out, "{head}{:TOTALS_BYTES$}{controls}", "")?;
        Ok(RepairPage { out, totals_at, end, written: 0 })
    }

    /// Adds an input. `text` is the valid one, if one was found.
    /// A valid input gets no row. After `MAX_TEXT_BYTES` of rows a row has its figures and no texts.
    pub(super) fn add(&mut self, repaired: &RepairedInput<'_>) -> io::Result<()> {
        let RepairedInput { row, input, text } = *repaired;
        if row.status == RepairStatus::Valid {
            return Ok(());
        }
        let is_left_out = self.written > MAX_TEXT_BYTES;
        let section = section(row, (!is_left_out).then_some((input, text))).into_string();
        self.written += section.len() as u64;
        self.out.write_all(section.as_bytes())
    }

    /// Ends the page and puts the totals where they belong; hands the writer back.
    pub(super) fn finish(mut self, totals: &RepairTotals) -> io::Result<W> {
        self.out.write_all(self.end.as_bytes())?;
        let shown = totals_list(totals).into_string();
        assert!(shown.len() <= TOTALS_BYTES, "totals need more room: {}", shown.len());
        self.out.seek(SeekFrom::Start(self.totals_at))?;
        self.out.write_all(shown.as_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// The page without its totals and without its inputs, which are holes.
fn empty_page(made: &Made) -> Markup {
    let body = html! {
        (made.header(&[]))
        (Hole) "\n"
        p.legend {
            "Text that was " del { "dropped" } " or " ins { "added" } "; " i { "\\x00" }
            " is a byte that cannot be seen. Inputs that were valid are not listed."
        }
        (controls(
            "Part of a name",
            &[("status", "Which", &[("", "All"), ("good", "Repaired"), ("bad", "Not repaired")])],
            &[
                ("", "In order of the files"),
                ("-edits", "Most edits first"),
                ("+kept", "Least kept first"),
                ("-bytes", "Largest first"),
                ("-tests", "Most tests first"),
            ],
        ))
        div #rows { "\n" (Hole) }
        "\n"
    };
    frame::page("Repairs", Some(SCRIPT), &body)
}

/// One input. Its texts are left out where there are none.
/// The attributes `data-…` are the numbers by which the script sorts. `data-kept` is in thousandths of the
/// input's bytes. `texts` are the input and the valid text, if one was found.
fn section(row: &RepairRow, texts: Option<(&[u8], Option<&[u8]>)>) -> Markup {
    let edits = row.distance.unwrap_or(match row.status {
        // More than can be counted.
        RepairStatus::Repaired => row.input_bytes,
        _ => 0,
    });
    let kept = row.kept_bytes * 1000 / row.input_bytes.max(1);
    let class = if row.status == RepairStatus::Repaired { "good" } else { "bad" };
    html! {
        section.row.(class) data-status=(class) data-edits=(edits) data-kept=(kept) data-bytes=(row.input_bytes)
            data-tests=(row.tests)
        {
            h2.name { (name(&row.input)) }
            "\n"
            p.meta {
                (Text(&words(row)))
                @if let Some(output) = &row.output { " → " code { (name(output)) } }
            }
            "\n"
            @if let Some(message) = &row.message {
                p.meta { "The validator says of the input:" }
                pre.message { "\n" (beginning(message.trim_ascii_end())) }
            }
            @if let Some(message) = &row.rejected {
                p.meta { (rejected_words(row.status)) }
                pre.message { "\n" (beginning(message.trim_ascii_end())) }
            }
            @match texts {
                None => p.gap { "… left out: the page is large already …" },
                // A newline after `<pre>` is dropped by browsers: this one, not the input's.
                Some((input, Some(text))) => pre { "\n" (repaired(input, &changes(input, text))) },
                Some((input, None)) => pre { "\n" (beginning(input)) },
            }
        }
        "\n"
    }
}

/// The words before the message about the nearest text that the validator rejected.
fn rejected_words(status: RepairStatus) -> &'static str {
    match status {
        RepairStatus::Repaired => "It says of the last text before the valid one:",
        _ => "It says of the text whose first fault is furthest from its start:",
    }
}

/// The totals, in as many bytes as the largest numbers need.
fn totals_list(totals: &RepairTotals) -> Markup {
    let counts = [
        (totals.inputs as u64, "inputs"),
        (totals.valid as u64, "valid"),
        (totals.repaired as u64, "repaired"),
        // Only a check has invalid ones, and it repairs none.
        match totals.invalid {
            0 => (totals.not_repaired as u64, "not repaired"),
            invalid => (invalid as u64, "invalid"),
        },
        (totals.tests, "tests"),
    ];
    html! {
        ul.totals {
            @for (count, what) in counts { li { b { (number(count)) } " " (what) } }
            li { b { (time(totals.elapsed)) } }
        }
    }
}

/// A page that gets its name when it is whole.
pub(crate) struct RepairPageFile {
    /// Where the page will be; a temporary file beside it is written until then.
    path: PathBuf,
    /// `None` when it is whole, and after an error.
    page: Option<RepairPage<BufWriter<Aside>>>,
    /// The first error of writing, until `take_error` hands it to the caller.
    error: Option<ReportError>,
}

impl RepairPageFile {
    /// Begins a page at `path`, where nothing or an earlier page is; a file of another kind is
    /// replaced only if it `may_replace` that, and nothing but a file ever is.
    pub(crate) fn begin(path: &Path, may_replace: bool, made: &Made) -> Result<Self, OutputError> {
        let file = file::begin(path, may_replace)?;
        let page = file.and_then(|file| RepairPage::begin(BufWriter::new(file), made));
        let path = path.to_owned();
        match page {
            Ok(page) => Ok(RepairPageFile { path, page: Some(page), error: None }),
            Err(source) => Err(OutputError::WritePage { path, source }),
        }
    }
}

/// Adds each repair as it ends, in the order of the inputs, and gives the page its name when all are done. After an error nothing more is
/// written, and the file has no name.
impl Reporter for RepairPageFile {
    fn report(&mut self, event: &Event<'_>) {
        let Some(mut page) = self.page.take() else { return };
        let written = match *event {
            Event::Repaired(repaired) => page.add(repaired).map(|()| Some(page)),
            Event::RepairsEnded { totals, .. } => persist(page, totals).map(|()| None),
            _ => Ok(Some(page)),
        };
        match written {
            Ok(page) => self.page = page,
            Err(source) => {
                self.error = Some(ReportError { place: Some(self.path.clone()), source });
            }
        }
    }

    fn take_error(&mut self) -> Option<ReportError> {
        self.error.take()
    }
}

/// Writes the totals and renames the temporary file to the page's path.
fn persist(page: RepairPage<BufWriter<Aside>>, totals: &RepairTotals) -> io::Result<()> {
    page.finish(totals)?.into_inner()?.persist()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::path::PathBuf;
    use std::time::Duration;

    use super::*;

    fn row(name: &str, status: RepairStatus) -> RepairRow {
        RepairRow {
            input: PathBuf::from(name),
            output: None,
            status,
            input_bytes: 10,
            output_bytes: 9,
            kept_bytes: 9,
            distance: Some(1),
            tests: 3,
            executions: 4,
            elapsed: Duration::ZERO,
            stopped: None,
            message: Some(b"line 1: <i>\xff".to_vec()),
            rejected: Some(b"line 2: <b>\xff".to_vec()),
            note: Some("<script>alert(1)</script>".to_owned()),
            failures: 1,
            other_failures: vec![PathBuf::from("<img src=x onerror=alert(2)>")],
        }
    }

    /// Element names of a text, in order, an end with its slash; panics where `<` begins no tag.
    fn tags(html: &str) -> Vec<&str> {
        let inside = html.split('<').skip(1);
        inside.map(|rest| rest.split(['>', ' ']).next().expect("a split has a part")).collect()
    }

    fn written(rows: &[RepairedInput<'_>], totals: &RepairTotals) -> String {
        let mut page =
            RepairPage::begin(Cursor::new(Vec::new()), &super::super::tests::made()).unwrap();
        for repaired in rows {
            page.add(repaired).unwrap();
        }
        String::from_utf8(page.finish(totals).unwrap().into_inner()).unwrap()
    }

    #[test]
    fn every_element_is_closed_and_nothing_hostile_becomes_one() {
        let hostile = b"</pre><script>alert(3)</script>\xff\0<!--'\"&amp;";
        let mut text = hostile.to_vec();
        text.remove(3);
        let bad = row("in/</h2><iframe src=//x>\n", RepairStatus::NotRepaired);
        let good = row("in/\" onload=\"alert(4)", RepairStatus::Repaired);
        let html = written(
            &[
                RepairedInput { row: &bad, input: hostile, text: None },
                RepairedInput { row: &good, input: hostile, text: Some(&text) },
            ],
            &RepairTotals::default(),
        );
        let (head, rest) = html.split_once("<div id=\"rows\">").unwrap();
        let (rows, tail) = rest.split_once("</div>").unwrap();
        let mut open = Vec::new();
        for tag in tags(rows) {
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name), "{rows}"),
                None => open.push(tag),
            }
        }
        assert_eq!(open, [""; 0]);
        let known = ["section", "h2", "p", "pre", "i", "del", "ins", "span", "code"];
        for tag in tags(rows) {
            assert!(known.contains(&tag.trim_start_matches('/')), "{tag}");
        }
        assert!(head.contains("default-src 'none'"), "{head}");
        assert_eq!(html.matches("<script").count(), 1);
        assert!(tail.ends_with("</script></body></html>\n"), "{tail}");
        assert!(!html.contains("http:") && !html.contains("https:"));
    }

    #[test]
    fn the_largest_totals_have_room_in_front() {
        let totals = RepairTotals {
            inputs: usize::MAX,
            valid: usize::MAX,
            repaired: usize::MAX,
            not_repaired: usize::MAX,
            invalid: 0,
            tests: u64::MAX,
            written: usize::MAX,
            elapsed: Duration::from_secs(u64::MAX),
        };
        let html = written(&[], &totals);
        let at = html.find("<b>18,446,744,073,709,551,615</b> valid").unwrap();
        assert!(at < html.find("class=\"legend\"").unwrap());
    }

    #[test]
    fn the_message_about_the_nearest_rejected_text_is_shown_with_what_that_text_is() {
        for (status, words) in [
            (RepairStatus::Repaired, "the last text before the valid one:"),
            (RepairStatus::NotRepaired, "the text whose first fault is furthest from its start:"),
        ] {
            let repaired = RepairedInput { row: &row("bad", status), input: b"x", text: None };
            let shown = written(&[repaired], &RepairTotals::default());
            let (_, after) = shown.split_once(words).unwrap();
            let message = "<pre class=\"message\">\nline 2: &lt;b&gt;";
            assert!(after.contains(message), "{after}");
            let without = RepairRow { rejected: None, ..row("bad", status) };
            let shown =
                written(&[RepairedInput { row: &without, ..repaired }], &RepairTotals::default());
            assert!(!shown.contains(words) && shown.contains("line 1: &lt;i&gt;"));
        }
    }

    #[test]
    fn valid_inputs_are_not_listed() {
        let html = written(
            &[RepairedInput {
                row: &row("fine", RepairStatus::Valid),
                input: b"x",
                text: Some(b"x"),
            }],
            &RepairTotals::default(),
        );
        assert!(!html.contains("fine"));
    }
}
