//! Reading requests and terms, before anything is searched.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use pincite_shared::settings::Protocol;
use pincite_shared::term::{Matcher, RequestedMode, Term};
use pincite_shared::wire::query::{MAX_QUERIES, Query};

const REQUEST: &str = r#"{"kind":"source.search","text":"MAX_SUFFIX","mode":"word","path_prefix":"src/"}"#;

#[divan::bench(args = [1, MAX_QUERIES])]
fn queries_parsed(bencher: Bencher<'_, '_>, requests: usize) {
    let text = match requests {
        1 => REQUEST.to_owned(),
        _ => format!(r#"{{"queries":[{}]}}"#, vec![REQUEST; requests].join(",")),
    };
    bencher.counter(ItemsCount::new(requests)).bench(|| Query::parse_str(black_box(&text), Protocol::One).unwrap());
}

#[divan::bench(args = ["MAX_SUFFIX", "for (int i = 0; i < count; ++i)"])]
fn terms_prepared(text: &str) -> Matcher {
    Matcher::new(&Term::new(black_box(text), RequestedMode::Auto).unwrap())
}
