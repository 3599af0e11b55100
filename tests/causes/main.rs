//! Lists of planted causes, each committed before the generalizer was run on any of it. They take minutes:
//! `scripts/nightly causes`.

mod draws;
mod eighteenth;
mod eighth;
mod eleventh;
mod fifteenth;
mod fifth;
mod fortieth;
mod forty_eighth;
mod forty_fifth;
mod forty_first;
mod forty_fourth;
mod forty_second;
mod forty_seventh;
mod forty_sixth;
mod forty_third;
mod fourteenth;
#[path = "../generalize/fourth/mod.rs"]
mod fourth;
mod nineteenth;
mod ninth;
#[path = "../common/patterns.rs"]
mod patterns;
mod readers;
mod second;
mod seventeenth;
mod seventh;
mod sixteenth;
mod sixth;
mod tenth;
mod third;
mod thirteenth;
mod thirtieth;
mod thirty_eighth;
mod thirty_fifth;
mod thirty_first;
mod thirty_fourth;
mod thirty_ninth;
mod thirty_second;
mod thirty_seventh;
mod thirty_sixth;
mod thirty_third;
mod twelfth;
mod twentieth;
mod twenty_eighth;
mod twenty_fifth;
mod twenty_first;
mod twenty_fourth;
mod twenty_ninth;
mod twenty_second;
mod twenty_seventh;
mod twenty_sixth;
mod twenty_third;
#[path = "../common/two_sided.rs"]
mod two_sided;

use two_sided::{Tally, TwoSided};

/// Those that come with a generator of inputs.
fn two_sided_causes() -> impl Iterator<Item = &'static TwoSided> {
    std::iter::empty()
        .chain(fourth::fourth())
        .chain(fifth::fifth())
        .chain(sixth::sixth())
        .chain(seventh::seventh())
        .chain(eighth::eighth())
        .chain(ninth::ninth())
        .chain(tenth::tenth())
        .chain(eleventh::eleventh())
        .chain(twelfth::twelfth())
        .chain(thirteenth::thirteenth())
        .chain(fourteenth::fourteenth())
        .chain(fifteenth::fifteenth())
        .chain(sixteenth::sixteenth())
        .chain(seventeenth::seventeenth())
        .chain(eighteenth::eighteenth())
        .chain(nineteenth::nineteenth())
        .chain(twentieth::twentieth())
        .chain(twenty_first::twenty_first())
        .chain(twenty_second::twenty_second())
        .chain(twenty_third::twenty_third())
        .chain(twenty_fourth::twenty_fourth())
        .chain(twenty_fifth::twenty_fifth())
        .chain(twenty_sixth::twenty_sixth())
        .chain(twenty_seventh::twenty_seventh())
        .chain(twenty_eighth::twenty_eighth())
        .chain(twenty_ninth::twenty_ninth())
        .chain(thirtieth::thirtieth())
        .chain(thirty_first::thirty_first())
        .chain(thirty_second::thirty_second())
        .chain(thirty_third::thirty_third())
        .chain(thirty_fourth::thirty_fourth())
        .chain(thirty_fifth::thirty_fifth())
        .chain(thirty_sixth::thirty_sixth())
        .chain(thirty_seventh::thirty_seventh())
        .chain(thirty_eighth::thirty_eighth())
        .chain(thirty_ninth::thirty_ninth())
        .chain(fortieth::fortieth())
        .chain(forty_first::forty_first())
        .chain(forty_second::forty_second())
        .chain(forty_third::forty_third())
        .chain(forty_fourth::forty_fourth())
        .chain(forty_fifth::forty_fifth())
        .chain(forty_sixth::forty_sixth())
        .chain(forty_seventh::forty_seventh())
        .chain(forty_eighth::forty_eighth())
}

/// Every twelfth of them. `SEEDSMITH_CAUSES=json` runs all with a name that has `json` in it.
#[test]
fn causes_with_generated_inputs_are_told() {
    if let Ok(kind) = std::env::var("SEEDSMITH_CAUSES") {
        two_sided::tally(two_sided_causes().filter(|one| one.name.contains(&kind)));
        return;
    }
    let Tally { all, right, too_general, .. } = two_sided::tally(two_sided_causes().step_by(12));
    assert!(right * 4 >= all * 3, "{right} of {all} are right");
    assert!(too_general * 20 <= all, "{too_general} of {all} are too general");
}

#[test]
fn generated_inputs_are_on_both_sides_of_each_cause() {
    two_sided::check_generated(two_sided_causes());
}
