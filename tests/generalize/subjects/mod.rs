//! Programs like the subjects of the DDSET paper: a scripting language, a Lisp, and two command
//! lines. The parser of each rejects invalid inputs and finds planted failures of the kinds that the
//! paper reports.
//!
//! They were written down before the generalizer was run on any of them.

mod command;
mod lisp;
mod script;
mod table;

use crate::rejecting::Rejecting;

/// The verdict of a program of this folder on an input.
enum Said {
    /// It is invalid.
    Rejected,
    /// It is valid, and these planted failures show.
    Taken(Vec<Failure>),
}

/// A planted failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Failure {
    BreakOfOwnLabel,
    ShiftOfLength,
    EqualNames,
    ClassOfClass,
    VariableAfterBreak,
    JoinedWithItself,
    ParametersOfOneName,
    LiteralInTry,
    ShadowedFunction,
    DaysWithoutSign,
    NewerAccess,
    GroupWithoutNumber,
    AnchorInStar,
    IncludedFile,
}

impl Said {
    fn is_valid(&self) -> bool {
        matches!(self, Said::Taken(_))
    }

    fn fails(&self, failure: Failure) -> bool {
        matches!(self, Said::Taken(failures) if failures.contains(&failure))
    }
}

/// A row of the table: the name, the input, and the failure that it shows.
macro_rules! subject {
    ($program:ident, $grammar:expr, $name:literal, $input:expr, $failure:ident) => {
        Rejecting {
            name: $name,
            grammar: $grammar,
            input: $input,
            valid: |input| $program::says(crate::patterns::text(input)).is_valid(),
            fails: |input| $program::says(crate::patterns::text(input)).fails(Failure::$failure),
        }
    };
}

/// The subjects.
pub const SUBJECTS: &[Rejecting] = &[
    subject!(
        script,
        script::GRAMMAR,
        "script: a label whose statement is a break to it",
        "ab: break ab;",
        BreakOfOwnLabel
    ),
    subject!(
        script,
        script::GRAMMAR,
        "script: the length of a text is shifted in place",
        "\"a\".length >>= 1;",
        ShiftOfLength
    ),
    subject!(
        script,
        script::GRAMMAR,
        "script: two equal names in one declaration",
        "const [y, y] = [];",
        EqualNames
    ),
    subject!(
        script,
        script::GRAMMAR,
        "script: a class that extends a class without a name",
        "var a = class extends (class { }) { };",
        ClassOfClass
    ),
    subject!(
        script,
        script::GRAMMAR,
        "script: a variable is declared after a break in a loop in a loop",
        "var c = 1; while (c) { while (c) { break; var d = 2; } }",
        VariableAfterBreak
    ),
    subject!(
        script,
        script::GRAMMAR,
        "script: a function is joined with itself",
        "var f = function () { }; var s = \"aaaa\"; join(f, 1, f, 1);",
        JoinedWithItself
    ),
    subject!(
        lisp,
        lisp::GRAMMAR,
        "lisp: two parameters that are one name when - is written _",
        "(fn [a-b a_b] (fn [] a_b a-b))",
        ParametersOfOneName
    ),
    subject!(
        lisp,
        lisp::GRAMMAR,
        "lisp: a loop that tries a literal",
        "(try (loop [] (try \"text\" (catch error e))) \"else\" (catch error x))",
        LiteralInTry
    ),
    subject!(
        lisp,
        lisp::GRAMMAR,
        "lisp: a name of a function is bound and called",
        "(let [inc 1 b 2] (inc b))",
        ShadowedFunction
    ),
    subject!(
        command,
        command::FIND,
        "find: days without a sign",
        "find . -mtime 2",
        DaysWithoutSign
    ),
    subject!(
        command,
        command::FIND,
        "find: newer than an access",
        "find . -neweraa x",
        NewerAccess
    ),
    subject!(
        command,
        command::FIND,
        "find: an option instead of the number of a group",
        "find . -gid -ctime 2",
        GroupWithoutNumber
    ),
    subject!(
        command,
        command::GREP,
        "grep: an anchor in a group that is repeated",
        "grep -E '(^|b)*(a|$)' x",
        AnchorInStar
    ),
    subject!(
        command,
        command::GREP,
        "grep: the file is the one that is included",
        "grep --include=ab 'x' ab",
        IncludedFile
    ),
];
