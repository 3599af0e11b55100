//! How the console prints each event.
//!
//! Events have three kinds of output here. Messages go to stderr unless `--quiet`; details only with
//! `--verbose`; and the data that the user wants goes to stdout, unless JSON Lines are written there. An event that
//! ends a task removes the line of progress first.
//!
//! The texts are made in `report/summary`. Errors and problems are printed also with `--quiet`. An event
//! without a branch, such as a kept file of a corpus, is only for JSON Lines and other reporters.

use super::Console;
use crate::event::{
    Event, FailureGroups, GeneralizedInput, IsolatedInput, JudgedKit, MinimizedInput, ParsedFile,
    RanInput, RepairRow, RepairStatus, RepairTotals, ReportError, Reporter,
};
use crate::report::summary::{
    self, folder, generalized, grammar, groups, listed, reducer_list, reducers, repairs,
};
use crate::report::{note, show};

impl Reporter for Console {
    /// Updates the line of progress, then prints the event. An error of stdout is kept for `take_error`; an
    /// error of stderr is ignored, so that a closed stderr does not end the run.
    ///
    /// Reducers without any test print nothing. `Data` and the diagnoses of repairs are written to stdout
    /// without a look at `--json`: the command decides whether it reports them.
    fn report(&mut self, event: &Event<'_>) {
        if let Some(line) = self.progress.follow(event) {
            self.say(&line);
        }
        match *event {
            Event::Note(kind, text) => self.say(&note::note_in_words(kind, text)),
            Event::Message(text) => self.say(text),
            Event::Detail(text) => self.say_more(text),
            Event::Settings(applied) => self.say_more(&listed::settings(applied)),
            Event::Started { signature, .. } => self.say_more(&format!("hunting {signature}")),
            Event::ReducerEnded(stats) if stats.counts.tests > 0 => {
                self.say_more(&reducers::line(stats));
            }
            Event::OtherFailure { signature, .. } => {
                self.say_more(&format!("other failures: {signature}"))
            }
            Event::Minimized(minimized) => self.minimized(minimized),
            Event::FolderMinimized(folder) => {
                self.end(&folder::headline(folder));
                self.give(|console| console.hand_over_path(&folder.output));
            }
            Event::Isolated(isolated) => self.isolated(isolated),
            Event::Generalized(generalized) => self.generalized(generalized),
            Event::Ran(ran) => self.give(|console| console.ran(ran)),
            Event::Judged(kit) => self.give(|console| console.judged(kit)),
            Event::Listed(listing) => {
                self.give(|console| console.hand_over_lines(&listed::table(listing)));
            }
            Event::Triaged(triaged) => self.say_more(&groups::line(triaged)),
            Event::PassedOver { input, why, .. } => {
                self.problem(&format!("passed over: {}: {why}", show::path(input)));
            }
            Event::Grouped(groups) => {
                self.groups(groups);
                self.give(|console| {
                    console.hand_over_styled(&groups::table(groups, &console.data_look));
                });
            }
            Event::GroupsMinimized(groups) => {
                self.groups(groups);
                if !self.options.quiet {
                    self.write_styled(&groups::table(groups, &self.talk_look));
                }
            }
            Event::CorpusSource(source) => self.say(&folder::corpus::source_line(source)),
            Event::CorpusMinimized(corpus) => {
                self.end(&folder::corpus::headline(corpus));
                if corpus.is_last {
                    self.give(|console| console.hand_over_path(corpus.output));
                }
            }
            Event::CorpusShrunk(corpus) => {
                self.end(&folder::shrunk::headline(corpus));
                self.give(|console| console.hand_over_path(corpus.output));
            }
            Event::Coverage { functions, totals } => {
                self.end(&folder::coverage::headline(totals));
                self.give(|console| {
                    for function in functions {
                        let line = folder::coverage::line(function);
                        console.hand_over_lines(&format!("{line}\n"));
                    }
                });
            }
            Event::InputsDone { done, all } => self.progress.count(done, all),
            Event::Repaired(repaired) => self.repaired(repaired.row),
            Event::RepairDiagnosed(repaired) => {
                if let Some(text) = repaired.text {
                    let name = show::path(&repaired.row.input);
                    self.hand_over_lines(&repairs::diagnosis(&name, repaired.input, text));
                }
            }
            Event::RepairsEnded { totals, is_single } => self.repairs_ended(totals, is_single),
            Event::Data(data) => self.hand_over(data),
            Event::Reducers(listed) => {
                self.give(|console| console.hand_over_lines(&reducer_list::list(listed)));
            }
            Event::Grammars(listed) => {
                self.give(|console| console.hand_over_lines(&grammar::list(listed)));
            }
            Event::Grammar(described) => {
                self.give(|console| console.hand_over_lines(&grammar::text(described)));
            }
            Event::Parsed(parsed) => self.parsed(parsed),
            Event::Failed { message, .. } => self.error(message),
            _ => {}
        }
    }

