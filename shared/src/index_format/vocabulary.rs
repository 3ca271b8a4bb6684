//! The vocabulary of a segment: its distinct terms as one flat, sorted text, with the places of their posting lists.
//!
//! ```text
//! text | groups | filter | term count u64 | length of the text u64 | bytes that occur, 256 bits | "PCVOCA02"
//! text:   each term, followed by LF
//! groups: per 16 terms: where the first of them begins in the text u64 | where its posting list begins u64
//! filter: per value of `bucket`: per 256 terms one bit, lowest first, padded to a byte: whether three bytes with this
//!         value stand in one of them, its LF included
//! ```
//!
//! Terms are in the order of [`order`]: by their bytes with A-Z as a-z, then by their bytes. So all spellings of a word
//! that differ in the case of ASCII letters are neighbours, and other case costs one bisection. A term has no LF, since
//! words have none; a substring is found by one pass, at memory speed, over the parts of the text that the filter leaves.

use std::cmp::Ordering;
use std::ops::Range;
use std::path::Path;

use memchr::{memchr, memchr_iter, memmem, memrchr};

use super::error::IndexError;
use super::sealed::{FileRecord, SealedFile, SealedWriter};
use super::terms;

const MAGIC: &[u8; 8] = b"PCVOCA02";
const TRAILER: usize = 8 + 8 + 32 + 8;
/// Terms of a group: a look-up reads through half of one.
const GROUP: u64 = 16;
const GROUP_BYTES: usize = 16;
/// Groups under one bit of the filter: some 3 KiB of text.
const CHUNK: usize = 16;
/// Values of [`bucket`]. Half of the bits are set in source code, so that each further byte of a substring halves what is
/// left; more values would cost more than they spare.
const BUCKETS: usize = 2048;
/// A walk that has so few bytes of terms left tries each of them.
const FEW_BYTES: usize = 1 << 10;

/// A walk goes so far on its only way before it looks whether a term is there.
const BLIND_BYTES: usize = 32;

/// The order of terms.
pub fn order(a: &[u8], b: &[u8]) -> Ordering {
    fold_order(a, b).then_with(|| a.cmp(b))
}

fn fold_order(a: &[u8], b: &[u8]) -> Ordering {
    match a.iter().zip(b).find(|(a, b)| !a.eq_ignore_ascii_case(b)) {
        Some((a, b)) => a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase()),
        None => a.len().cmp(&b.len()),
    }
}

/// A hash of three bytes, with A-Z as a-z.
fn bucket(three: &[u8]) -> usize {
    let folded = three.iter().fold(0, |number, byte| number << 8 | u32::from(byte.to_ascii_lowercase()));
    (folded.wrapping_mul(0x9e37_79b1) >> 21) as usize
}

/// Writes a vocabulary term by term.
pub struct VocabularyWriter {
    file: SealedWriter,
    /// The term that is being written, with its LF.
    line: Vec<u8>,
    groups: Vec<u8>,
    /// Per chunk a bit for each bucket.
    filter: Vec<[u8; BUCKETS / 8]>,
    terms: u64,
    bytes: [u64; 4],
}

impl VocabularyWriter {
    /// Creates the file, which must not exist.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(path: &Path) -> Result<Self, IndexError> {
        let file = SealedWriter::create(path)?;
        let (line, groups, filter) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { file, line, groups, filter, terms: 0, bytes: [0; 4] })
    }

    /// Appends the next term, in [`order`], whose posting list begins at `list`.
    ///
    /// # Errors
    /// What the system says.
    pub fn push(&mut self, term: &[u8], list: u64) -> Result<(), IndexError> {
        debug_assert!(self.terms == 0 || order(first_line(&self.line), term).is_lt(), "terms ascend");
        if self.terms.is_multiple_of(GROUP) {
            self.groups.extend_from_slice(&self.file.position().to_le_bytes());
            self.groups.extend_from_slice(&list.to_le_bytes());
        }
        if self.terms.is_multiple_of(GROUP * CHUNK as u64) {
            self.filter.push([0; BUCKETS / 8]);
        }
        self.terms += 1;
        term.iter().for_each(|byte| self.bytes[usize::from(*byte >> 6)] |= 1 << (byte & 63));
        self.line.clear();
        self.line.extend_from_slice(term);
        self.line.push(b'\n');
        if let Some(bits) = self.filter.last_mut() {
            self.line.windows(3).map(bucket).for_each(|bucket| bits[bucket / 8] |= 1 << (bucket % 8));
        }
        self.file.write(&self.line)
    }

    /// Writes the end and syncs the file.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(mut self, name: String) -> Result<FileRecord, IndexError> {
        let text = self.file.position();
        self.file.write(&self.groups)?;
        for bucket in 0..BUCKETS {
            for eight in self.filter.chunks(8) {
                let is_set = |bits: &[u8; BUCKETS / 8]| bits[bucket / 8] >> (bucket % 8) & 1;
                let byte = eight.iter().enumerate().fold(0, |byte, (at, bits)| byte | is_set(bits) << at);
                self.file.write(&[byte])?;
            }
        }
        self.file.write(&self.terms.to_le_bytes())?;
        self.file.write(&text.to_le_bytes())?;
        for word in self.bytes {
            self.file.write(&word.to_le_bytes())?;
        }
        self.file.write(MAGIC)?;
        self.file.finish(name)
    }
}

