//! The published strategies over the tree of the best, with the steps that all of them share.
//!
//! Hidden text isn't in the papers' trees, so it is dropped before and after. And a strategy makes
//! each tree from the previous one without parsing, so its result is minimal in that tree, while a
//! parse of the result can give another. So a strategy that promises a fixpoint runs again on the
//! tree of its result until the result doesn't change: then a second run changes nothing. On an
//! equal tree that costs no tests, as all answers are cached.

use super::hdd::{HDD, HDD_PLUS, HDD_STAR, HDDR};
use super::perses::PERSES;
use super::picireny::PICIRENY;
use crate::event::{Minimality, NoteKind};
use crate::reduce::choices::{PicirenySteps, Strategy};
use crate::reduce::clues::Guess;
use crate::reduce::context::Look;
use crate::reduce::options::Options;
use crate::reduce::reducer::Reducer;
use crate::reduce::tree::hidden::{WHITE_SPACE, has_hidden};
use crate::reduce::tree::shape::Shape;
use crate::reduce::tree::state::TreeState;
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::ParseError;
use seedsmith_grammar::internal::Substitutes;

/// Reduces the best by one of [`Strategy::ALONG_A_TREE`], with `steps` for picireny. Says why
/// where the best has no tree; then nothing was done.
pub(crate) fn reduce(
    search: &mut Search<'_, '_>,
    language: &Substitutes,
    strategy: Strategy,
    steps: PicirenySteps,
) -> Result<Result<(), ParseError>, Stopped> {
    let mut is_first = true;
    loop {
        let before = search.best().to_vec();
        let mut parser = language.parser();
        let parsed = match language.parse_while(&mut parser, &before, &search.keep_going()) {
            Ok(parsed) => parsed,
            Err(error) if is_first => return Ok(Err(error)),
            // The best is kept; nothing is claimed of it.
            Err(_) => return Ok(Ok(())),
        };
        is_first = false;
        let tree = match strategy {
            Strategy::Picireny => steps.prepared(parsed.tree),
            _ => parsed.tree,
        };
        let mut shape = Shape::new(language, parser, before.clone(), tree);
        once(search, &mut shape, strategy, steps)?;
        let is_settled = search.best() == before;
        if is_settled || strategy == Strategy::Hdd {
            let is_tree_minimal = matches!(strategy, Strategy::HddPlus | Strategy::HddStar);
            if is_tree_minimal && shape.source() == search.best() {
                search.claim(Minimality::OneTreeMinimal);
            }
            return Ok(Ok(()));
        }
    }
}

/// The reducer of a strategy along a tree; the default one's is that of Perses.
fn reducer_of(strategy: Strategy) -> &'static Reducer {
    match strategy {
        Strategy::Hdd => &HDD,
        Strategy::HddPlus => &HDD_PLUS,
        Strategy::HddStar => &HDD_STAR,
        Strategy::Hddr => &HDDR,
        Strategy::Picireny => &PICIRENY,
        Strategy::Perses | Strategy::Auto | Strategy::Ddmin => &PERSES,
    }
}

/// One run of the strategy on one tree: hidden text at once, the strategy, hidden text leaf by
/// leaf. Trees without hidden text cost no test for it.
fn once(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    strategy: Strategy,
    steps: PicirenySteps,
) -> Result<(), Stopped> {
    // Picireny has two other ways to treat hidden text, each chosen by an option.
    let is_hidden_its_own =
        strategy == Strategy::Picireny && (steps.white_space || steps.hidden_tokens);
    let run = |search: &mut Search<'_, '_>, shape: &mut Shape<'_>, reducer: &Reducer, look| {
        reducer.run_along(search, &mut TreeState { shape, look, limit: None, picireny: steps })
    };
    // After a skipped reducer the tree may be between two states.
    let skipped = search.skipped();
    if !is_hidden_its_own && has_hidden(shape) {
        run(search, shape, &WHITE_SPACE, Look::First)?;
    }
    if search.skipped() == skipped {
        run(search, shape, reducer_of(strategy), Look::Close)?;
    }
    let is_done_with = is_hidden_its_own && (steps.hidden_tokens || shape.takes_gaps_along());
    if !is_done_with && search.skipped() == skipped && has_hidden(shape) {
        run(search, shape, &WHITE_SPACE, Look::Close)?;
    }
    Ok(())
}

