//! JUnit's XML, which most servers for continuous integration show as test results.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::event::FailureGroups;
use crate::report::show;
use crate::report::summary::failure::in_one_line;

/// A test suite for each target, and in it a failed test for each failure. Inputs that no longer fail
/// are tests that pass, in a separate suite, as a passing input's target is not kept.
/// Each failed test has the kind of failure as its type, the failure in one line as its message, and the
/// stack and all inputs as its text. Its name is the kind and the identifier, which are the same in later
/// runs. Failures of an earlier run that are fixed are not in it.
pub(crate) fn junit(groups: &FailureGroups) -> String {
    let mut report = Report::new("seedsmith triage");
    let mut targets: Vec<&str> = Vec::new();
    for row in &groups.rows {
        if !targets.contains(&row.target.as_str()) {
            targets.push(&row.target);
        }
    }
    for target in targets {
        let mut suite = TestSuite::new(target);
        for row in groups.rows.iter().filter(|row| row.target == target) {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let mut lines = String::new();
            for line in &row.stack {
                let place = line.place().map(|place| format!(" at {}", show::short_paths(&place)));
                lines += &format!("{}{}\n", line.function, place.unwrap_or_default());
            }
            for input in &row.inputs {
                lines += &format!("input: {}\n", show::path(input));
            }
            status
                .set_type(row.signature.kind_name())
                .set_message(in_one_line(&row.signature, &row.stack).text())
                .set_description(lines);
            let name = format!("{} {}", row.signature.kind_name(), row.id);
            let mut case = TestCase::new(name, status);
            // Servers group tests by it.
            case.set_classname(target);
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    if !groups.passing.is_empty() {
        let mut suite = TestSuite::new("inputs that do not fail");
        for path in &groups.passing {
            suite.add_test_case(TestCase::new(show::path(path), TestCaseStatus::success()));
        }
        report.add_test_suite(suite);
    }
    let text = report.to_string().expect("memory can be written to") + "\n";
    // The schema of Jenkins knows this attribute for one suite, but not for all suites together. The name of the
    // report is ours, so that the first match is the attribute.
    text.replacen(" skipped=\"0\"", "", 1)
}

#[cfg(test)]
mod tests {
    use super::super::tests::groups;
    use super::*;

    #[test]
    fn failures_are_failed_tests_and_inputs_that_pass_are_passed_tests() {
        let text = junit(&groups());
        assert!(text.contains("tests=\"3\" failures=\"2\""), "{text}");
        assert!(text.contains(" classname=\"parse\""), "{text}");
        assert!(text.contains("message=\"panic at src/lib.rs:17:9: &lt;index&gt; out"), "{text}");
        assert!(text.contains("parse::number at src/lib.rs:17\ninput: crashes/a b\n"), "{text}");
        assert!(text.contains("<testcase name=\"crashes/fixed\""), "{text}");
    }
}