/// How a word run of a term may continue in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cut {
    /// The run may be the end of a longer word.
    Left,
    /// The run may be the beginning of a longer word.
    Right,
    /// The run may stand anywhere in a word.
    Both,
}

/// A set of terms, told byte by byte.
pub trait Pattern {
    /// What is known behind some bytes.
    type State: Clone + PartialEq;
    /// Before the first byte.
    fn start(&self) -> Self::State;
    /// Behind one more byte; `None` when no term of the set goes on like this.
    fn step(&self, state: &Self::State, byte: u8) -> Option<Self::State>;
    /// Whether a term of the set ends here.
    fn accepts(&self, state: &Self::State) -> bool;

    /// Whether a term belongs to the set.
    fn holds(&self, term: &[u8]) -> bool {
        let end = term.iter().try_fold(self.start(), |state, byte| self.step(&state, *byte));
        end.is_some_and(|state| self.accepts(&state))
    }
}

/// A term of the vocabulary: its key, and which posting list is its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VocabularyTerm<'a> {
    /// The key (see [`terms`]).
    pub key: &'a [u8],
    /// Its group, and its place in there.
    pub(super) group: usize,
    pub(super) within: u32,
}

/// A place between two terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    at: usize,
    group: usize,
    within: u32,
}

/// A vocabulary for reading.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    file: SealedFile,
    terms: u64,
    /// Bytes of the text.
    text: usize,
    groups: usize,
    bytes: [u64; 4],
}

impl Vocabulary {
    /// Opens a vocabulary; what is read of its text is checked when it is read.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when it is not one.
    pub fn open(file: SealedFile) -> Result<Self, IndexError> {
        Self::decode(&file)?.ok_or_else(|| IndexError::corrupt(file.path(), "it is not a vocabulary"))
    }

    fn decode(file: &SealedFile) -> Result<Option<Self>, IndexError> {
        let Some(end) = file.len().checked_sub(TRAILER) else { return Ok(None) };
        let trailer = file.read(end..file.len())?;
        let number = |at: usize| u64::from_le_bytes(trailer[at..at + 8].try_into().unwrap_or_default());
        let terms = number(0);
        let (Ok(text), Ok(groups)) = (usize::try_from(number(8)), usize::try_from(terms.div_ceil(GROUP))) else {
            return Ok(None);
        };
        let filter = row_bytes(groups) * BUCKETS;
        let whole = groups.checked_mul(GROUP_BYTES).and_then(|bytes| bytes.checked_add(filter)?.checked_add(text));
        let whole = whole == Some(end);
        let bytes = [16, 24, 32, 40].map(number);
        let vocabulary = Self { file: file.clone(), terms, text, groups, bytes };
        Ok((whole && trailer.ends_with(MAGIC)).then_some(vocabulary))
    }

    /// Number of terms.
    pub fn len(&self) -> u64 {
        self.terms
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.terms == 0
    }

    pub(super) fn corrupt(&self) -> IndexError {
        IndexError::corrupt(self.file.path(), "it is not the one of its text and its posting lists")
    }

    /// Where a group begins in the text; the end of the text for the number of groups.
    fn group_start(&self, group: usize) -> Result<usize, IndexError> {
        if group == self.groups {
            return Ok(self.text);
        }
        let at = self.text + group * GROUP_BYTES;
        let start = u64::from_le_bytes(self.file.read(at..at + 8)?.try_into().unwrap_or_default());
        usize::try_from(start).ok().filter(|start| *start < self.text).ok_or_else(|| self.corrupt())
    }