/// Runs one reducer on the tree of the best, if there is a language for it; else says why not and does
/// nothing. This is how `--only` runs a reducer that the default strategy does not use.
pub(crate) fn run_alone(
    search: &mut Search<'_, '_>,
    options: &Options,
    reducer: &Reducer,
) -> Result<(), Stopped> {
    let Some(known) = options.language_of(search.best(), Guess::ByTrial) else {
        search.note(&format!(
            "{} needs a grammar, and none was named or fits the input: it does not run",
            reducer.name
        ));
        return Ok(());
    };
    if let Some(note) = known.note() {
        search.note_of(NoteKind::GuessedLanguage, &note);
    }
    let source = search.best().to_vec();
    let mut parser = known.language.parser();
    match known.language.parse_while(&mut parser, &source, &search.keep_going()) {
        Ok(parsed) => {
            let mut shape = Shape::new(&known.language, parser, source, parsed.tree);
            let mut tree = TreeState {
                shape: &mut shape,
                look: Look::Close,
                limit: None,
                picireny: options.picireny,
            };
            reducer.run_along(search, &mut tree)
        }
        Err(error) => {
            search.note(&format!("no tree ({error}): {} does not run", reducer.name));
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::reduce::testing::{Found, reduce_by};
    use crate::reduce::tree::tests::{LISTS, language};
    use crate::reduce::{Options, PicirenySteps, Strategy, minimize};

    fn reduce(strategy: Strategy, steps: PicirenySteps, input: &str, needed: &[&str]) -> Found {
        let options = Options {
            strategy,
            language: Some(language(LISTS)),
            picireny: steps,
            ..Options::default()
        };
        let needed: Vec<String> = needed.iter().map(|text| (*text).to_owned()).collect();
        let fails = move |text: &[u8]| {
            let text = String::from_utf8_lossy(text);
            needed.iter().all(|needed| text.contains(needed))
        };
        reduce_by(input.as_bytes(), fails, |search| minimize(search, &options))
    }

    /// Every strategy, and picireny with its own ways with hidden text.
    fn all() -> impl Iterator<Item = (Strategy, PicirenySteps)> {
        let plain = PicirenySteps::default();
        let own = [
            PicirenySteps { white_space: true, ..plain },
            PicirenySteps { hidden_tokens: true, ..plain },
        ];
        let all = Strategy::ALONG_A_TREE.into_iter().map(move |strategy| (strategy, plain));
        all.chain(own.into_iter().map(|steps| (Strategy::Picireny, steps)))
    }

    const COMMENTED: &str = "# one\n[ 1, # two\n 93 ] # three\n# four\nlet x = 2; # five\n";

    #[test]
    fn comments_go_where_they_do_not_matter() {
        for (strategy, steps) in all() {
            let found = reduce(strategy, steps, COMMENTED, &["93"]);
            let best = String::from_utf8_lossy(&found.best);
            assert!(!best.contains('#'), "{strategy} with {steps:?}: {best:?}");
        }
        let found = reduce(Strategy::HddStar, PicirenySteps::default(), COMMENTED, &["93"]);
        assert_eq!(String::from_utf8_lossy(&found.best), "[0,93]");
    }

    #[test]
    fn a_comment_that_matters_stays_and_the_others_go() {
        for (strategy, steps) in all() {
            let found = reduce(strategy, steps, COMMENTED, &["93", "three"]);
            let best = String::from_utf8_lossy(&found.best);
            assert_eq!(best.matches('#').count(), 1, "{strategy} with {steps:?}: {best:?}");
        }
    }

    #[test]
    fn blanks_that_matter_stay_and_comments_go() {
        for (strategy, steps) in all() {
            let found = reduce(strategy, steps, "[ 1, # two\n 93 ] # three\n [ 4 ]", &[" 93 "]);
            let best = String::from_utf8_lossy(&found.best);
            assert!(!best.contains('#'), "{strategy} with {steps:?}: {best:?}");
        }
    }

    #[test]
    fn a_tree_without_hidden_text_costs_no_test_for_it() {
        let found = reduce(Strategy::Hdd, PicirenySteps::default(), "[1,[93]]", &["93"]);
        let order: Vec<_> = found.order.iter().map(|text| String::from_utf8_lossy(text)).collect();
        assert!(order.iter().all(|text| !text.contains(' ')), "{order:?}");
    }
}
