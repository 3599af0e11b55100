//! The reporters of a run, which hear the same: the console, and JSON Lines if they are asked for.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::abstracted::Abstracted;
use super::console::Console;
use super::finished::{Finished, Isolated};
use super::folder::corpus::{CorpusFile, CorpusFinished, CorpusSource};
use super::folder::coverage::{CoverageFinished, CoverageFunction};
use super::folder::shrunk::{CorpusShrunk, ShrunkFile};
use super::folder::{self, FolderFinished};
use super::grammar::{self, GrammarListed, GrammarShown, ParseShown};
use super::groups::{self, Groups, Triaged};
use super::json::Json;
use super::repairs;
use super::show;
use super::summary;
use super::summary::judged::JudgedKit;
use super::summary::listed::AppliedSettings;
use super::summary::ran::Ran;
use super::summary::reducers;
use super::tell::{Subject, Tell};
use crate::cargo_fuzz::listing::Listing;
use crate::event::Event;
use crate::reduce::Reducer;
use crate::session::repair::{RepairRow, RepairStatus, RepairTotals};

/// Tells what happens.
pub struct Report {
    console: Console,
    json: Option<Json>,
}

impl Report {
    /// A report under the name of `program`. `max_time` is for telling what is left of it.
    pub fn new(program: &'static str, tell: Tell, max_time: Option<Duration>) -> Self {
        Report {
            console: Console::new(program, tell, max_time),
            json: tell.json.then(Json::to_stdout),
        }
    }

    /// A report to these.
    #[cfg(test)]
    fn over(console: Console, json: Option<Json>) -> Self {
        Report { console, json }
    }

    /// Why data was lost on its way to stdout, if it was: a full disk, not a closed pipe.
    pub fn take_lost(&mut self) -> Option<io::Error> {
        self.json.as_mut().and_then(Json::take_lost).or_else(|| self.console.take_lost())
    }

    /// Says a line, unless it was asked to be quiet.
    pub fn say(&mut self, text: &str) {
        self.console.say(text);
    }

    /// Says a line if it was asked to be verbose.
    pub fn say_more(&mut self, text: &str) {
        self.console.say_more(text);
    }

    /// Tells which settings of a file apply, if there are any.
    pub fn settings(&mut self, applied: Option<&AppliedSettings>) {
        let Some(applied) = applied else { return };
        self.console.say_more(&summary::listed::settings(applied));
        if let Some(json) = &mut self.json {
            json.settings(applied);
        }
    }

    /// Tells what is in a package; the table is data.
    pub fn listed(&mut self, listing: &Listing) {
        match &mut self.json {
            Some(json) => json.listed(listing),
            None => self.console.hand_over_lines(&summary::listed::table(listing)),
        }
    }

    /// Takes note of whose events follow.
    pub fn begin(&mut self, subject: Subject<'_>) {
        if let Some(json) = &mut self.json {
            json.begin(subject);
        }
    }

    /// Tells of an event.
    pub fn hear(&mut self, event: &Event<'_>) {
        self.console.hear(event);
        if let Some(json) = &mut self.json {
            json.hear(event);
        }
    }

    /// Tells how a reduction ended.
    pub fn finished(&mut self, finished: &Finished) {
        self.console.finished(finished);
        match &mut self.json {
            Some(json) => json.finished(finished),
            None => self.console.hand_over_path(&finished.output),
        }
    }

    /// Tells what came of running one input.
    pub fn ran(&mut self, ran: &Ran<'_>) {
        match &mut self.json {
            Some(json) => json.ran(ran),
            None => self.console.ran(ran),
        }
    }

    /// Tells what a fix is worth.
    pub fn judged(&mut self, kit: &JudgedKit<'_>) {
        match &mut self.json {
            Some(json) => json.judged(kit),
            None => self.console.judged(kit),
        }
    }

    /// Tells what became of a folder that was one input; the result's path is data.
    pub fn folder_finished(&mut self, finished: &FolderFinished) {
        self.console.folder_finished(&folder::headline(finished));
        match &mut self.json {
            Some(json) => json.folder_finished(finished),
            None => self.console.hand_over_path(&finished.output),
        }
    }

    /// Reports that an input of a corpus is kept.
    pub fn corpus_file(&mut self, file: &CorpusFile<'_>) {
        if let Some(json) = &mut self.json {
            json.corpus_file(file);
        }
    }

    /// Reports what one of several folders contributes to a corpus.
    pub fn corpus_source(&mut self, source: &CorpusSource<'_>) {
        self.console.say(&folder::corpus::source_line(source));
        if let Some(json) = &mut self.json {
            json.corpus_source(source);
        }
    }

    /// Reports what became of a corpus that was minimized; the folder's path is data.
    pub fn corpus_finished(&mut self, finished: &CorpusFinished<'_>) {
        self.console.folder_finished(&folder::corpus::headline(finished));
        match &mut self.json {
            Some(json) => json.corpus_finished(finished),
            None => self.console.hand_over_path(finished.output),
        }
    }

    /// Reports what became of an input of a corpus that was shrunk.
    pub fn shrunk_file(&mut self, file: &ShrunkFile<'_>) {
        if let Some(json) = &mut self.json {
            json.shrunk_file(file);
        }
    }

    /// Reports what became of a corpus that was shrunk; the folder's path is data.
    pub fn corpus_shrunk(&mut self, shrunk: &CorpusShrunk<'_>) {
        self.console.folder_finished(&folder::shrunk::headline(shrunk));
        match &mut self.json {
            Some(json) => json.corpus_shrunk(shrunk),
            None => self.console.hand_over_path(shrunk.output),
        }
    }