    /// Where the posting list of a group's first term begins.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub(super) fn group_list(&self, group: usize) -> Result<u64, IndexError> {
        let at = self.text + group * GROUP_BYTES + 8;
        Ok(u64::from_le_bytes(self.file.read(at..at + 8)?.try_into().unwrap_or_default()))
    }

    fn group_text(&self, group: usize) -> Result<(usize, &[u8]), IndexError> {
        let start = self.group_start(group)?;
        Ok((start, self.file.read(start..self.group_start(group + 1)?)?))
    }

    fn end(&self) -> Position {
        Position { at: self.text, group: self.groups, within: 0 }
    }

    /// The first position between two others before which `before` holds for all terms; it holds for a beginning of the
    /// terms.
    fn bisect(&self, range: &Range<Position>, before: impl Fn(&[u8]) -> bool) -> Result<Position, IndexError> {
        // Groups that begin behind the start and before the end.
        let (mut low, mut high) = (range.start.group + 1, range.end.group + usize::from(range.end.within > 0));
        while low < high {
            let middle = low + (high - low) / 2;
            let (_, text) = self.group_text(middle)?;
            if before(first_line(text)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let group = low - 1;
        let (mut position, text) = match group == range.start.group {
            true => {
                let end = self.group_start((group + 1).min(self.groups))?;
                (range.start, self.file.read(range.start.at.min(end)..end)?)
            }
            false => {
                let (at, text) = self.group_text(group)?;
                (Position { at, group, within: 0 }, text)
            }
        };
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            if position.at >= range.end.at {
                return Ok(range.end);
            }
            if !before(line.strip_suffix(b"\n").unwrap_or(line)) {
                return Ok(position);
            }
            position.at += line.len();
            position.within += 1;
        }
        match position.at {
            at if at >= range.end.at => Ok(range.end),
            at => Ok(Position { at, group: group + 1, within: 0 }),
        }
    }

    fn all(&self) -> Range<Position> {
        Position { at: 0, group: 0, within: 0 }..self.end()
    }

    /// The terms of a range.
    fn read(&self, range: &Range<Position>) -> Result<impl Iterator<Item = VocabularyTerm<'_>> + use<'_>, IndexError> {
        let text = self.file.read(range.start.at..range.end.at)?;
        let first = range.start.group as u64 * GROUP + u64::from(range.start.within);
        Ok(text.split_inclusive(|byte| *byte == b'\n').zip(first..).map(|(line, number)| VocabularyTerm {
            key: line.strip_suffix(b"\n").unwrap_or(line),
            group: (number / GROUP) as usize,
            within: (number % GROUP) as u32,
        }))
    }

    /// A term by its key.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn find(&self, key: &[u8]) -> Result<Option<VocabularyTerm<'_>>, IndexError> {
        if self.is_empty() {
            return Ok(None);
        }
        let at = self.bisect(&self.all(), |term| order(term, key).is_lt())?;
        if at == self.end() {
            return Ok(None);
        }
        let next = (at.at + key.len() + 1).min(self.text);
        let found = self.file.read(at.at..next)?;
        let is = found.strip_suffix(b"\n") == Some(key);
        Ok(is.then(|| VocabularyTerm { key: &found[..key.len()], group: at.group, within: at.within }))
    }

    /// The terms of a range that begin with `prefix`, whatever the case of ASCII letters.
    fn below(&self, within: &Range<Position>, prefix: &[u8]) -> Result<Range<Position>, IndexError> {
        let start = self.bisect(within, |term| fold_order(term, prefix).is_lt())?;
        let begins = |term: &[u8]| term.get(..prefix.len()).is_some_and(|own| own.eq_ignore_ascii_case(prefix));
        let end = self.bisect(&(start..within.end), |term| fold_order(term, prefix).is_lt() || begins(term))?;
        Ok(start..end)
    }

    /// All words and decimal tokens that hold `run` where `cut` allows; `None` when there are more than `limit`.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn expand(&self, run: &[u8], cut: Cut, limit: usize) -> Result<Option<Vec<VocabularyTerm<'_>>>, IndexError> {
        let mut found = Vec::new();
        match cut {
            Cut::Right if !self.is_empty() => {
                for key in [terms::marked(terms::DECIMAL, run), run.to_vec()] {
                    let range = self.below(&self.all(), &key)?;
                    for term in self.read(&range)?.filter(|term| term.key.starts_with(&key)) {
                        if found.len() == limit {
                            return Ok(None);
                        }
                        found.push(term);
                    }
                }
            }
            Cut::Right => {}
            Cut::Left | Cut::Both => {
                let mut needle = run.to_vec();
                if cut == Cut::Left {
                    needle.push(b'\n');
                }
                let finder = memmem::Finder::new(&needle);
                let hit = |text: &[u8]| finder.find(text).map(|at| at..at + needle.len());
                for part in self.parts_with(&needle)? {
                    if !self.pass(part, hit, limit, &mut found)? {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(Some(found))
    }

    /// All words and decimal tokens in which `find` finds something. It is given the rest of the text, of many terms at
    /// once, and returns where its first hit begins and ends; no hit reaches over a LF but one that ends with it.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn terms_where(
        &self,
        find: impl Fn(&[u8]) -> Option<Range<usize>>,
    ) -> Result<Vec<VocabularyTerm<'_>>, IndexError> {
        let mut found = Vec::new();
        if !self.is_empty() {
            self.pass(0..self.groups, find, usize::MAX, &mut found)?;
        }
        Ok(found)
    }

    /// The groups whose terms can hold some bytes, as the filter has it.
    fn parts_with(&self, needle: &[u8]) -> Result<Vec<Range<usize>>, IndexError> {
        let mut left = vec![u8::MAX; row_bytes(self.groups)];
        for three in needle.windows(3) {
            left.iter_mut().zip(self.chunks_with(three)?).for_each(|(left, bits)| *left &= bits);
        }
        let mut parts: Vec<Range<usize>> = Vec::new();
        for chunk in (0..self.groups.div_ceil(CHUNK)).filter(|chunk| left[chunk / 8] >> (chunk % 8) & 1 == 1) {
            let (start, end) = (chunk * CHUNK, self.groups.min((chunk + 1) * CHUNK));
            match parts.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ => parts.push(start..end),
            }
        }
        Ok(parts)
    }

    /// The filter's row for three bytes: a bit for each chunk.
    fn chunks_with(&self, three: &[u8]) -> Result<&[u8], IndexError> {
        let row = row_bytes(self.groups);
        let at = self.text + self.groups * GROUP_BYTES + bucket(three) * row;
        self.file.read(at..at + row)
    }

    /// Collects up to `limit` terms of some groups; says whether there are no more.
    fn pass<'a>(
        &'a self,
        groups: Range<usize>,
        find: impl Fn(&[u8]) -> Option<Range<usize>>,
        limit: usize,
        found: &mut Vec<VocabularyTerm<'a>>,
    ) -> Result<bool, IndexError> {
        let (base, mut group) = (self.group_start(groups.start)?, groups.start);
        let text = self.file.read(base..self.group_start(groups.end)?)?;
        let mut from = 0;
        while let Some(hit) = find(&text[from..]) {
            let begun = from + hit.start;
            let start = memrchr(b'\n', &text[..begun]).map_or(0, |feed| feed + 1);
            let end = memchr(b'\n', &text[begun..]).map_or(text.len(), |feed| begun + feed);
            from = (end + 1).min(text.len());
            // Suffixed decimals are words as well, and a long run is no word.
            if text.get(start).is_some_and(|first| !matches!(*first, terms::SUFFIXED | terms::LONG)) {
                if found.len() == limit {
                    return Ok(false);
                }
                group = self.group_of(base + start, group)?;
                let before = &text[self.group_start(group)? - base..start];
                let within = memchr_iter(b'\n', before).count() as u32;
                found.push(VocabularyTerm { key: &text[start..end], group, within });
            }
            if from == text.len() {
                break;
            }
        }
        Ok(true)
    }

    /// The group that a place of the text belongs to, which is `from` or a later one: steps that double, then a bisection.
    fn group_of(&self, at: usize, from: usize) -> Result<usize, IndexError> {
        let (mut low, mut step) = (from, 1);
        let mut high = loop {
            let next = low + step;
            if next >= self.groups {
                break self.groups;
            }
            if self.group_start(next)? > at {
                break next;
            }
            (low, step) = (next, step * 2);
        };
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.group_start(middle)? <= at {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// The terms of a pattern, in order. Costs what the pattern lets through, not what the vocabulary holds.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn matching<P: Pattern>(&self, pattern: &P) -> Result<Vec<VocabularyTerm<'_>>, IndexError> {
        let mut found = Vec::new();
        if !self.is_empty() {
            self.walk(pattern, Vec::new(), vec![pattern.start()], self.all(), &mut found)?;
        }
        Ok(found)
    }

    /// Adds the terms of the range that belong to the pattern; all of them begin with `prefix`, up to case, which leads to
    /// `states`.
    fn walk<'a, P: Pattern>(
        &'a self,
        pattern: &P,
        mut prefix: Vec<u8>,
        mut states: Vec<P::State>,
        within: Range<Position>,
        found: &mut Vec<VocabularyTerm<'a>>,
    ) -> Result<(), IndexError> {
        let known = prefix.len();
        let (ends, next) = loop {
            let ends = states.iter().any(|state| pattern.accepts(state));
            let mut next = self.steps(pattern, &states);
            match next.as_mut_slice() {
                // Only one way on: no need to look what is there, as long as the way leads on at all.
                [(byte, after)] if !ends && *after != states && prefix.len() < known + BLIND_BYTES => {
                    prefix.push(*byte);
                    states = std::mem::take(after);
                }
                _ => break (ends, next),
            }
        };
        let mut range = self.below(&within, &prefix)?;
        let anything = !next.is_empty() && next.iter().all(|(_, after)| *after == states);
        if anything || range.end.at - range.start.at <= FEW_BYTES {
            found.extend(self.read(&range)?.filter(|term| pattern.holds(term.key)));
            return Ok(());
        }
        if ends {
            let same = self.bisect(&range, |term| term.len() == prefix.len())?;
            found.extend(self.read(&(range.start..same))?.filter(|term| pattern.holds(term.key)));
            range.start = same;
        }
        for (byte, after) in next {
            let longer = [&prefix[..], &[byte]].concat();
            self.walk(pattern, longer, after, range.clone(), found)?;
        }
        Ok(())
    }

    /// The bytes, in lower case, with which a pattern can go on in this vocabulary, ascending.
    fn steps<P: Pattern>(&self, pattern: &P, states: &[P::State]) -> Vec<(u8, Vec<P::State>)> {
        let occurs = |byte: u8| self.bytes[usize::from(byte >> 6)] & 1 << (byte & 63) != 0;
        let mut next = Vec::new();
        for byte in (0..=u8::MAX).filter(|byte| !byte.is_ascii_uppercase()) {
            let spellings = [byte, byte.to_ascii_uppercase()];
            let spellings = if byte.is_ascii_lowercase() { &spellings[..] } else { &spellings[..1] };
            let mut after: Vec<P::State> = Vec::new();
            for spelling in spellings.iter().filter(|spelling| occurs(**spelling)) {
                for state in states.iter().filter_map(|state| pattern.step(state, *spelling)) {
                    if !after.contains(&state) {
                        after.push(state);
                    }
                }
            }
            if !after.is_empty() {
                next.push((byte, after));
            }
        }
        next
    }

    /// All terms from the beginning.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn terms(&self) -> Result<impl Iterator<Item = VocabularyTerm<'_>>, IndexError> {
        self.read(&self.all())
    }

    /// Checks that the terms ascend and that the groups are theirs.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub(super) fn check(&self) -> Result<(), IndexError> {
        let mut last: Option<&[u8]> = None;
        let (mut at, mut count, mut line) = (0, 0, Vec::new());
        for term in self.terms()? {
            if last.is_some_and(|last| order(last, term.key).is_ge()) {
                return Err(IndexError::corrupt(self.file.path(), "its terms are not in order"));
            }
            if term.within == 0 && (term.group >= self.groups || self.group_start(term.group)? != at) {
                return Err(self.corrupt());
            }
            line.clear();
            line.extend_from_slice(term.key);
            line.push(b'\n');
            let chunk = term.group / CHUNK;
            for three in line.windows(3) {
                if self.chunks_with(three)?[chunk / 8] >> (chunk % 8) & 1 == 0 {
                    return Err(IndexError::corrupt(self.file.path(), "its filter leaves out a term"));
                }
            }
            at += term.key.len() + 1;
            count += 1;
            last = Some(term.key);
        }
        if count == self.terms { Ok(()) } else { Err(self.corrupt()) }
    }
}

