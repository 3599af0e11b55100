//! JSON Lines, held against `docs/events.schema.json`.

use serde_json::Value;

use crate::scratch::Scratch;

/// Checks as much of JSON Schema as our schema uses. Returns the first violation, if there is one.
fn violation(schema: &Value, root: &Value, value: &Value) -> Option<String> {
    let keywords = schema.as_object().expect("a schema is an object");
    for (keyword, wanted) in keywords {
        let wrong = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => None,
            "$ref" => {
                let pointer = wanted.as_str().unwrap().strip_prefix('#').unwrap();
                violation(root.pointer(pointer).expect("references lead somewhere"), root, value)
            }
            "oneOf" => {
                let fits = |one: &&Value| violation(one, root, value).is_none();
                let count = wanted.as_array().unwrap().iter().filter(fits).count();
                (count != 1).then(|| format!("fits {count} of the events: {value}"))
            }
            "const" => (value != wanted).then(|| format!("{value} is not {wanted}")),
            "enum" => (!wanted.as_array().unwrap().contains(value))
                .then(|| format!("{value} is none of {wanted}")),
            "type" => {
                let types = wanted.as_array().cloned().unwrap_or_else(|| vec![wanted.clone()]);
                let fits = types.iter().any(|one| is_of_type(value, one.as_str().unwrap()));
                (!fits).then(|| format!("{value} is no {wanted}"))
            }
            "required" => wanted.as_array().unwrap().iter().find_map(|name| {
                let name = name.as_str().unwrap();
                value.get(name).is_none().then(|| format!("{name} is missing in {value}"))
            }),
            "additionalProperties" => {
                assert_eq!(wanted, &Value::Bool(false));
                let known = &keywords["properties"];
                let mut names = value.as_object().into_iter().flatten().map(|(name, _)| name);
                let unknown = names.find(|name| known.get(name).is_none());
                unknown.map(|name| format!("{name} is not known in {value}"))
            }
            "properties" => wanted.as_object().unwrap().iter().find_map(|(name, schema)| {
                value.get(name).and_then(|value| violation(schema, root, value))
            }),
            "items" => {
                let mut items = value.as_array().into_iter().flatten();
                items.find_map(|item| violation(wanted, root, item))
            }
            unknown => panic!("the schema uses {unknown}, which this test doesn't know"),
        };
        if wrong.is_some() {
            return wrong;
        }
    }
    None
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the schema uses the type {other}, which this test doesn't know"),
    }
}

/// The lines of a run, each held against the schema.
pub fn lines(stdout: &str) -> Vec<Value> {
    let schema: Value =
        serde_json::from_str(include_str!("../../docs/events.schema.json")).unwrap();
    let lines: Vec<Value> =
        stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    for line in &lines {
        assert_eq!(violation(&schema, &schema, line), None);
    }
    lines
}

fn events(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| line["event"].as_str().unwrap()).collect()
}

#[test]
fn a_reduction_is_told_from_started_to_finished() {
    let scratch = Scratch::new();
    let input = "hello\nworld foo bar\nmore\n";
    scratch.write("crash", input);
    let ended = scratch.run_foo(&["crash", "--json"]);
    assert_eq!(ended.code, Some(0));
    let lines = lines(&ended.stdout);
    let events = events(&lines);
    assert_eq!((events[0], *events.last().unwrap()), ("started", "finished"));
    assert!(events.contains(&"reducer"), "{events:?}");
    let started = &lines[0];
    assert_eq!((&started["input"], &started["target"]), (&"crash".into(), &"sh".into()));
    assert_eq!(started["bytes"], 25);
    let finished = lines.last().unwrap();
    assert_eq!(finished["output"], "crash.min");
    assert_eq!((&finished["input_bytes"], &finished["output_bytes"]), (&25.into(), &3.into()));
    assert_eq!(finished["signature"]["kind"], "command");
    assert_eq!(finished["stopped"], Value::Null);
}

#[test]
fn an_isolation_is_told_with_its_parts() {
    let scratch = Scratch::new();
    scratch.write("crash", "a foo b");
    scratch.write("fine", "a fog b");
    let ended = scratch.run_foo(&["crash", "--isolate", "--passing", "fine", "--json"]);
    let lines = lines(&ended.stdout);
    let isolated = lines.last().unwrap();
    assert_eq!(isolated["event"], "isolated");
    let part = serde_json::json!({"offset": 4, "removed": "67", "inserted": ""});
    assert_eq!(isolated["difference"], Value::Array(vec![part]));
}

#[test]
fn trouble_and_budgets_are_told_too() {
    let scratch = Scratch::new();
    scratch.write("fine", "bar");
    let ended = scratch.run_foo(&["fine", "--json"]);
    let told = lines(&ended.stdout);
    assert_eq!(events(&told), ["error"]);
    assert_eq!(told[0]["exit"], ended.code.unwrap());
    scratch.write("crash", "many words around foo here");
    let ended = scratch.run_foo(&["crash", "--json", "--max-tests", "2"]);
    let told = lines(&ended.stdout);
    let finished = told.last().unwrap();
    assert_eq!((&finished["stopped"], &finished["tests"]), (&"tests".into(), &2.into()));
}
