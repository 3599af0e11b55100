//! YAML and the jobs of a workflow: requirements are checked, steps get their variables, and jobs
//! are put in order.

#![no_main]

#[path = "harness/mod.rs"]
#[macro_use]
mod harness;

use std::collections::{BTreeMap, BTreeSet};

use yaml_rust2::{Yaml, YamlLoader};

const MOST_ALIASES: usize = 8;

#[derive(Default)]
struct Workflow {
    name: String,
    events: BTreeSet<String>,
    variables: BTreeMap<String, String>,
    jobs: BTreeMap<String, Job>,
}

#[derive(Default)]
struct Job {
    needs: Vec<String>,
    matrix: Vec<(String, Vec<String>)>,
    steps: Vec<Step>,
    minutes: i64,
    condition: Option<String>,
}

#[derive(Default)]
struct Step {
    name: Option<String>,
    command: Option<String>,
    uses: Option<String>,
    with: BTreeMap<String, String>,
    continues: bool,
}

type Problems = Vec<String>;

fn scalar(yaml: &Yaml) -> Option<String> {
    Some(match yaml {
        Yaml::Real(text) | Yaml::String(text) => text.clone(),
        Yaml::Integer(number) => number.to_string(),
        Yaml::Boolean(truth) => truth.to_string(),
        Yaml::Null => String::new(),
        _ => return None,
    })
}

fn scalars(yaml: &Yaml, problems: &mut Problems) -> Vec<String> {
    match yaml {
        Yaml::Array(items) => items
            .iter()
            .filter_map(|item| {
                let text = scalar(item);
                if text.is_none() {
                    problems.push("a list of lists".to_owned());
                }
                text
            })
            .collect(),
        other => scalar(other).into_iter().collect(),
    }
}

fn pairs(yaml: &Yaml, problems: &mut Problems) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let Yaml::Hash(hash) = yaml else {
        problems.push("no mapping".to_owned());
        return found;
    };
    for (key, value) in hash {
        match (scalar(key), scalar(value)) {
            (Some(key), Some(value)) => drop(found.insert(key, value)),
            _ => problems.push("no text".to_owned()),
        }
    }
    found
}

fn step(yaml: &Yaml, problems: &mut Problems) -> Step {
    let mut step = Step::default();
    let Yaml::Hash(hash) = yaml else {
        problems.push("a step is a mapping".to_owned());
        return step;
    };
    for (key, value) in hash {
        match key.as_str() {
            Some("name") => step.name = scalar(value),
            Some("run") => step.command = scalar(value),
            Some("uses") => match value.as_str().map(|text| text.split_once('@')) {
                Some(Some((action, version))) if action.contains('/') && !version.is_empty() => {
                    step.uses = value.as_str().map(str::to_owned);
                }
                _ => problems.push("an action without a version".to_owned()),
            },
            Some("with") => step.with = pairs(value, problems),
            Some("continue-on-error") => match value.as_bool() {
                Some(truth) => step.continues = truth,
                None => problems.push("no truth".to_owned()),
            },
            Some(other) => problems.push(format!("a step has no {other}")),
            None => problems.push("a key that is no text".to_owned()),
        }
    }
    match (&step.command, &step.uses) {
        (Some(_), Some(_)) => problems.push("both a command and an action".to_owned()),
        (None, None) => problems.push("nothing to do".to_owned()),
        (Some(_), None) if !step.with.is_empty() => problems.push("inputs of a command".to_owned()),
        _ => {}
    }
    step
}

fn job(yaml: &Yaml, problems: &mut Problems) -> Job {
    let mut job = Job { minutes: 60, ..Job::default() };
    let Yaml::Hash(hash) = yaml else {
        problems.push("a job is a mapping".to_owned());
        return job;
    };
    for (key, value) in hash {
        match key.as_str() {
            Some("needs") => job.needs = scalars(value, problems),
            Some("if") => job.condition = scalar(value),
            Some("timeout") => match value.as_i64() {
                Some(minutes @ 1..=600) => job.minutes = minutes,
                _ => problems.push("no such time".to_owned()),
            },
            Some("matrix") => {
                if let Yaml::Hash(axes) = value {
                    for (name, values) in axes {
                        let values = scalars(values, problems);
                        match scalar(name) {
                            Some(name) if !values.is_empty() => job.matrix.push((name, values)),
                            _ => problems.push("an empty axis".to_owned()),
                        }
                    }
                }
            }
            Some("steps") => match value.as_vec() {
                Some(steps) => job.steps = steps.iter().map(|one| step(one, problems)).collect(),
                None => problems.push("steps are a list".to_owned()),
            },
            Some(other) => problems.push(format!("a job has no {other}")),
            None => problems.push("a key that is no text".to_owned()),
        }
    }
    job
}

fn workflow(yaml: &Yaml, problems: &mut Problems) -> Workflow {
    let mut workflow = Workflow::default();
    let Yaml::Hash(hash) = yaml else {
        problems.push("a workflow is a mapping".to_owned());
        return workflow;
    };
    for (key, value) in hash {
        match key.as_str() {
            Some("name") => workflow.name = scalar(value).unwrap_or_default(),
            Some("on") => {
                for event in scalars(value, problems) {
                    match event.as_str() {
                        "push" | "pull_request" | "schedule" | "manual" => drop(workflow.events.insert(event)),
                        other => problems.push(format!("no event {other}")),
                    }
                }
            }
            Some("env") => workflow.variables = pairs(value, problems),
            Some("jobs") => {
                if let Yaml::Hash(jobs) = value {
                    for (name, value) in jobs {
                        let name = scalar(name).unwrap_or_default();
                        workflow.jobs.insert(name, job(value, problems));
                    }
                }
            }
            _ => problems.push("an unknown key".to_owned()),
        }
    }
    workflow
}