    /// The first error of stdout since the last call. A reader that has closed stdout is no error.
    fn take_error(&mut self) -> Option<ReportError> {
        self.lost.take()
    }
}

impl Console {
    /// Calls `give`, which writes data to stdout, unless JSON Lines are written there.
    fn give(&mut self, give: impl FnOnce(&mut Self)) {
        if !self.options.json {
            give(self);
        }
    }

    /// Removes the line of progress and prints how a task ended, in one line on stderr. With `--quiet`
    /// nothing is printed, but the line of progress is removed all the same.
    fn end(&mut self, headline: &str) {
        self.progress.clear();
        self.say(headline);
    }

    /// The size, the facts and, if wanted, the table of reducers are messages; the path is data.
    ///
    /// `--verbose` shows whole stacks. The table of `--stats` is printed also with `--quiet`: it was asked
    /// for.
    fn minimized(&mut self, minimized: &MinimizedInput) {
        self.progress.clear();
        self.say_styled(&summary::headline(minimized));
        if !self.options.quiet {
            self.write_facts(&summary::facts(minimized, self.options.verbose));
        }
        if self.options.stats {
            self.write(&reducers::table(&minimized.stats));
        }
        self.give(|console| console.hand_over_path(&minimized.output));
    }

    /// The sizes are messages; the difference is data: for each part that differs, a line with the removed
    /// and one with the inserted bytes, unless there are none.
    fn isolated(&mut self, isolated: &IsolatedInput) {
        self.end(&summary::isolation_headline(isolated));
        if !self.options.quiet {
            self.write_facts(&summary::isolation_facts(isolated, self.options.verbose));
        }
        self.give(|console| console.hand_over_lines(&summary::difference(isolated)));
    }

    /// The facts are messages; the pattern is data. If stdout is a terminal, the pattern is not printed a
    /// second time, because the facts have it; with `--quiet` it is printed alone.
    fn generalized(&mut self, generalized: &GeneralizedInput) {
        self.end(&generalized::headline(generalized));
        if !self.options.quiet {
            self.write_facts(&generalized::facts(generalized, self.options.verbose));
        }
        self.give(|console| console.hand_over_text(&generalized.pattern));
    }

    /// The runs of one input are what the user wants, so they are data: headline and facts are written to
    /// stdout, also with `--quiet`. The headline is wrapped if stdout is a terminal.
    fn ran(&mut self, ran: &RanInput<'_>) {
        self.progress.clear();
        let (headline, facts) =
            (summary::ran::headline(ran), summary::ran::facts(ran, self.options.verbose));
        let columns = self.data_look.prose_columns().unwrap_or(usize::MAX);
        let lines = headline.wrapped(columns, columns);
        let headline: String =
            lines.iter().map(|line| format!("{}\n", line.render(&self.data_look))).collect();
        self.hand_over_styled(&(headline + &facts.render(&self.data_look)));
    }

    /// The judgement is what the user wants, so it is data: the verdict and its facts go to stdout.
    fn judged(&mut self, kit: &JudgedKit<'_>) {
        self.progress.clear();
        let facts = summary::judged::facts(kit).render(&self.data_look);
        self.hand_over_styled(&format!("{}\n{facts}", summary::judged::headline(kit)));
    }

    /// Prints how many inputs fail, and, if an earlier run was named, how many of the failures are new.
    ///
    /// The table is left to the caller: `Grouped` writes it to stdout, `GroupsMinimized` to stderr.
    fn groups(&mut self, groups: &FailureGroups) {
        self.end(&groups::headline(groups));
        if let Some(joined) = &groups.joined {
            self.say(&joined.headline());
        }
    }

    /// A line for each input that is not valid; with `--verbose` for valid ones too. The line is a message:
    /// the repaired text itself is data of another event or a file.
    fn repaired(&mut self, row: &RepairRow) {
        let line = repairs::line(row);
        if row.status == RepairStatus::Valid {
            self.say_more(&line);
        } else {
            self.say(&line);
        }
    }

    /// The totals of several inputs. Of one input its own line has said all, except that it is valid.
    fn repairs_ended(&mut self, totals: &RepairTotals, is_single: bool) {
        self.progress.clear();
        match is_single {
            true if totals.valid == 1 => self.say("it is valid already"),
            true => {}
            false => self.say(&repairs::totals_line(totals)),
        }
    }

    /// The errors are for people whatever is written on stdout; the tree is data.
    ///
    /// Errors are printed also with `--quiet`. The tree is written in pieces, so that a large one can be
    /// stopped in between.
    fn parsed(&mut self, parsed: &ParsedFile<'_>) {
        for error in &parsed.errors {
            self.problem(&grammar::error(parsed.input, error));
        }
        if parsed.errors_left_out > 0 {
            self.problem(&grammar::errors_left_out(parsed.input, parsed.errors_left_out));
        }
        self.give(|console| {
            grammar::tree(parsed, &mut |lines: &str| console.hand_over_lines(lines));
        });
    }
}
