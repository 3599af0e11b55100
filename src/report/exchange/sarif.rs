//! SARIF 2.1.0 (OASIS), which code scanning of GitHub and editors read.

use std::path::Path;

use serde_json::{Value, json};

use super::{Place, place_of};
use crate::event::{FailureGroup, FailureGroups, Joined, JoinedState};
use crate::report::show;
use crate::report::summary::failure::in_one_line;

/// A result for each failure, at its place in the user's code. An input whose failure has no known
/// place is the place itself, since a viewer shows no result without one.
///
/// With earlier groups each result is `new` or `unchanged`; failures that are fixed have no result.
/// Each kind of failure is a rule. The text is indented and ends with a newline.
pub(crate) fn sarif(groups: &FailureGroups) -> String {
    let mut kinds: Vec<String> = Vec::new();
    let mut results = Vec::new();
    for row in &groups.rows {
        let kind = row.signature.kind_name();
        let rule = kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
            kinds.push(kind.clone());
            kinds.len() - 1
        });
        results.push(result(row, &kind, rule, groups.joined.as_ref()));
    }
    let rules: Vec<Value> = kinds
        .iter()
        .map(|kind| json!({ "id": kind, "shortDescription": { "text": format!("Failure: {kind}") } }))
        .collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "seedsmith",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&document).expect("values are always written");
    text.push('\n');
    text
}

/// A result: message, place, fingerprint, state compared with the earlier run, and the stack.
/// `rule` is the index of `kind` among the rules of the run. `baselineState` is left out without an earlier
/// run, `stacks` without a stack.
fn result(row: &FailureGroup, kind: &str, rule: usize, joined: Option<&Joined>) -> Value {
    let id = &row.id;
    let smallest = show::path(row.best().map_or(&row.smallest, |best| &best.output));
    let inputs: Vec<String> = row.inputs.iter().map(|path| show::path(path)).collect();
    let place = place_of(row).unwrap_or(Place { file: smallest.clone(), line: None, column: None });
    let files = show::counted(row.inputs.len() as u64, "input", "inputs");
    let shown = in_one_line(&row.signature, &row.stack).text();
    let mut result = json!({
        "ruleId": kind,
        "ruleIndex": rule,
        "level": "error",
        "message": { "text": format!("{shown} ({files}; the smallest is {smallest})") },
        "locations": [{ "physicalLocation": physical(&place) }],
        "partialFingerprints": { "seedsmith/v1": id },
        "properties": { "target": row.target, "inputs": inputs, "smallest": smallest },
    });
    if let Some(joined) = joined {
        result["baselineState"] = match joined.state(id) {
            JoinedState::New => "new".into(),
            JoinedState::Known => "unchanged".into(),
        };
    }
    let frames: Vec<Value> = row
        .stack
        .iter()
        .map(|line| {
            let mut location =
                json!({ "logicalLocations": [{ "fullyQualifiedName": line.function }] });
            if let Some(file) = &line.file {
                let file = show::short_paths(file);
                let place = Place { file, line: line.line, column: line.column };
                location["physicalLocation"] = physical(&place);
            }
            json!({ "location": location })
        })
        .collect();
    if !frames.is_empty() {
        result["stacks"] = json!([{ "message": { "text": "stack" }, "frames": frames }]);
    }
    result
}

/// A physical location: the file as a URI, and its line and column if they are known.
fn physical(place: &Place) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(&place.file) } });
    // SARIF counts lines and columns from 1; debug information has 0 where it does not know.
    let known = |number: Option<u32>| number.filter(|number| *number > 0);
    if let Some(line) = known(place.line) {
        physical["region"] = json!({ "startLine": line });
        if let Some(column) = known(place.column) {
            physical["region"]["startColumn"] = column.into();
        }
    }
    physical
}

/// A path as a URI reference.
/// An absolute path gets the scheme `file`; a relative one stays relative.
fn uri(path: &str) -> String {
    let scheme = if Path::new(path).is_absolute() { "file://" } else { "" };
    format!("{scheme}{}", show::uri_path(path.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{groups, row};
    use super::*;

    #[test]
    fn a_result_has_its_place_its_fingerprint_and_its_stack() {
        let value: Value = serde_json::from_str(&sarif(&groups())).unwrap();
        let run = &value["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "panic");
        let result = &run["results"][0];
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "src/lib.rs");
        assert_eq!(place["region"], json!({ "startLine": 17, "startColumn": 9 }));
        assert_eq!(result["partialFingerprints"]["seedsmith/v1"], groups().rows[0].id.as_str());
        let frame = &result["stacks"][0]["frames"][0]["location"];
        assert_eq!(frame["logicalLocations"][0]["fullyQualifiedName"], "parse::number");
        assert_eq!(result.get("baselineState"), None);
    }

    #[test]
    fn results_say_whether_an_earlier_run_had_them() {
        let mut groups = groups();
        let known = groups.rows[0].id.clone();
        groups.joined = Some(Joined::of(
            groups.rows.iter().map(|row| &row.id),
            vec![known, "fixed".to_owned()],
        ));
        let value: Value = serde_json::from_str(&sarif(&groups)).unwrap();
        let states: Vec<&Value> = value["runs"][0]["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|result| &result["baselineState"])
            .collect();
        assert_eq!(states, ["unchanged", "new"]);
    }

    #[test]
    fn a_failure_without_a_place_is_shown_at_its_input() {
        let mut groups = groups();
        let mut nowhere = row("", 0, "no");
        nowhere.stack.clear();
        nowhere.signature = std::sync::Arc::new(seedsmith_engine::Signature::of_kind(
            seedsmith_engine::Kind::Abort,
        ));
        groups.rows = vec![nowhere];
        let value: Value = serde_json::from_str(&sarif(&groups)).unwrap();
        let place = &value["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "crashes/a%20b");
        assert_eq!(place.get("region"), None);
    }
}
