//! Cells of a table by the name of their column: where the first row has only names, a cell has the name `value of "depth"`, wherever the
//! column is.

use std::collections::{BTreeMap, BTreeSet};

use super::{Item, Outline, Part, Rule};
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::kinds::kinds_of;
use crate::generalize::predicate::read::words::{Words, quoted};
use crate::generalize::predicate::term::VALUE_OF;

/// Cells that are named, because each is compared with those beside it. A guess: tables of conditions have a dozen rows.
const MAX_CELLS: usize = 256;

impl<'t> Outline<'t> {
    /// Names the cells of each row but the first, if rules of one name make up the input and the first of them has a name for each column.
    ///
    /// A row may have more cells than the first: these have no name. Cost: a pass over the rules.
    pub(in crate::generalize::predicate::read) fn name_cells(&mut self, words: &Words) {
        let mut rows: BTreeMap<usize, Vec<&Rule>> = BTreeMap::new();
        for cell in self.rules.iter().skip(1) {
            let row = cell.outer.filter(|row| self.rules[*row].outer == Some(0));
            if let Some(row) = row {
                rows.entry(row).or_default().push(cell);
            }
        }
        let Some((head, names)) = rows
            .first_key_value()
            .and_then(|(head, cells)| Some((*head, self.names_of_columns(cells)?)))
        else {
            return;
        };
        let mut found: Vec<Item<'t>> = Vec::new();
        for (row, cells) in rows.range(head + 1..) {
            if self.rules[*row].name != self.rules[head].name {
                continue;
            }
            for (cell, column) in cells.iter().zip(&names) {
                let Some(column) = words.name(column.as_bytes()) else { continue };
                let (name, part) = (Name::from(format!("{VALUE_OF}{column}")), self.cell(cell));
                let item = Item { name, is_fixed: false, part, rule: Some(*row) };
                found.extend(kinds_of(&item, words));
                found.push(item);
            }
        }
        found.truncate(MAX_CELLS);
        if !found.is_empty() {
            self.add_keyed(found);
        }
    }

    /// A cell without the blanks around its text.
    ///
    /// Many programs trim cells, and those that do not have inputs without such blanks.
    fn cell(&self, cell: &Rule) -> Part<'t> {
        let all = self.all_of(cell);
        let blanks = all.text.len() - all.text.trim_ascii_start().len();
        Part { text: all.text.trim_ascii(), start: all.start + blanks as u32, ..all }
    }

    /// The names that a row has, if each of its cells is another one: at least two, and each a word.
    ///
    /// A table of one column has no names, because its first row may be a value as well. Quotation marks around a name do not count.
    fn names_of_columns(&self, cells: &[&Rule]) -> Option<Vec<String>> {
        let names = cells.iter().map(|cell| {
            let text = self.cell(cell).text;
            let name = std::str::from_utf8(quoted(text).unwrap_or(text)).ok()?;
            name.starts_with(char::is_alphabetic).then(|| name.to_owned())
        });
        let names: Vec<String> = names.collect::<Option<_>>()?;
        let all: BTreeSet<&String> = names.iter().collect();
        (names.len() > 1 && all.len() == names.len()).then_some(names)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use seedsmith_grammar::Language;
    use seedsmith_grammar::internal::Substitutes;

    use crate::generalize::draws::sampler::Sampler;
    use crate::generalize::predicate::feature::{Feature, Term, Words, features};

    #[test]
    fn a_cell_has_the_name_of_its_column() {
        let language = Language::open("csv", None).unwrap();
        let mut language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let mut deepest = |text: &str| {
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            let found = features(&tree, text.as_bytes(), &language, &Words::of([text.as_bytes()]));
            let depth = Feature::Value(Term::First("value of \"depth\"".into()));
            Feature::Within("<record>".into(), Arc::new(depth)).value(&found)
        };
        assert_eq!(deepest("site,depth\nob,200\nlena, 249\n"), Some(249));
        assert_eq!(deepest("depth,site\n200,ob\n"), Some(200));
        assert_eq!(deepest("site,7\nob,200\n"), None);
    }
}
