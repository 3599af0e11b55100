//! The file's text: settings by name, for all targets and for one, each with its place.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::cargo_fuzz::nearest;
use crate::cli::command_line::settings::wrong;
use crate::cli::exit::{Exit, OrExit, Trouble};

/// The table that has a table for each target.
const TARGET: &str = "target";

/// A line and a column, from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// An option and its value.
///
/// The value is kept as it would be typed, because it is read by the parser of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    /// The option's name, without dashes.
    pub name: String,
    /// Its value as it would be typed.
    pub value: String,
    /// Where the value is.
    pub value_at: Place,
}

/// Settings by name.
type Table = BTreeMap<String, Setting>;

/// The settings of a file.
///
/// Each setting has its place, for messages about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    all: Table,
    targets: BTreeMap<String, (Place, Table)>,
}

impl Settings {
    /// Reads a file; `known` are the names that a setting may have.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is not TOML, or has a name that is not known. The message has the
    /// line and the column.
    pub(crate) fn read(path: &Path, known: &BTreeSet<String>) -> Result<Self, Trouble> {
        let text = std::fs::read_to_string(path)
            .or_exit(Exit::Files, || format!("failed to read {}", path.display()))?;
        Settings::parse(&text, known)
            .map_err(|(at, why)| wrong(path, at.unwrap_or(Place { line: 1, column: 1 }), why))
    }

    /// Reads a text; otherwise where it is wrong, and why.
    fn parse(text: &str, known: &BTreeSet<String>) -> Result<Self, (Option<Place>, String)> {
        let place = |span: Range<usize>| place(text, span.start);
        let parsed = DeTable::parse(text).map_err(|error| {
            let why = error.message().replace('\n', ", ");
            (error.span().map(place), format!("this is not TOML: {why}"))
        })?;
        let mut settings = Settings::default();
        for (name, value) in parsed.get_ref() {
            match value.get_ref() {
                DeValue::Table(targets) if name.get_ref() == TARGET => {
                    for (name, own) in targets {
                        let at = place(name.span());
                        let DeValue::Table(own) = own.get_ref() else {
                            let why = format!("expected a table, as in [{TARGET}.NAME]");
                            return Err((Some(at), why));
                        };
                        let mut table = Table::new();
                        for (name, value) in own {
                            add(&mut table, (name, value), known, text)?;
                        }
                        settings.targets.insert(name.get_ref().to_string(), (at, table));
                    }
                }
                _ => add(&mut settings.all, (name, value), known, text)?,
            }
        }
        Ok(settings)
    }

    /// The targets that have their own settings, and where these are.
    pub(crate) fn targets(&self) -> impl Iterator<Item = (&str, Place)> {
        self.targets.iter().map(|(name, (place, _))| (name.as_str(), *place))
    }

    /// Whether a target has its own settings.
    pub(crate) fn has_target(&self, name: &str) -> bool {
        self.targets.get(name).is_some_and(|(_, table)| !table.is_empty())
    }

    /// The settings for a target, or those for all targets, by name.
    ///
    /// A setting of the target replaces the one of the same name for all targets.
    pub(crate) fn of(&self, target: Option<&str>) -> impl Iterator<Item = &Setting> {
        let own = target.and_then(|name| self.targets.get(name)).map(|(_, table)| table);
        let mut settings: BTreeMap<&String, &Setting> = self.all.iter().collect();
        settings.extend(own.into_iter().flatten());
        settings.into_values()
    }
}

/// Adds the setting `name` to a table, after it was checked that an option of that name exists and
/// takes such a value.
fn add(
    table: &mut Table,
    (name, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue<'_>>),
    known: &BTreeSet<String>,
    text: &str,
) -> Result<(), (Option<Place>, String)> {
    let at = place(text, name.span().start);
    let name = name.get_ref().to_string();
    if !known.contains(&name) {
        let names = known.iter().map(String::as_str).chain([TARGET]);
        let why = match nearest(&name, names.clone()) {
            Some(near) => format!("no setting {name}; did you mean {near}?"),
            None => {
                let names = names.collect::<Vec<_>>().join(", ");
                format!("no setting {name}; there are {names}")
            }
        };
        return Err((Some(at), why));
    }
    let value_at = place(text, value.span().start);
    let Some(value) = typed(value.get_ref()) else {
        let why = format!("{name} has to be a text, a number, true, false or a list of texts");
        return Err((Some(value_at), why));
    };
    table.insert(name.clone(), Setting { name, value, value_at });
    Ok(())
}

/// A value as it would be typed; `None` if an option has no such values.
fn typed(value: &DeValue<'_>) -> Option<String> {
    Some(match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(is_on) => is_on.to_string(),
        DeValue::Array(texts) => {
            let texts: Option<Vec<&str>> = texts.iter().map(|one| one.get_ref().as_str()).collect();
            texts?.join(",")
        }
        _ => return None,
    })
}

/// The line and the column of a byte of the text.
fn place(text: &str, at: usize) -> Place {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Place {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Settings, (Option<Place>, String)> {
        let known = ["features", "grammar", "jobs", "timeout"].map(str::to_owned);
        Settings::parse(text, &BTreeSet::from(known))
    }

    #[test]
    fn a_setting_of_a_target_replaces_the_one_for_all() {
        let text = "grammar = \"json\"\njobs = 2\n\n[target.xml]\ngrammar = \"xml\"\n\
                    features = [\"a\", \"b\"]\n";
        let settings = parse(text).unwrap();
        let of = |target| {
            let pairs = settings.of(target).map(|one| format!("{}={}", one.name, one.value));
            pairs.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of(None), "grammar=json jobs=2");
        assert_eq!(of(Some("other")), "grammar=json jobs=2");
        assert_eq!(of(Some("xml")), "features=a,b grammar=xml jobs=2");
        assert!(settings.has_target("xml") && !settings.has_target("other"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place_and_the_nearest_name() {
        let refused = |text| {
            let (place, why) = parse(text).unwrap_err();
            let Place { line, column } = place.unwrap();
            (line, column, why)
        };
        let near = "no setting gramar; did you mean grammar?".to_owned();
        assert_eq!(refused("\n  gramar = 1"), (2, 3, near.clone()));
        assert_eq!(refused("target.\"é\".gramar = 1"), (1, 12, near));
        let far = "no setting something; there are features, grammar, jobs, timeout, target";
        assert_eq!(refused("something = 1"), (1, 1, far.to_owned()));
        let (line, column, _) = refused("jobs = \n");
        assert_eq!((line, column > 1), (1, true));
        let why = "jobs has to be a text, a number, true, false or a list of texts".to_owned();
        assert_eq!(refused("jobs = { a = 1 }"), (1, 8, why));
        let why = "expected a table, as in [target.NAME]".to_owned();
        assert_eq!(refused("[target]\nxml = 1"), (2, 1, why));
    }
}
