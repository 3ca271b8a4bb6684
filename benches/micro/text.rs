//! What every byte of a blob goes through: lines, tokens, hints, and the matcher of terms.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use pincite_indexer::hints;
use pincite_shared::term::{Matcher, Mode, RequestedMode, Term};
use pincite_shared::text::{LineIndex, line_count};
use pincite_shared::tokenizer::scan;

use crate::corpus::{NAMES, Sample};

/// Measures a function of a sample's bytes, in bytes a second.
fn over<T>(bencher: Bencher<'_, '_>, name: &str, work: impl Fn(&Sample) -> T + Sync) {
    let sample = Sample::named(name);
    bencher.counter(BytesCount::new(sample.bytes.len())).bench(|| work(black_box(sample)));
}

#[divan::bench(args = NAMES)]
fn lines_counted(bencher: Bencher<'_, '_>, name: &str) {
    over(bencher, name, |sample| line_count(&sample.bytes));
}

#[divan::bench(args = NAMES)]
fn lines_indexed(bencher: Bencher<'_, '_>, name: &str) {
    over(bencher, name, |sample| LineIndex::new(&sample.bytes).len());
}

#[divan::bench(args = NAMES)]
fn tokens(bencher: Bencher<'_, '_>, name: &str) {
    over(bencher, name, |sample| {
        let mut bytes = 0;
        scan(&sample.bytes, &mut |token| bytes += token.text.len());
        bytes
    });
}

#[divan::bench(args = NAMES)]
fn scanner_hints(bencher: Bencher<'_, '_>, name: &str) {
    over(bencher, name, |sample| hints::lexical(sample.language, &sample.bytes));
}

/// Terms of each mode: rare and frequent words, numbers, and fixed strings, down to one character.
const TERMS: [(&str, Mode); 7] = [
    ("MAX_SUFFIX", Mode::Word),
    ("self", Mode::Word),
    ("134743", Mode::Decimal),
    ("0", Mode::Decimal),
    ("Item number 4711'", Mode::Literal),
    ("return ", Mode::Literal),
    (";", Mode::Literal),
];

fn matched_lines(bencher: Bencher<'_, '_>, name: &str, (text, mode): (&str, Mode)) {
    let matcher = Matcher::new(&Term::new(text, RequestedMode::Exactly(mode)).unwrap());
    over(bencher, name, |sample| {
        let mut lines = 0u32;
        matcher.for_each_matching_line(&sample.bytes, &mut |_, _| lines += 1);
        lines
    });
}

#[divan::bench(args = TERMS)]
fn matcher_on_sources(bencher: Bencher<'_, '_>, term: (&str, Mode)) {
    matched_lines(bencher, NAMES[0], term);
}

#[divan::bench(args = TERMS)]
fn matcher_on_dump(bencher: Bencher<'_, '_>, term: (&str, Mode)) {
    matched_lines(bencher, NAMES[1], term);
}
