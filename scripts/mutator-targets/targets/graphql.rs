//! GraphQL queries, checked against a schema and executed on a small set of data.

#![no_main]

#[path = "harness/mod.rs"]
#[macro_use]
mod harness;

use std::collections::{BTreeMap, HashMap, HashSet};

use graphql_parser::query::{
    Definition, Directive, Document, Field, FragmentDefinition, OperationDefinition, Selection, SelectionSet, Type,
    TypeCondition, Value, VariableDefinition,
};

const MOST_FIELDS: usize = 300;

type Query = Document<'static, String>;

/// Fields of the schema: of what type, its own type, a list or not, and its arguments.
const SCHEMA: [(&str, &str, &str, bool, &[(&str, &str)]); 16] = [
    ("Query", "book", "Book", false, &[("id", "Int")]),
    ("Query", "books", "Book", true, &[("first", "Int"), ("order", "Order"), ("where", "Filter")]),
    ("Query", "author", "Author", false, &[("name", "String")]),
    ("Query", "search", "Thing", true, &[("text", "String")]),
    ("Mutation", "rename", "Book", false, &[("id", "Int"), ("title", "String")]),
    ("Mutation", "rate", "Int", false, &[("id", "Int"), ("stars", "Float")]),
    ("Book", "id", "Int", false, &[]),
    ("Book", "title", "String", false, &[("upper", "Boolean")]),
    ("Book", "pages", "Int", false, &[]),
    ("Book", "price", "Float", false, &[("currency", "Currency")]),
    ("Book", "author", "Author", false, &[]),
    ("Book", "tags", "String", true, &[]),
    ("Author", "name", "String", false, &[]),
    ("Author", "books", "Book", true, &[("first", "Int")]),
    ("Thing", "title", "String", false, &[]),
    ("Subscription", "sold", "Book", false, &[]),
];

struct Row {
    title: &'static str,
    pages: i64,
    price: f64,
    author: &'static str,
}

const BOOKS: [Row; 4] = [
    Row { title: "Sand", pages: 310, price: 12.5, author: "Ada" },
    Row { title: "Wind", pages: 98, price: 7.0, author: "Bo" },
    Row { title: "Stars", pages: 512, price: 30.25, author: "Ada" },
    Row { title: "Tides", pages: 220, price: 15.0, author: "Cy" },
];

#[derive(Clone, Debug, PartialEq, PartialOrd)]
enum Datum {
    Null,
    Truth(bool),
    Integer(i64),
    Real(f64),
    Text(String),
    List(Vec<Datum>),
    Object(BTreeMap<String, Datum>),
}

#[derive(Clone, Copy)]
enum Thing {
    Root,
    Book(usize),
    Author(&'static str),
}

struct Checker<'q> {
    fragments: HashMap<&'q str, &'q FragmentDefinition<'static, String>>,
    problems: Vec<String>,
    fields: usize,
}

fn field(of: &str, name: &str) -> Option<&'static (&'static str, &'static str, &'static str, bool, &'static [(&'static str, &'static str)])> {
    SCHEMA.iter().find(|(parent, own, ..)| *parent == of && *own == name)
}

fn type_name(of: &Type<'static, String>) -> String {
    match of {
        Type::NamedType(name) => name.clone(),
        Type::ListType(inner) => format!("[{}]", type_name(inner)),
        Type::NonNullType(inner) => type_name(inner),
    }
}