/// Jobs so that each comes after those that it needs.
fn order<'w>(workflow: &'w Workflow, problems: &mut Problems) -> Vec<&'w str> {
    let mut order: Vec<&str> = Vec::new();
    let mut waiting: BTreeMap<&str, &Job> = workflow.jobs.iter().map(|(name, job)| (name.as_str(), job)).collect();
    for (name, job) in &workflow.jobs {
        for needed in &job.needs {
            if !workflow.jobs.contains_key(needed) {
                problems.push(format!("{name} needs {needed}"));
            }
        }
    }
    while !waiting.is_empty() {
        let is_ready = |job: &Job| {
            let is_there = |needed: &String| order.contains(&needed.as_str()) || !workflow.jobs.contains_key(needed);
            job.needs.iter().all(is_there)
        };
        let ready: Vec<&str> = waiting.iter().filter(|(_, job)| is_ready(job)).map(|(name, _)| *name).collect();
        if ready.is_empty() {
            problems.push(format!("{} jobs wait for each other", waiting.len()));
            break;
        }
        for name in ready {
            waiting.remove(name);
            order.push(name);
        }
    }
    order
}

/// Replaces `${{ name }}` by its value.
fn expand(text: &str, variables: &BTreeMap<String, String>, problems: &mut Problems) -> String {
    let (mut result, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once("${{") {
        result.push_str(before);
        let Some((inside, behind)) = behind.split_once("}}") else {
            problems.push("an expression without end".to_owned());
            return result;
        };
        let mut parts = inside.split('|').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let mut value = match name.strip_prefix('\'').and_then(|name| name.strip_suffix('\'')) {
            Some(literal) => literal.to_owned(),
            None => variables.get(name).cloned().unwrap_or_else(|| {
                problems.push(format!("no variable {name}"));
                String::new()
            }),
        };
        for filter in parts {
            value = match filter {
                "upper" => value.to_uppercase(),
                "trim" => value.trim().to_owned(),
                "length" => value.len().to_string(),
                "default" if value.is_empty() => "-".to_owned(),
                _ => value,
            };
        }
        result.push_str(&value);
        rest = behind;
    }
    result.push_str(rest);
    result
}

fn runs(job: &Job) -> Vec<BTreeMap<String, String>> {
    let mut runs = vec![BTreeMap::new()];
    for (name, values) in &job.matrix {
        let mut more = Vec::new();
        for run in &runs {
            for value in values {
                let mut run: BTreeMap<String, String> = run.clone();
                run.insert(format!("matrix.{name}"), value.clone());
                more.push(run);
            }
        }
        more.truncate(16);
        runs = more;
    }
    runs
}

fn plan(workflow: &Workflow, problems: &mut Problems) -> Vec<String> {
    let mut plan = Vec::new();
    for name in order(workflow, problems) {
        let job = &workflow.jobs[name];
        let is_left_out = match job.condition.as_deref().map(str::trim) {
            Some("false" | "never") => true,
            Some(condition) => condition
                .split_once("==")
                .is_some_and(|(left, right)| workflow.variables.get(left.trim()).is_none_or(|own| own != right.trim())),
            None => false,
        };
        if is_left_out {
            plan.push(format!("{name}: left out"));
            continue;
        }
        for mut variables in runs(job) {
            variables.extend(workflow.variables.iter().map(|(key, value)| (format!("env.{key}"), value.clone())));
            for (number, step) in job.steps.iter().enumerate() {
                let title = step.name.clone().unwrap_or_else(|| format!("step {number}"));
                let what = step.command.as_deref().or(step.uses.as_deref()).unwrap_or_default();
                let mut line = format!("{name}/{title}: {}", expand(what, &variables, problems));
                for (key, value) in &step.with {
                    line += &format!(" {key}={}", expand(value, &variables, problems));
                }
                if step.continues {
                    line.push('?');
                }
                plan.push(line);
            }
        }
    }
    plan.truncate(256);
    plan
}

fn process(data: &[u8], goes_on: bool) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    // Each alias is a copy: a few of them in a row would be gigabytes.
    if text.matches('*').count() > MOST_ALIASES {
        return false;
    }
    let Ok(documents) = YamlLoader::load_from_str(text) else { return false };
    // A scalar alone is YAML too: without a mapping there is nothing for the program to do.
    if !documents.first().is_some_and(|document| document.as_hash().is_some()) {
        return false;
    }
    if goes_on {
        harness::after(|| {
            let mut problems = Problems::new();
            for document in documents.iter().take(4) {
                let workflow = workflow(document, &mut problems);
                let plan = plan(&workflow, &mut problems);
                std::hint::black_box((plan, workflow.name, workflow.events));
            }
            std::hint::black_box(problems);
        });
    }
    true
}

target!(process, "json");