/// Bytes of a row of the filter of so many groups.
fn row_bytes(groups: usize) -> usize {
    groups.div_ceil(CHUNK).div_ceil(8)
}

fn first_line(text: &[u8]) -> &[u8] {
    &text[..memchr(b'\n', text).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vocabulary(words: &[Vec<u8>]) -> Vocabulary {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("v");
        let mut writer = VocabularyWriter::create(&path).unwrap();
        words.iter().zip(0..).for_each(|(word, number)| writer.push(word, number).unwrap());
        let record = writer.finish("v".into()).unwrap();
        Vocabulary::open(SealedFile::open(folder.path(), &record).unwrap()).unwrap()
    }

    fn keys(terms: Vec<VocabularyTerm<'_>>) -> Vec<Vec<u8>> {
        terms.into_iter().map(|term| term.key.to_vec()).collect()
    }

    /// `x` in any case, then digits of which none is 1, then anything if open.
    struct Sample {
        open: bool,
    }

    impl Pattern for Sample {
        type State = (bool, bool);

        fn start(&self) -> Self::State {
            (false, false)
        }

        fn step(&self, (begun, behind): &Self::State, byte: u8) -> Option<Self::State> {
            match byte {
                _ if *behind => Some((true, true)),
                // A way that may go on for ever, for a vocabulary without the byte that ends it.
                b'1' if !begun => Some((false, false)),
                b'a' | b'A' if !begun => Some((true, false)),
                b'2' | b'b' if *begun => Some((true, false)),
                b'B' if *begun && self.open => Some((true, true)),
                _ => None,
            }
        }

        fn accepts(&self, (begun, behind): &Self::State) -> bool {
            *begun && (!self.open || *behind)
        }
    }

    proptest! {
        // T-04: the expansion of a cut word is what a loop over all terms finds.
        #[test]
        fn expansion_equals_a_loop(
            words in proptest::collection::btree_set("[\u{1}\u{2}\u{3}]?[abAB12]{1,6}", 0..1500),
            run in "[abA1]{1,5}",
        ) {
            let mut words: Vec<Vec<u8>> = words.into_iter().map(String::into_bytes).collect();
            words.sort_unstable_by(|a, b| order(a, b));
            let vocabulary = vocabulary(&words);
            vocabulary.check().unwrap();
            prop_assert_eq!(keys(vocabulary.terms().unwrap().collect()), words.clone());
            for (number, term) in vocabulary.terms().unwrap().enumerate() {
                prop_assert_eq!(vocabulary.find(term.key).unwrap(), Some(term));
                prop_assert_eq!(term.group as u64 * GROUP + u64::from(term.within), number as u64);
            }
            let known = vocabulary.find(run.as_bytes()).unwrap().is_some();
            prop_assert_eq!(known, words.iter().any(|word| word == run.as_bytes()));
            let find = |text: &[u8]| memmem::find(text, run.as_bytes()).map(|at| at..at + run.len());
            let expanded = vocabulary.expand(run.as_bytes(), Cut::Both, usize::MAX).unwrap();
            prop_assert_eq!(Some(vocabulary.terms_where(find).unwrap()), expanded);
            for cut in [Cut::Left, Cut::Right, Cut::Both] {
                let naive: Vec<Vec<u8>> = words.iter().filter(|word| {
                    let plain = word.strip_prefix(&[terms::DECIMAL]).unwrap_or(word);
                    !matches!(plain[0], terms::SUFFIXED | terms::LONG) && match cut {
                        Cut::Left => plain.ends_with(run.as_bytes()),
                        Cut::Right => plain.starts_with(run.as_bytes()),
                        Cut::Both => memmem::find(plain, run.as_bytes()).is_some(),
                    }
                }).cloned().collect();
                let expanded = vocabulary.expand(run.as_bytes(), cut, usize::MAX).unwrap().unwrap();
                for term in &expanded {
                    prop_assert_eq!(vocabulary.find(term.key).unwrap(), Some(*term));
                }
                prop_assert_eq!(keys(expanded), naive.clone());
                if !naive.is_empty() {
                    prop_assert_eq!(vocabulary.expand(run.as_bytes(), cut, naive.len() - 1).unwrap(), None);
                }
            }
            for open in [false, true] {
                let sample = Sample { open };
                let naive: Vec<Vec<u8>> = words.iter().filter(|word| sample.holds(word)).cloned().collect();
                prop_assert_eq!(keys(vocabulary.matching(&sample).unwrap()), naive);
            }
        }
    }
}
