//! What became of a corpus whose inputs were shrunk.

use crate::event::ShrunkCorpus;

use crate::report::show;

/// `64 inputs, 3,104 → 1,220 bytes with the same coverage of parse in 9,100 tests, 1.2 s; written to out`.
/// The sizes are sums over all inputs. Inputs that fail are not in the result: `; 2 failing inputs left out`.
pub(crate) fn headline(corpus: &ShrunkCorpus<'_>) -> String {
    let left_out = match corpus.failing {
        0 => String::new(),
        count => {
            format!("; {} left out", show::counted(count as u64, "failing input", "failing inputs"))
        }
    };
    format!(
        "{}, {} → {} bytes with the same coverage of {} in {} tests, {}{left_out}; written to {}",
        show::counted(corpus.inputs as u64, "input", "inputs"),
        show::number(corpus.bytes_before as u64),
        show::number(corpus.bytes as u64),
        corpus.target,
        show::number(corpus.tests),
        show::time(corpus.elapsed),
        show::path(corpus.output)
    )
}
