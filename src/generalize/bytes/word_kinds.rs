//! Words that are used in each other's places: the verbs of HTTP, the levels of a log, truth values.
//!
//! A search for a condition begins with such words, its edits take them, and names are made of them.
//!
//! Each kind is a line of `KINDS`. An input shows one word of a kind, and what a target does with the others is seen only if
//! some input has them. A kind that is missing costs nothing but that.

use std::ops::Range;

use super::cut::stretches;

/// Words of one kind, one kind a line, in lower case.
///
/// A word may be in several lines. Within a line the order does not matter, but for a search that has few tests left: it takes the
/// first ones.
///
/// Own list; what targets need was not measured. A letter alone is mostly
/// a name, so few lines have one.
const KINDS: &[&str] = &[
    "get put post head patch delete options trace connect",
    "true false yes no on off none null",
    "trace debug info notice warn warning error fatal critical",
    "low medium normal high urgent none",
    "small medium large tiny big huge",
    "left right center top bottom middle",
    "north south east west up down left right",
    "row column horizontal vertical",
    "asc desc",
    "red green blue black white yellow orange gray",
    "tcp udp http https ftp ssh ws wss file mailto icmp",
    "int integer float double number string text bool boolean char byte long",
    "array list object map dict set tuple",
    "admin user guest root owner member anonymous",
    "owner editor viewer author reader writer reviewer",
    "select insert update delete create drop alter replace merge",
    "and or not xor",
    "add sub mul div mod rem neg pow",
    "if unless while until for when",
    "set let var const def define local global",
    "sum avg min max count mean median",
    "inner outer left right full cross",
    "read write append open close create",
    "copy move rename link remove delete mkdir",
    "load store save import export",
    "send receive recv forward reply",
    "eur usd gbp chf jpy krw cny inr aud cad sek vnd",
    "gzip deflate zstd br identity zip",
    "zip tar gz bz2 xz rar",
    "allow deny accept reject drop block",
    "public private protected internal",
    "start stop pause resume restart",
    "enabled disabled auto manual default",
    "add remove set get delete list",
    "push pop peek dup swap call jump ret",
    "in out inout",
    "first last next previous",
    "begin end",
    "before after",
    "circle square rect rectangle ellipse line polygon path triangle",
    "png jpg jpeg gif svg webp",
    "json xml yaml csv html text",
    "pdf doc docx odt txt rtf",
    "md5 sha1 sha256 crc32 none",
    "aes des rsa ecdsa ed25519",
    "basic digest bearer token none",
    "day week month year hour minute second",
    "daily weekly monthly yearly hourly",
    "monday tuesday wednesday thursday friday saturday sunday",
    "mon tue wed thu fri sat sun",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "fast slow normal quick turbo eco",
    "linear nearest cubic bilinear",
    "strict lax none",
    "new open closed done pending active inactive",
    "success failure failed error ok pending cancelled canceled expired",
    "locked unlocked frozen suspended blocked banned disabled",
    "credit debit sale refund payment",
    "card cash transfer cheque invoice wire bank voucher credit",
    "buy sell hold",
    "deposit withdraw withdrawal transfer payment",
    "free basic pro premium trial enterprise",
    "standard express economy overnight",
    "gold silver bronze platinum",
    "dev test staging prod production development release",
    "alpha beta rc stable nightly",
    "major minor patch",
    "primary secondary replica master slave",
    "linux windows macos darwin android ios",
    "x86 x64 arm arm64 amd64",
    "i8 i16 i32 i64 u8 u16 u32 u64 f32 f64",
    "aaaa cname mx txt soa ptr srv",
    "div span em strong ul ol li table tr td",
    "script style iframe object embed link meta",
    "color background border margin padding outline fill stroke",
    "rgb rgba gray cmyk hsl",
    "mono stereo",
    "male female other",
    "join leave part kick invite",
    "lock unlock",
    "ns us ms s min h",
    "mm cm m km in ft",
    "b kb mb gb tb",
    "px em rem pt",
    "solid dashed dotted double bold thin none",
    "absolute relative fixed sticky static",
    "block inline flex grid hidden visible none",
    "portrait landscape",
    "draft published archived review final deleted",
    "todo doing done blocked waiting",
    "ext4 ext3 xfs btrfs zfs ntfs vfat tmpfs nfs cifs sshfs",
    "mit apache bsd gpl lgpl mpl isc",
    "postgres mysql sqlite mariadb oracle mongodb redis",
    "python ruby perl rust java go node php bash",
    "mp3 wav ogg flac aac m4a",
    "mp4 avi mkv mov webm",
    "visa mastercard amex discover maestro",
    "car bus train tram ferry bike plane truck taxi metro boat",
    "walk run swim cycle ride climb",
    "cat dog bird fish horse rabbit cow sheep pig goat",
    "apple banana orange pear cherry grape lemon plum",
    "wheat rye oat barley rice corn",
    "tea coffee milk water juice beer wine",
    "bake boil fry roast grill steam stew",
    "breakfast lunch dinner snack supper",
    "spring summer autumn winter fall",
    "rain snow sun wind fog storm hail sunny cloudy",
    "piano guitar violin drums bass flute cello trumpet",
    "jazz rock pop folk blues metal classical",
    "iron steel copper brass tin lead zinc aluminium silver gold",
    "cotton wool silk linen nylon polyester",
    "king queen rook bishop knight pawn",
    "hearts spades clubs diamonds",
    "de fr es it pt nl pl ru en",
    "us uk de fr es it nl at ch se no dk jp cn in ca au",
    "sh bash zsh fish nu pwsh powershell ksh tcsh csh dash cmd",
    "a0 a1 a2 a3 a4 a5 a6 b4 b5 letter legal tabloid ledger executive",
    "xs sm md lg xl xxl",
    "ne nw se sw",
    "purple pink brown cyan magenta violet red green blue",
    "chrome firefox safari edge opera",
    "npm yarn pnpm bun pip cargo",
    "merge rebase squash",
    "cover contain fill none",
    "start end justify left right center",
    "ascii utf8 utf16 latin1",
    "oauth saml ldap basic",
    "hot warm cold cool",
    "wet dry",
    "easy medium hard expert beginner advanced",
    "vegan vegetarian kosher halal",
    "nuts peanuts milk egg soy gluten fish sesame shellfish celery mustard",
    "petrol diesel electric hybrid gas",
    "solar wind hydro nuclear coal oil",
    "oak pine birch maple walnut ash cherry",
    "granite marble slate sand clay gravel",
    "football tennis golf hockey rugby cricket basketball volleyball",
    "mother father sister brother parent child spouse",
    "mr mrs ms dr prof",
    "economy business first premium",
    "adult child senior student",
    "single double twin suite queen king",
    "click keydown keyup submit change focus blur",
    "sigint sigterm sigkill sighup sigusr1",
    "ipv4 ipv6",
    "nan inf infinity",
    "sin cos tan asin acos atan sqrt log exp abs floor ceil round",
    "mov add sub mul div jmp je jne cmp push pop call ret nop",
    "up down degraded unknown",
    "january february march april may june july august september october november december",
    "email sms phone post push fax",
    "paper plastic glass metal organic",
    "salt sugar pepper flour butter oil",
    "sofa chair table bed desk lamp shelf",
    "kitchen bathroom bedroom garage garden attic cellar hall",
];

