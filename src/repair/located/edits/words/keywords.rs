//! Words that the language of a text has, so that it may have lost one of them though it has it nowhere else.
//!
//! There is one list for each family of languages. A text has words of its own family in many places, so the lists of which
//! it has few words are left out: a style sheet has no `with`, and `widh` in it is not that word.

use std::collections::BTreeSet;

use seedsmith_grammar::internal::is_word;

/// Values that texts of any format may have.
const VALUES: &str = "true false null None True False yes no on off nan inf";

/// The words of each family of languages. Many are in several lists.
const FAMILIES: [&str; 10] = [
    // C and C++.
    "if else for while do switch case default break continue return goto struct union enum typedef \
     static extern const void int char unsigned signed long short float double sizeof include define \
     ifdef ifndef elif endif undef pragma inline volatile class public private protected namespace \
     template typename new delete this using virtual operator",
    // Python.
    "if elif else for while break continue return def class import from as with try except finally \
     raise lambda yield pass global nonlocal assert del and or not in is async await self",
    // JavaScript and Java.
    "if else for while do switch case default break continue return function let var const of new this \
     typeof instanceof export import from extends interface implements throw throws catch try finally \
     package class static void public private protected final abstract async await null undefined \
     delete in",
    // Rust, Go, Swift and Kotlin.
    "if else for while in break continue return const static struct enum type fn mut pub use mod impl \
     trait match loop self func range defer package import interface final public private protected \
     override where as let var switch case default map chan select go",
    // Shell, Lua and Ruby.
    "if then else elif elseif fi for while until do done case esac in local echo function end return \
     break export and or not repeat def module class require unless",
    // GraphQL and protocol buffers.
    "query mutation subscription fragment schema scalar input extend type interface enum union \
     implements message service rpc repeated optional required string bool import package option",
    // SQL.
    "select insert into values update set delete from where create table index view primary key \
     foreign references unique not null integer text real blob drop alter add column join left inner \
     outer group order by having limit union begin commit rollback transaction trigger and or as if \
     exists default on asc desc distinct between like in is case when then else end constraint check \
     cascade replace ignore conflict",
    "SELECT INSERT INTO VALUES UPDATE SET DELETE FROM WHERE CREATE TABLE INDEX VIEW PRIMARY KEY \
     FOREIGN REFERENCES UNIQUE NOT NULL INTEGER TEXT REAL BLOB VARCHAR DROP ALTER ADD COLUMN JOIN \
     LEFT INNER OUTER ON GROUP ORDER BY HAVING LIMIT UNION BEGIN COMMIT ROLLBACK TRANSACTION TRIGGER AND \
     OR AS IF EXISTS DEFAULT ASC DESC DISTINCT BETWEEN LIKE IN IS CASE WHEN THEN ELSE END CONSTRAINT CHECK \
     CASCADE REPLACE IGNORE CONFLICT",
    // HTML.
    "html head body title meta link script style div span table tr td th ul ol li img form input \
     button label select option p a b i u br hr h1 h2 h3 h4 h5 h6 pre code em strong center font \
     thead tbody dl dt dd small sup sub nav section article header footer main blockquote \
     DOCTYPE amp lt gt quot",
    // XML.
    "DOCTYPE CDATA ELEMENT ATTLIST ENTITY PCDATA version encoding standalone xml amp lt gt quot apos",
];

/// A text with fewer different words of any family says nothing about its language, so that all families count. Not
/// measured.
const MIN_TELLING_WORDS: usize = 4;
/// A family counts if the text has at least the number of different words of the commonest family, divided by this. Not
/// measured: prose in comments has some words of Python.
const LEAST_SHARE_DIVISOR: usize = 3;

/// The words that a text may have lost.
pub(in crate::repair::located) struct Keywords {
    words: Vec<&'static [u8]>,
}

impl Keywords {
    /// Those of the language that `text` seems to be in.
    ///
    /// Cost: one pass over the text.
    pub(in crate::repair::located) fn of(text: &[u8]) -> Self {
        let own: BTreeSet<&[u8]> = text.split(|byte| !is_word(*byte)).collect();
        let seen = FAMILIES.map(|family| words(family).filter(|word| own.contains(word)).count());
        let most = seen.into_iter().max().unwrap_or_default();
        let counts = |seen: usize| most < MIN_TELLING_WORDS || seen * LEAST_SHARE_DIVISOR >= most;
        let mut known = BTreeSet::new();
        let of_families = FAMILIES.iter().zip(seen).filter(|(_, seen)| counts(*seen));
        let all = words(VALUES).chain(of_families.flat_map(|(family, _)| words(family)));
        Keywords { words: all.filter(|word| known.insert(*word)).collect() }
    }

    /// Whether a word is one of them.
    pub(in crate::repair::located) fn has(&self, word: &[u8]) -> bool {
        self.words.contains(&word)
    }

    /// All of them, each once.
    pub(in crate::repair::located) fn all(&self) -> impl Iterator<Item = &'static [u8]> {
        self.words.iter().copied()
    }
}

/// Whether a word is a keyword of any language.
pub(in crate::repair::located) fn is_keyword(word: &[u8]) -> bool {
    FAMILIES.iter().chain([&VALUES]).any(|family| words(family).any(|known| known == word))
}

fn words(list: &'static str) -> impl Iterator<Item = &'static [u8]> {
    list.split_ascii_whitespace().map(str::as_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_keywords_of_its_own_language() {
        let page = b"<html><head><title>x</title></head><body><p><table><tr></tr></table></body>";
        let keywords = Keywords::of(page);
        assert!(keywords.has(b"script") && keywords.has(b"true"));
        assert!(!keywords.has(b"with") && !keywords.has(b"VALUES"));
        // Two words do not tell the language.
        assert!(Keywords::of(b"if x:\n return\n").has(b"lambda"));
        assert!(is_keyword(b"lambda") && !is_keyword(b"lambdas"));
    }
}
