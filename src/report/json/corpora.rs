//! Lines about corpora.
//!
//! The commands `cmin`, `merge`, `shrink-corpus` and `coverage` report these. Sizes are in bytes. Paths that
//! are no UTF-8 are written with replacement characters.

use super::{Json, milliseconds};
use crate::event::{
    CorpusFile, CorpusSource, CoverageFunction, CoverageTotals, MinimizedCorpus, ShrunkCorpus,
    ShrunkFile,
};
use crate::report::json::lines::JsonEvent;

impl Json {
    /// Writes `corpus_file`: an input that is kept, with its features and those that no other kept input has.
    /// `name` is the file's name in the result: the SHA-1 of its content.
    pub(super) fn corpus_file(&mut self, file: &CorpusFile<'_>) {
        let CorpusFile { input, name, bytes, features, unique } = *file;
        let input = &input.to_string_lossy();
        self.write(JsonEvent::CorpusFile { input, name, bytes, features, unique });
    }

    /// Writes `corpus_source`: the contribution of a folder. There is a line for each named folder if there are
    /// several, after those of the files.
    /// `unique` counts features that no input of another folder has, `kept` the inputs that are in the
    /// result.
    pub(super) fn corpus_source(&mut self, source: &CorpusSource<'_>) {
        let CorpusSource { source, inputs, features, unique, kept } = *source;
        let source = &source.to_string_lossy();
        self.write(JsonEvent::CorpusSource { source, inputs, features, unique, kept });
    }

    /// Writes `corpus`, the last line of a minimization of a corpus: sizes before and after, in inputs, bytes and
    /// features.
    /// `inputs` counts each content once. `recalled` inputs were not run, since an earlier run or a shard had
    /// recorded their features.
    pub(super) fn corpus_minimized(&mut self, finished: &MinimizedCorpus<'_>) {
        self.write(JsonEvent::Corpus {
            target: finished.target,
            output: &finished.output.to_string_lossy(),
            inputs: finished.inputs,
            input_bytes: finished.input_bytes,
            kept: finished.kept,
            kept_bytes: finished.kept_bytes,
            features: finished.features,
            added: finished.added,
            rejected: finished.rejected,
            failing: finished.failing,
            failures: finished.failures,
            recalled: finished.recalled,
            elapsed_ms: milliseconds(finished.elapsed),
        });
    }

    /// Writes `shrunk_file`: an input with its sizes before and after in bytes. All of these lines come at the end,
    /// since nothing is written before.
    /// `features` counts those that the input had to keep, `tests` the tests that were spent on it.
    pub(super) fn shrunk_file(&mut self, file: &ShrunkFile<'_>) {
        let ShrunkFile { input, name, bytes_before, bytes, features, tests } = *file;
        let input = &input.to_string_lossy();
        let (input_bytes, output_bytes) = (bytes_before, bytes);
        self.write(JsonEvent::ShrunkFile {
            input,
            name,
            input_bytes,
            output_bytes,
            features,
            tests,
        });
    }

    /// Writes `corpus_shrunk`, the last line: the sums over all inputs.
    /// `failing` inputs are not in the result.
    pub(super) fn corpus_shrunk(&mut self, shrunk: &ShrunkCorpus<'_>) {
        self.write(JsonEvent::CorpusShrunk {
            target: shrunk.target,
            output: &shrunk.output.to_string_lossy(),
            inputs: shrunk.inputs,
            input_bytes: shrunk.bytes_before,
            output_bytes: shrunk.bytes,
            failing: shrunk.failing,
            tests: shrunk.tests,
            elapsed_ms: milliseconds(shrunk.elapsed),
        });
    }

    /// Writes `coverage_function` for each function in the order of its place, and `coverage` with the sums. Blocks
    /// are instrumented basic blocks; `against` is null without another corpus.
    /// `file` and `line` are null where debug information does not know them; `line` is the first of the
    /// blocks.
    pub(super) fn coverage(
        &mut self,
        rows: &[CoverageFunction<'_>],
        finished: &CoverageTotals<'_>,
    ) {
        for CoverageFunction { name, file, line, blocks, reached, against } in rows.iter().copied()
        {
            let function = name;
            self.write(JsonEvent::CoverageFunction {
                function,
                file,
                line,
                blocks,
                reached,
                against,
            });
        }
        let CoverageTotals { target, inputs, failing, functions, .. } = *finished;
        self.write(JsonEvent::Coverage {
            target,
            inputs,
            failing,
            functions,
            functions_reached: finished.functions_reached,
            lines: finished.lines,
            lines_reached: finished.lines_reached,
            differing: finished.differing,
        });
    }
}