/// Bytes of two words that have a name, because it is shown in the sentence of a condition.
const MAX_PAIR_BYTES: usize = 24;

/// Where the words of an input are: letters, digits and `_`.
pub(crate) fn words_of(input: &[u8]) -> Vec<Range<usize>> {
    stretches(input, |byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a text is two words with a blank between them, maybe with marks before them: `-j DROP`.
///
/// A word begins with a letter, because two numbers beside each other are rather a row.
pub(crate) fn is_pair(text: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_start_matches(|c: char| c.is_ascii_punctuation());
        word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c))
    };
    let (first, second) = text.split_once(' ').unwrap_or_default();
    text.len() <= MAX_PAIR_BYTES && !text.contains(['"', '\\']) && is_word(first) && is_word(second)
}

/// The words of an input that have a kind, by their places, each with the others of its kinds.
pub(crate) fn words_with_others(input: &[u8]) -> Vec<(Range<usize>, Vec<Vec<u8>>)> {
    let words = words_of(input).into_iter();
    let words = words.map(|span| (span.clone(), others_of_kind(&input[span])));
    words.filter(|(_, others)| !others.is_empty()).collect()
}

/// The other words of the kinds that a word is of, in its case.
///
/// A word of several kinds has those of all of them; most words have none. A word in capital letters has others in
/// capital letters, and one that begins with one has others that begin with one.
pub(crate) fn others_of_kind(word: &[u8]) -> Vec<Vec<u8>> {
    let lower = word.to_ascii_lowercase();
    let kinds = KINDS.iter().map(|kind| kind.split_ascii_whitespace());
    let kinds = kinds.filter(|kind| kind.clone().any(|one| one.as_bytes() == lower));
    let mut found: Vec<Vec<u8>> = Vec::new();
    for other in kinds.flatten().filter(|other| other.as_bytes() != lower) {
        let mut other = other.as_bytes().to_vec();
        let is_upper = |at: usize| word.get(at).is_some_and(u8::is_ascii_uppercase);
        if is_upper(0) {
            // `A4` is not written as names are.
            let letters =
                |word: &[u8]| word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
            let all = match (is_upper(1), letters(word)) {
                (true, _) => other.len(),
                (false, 1) if letters(&other) > 1 => 0,
                (false, _) => 1,
            };
            other[..all].make_ascii_uppercase();
        }
        if !found.contains(&other) {
            found.push(other);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_the_others_of_its_kinds_in_its_case() {
        let told = |word: &str| -> Vec<String> {
            let all = others_of_kind(word.as_bytes()).into_iter();
            all.map(|word| String::from_utf8(word).unwrap()).collect()
        };
        assert_eq!(told("Asc"), ["Desc"]);
        assert!(told("PUT").contains(&"PATCH".to_owned()));
        assert!(told("delete").contains(&"post".to_owned()));
        assert!(told("delete").contains(&"update".to_owned()));
        assert!(
            told("B4").contains(&"A3".to_owned()) && told("B4").contains(&"tabloid".to_owned())
        );
        assert!(told("nothing").is_empty());
    }
}
