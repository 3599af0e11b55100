//! Refuses options that have no effect because of other options.
//!
//! A user who gives an option expects it to do something. Where the other options leave it nothing
//! to do, the mistake would show much later, or never. Only options about the strategy, the grammar
//! and the structure are checked. `--seed` isn't: it is often given to every run alike.

use crate::cli::arguments::generalize::{DEFAULT_CONFIDENCE, DEFAULT_RATE, GeneralizeArgs};
use crate::cli::arguments::language::LanguageArgs;
use crate::cli::arguments::repair::RepairArgs;
use crate::cli::arguments::structure::PicirenyStep;
use crate::cli::arguments::tmin::TminArgs;
use crate::cli::exit::{Exit, Trouble};
use crate::reduce::{Polish, Strategy, UnitKind};
use crate::repair::Strategy as RepairStrategy;
use crate::session::language::{BYTES, DEFAULT_MAX_PARSE_TIME};

/// Options by name, each with whether it was given something that isn't its default.
type Given = [(&'static str, bool)];

/// Refuses the first of these options that was given.
fn refuse(options: &Given, reason: &str) -> Result<(), Trouble> {
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(Trouble::new(Exit::Usage, format!("{name} has no effect {reason}"))),
        None => Ok(()),
    }
}

impl LanguageArgs {
    fn says_bytes(&self) -> bool {
        self.grammar.as_deref() == Some(BYTES)
    }

    fn has_max_parse_time(&self) -> bool {
        self.max_parse_time != DEFAULT_MAX_PARSE_TIME
    }

    /// The options that name a grammar or concern parsing with it.
    fn given(&self) -> [(&'static str, bool); 4] {
        [
            ("--grammar", self.grammar.is_some()),
            ("--tree-sitter", self.tree_sitter.is_some()),
            ("--start", self.start.is_some()),
            ("--max-parse-time", self.has_max_parse_time()),
        ]
    }

    fn check(&self) -> Result<(), Trouble> {
        let is_for_bytes = |is_given| self.says_bytes() && is_given;
        refuse(
            &[
                ("--start", is_for_bytes(self.start.is_some())),
                ("--max-parse-time", is_for_bytes(self.has_max_parse_time())),
            ],
            "with --grammar bytes, which is no grammar",
        )
    }
}

/// Refuses options that `tmin` would ignore.
pub(crate) fn check_tmin(args: &TminArgs) -> Result<(), Trouble> {
    let TminArgs { structure, search, .. } = args;
    let language = &structure.language;
    let strategy = search.strategy;
    let is_polished = !matches!(search.polish, Polish::Auto | Polish::Tests(0));
    let has_steps = !structure.picireny.is_empty();
    let has_islands = structure.islands.is_some();
    let has_replacements = structure.replacements.is_some();
    let of_structure = [
        ("--islands", has_islands),
        ("--replacements", has_replacements),
        ("--picireny", has_steps),
    ];
    let switches = [("--only", !args.only.is_empty()), ("--without", !args.without.is_empty())];
    if args.isolate {
        let reason = "with --isolate, which looks at the units of --format";
        refuse(&switches, reason)?;
        let of_search = [("--strategy", strategy != Strategy::Auto), ("--polish", is_polished)];
        refuse(&of_search, reason)?;
        refuse(&language.given(), reason)?;
        return refuse(&of_structure, reason);
    }
    language.check()?;
    if language.says_bytes() {
        refuse(&of_structure, "with --grammar bytes, which is no grammar")?;
    }
    if strategy == Strategy::Ddmin {
        let reason = "with --strategy ddmin, which looks at the units of --format";
        let [(_, _), rest @ ..] = language.given();
        let names_one = language.grammar.is_some() && !language.says_bytes();
        refuse(&[("--grammar", names_one)], reason)?;
        refuse(&rest, reason)?;
        refuse(&of_structure[..2], reason)?;
    }
    if strategy != Strategy::Picireny {
        let reason = format!("with --strategy {strategy}; say --strategy picireny");
        refuse(&[("--picireny", has_steps)], &reason)?;
    }
    let has = |step| structure.picireny.contains(&step);
    refuse(
        &[(
            "--picireny white-space",
            has(PicirenyStep::WhiteSpace) && has(PicirenyStep::HiddenTokens),
        )],
        "with hidden-tokens, which leaves white space to the nodes that it is",
    )?;
    let polish = [("--polish", is_polished)];
    if strategy != Strategy::Auto {
        let reason = format!("with --strategy {strategy}, which is one reducer");
        refuse(&switches, &reason)?;
        refuse(&polish, &format!("with --strategy {strategy}; only auto polishes"))?;
    }
    if !matches!(search.format, UnitKind::Auto | UnitKind::Bytes) {
        let reason = format!("with --format {}, of which only whole ones go", search.format);
        refuse(&polish, &reason)?;
    }
    Ok(())
}

/// Refuses options that `repair` would ignore.
pub(crate) fn check_repair(args: &RepairArgs) -> Result<(), Trouble> {
    let language = &args.language;
    language.check()?;
    refuse(
        &[("--max-parse-time", language.grammar.is_none() && language.has_max_parse_time())],
        "without --grammar; nothing else is parsed",
    )?;
    let strategy = args.strategy;
    if strategy == RepairStrategy::Ddmax {
        let names_one = language.grammar.is_some() && !language.says_bytes();
        let reason = "with --strategy ddmax, which looks at bytes";
        refuse(&[("--grammar", names_one)], reason)?;
    }
    let only_delete = [("--only-delete", args.only_delete)];
    if args.base.is_some() || args.parent.is_some() {
        let other = if args.parent.is_some() { "--parent" } else { "--base" };
        let reason = format!("with {other}, which adds parts of one input to a valid one");
        refuse(&only_delete, &reason)?;
        let is_hybrid = strategy == RepairStrategy::Hybrid;
        return refuse(&[("--strategy hybrid", is_hybrid)], &reason);
    }
    if strategy != RepairStrategy::Auto {
        let reason = format!("with --strategy {strategy}, which adds nothing anyway");
        refuse(&only_delete, &reason)?;
    }
    Ok(())
}

/// Refuses options that `generalize` would ignore.
pub(crate) fn check_generalize(args: &GeneralizeArgs) -> Result<(), Trouble> {
    args.language.check()?;
    let of_search = [
        ("--checks", args.checks.is_some()),
        ("--no-reduce", args.no_reduce),
        ("--explain", args.explain),
        ("--rate", args.rate != DEFAULT_RATE),
        ("--confidence", args.confidence != DEFAULT_CONFIDENCE),
    ];
    if args.verify.is_some() {
        let reason = "with --verify, which only runs inputs";
        refuse(&args.language.given(), reason)?;
        return refuse(&of_search, reason);
    }
    if args.inputs.is_empty() {
        return refuse(&of_search, "without an INPUT, of which a pattern is searched");
    }
    if args.checks.is_some() {
        let reason = "with --checks, which counts instead of estimating";
        refuse(&of_search[3..], reason)?;
    }
    Ok(())
}
