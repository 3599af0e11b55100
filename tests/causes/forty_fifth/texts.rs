//! Causes without a grammar in two formats of settings: YAML and hjson.

use super::{mixed, name};
use crate::draws::{chance, has_twins, picked, statements};
use crate::readers::is_name;
use crate::two_sided::{TwoSided, any, one, shuffled};

/// Whether each service of a composition has an image; nothing if its lines are no keys, values and items.
fn have_images(input: &str) -> Option<Vec<bool>> {
    let mut path: Vec<(usize, &str)> = Vec::new();
    let (mut seen, mut found, mut is_open, mut last) = (Vec::new(), Vec::new(), true, 0);
    for line in input.lines().filter(|line| statements(line, "#").next().is_some()) {
        let text = line.trim_start_matches(' ');
        let depth = line.len() - text.len();
        let is_right = depth <= last || (is_open && depth == last + 2);
        (is_right && depth % 2 == 0 && !text.contains('\t')).then_some(())?;
        (depth == 0 || !seen.is_empty()).then_some(())?;
        last = depth;
        if let Some(item) = text.strip_prefix("- ") {
            is_open = false;
            (depth > 0 && !item.trim().is_empty()).then_some(())?;
            continue;
        }
        let (key, value) = text.split_once(':')?;
        is_open = value.trim().is_empty();
        (is_name(key) && (is_open || value.starts_with(' '))).then_some(())?;
        path.retain(|(other, _)| *other < depth);
        path.push((depth, key));
        let names: Vec<&str> = path.iter().map(|(_, key)| *key).collect();
        (!seen.contains(&names)).then_some(())?;
        match names[..] {
            ["services", _] => found.push(false),
            ["services", _, "image"] => *found.last_mut()? = true,
            _ => {}
        }
        seen.push(names);
    }
    Some(found)
}

/// The items of each list in hjson.
fn lists(input: &str) -> Vec<Vec<&str>> {
    let (mut found, mut open): (Vec<Vec<&str>>, Option<Vec<&str>>) = (Vec::new(), None);
    for line in statements(input, "#").filter(|line| !line.starts_with("//")) {
        let Some(list) = &mut open else {
            let value = line.split_once(':').map_or("", |(_, value)| value.trim());
            let Some(inner) = value.strip_prefix('[') else { continue };
            match inner.split_once(']') {
                Some((inner, _)) => found.push(inner.split(',').map(str::trim).collect()),
                None => open = Some(Vec::new()),
            }
            continue;
        };
        if line.starts_with(']') {
            found.extend(open.take());
        } else {
            list.push(line.trim_end_matches(','));
        }
    }
    found
}

/// The causes.
pub const TEXTS: &[TwoSided] = &[
    TwoSided {
        name: "forty-fifth: plain: compose: a service without an image",
        grammar: "",
        input: concat!(
            "# image: all\nversion: \"3.8\"\nservices:\n  web:\n    image: nginx:1.25\n    ports:\n",
            "      - \"8080:80\"\n    depends_on:\n      - api\n  api:\n    build: ./api\n    environment:\n",
            "      image: none\n      level: debug\n    # image: api:latest\n    restart: always\n",
            "  db:\n    volumes:\n      - data:/var/lib\n    image: postgres\n\nvolumes:\n  data:\n    driver: local\n"
        ),
        valid: |input| have_images(input).is_some(),
        fails: |input| have_images(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let mut services = Vec::new();
            for at in 0..1 + dice.below(4) {
                let mut pairs = vec![format!("    restart: {}\n", name(dice))];
                if chance(dice, 76) {
                    let (image, version) = (name(dice), dice.below(20));
                    pairs.push(format!("    image: {image}:{version}\n"));
                }
                let others = [
                    "    build: ./api\n",
                    "    ports:\n      - \"8080:80\"\n",
                    "    environment:\n      image: none\n      level: debug\n",
                    "    # image: old\n",
                    "    command: image\n",
                ];
                let pairs = mixed(dice, pairs, &others).concat();
                services.push(format!("  {}-{at}:\n{pairs}", name(dice)));
            }
            let services = format!("services:\n{}", services.concat());
            let others =
                ["version: \"3.8\"\n", "volumes:\n  data:\n    driver: local\n", "# image: all\n"];
            mixed(dice, vec![services], &others).join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: plain: hjson: a list with the same item twice",
        grammar: "",
        input: concat!(
            "{\n  # hosts: [a, a]\n  name: proxy, the first\n  listen: 8080\n  limits: [10, 200, 3000]\n",
            "  allow: [\n    example.org\n    # example.org\n    10.0.0.7\n    localhost\n    example.com\n",
            "    10.0.0.7\n    mirror.example.org\n  ]\n  deny: [\n    example.net\n    localhost\n  ]\n",
            "  // the rest\n  log: {\n    level: debug\n    file: debug\n  }\n}\n"
        ),
        valid: any,
        fails: |input| lists(input).iter().any(|list| has_twins(list)),
        draw: |dice| {
            let mut parts = Vec::new();
            for at in 0..1 + dice.below(3) {
                let hosts = ["example.org", "example.com", "10.0.0.7", "10.0.0.71", "localhost"];
                let numbers = ["10", "200", "3000", "20", "1"];
                let key = format!("{}_{at}", name(dice));
                parts.push(match dice.below(3) {
                    0 => format!("  {key}: [{}]\n", picked(dice, &numbers, 5, 30).join(", ")),
                    _ => {
                        let by = one(dice, &["\n    ", "\n    ", "\n    # localhost\n    "]);
                        let items = picked(dice, &hosts, 5, 30).join(by);
                        format!("  {key}: [\n    {items}\n  ]\n")
                    }
                });
            }
            let others = [
                "  # hosts: [a, a]\n",
                "  listen: 8080\n",
                "  log: {\n    level: debug\n    file: debug\n  }\n",
                "  name: proxy, proxy\n",
            ];
            let parts = mixed(dice, parts, &others);
            format!("{{\n{}}}\n", shuffled(dice, parts).concat())
        },
        patterns: &[],
    },
];
