//! What became of a corpus that was minimized, and what each of its sources contributed.

use crate::event::{CorpusSource, MinimizedCorpus};

use crate::report::show;

/// `812 → 64 inputs, 90,112 → 3,104 bytes with all 2,713 features of parse, in 1.2 s; written to out`.
///
/// If inputs were added to a corpus that was there: `12 inputs with 40 new features added to corpus, out of
/// 812 inputs on parse, in 1.2 s`. Failing inputs, and inputs that were not run because their features were
/// recorded before, are mentioned if there are any. Rejected inputs are not mentioned.
pub(crate) fn headline(corpus: &MinimizedCorpus<'_>) -> String {
    let number = |count: usize| show::number(count as u64);
    let failing = match corpus.failing {
        0 => String::new(),
        count => format!(
            "; {} ({})",
            show::counted(count as u64, "input fails", "inputs fail"),
            show::counted(corpus.failures as u64, "failure", "failures")
        ),
    };
    let recalled = match corpus.recalled {
        0 => String::new(),
        count => {
            let inputs = show::counted(count as u64, "input", "inputs");
            format!("; the features of {inputs} were recorded before")
        }
    };
    let (time, place) = (show::time(corpus.elapsed), show::path(corpus.output));
    if corpus.is_added {
        return format!(
            "{} with {} new features added to {place}, out of {} inputs on {}, in {time}{failing}{recalled}",
            show::counted(corpus.kept as u64, "input", "inputs"),
            number(corpus.added),
            number(corpus.inputs),
            corpus.target,
        );
    }
    format!(
        "{} → {} inputs, {} → {} bytes with all {} features of {}, in {time}{failing}{recalled}; written to {place}",
        number(corpus.inputs),
        number(corpus.kept),
        show::number(corpus.input_bytes),
        show::number(corpus.kept_bytes),
        number(corpus.features),
        corpus.target,
    )
}

/// `ours: 812 inputs, 2,713 features, 40 of them in no other source; 30 inputs kept`.
///
/// The console prints such a line for each named source, before the headline. Inputs that fail are not
/// counted. A file that is below two sources counts in both lines, so the sum can exceed the whole corpus.
pub(crate) fn source_line(source: &CorpusSource<'_>) -> String {
    let number = |count: usize| show::number(count as u64);
    format!(
        "{}: {}, {} features, {} of them in no other source; {} kept",
        show::path(source.source),
        show::counted(source.inputs as u64, "input", "inputs"),
        number(source.features),
        number(source.unique),
        show::counted(source.kept as u64, "input", "inputs"),
    )
}