    /// Reports what code a corpus reaches; the functions are data.
    pub fn coverage(&mut self, rows: &[CoverageFunction<'_>], finished: &CoverageFinished<'_>) {
        self.console.folder_finished(&folder::coverage::headline(finished));
        match &mut self.json {
            Some(json) => json.coverage(rows, finished),
            None => {
                for row in rows {
                    self.console.hand_over_lines(&format!("{}\n", folder::coverage::line(row)));
                }
            }
        }
    }

    /// Tells how an isolation ended.
    pub fn isolated(&mut self, isolated: &Isolated) {
        self.console.isolated(isolated);
        match &mut self.json {
            Some(json) => json.isolated(isolated),
            None => self.console.hand_over_lines(&summary::difference(isolated)),
        }
    }

    /// Tells how a generalization ended; the pattern is data.
    pub fn abstracted(&mut self, abstracted: &Abstracted) {
        self.console.abstracted(abstracted);
        match &mut self.json {
            Some(json) => json.abstracted(abstracted),
            None => self.console.hand_over_text(&abstracted.pattern),
        }
    }

    /// Tells what is known of one of many inputs.
    pub fn triaged(&mut self, triaged: &Triaged<'_>) {
        self.console.say_more(&groups::line(triaged));
        if let Some(json) = &mut self.json {
            json.triaged(triaged);
        }
    }

    /// Tells that one of many inputs was passed over, and with which code it would have ended.
    pub fn passed_over(&mut self, input: &Path, why: &str, code: u8) {
        self.console.problem(&format!("passed over: {}: {why}", show::path(input)));
        if let Some(json) = &mut self.json {
            json.passed_over(input, why, code);
        }
    }

    /// Tells what became of many inputs; the table is data.
    pub fn groups(&mut self, groups: &Groups) {
        self.console.groups(groups);
        match &mut self.json {
            Some(json) => json.groups(groups),
            None => self.console.hand_over_table(groups),
        }
    }

    /// Tells how many inputs of `repair` are done.
    pub fn repairing(&mut self, done: usize, all: usize) {
        self.console.count(done, all);
    }

    /// Tells what became of one input of `repair`.
    pub fn repaired(&mut self, row: &RepairRow) {
        if row.status == RepairStatus::Valid {
            self.console.say_more(&repairs::line(row));
        } else {
            self.console.say(&repairs::line(row));
        }
        if let Some(json) = &mut self.json {
            json.repaired(row);
        }
    }

    /// Tells what became of all inputs of `repair`.
    pub fn repairs(&mut self, totals: &RepairTotals, is_single: bool) {
        self.console.clear();
        match is_single {
            true if totals.valid == 1 => self.console.say("it is valid already"),
            true => {}
            false => self.console.say(&repairs::totals_line(totals)),
        }
        if let Some(json) = &mut self.json {
            json.repairs(totals);
        }
    }

    /// Hands the changes of a repair over, in context.
    pub fn diagnosis(&mut self, row: &RepairRow, input: &[u8], text: &[u8]) {
        let name = show::path(&row.input);
        self.console.hand_over_lines(&repairs::diagnosis(&name, input, text));
    }

    /// Hands data over on stdout.
    pub fn hand_over(&mut self, data: &[u8]) {
        self.console.hand_over(data);
    }

    /// Tells what was made of many inputs. The table is talk: the results' paths were data.
    pub fn results(&mut self, groups: &Groups) {
        self.console.groups(groups);
        self.console.results(groups);
        if let Some(json) = &mut self.json {
            json.groups(groups);
        }
    }

    /// Tells which grammars there are; the table is data.
    pub fn grammars(&mut self, listed: &[GrammarListed<'_>]) {
        match &mut self.json {
            Some(json) => json.grammars(listed),
            None => self.console.hand_over_lines(&grammar::list(listed)),
        }
    }

    /// Tells which reducers there are; the table is data.
    pub fn reducers(&mut self, listed: &[&Reducer]) {
        match &mut self.json {
            Some(json) => json.reducers(listed),
            None => self.console.hand_over_lines(&reducers::list(listed)),
        }
    }

    /// Tells what a grammar is made of.
    pub fn grammar(&mut self, shown: &GrammarShown) {
        match &mut self.json {
            Some(json) => json.grammar(shown),
            None => self.console.hand_over_lines(&grammar::text(shown)),
        }
    }

    /// Tells how a file was read; the tree is data, its errors are talk.
    pub fn parsed(&mut self, parsed: &ParseShown<'_>, keep_going: &dyn Fn() -> bool) {
        for error in &parsed.errors {
            self.console.problem(&grammar::error(parsed.input, error));
        }
        if parsed.errors_left_out > 0 {
            let more = grammar::errors_left_out(parsed.input, parsed.errors_left_out);
            self.console.problem(&more);
        }
        match &mut self.json {
            Some(json) => json.parsed(parsed),
            None => {
                let mut give = |lines: &str| self.console.hand_over_lines(lines);
                grammar::tree(parsed, keep_going, &mut give);
            }
        }
    }

    /// Tells why nothing came of it, and with which code the program ends.
    pub fn failed(&mut self, message: &str, code: u8) {
        self.console.error(message);
        if let Some(json) = &mut self.json {
            json.failed(message, code);
        }
    }
}

#[cfg(test)]
pub(super) mod hostile;
#[cfg(test)]
mod tests;