impl<'q> Checker<'q> {
    fn value(&mut self, value: &Value<'static, String>, wanted: &str, variables: &[VariableDefinition<'static, String>]) {
        let fits = match (value, wanted) {
            (Value::Null, _) => true,
            (Value::Variable(name), _) => match variables.iter().find(|one| one.name == *name) {
                Some(variable) => type_name(&variable.var_type) == wanted,
                None => {
                    self.problems.push(format!("no variable ${name}"));
                    return;
                }
            },
            (Value::Int(_), "Int" | "Float") | (Value::Float(_), "Float") => true,
            (Value::String(_), "String") | (Value::Boolean(_), "Boolean") => true,
            (Value::Enum(name), "Order") => matches!(name.as_str(), "TITLE" | "PAGES" | "PRICE"),
            (Value::Enum(name), "Currency") => matches!(name.as_str(), "EUR" | "USD"),
            (Value::Object(fields), "Filter") => {
                for (name, inner) in fields {
                    match name.as_str() {
                        "not" | "and" => self.value(inner, "Filter", variables),
                        "minPages" | "maxPages" => self.value(inner, "Int", variables),
                        "title" => self.value(inner, "String", variables),
                        other => self.problems.push(format!("no filter {other}")),
                    }
                }
                true
            }
            (Value::List(items), _) if items.len() == 1 => {
                self.value(&items[0], wanted, variables);
                true
            }
            _ => false,
        };
        if !fits {
            self.problems.push(format!("no {wanted}: {value}"));
        }
    }

    fn directives(&mut self, directives: &[Directive<'static, String>], variables: &[VariableDefinition<'static, String>]) {
        let mut seen = HashSet::new();
        for directive in directives {
            if !seen.insert(&directive.name) {
                self.problems.push(format!("@{} twice", directive.name));
            }
            match (directive.name.as_str(), directive.arguments.as_slice()) {
                ("skip" | "include", [(name, value)]) if name == "if" => self.value(value, "Boolean", variables),
                (name, _) => self.problems.push(format!("no directive @{name}")),
            }
        }
    }

    fn selection(
        &mut self,
        set: &'q SelectionSet<'static, String>,
        of: &str,
        variables: &[VariableDefinition<'static, String>],
        path: &[&'q str],
    ) {
        let mut names: HashMap<&str, &'q Field<'static, String>> = HashMap::new();
        for item in &set.items {
            self.fields += 1;
            if self.fields > MOST_FIELDS {
                return;
            }
            match item {
                Selection::Field(own) => {
                    self.directives(&own.directives, variables);
                    let key = own.alias.as_ref().unwrap_or(&own.name);
                    if names.insert(key, own).is_some_and(|other| other.name != own.name || other.arguments != own.arguments) {
                        self.problems.push(format!("{key} means two things"));
                    }
                    if own.name == "__typename" {
                        continue;
                    }
                    let Some((_, _, ty, _, arguments)) = field(of, &own.name) else {
                        self.problems.push(format!("{of} has no {}", own.name));
                        continue;
                    };
                    for (name, value) in &own.arguments {
                        match arguments.iter().find(|(own, _)| own == name) {
                            Some((_, wanted)) => self.value(value, wanted, variables),
                            None => self.problems.push(format!("no argument {name}")),
                        }
                    }
                    let is_leaf = !SCHEMA.iter().any(|(parent, ..)| parent == ty);
                    match (is_leaf, own.selection_set.items.is_empty()) {
                        (true, true) => {}
                        (false, false) => self.selection(&own.selection_set, ty, variables, path),
                        (true, false) => self.problems.push(format!("{} has no fields", own.name)),
                        (false, true) => self.problems.push(format!("{} needs fields", own.name)),
                    }
                }
                Selection::FragmentSpread(spread) => {
                    self.directives(&spread.directives, variables);
                    if path.contains(&spread.fragment_name.as_str()) {
                        self.problems.push(format!("{} contains itself", spread.fragment_name));
                    } else if let Some(fragment) = self.fragments.get(spread.fragment_name.as_str()).copied() {
                        let TypeCondition::On(on) = &fragment.type_condition;
                        if on != of && of != "Thing" {
                            self.problems.push(format!("{} is on {on}", fragment.name));
                        }
                        let path = [path, &[spread.fragment_name.as_str()]].concat();
                        self.selection(&fragment.selection_set, on, variables, &path);
                    } else {
                        self.problems.push(format!("no fragment {}", spread.fragment_name));
                    }
                }
                Selection::InlineFragment(inline) => {
                    self.directives(&inline.directives, variables);
                    let on = inline.type_condition.as_ref().map_or(of, |TypeCondition::On(on)| on.as_str());
                    if on != of && of != "Thing" {
                        self.problems.push(format!("{on} is no {of}"));
                    }
                    self.selection(&inline.selection_set, on, variables, path);
                }
            }
        }
    }
}

struct Executor<'q> {
    fragments: HashMap<&'q str, &'q FragmentDefinition<'static, String>>,
    variables: HashMap<&'q str, Datum>,
    fields: usize,
}

impl<'q> Executor<'q> {
    fn datum(&self, value: &Value<'static, String>) -> Datum {
        match value {
            Value::Variable(name) => self.variables.get(name.as_str()).cloned().unwrap_or(Datum::Null),
            Value::Int(number) => Datum::Integer(number.as_i64().unwrap_or_default()),
            Value::Float(number) => Datum::Real(*number),
            Value::String(text) => Datum::Text(text.clone()),
            Value::Boolean(truth) => Datum::Truth(*truth),
            Value::Null => Datum::Null,
            Value::Enum(name) => Datum::Text(name.clone()),
            Value::List(items) => Datum::List(items.iter().map(|item| self.datum(item)).collect()),
            Value::Object(fields) => {
                Datum::Object(fields.iter().map(|(name, value)| (name.clone(), self.datum(value))).collect())
            }
        }
    }

