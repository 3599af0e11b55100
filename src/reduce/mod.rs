//! Layer 4: reducers. They propose candidates to a [`Search`](crate::search::Search) and know
//! neither time, threads, files nor processes.

pub mod ddmin;
pub mod isolate;

pub use stub::*;
mod stub {
    //! A stand-in until the reducers are merged.
    #![allow(missing_docs)]
    use crate::oracle::Stopped;
    use crate::search::Search;
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub enum Strategy { #[default] Auto, Ddmin }
    impl std::str::FromStr for Strategy { type Err = String;
        fn from_str(text: &str) -> Result<Self, String> { match text { "auto" => Ok(Strategy::Auto), "ddmin" => Ok(Strategy::Ddmin), _ => Err(format!("{text:?} is none of auto, ddmin")) } } }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub enum Format { #[default] Auto, Bytes, Lines }
    impl std::str::FromStr for Format { type Err = String;
        fn from_str(text: &str) -> Result<Self, String> { match text { "auto" => Ok(Format::Auto), "bytes" => Ok(Format::Bytes), "lines" => Ok(Format::Lines), _ => Err(format!("{text:?} is none of auto, bytes, lines")) } } }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub enum Polish { #[default] Auto, Tests(u64) }
    impl std::str::FromStr for Polish { type Err = String;
        fn from_str(text: &str) -> Result<Self, String> { if text == "auto" { Ok(Polish::Auto) } else { text.parse().map(Polish::Tests).map_err(|_| "neither auto nor a number".into()) } } }
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Options { pub strategy: Strategy, pub format: Format, pub seed: u64, pub polish: Polish }
    pub fn minimize(search: &mut Search<'_, '_>, _options: &Options) -> Result<(), Stopped> {
        let lines: Vec<Vec<u8>> = search.best().split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
        search.run("ddmin(lines)", |search| super::ddmin::ddmin(search, lines, |kept, out| out.extend(kept.iter().flatten())))?;
        let bytes = search.best().to_vec();
        search.run("ddmin(bytes)", |search| super::ddmin::ddmin(search, bytes, |kept, out| out.extend_from_slice(kept)))?;
        search.claim(crate::event::Minimality::OneMinimal);
        Ok(())
    }
}