    fn is_wanted(&self, directives: &[Directive<'static, String>]) -> bool {
        directives.iter().all(|directive| {
            let truth = directive.arguments.iter().any(|(_, value)| self.datum(value) == Datum::Truth(true));
            (directive.name == "include") == truth
        })
    }

    fn filter(filter: &Datum, book: &Row) -> bool {
        let Datum::Object(fields) = filter else { return true };
        fields.iter().all(|(name, value)| match (name.as_str(), value) {
            ("not", inner) => !Self::filter(inner, book),
            ("and", Datum::List(all)) => all.iter().all(|one| Self::filter(one, book)),
            ("and", inner) => Self::filter(inner, book),
            ("minPages", Datum::Integer(least)) => book.pages >= *least,
            ("maxPages", Datum::Integer(most)) => book.pages <= *most,
            ("title", Datum::Text(text)) => match text.strip_suffix('*') {
                Some(start) => book.title.starts_with(start),
                None => book.title == text,
            },
            _ => true,
        })
    }

    fn resolve(&mut self, thing: Thing, field: &Field<'static, String>) -> Datum {
        let argument = |name: &str| field.arguments.iter().find(|(own, _)| own == name).map(|(_, value)| self.datum(value));
        let first = match argument("first") {
            Some(Datum::Integer(number)) => number.clamp(0, 10) as usize,
            _ => 10,
        };
        let things: Vec<Thing> = match (thing, field.name.as_str()) {
            (Thing::Root, "book" | "rename" | "rate" | "sold") => match argument("id") {
                Some(Datum::Integer(id @ 0..=3)) => {
                    if let (Some(Datum::Text(title)), "rename") = (argument("title"), field.name.as_str()) {
                        return Datum::Text(format!("{} is {title} now", BOOKS[id as usize].title));
                    }
                    match argument("stars") {
                        Some(Datum::Real(stars)) if (0.0..=5.0).contains(&stars) => return Datum::Integer((stars * 2.0) as i64),
                        Some(_) => return Datum::Null,
                        None => {}
                    }
                    vec![Thing::Book(id as usize)]
                }
                _ => return Datum::Null,
            },
            (Thing::Root, "books") => {
                let filter = argument("where").unwrap_or(Datum::Null);
                let mut found: Vec<usize> = (0..BOOKS.len()).filter(|one| Self::filter(&filter, &BOOKS[*one])).collect();
                match argument("order") {
                    Some(Datum::Text(order)) if order == "TITLE" => found.sort_by_key(|one| BOOKS[*one].title),
                    Some(Datum::Text(order)) if order == "PAGES" => found.sort_by_key(|one| BOOKS[*one].pages),
                    Some(Datum::Text(_)) => found.sort_by(|left, right| BOOKS[*left].price.total_cmp(&BOOKS[*right].price)),
                    _ => {}
                }
                found.into_iter().take(first).map(Thing::Book).collect()
            }
            (Thing::Root, "author") => match argument("name") {
                Some(Datum::Text(name)) => {
                    BOOKS.iter().find(|book| book.author == name).map(|book| Thing::Author(book.author)).into_iter().collect()
                }
                _ => Vec::new(),
            },
            (Thing::Root, "search") => match argument("text") {
                Some(Datum::Text(text)) => {
                    (0..BOOKS.len()).filter(|one| BOOKS[*one].title.contains(&text)).map(Thing::Book).collect()
                }
                _ => Vec::new(),
            },
            (Thing::Book(number), "author") => vec![Thing::Author(BOOKS[number].author)],
            (Thing::Author(name), "books") => {
                (0..BOOKS.len()).filter(|one| BOOKS[*one].author == name).take(first).map(Thing::Book).collect()
            }
            (Thing::Book(number), "id") => return Datum::Integer(number as i64),
            (Thing::Book(number), "pages") => return Datum::Integer(BOOKS[number].pages),
            (Thing::Book(number), "title") => {
                let title = BOOKS[number].title.to_owned();
                let is_upper = argument("upper") == Some(Datum::Truth(true));
                return Datum::Text(if is_upper { title.to_uppercase() } else { title });
            }
            (Thing::Book(number), "price") => {
                let price = BOOKS[number].price;
                let is_dollar = argument("currency") == Some(Datum::Text("USD".to_owned()));
                return Datum::Real(if is_dollar { price * 1.1 } else { price });
            }
            (Thing::Book(number), "tags") => {
                let length = if BOOKS[number].pages > 200 { "long" } else { "short" };
                return Datum::List(vec![Datum::Text(length.to_owned())]);
            }
            (Thing::Author(name), "name") => return Datum::Text(name.to_owned()),
            _ => return Datum::Null,
        };
        Datum::List(things.into_iter().map(|thing| self.object(thing, &field.selection_set)).collect())
    }

    fn object(&mut self, thing: Thing, set: &SelectionSet<'static, String>) -> Datum {
        let mut object = BTreeMap::new();
        self.collect(thing, set, &mut object, 0);
        Datum::Object(object)
    }

    fn collect(&mut self, thing: Thing, set: &SelectionSet<'static, String>, object: &mut BTreeMap<String, Datum>, depth: usize) {
        for item in &set.items {
            self.fields += 1;
            if self.fields > MOST_FIELDS || depth > 16 {
                return;
            }
            match item {
                Selection::Field(field) if self.is_wanted(&field.directives) => {
                    let value = match (field.name.as_str(), thing) {
                        ("__typename", Thing::Root) => Datum::Text("Query".to_owned()),
                        ("__typename", Thing::Book(_)) => Datum::Text("Book".to_owned()),
                        ("__typename", Thing::Author(_)) => Datum::Text("Author".to_owned()),
                        _ => self.resolve(thing, field),
                    };
                    object.insert(field.alias.as_ref().unwrap_or(&field.name).clone(), value);
                }
                Selection::FragmentSpread(spread) if self.is_wanted(&spread.directives) => {
                    if let Some(fragment) = self.fragments.get(spread.fragment_name.as_str()).copied() {
                        self.collect(thing, &fragment.selection_set, object, depth + 1);
                    }
                }
                Selection::InlineFragment(inline) if self.is_wanted(&inline.directives) => {
                    let fits = match (&inline.type_condition, thing) {
                        (None, _) | (_, Thing::Root) => true,
                        (Some(TypeCondition::On(on)), Thing::Book(_)) => on == "Book",
                        (Some(TypeCondition::On(on)), Thing::Author(_)) => on == "Author",
                    };
                    if fits {
                        self.collect(thing, &inline.selection_set, object, depth + 1);
                    }
                }
                _ => {}
            }
        }
    }
}

fn execute(document: &Query) -> (Vec<String>, Vec<Datum>) {
    let fragments: HashMap<_, _> = document
        .definitions
        .iter()
        .filter_map(|one| match one {
            Definition::Fragment(fragment) => Some((fragment.name.as_str(), fragment)),
            Definition::Operation(_) => None,
        })
        .collect();
    let mut checker = Checker { fragments: fragments.clone(), problems: Vec::new(), fields: 0 };
    let mut results = Vec::new();
    for definition in &document.definitions {
        let (root, set, variables, directives): (_, _, &[_], &[_]) = match definition {
            Definition::Fragment(_) => continue,
            Definition::Operation(OperationDefinition::SelectionSet(set)) => ("Query", set, &[], &[]),
            Definition::Operation(OperationDefinition::Query(one)) => {
                ("Query", &one.selection_set, &one.variable_definitions, &one.directives)
            }
            Definition::Operation(OperationDefinition::Mutation(one)) => {
                ("Mutation", &one.selection_set, &one.variable_definitions, &one.directives)
            }
            Definition::Operation(OperationDefinition::Subscription(one)) => {
                ("Subscription", &one.selection_set, &one.variable_definitions, &one.directives)
            }
        };
        checker.directives(directives, variables);
        for variable in variables {
            if let Some(value) = &variable.default_value {
                checker.value(value, &type_name(&variable.var_type), &[]);
            }
        }
        let before = checker.problems.len();
        checker.selection(set, root, variables, &[]);
        if checker.problems.len() == before {
            let mut executor = Executor { fragments: fragments.clone(), variables: HashMap::new(), fields: 0 };
            for variable in variables {
                let value = variable.default_value.as_ref().map_or(Datum::Integer(1), |value| executor.datum(value));
                executor.variables.insert(&variable.name, value);
            }
            results.push(executor.object(Thing::Root, set));
        }
    }
    (checker.problems, results)
}

fn process(data: &[u8], goes_on: bool) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let Ok(document) = graphql_parser::parse_query::<String>(text) else { return false };
    let document = document.into_static();
    if goes_on {
        harness::after(|| {
            std::hint::black_box(execute(&document));
        });
    }
    true
}

target!(process);
