//! The manifest of a commit: every path with its blob, and where the blob's document is.
//!
//! ```text
//! "PCMANI02" | header length u32 | header: bincode, see `Header` | totals length u32 | totals: bincode, see `StoredTotals`
//! rows:  per path, sorted by bytes: path offset u32 | path length u32 | bytes u64 | segment u32 | document u32 |
//!        extension u32 | kind u8 | state u8 | language u8 | 0
//! ids:   per path: object id
//! paths: all path bytes
//! links: per segment: document count + 1 offsets u32, then row numbers u32: the paths of each document; then the
//!        extension u32 of each of these
//! ```
//!
//! Manifests that begin with "PCMANI01", without totals and without extensions behind the links, are read as well.
//!
//! All parts but the links say what the commit holds; segment, document and links say where this index keeps it.
//! Only the former go into [`Manifest::content_sha256`], which is the same for every index of the commit.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use bincode::{Decode, Encode};
use sha2::{Digest, Sha256};

use crate::git::EntryKind;
use crate::ids::{Oid, Pin};
use crate::language::Language;
use crate::path;
use crate::skip::SkipReason;

use super::documents::{language_number, language_of};
use super::error::IndexError;
use super::records;
use super::sealed::{CheckedPart, FileRecord, SealedFile, SealedWriter};

const MAGIC: &[u8; 8] = b"PCMANI02";
const MAGIC_WITHOUT_TOTALS: &[u8; 8] = b"PCMANI01";
const ROW: usize = 32;
const NOWHERE: u32 = u32::MAX;

/// Every kind, in the order of their numbers in the format.
const KINDS: [EntryKind; 4] = [EntryKind::File, EntryKind::Executable, EntryKind::Symlink, EntryKind::Submodule];

/// Whether and where a path's content can be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is this document of this segment (by its number in the manifest's list).
    Document {
        /// Number in [`Manifest::segments`].
        segment: u32,
        /// Document id within the segment.
        document: u32,
    },
    /// It can not be searched.
    Skipped(SkipReason),
    /// A symbolic link or submodule.
    NotAFile,
}

/// One path of the commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The whole path.
    pub path: Vec<u8>,
    /// What it is.
    pub kind: EntryKind,
    /// The blob, or the submodule's commit.
    pub id: Oid,
    /// Size of the blob; 0 where it is not known (missing blobs, submodules).
    pub bytes: u64,
    /// The language that the extension tells.
    pub language: Option<Language>,
    /// Whether and where it can be searched.
    pub state: State,
}

#[derive(Encode, Decode)]
struct Header {
    commit: Vec<u8>,
    tree: Vec<u8>,
    rows: u32,
    segments: Vec<(String, u32)>,
    extensions: Vec<Vec<u8>>,
    path_bytes: u64,
    links: u32,
    content: [u8; 32],
}

/// What a search says of the files that it does not go into one by one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// In the order of [`Manifest::extensions`].
    pub extensions: Vec<ExtensionTotals>,
    /// Symbolic links.
    pub symlinks: u64,
    /// Submodules.
    pub submodules: u64,
}

/// The files of one extension.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtensionTotals {
    /// Files that are a document.
    pub documents: u64,
    /// Files that can not be searched.
    pub skipped: BTreeMap<SkipReason, u64>,
    /// Size of the largest in bytes, whether it can be searched or not.
    pub largest: u64,
}

impl ExtensionTotals {
    /// Number of files.
    pub fn files(&self) -> u64 {
        self.documents + self.skipped.values().sum::<u64>()
    }
}

impl Totals {
    fn new(extensions: usize) -> Self {
        Self { extensions: vec![ExtensionTotals::default(); extensions], symlinks: 0, submodules: 0 }
    }

    fn add(&mut self, extension: usize, kind: EntryKind, bytes: u64, state: State) {
        let Some(totals) = self.extensions.get_mut(extension) else { return };
        match (kind, state) {
            (EntryKind::Submodule, _) => self.submodules += 1,
            // No writer makes a file that is none; a search calls it a link.
            (EntryKind::Symlink, _) | (_, State::NotAFile) => self.symlinks += 1,
            (EntryKind::File | EntryKind::Executable, state) => {
                totals.largest = totals.largest.max(bytes);
                match state {
                    State::Skipped(reason) => *totals.skipped.entry(reason).or_default() += 1,
                    _ => totals.documents += 1,
                }
            }
        }
    }
}

#[derive(Encode, Decode)]
struct StoredExtension {
    documents: u64,
    /// By the number of the reason.
    skipped: Vec<(u8, u64)>,
    largest: u64,
}

#[derive(Encode, Decode)]
struct StoredTotals {
    extensions: Vec<StoredExtension>,
    symlinks: u64,
    submodules: u64,
}

impl StoredTotals {
    fn new(totals: &Totals) -> Self {
        let stored = |one: &ExtensionTotals| {
            let skipped = one.skipped.iter().map(|(reason, files)| (reason_number(*reason), *files)).collect();
            StoredExtension { documents: one.documents, skipped, largest: one.largest }
        };
        Self {
            extensions: totals.extensions.iter().map(stored).collect(),
            symlinks: totals.symlinks,
            submodules: totals.submodules,
        }
    }

    fn read(self) -> Option<Totals> {
        let reason = |(number, files): (u8, u64)| Some((*SkipReason::ALL.get(usize::from(number))?, files));
        let of_extension = |stored: StoredExtension| {
            let skipped = stored.skipped.into_iter().map(reason).collect::<Option<_>>()?;
            Some(ExtensionTotals { documents: stored.documents, skipped, largest: stored.largest })
        };
        let extensions = self.extensions.into_iter().map(of_extension).collect::<Option<_>>()?;
        Some(Totals { extensions, symlinks: self.symlinks, submodules: self.submodules })
    }
}

/// Writes manifests.
pub struct ManifestWriter<'a> {
    /// The commit and its tree.
    pub pin: Pin,
    /// Segments by name, with their document counts.
    pub segments: &'a [(String, u32)],
    /// Sorted by path.
    pub entries: &'a [Entry],
}

impl ManifestWriter<'_> {
    /// The hash of what the commit holds, wherever an index keeps it.
    pub fn content_sha256(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.pin.commit.as_bytes());
        hash.update(self.pin.tree.as_bytes());
        for entry in self.entries {
            hash.update((entry.path.len() as u64).to_le_bytes());
            hash.update(&entry.path);
            hash.update(entry.id.as_bytes());
            hash.update(entry.bytes.to_le_bytes());
            hash.update([kind_number(entry.kind), state_number(entry.state), language_number(entry.language)]);
        }
        hash.finalize().into()
    }

    /// Writes the sealed file.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, file: &Path, name: String) -> Result<FileRecord, IndexError> {
        let mut extensions: Vec<Vec<u8>> = self.entries.iter().map(|entry| path::extension(&entry.path)).collect();
        extensions.sort_unstable();
        extensions.dedup();
        let mut totals = Totals::new(extensions.len());
        let mut links: Vec<Vec<(u32, u32, u32)>> = vec![Vec::new(); self.segments.len()];
        let mut rows = Vec::with_capacity(self.entries.len() * ROW);
        let mut ids = Vec::new();
        let mut paths = Vec::new();
        for (number, entry) in self.entries.iter().enumerate() {
            let extension = extensions.binary_search(&path::extension(&entry.path)).unwrap_or_default() as u32;
            totals.add(extension as usize, entry.kind, entry.bytes, entry.state);
            let (segment, document) = match entry.state {
                State::Document { segment, document } => {
                    links[segment as usize].push((document, number as u32, extension));
                    (segment, document)
                }
                _ => (NOWHERE, NOWHERE),
            };
            let offset = u32::try_from(paths.len())
                .map_err(|_| IndexError::corrupt(file, "the commit's paths are more than 4 GiB long"))?;
            rows.extend_from_slice(&offset.to_le_bytes());
            rows.extend_from_slice(&(entry.path.len() as u32).to_le_bytes());
            rows.extend_from_slice(&entry.bytes.to_le_bytes());
            rows.extend_from_slice(&segment.to_le_bytes());
            rows.extend_from_slice(&document.to_le_bytes());
            rows.extend_from_slice(&extension.to_le_bytes());
            rows.extend_from_slice(&[
                kind_number(entry.kind),
                state_number(entry.state),
                language_number(entry.language),
                0,
            ]);
            ids.extend_from_slice(entry.id.as_bytes());
            paths.extend_from_slice(&entry.path);
        }
        let header = records::encode(&Header {
            commit: self.pin.commit.as_bytes().to_vec(),
            tree: self.pin.tree.as_bytes().to_vec(),
            rows: self.entries.len() as u32,
            segments: self.segments.to_vec(),
            extensions,
            path_bytes: paths.len() as u64,
            links: links.iter().map(|links| links.len() as u32).sum(),
            content: self.content_sha256(),
        });
        let totals = records::encode(&StoredTotals::new(&totals));
        let mut writer = SealedWriter::create(file)?;
        writer.write(MAGIC)?;
        for part in [&header, &totals] {
            writer.write(&(part.len() as u32).to_le_bytes())?;
            writer.write(part)?;
        }
        for part in [&rows, &ids, &paths] {
            writer.write(part)?;
        }
        for ((_, documents), mut links) in self.segments.iter().zip(links) {
            links.sort_unstable();
            let mut at = 0u32;
            for document in 0..=*documents {
                while links.get(at as usize).is_some_and(|link| link.0 < document) {
                    at += 1;
                }
                writer.write(&at.to_le_bytes())?;
            }
            for (_, row, _) in &links {
                writer.write(&row.to_le_bytes())?;
            }
            for (_, _, extension) in &links {
                writer.write(&extension.to_le_bytes())?;
            }
        }
        writer.finish(name)
    }
}

fn kind_number(kind: EntryKind) -> u8 {
    KINDS.iter().position(|known| *known == kind).unwrap_or_default() as u8
}

/// 0 = document, 1 = not a file, 2 and more = skip reasons.
fn state_number(state: State) -> u8 {
    match state {
        State::Document { .. } => 0,
        State::NotAFile => 1,
        State::Skipped(reason) => 2 + reason_number(reason),
    }
}

fn reason_number(reason: SkipReason) -> u8 {
    SkipReason::ALL.iter().position(|known| *known == reason).unwrap_or_default() as u8
}

/// A manifest for reading; rows are checked when they are first used.
#[derive(Clone, Debug)]
pub struct Manifest {
    file: SealedFile,
    pin: Pin,
    segments: Vec<(String, u32)>,
    extensions: Vec<Vec<u8>>,
    content: [u8; 32],
    totals: Option<Totals>,
    rows: u32,
    id_len: usize,
    rows_at: usize,
    ids_at: usize,
    paths_at: usize,
    /// Start of each segment's links.
    links_at: Vec<usize>,
}

/// A part of the content, if the file has it.
fn part(file: &SealedFile, at: usize, len: usize) -> Result<Option<&[u8]>, IndexError> {
    match at.checked_add(len) {
        Some(end) if end <= file.len() => file.read(at..end).map(Some),
        _ => Ok(None),
    }
}

/// A record behind its length, and where it ends.
fn record<T: Decode<()>>(file: &SealedFile, at: usize) -> Result<Option<(T, usize)>, IndexError> {
    let Some(len) = part(file, at, 4)? else { return Ok(None) };
    let len = u32::from_le_bytes(len.try_into().unwrap_or_default()) as usize;
    let bytes = part(file, at + 4, len)?;
    Ok(bytes.and_then(records::decode).map(|record| (record, at + 4 + len)))
}

/// What the bytes of a row say without the path.
#[inline]
fn decode_facts(bytes: &[u8]) -> Option<RowFacts> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap_or_default());
    let state = match bytes[29] {
        0 => State::Document { segment: word(16), document: word(20) },
        1 => State::NotAFile,
        reason => State::Skipped(*SkipReason::ALL.get(usize::from(reason) - 2)?),
    };
    Some(RowFacts {
        kind: *KINDS.get(usize::from(bytes[28]))?,
        bytes: u64::from_le_bytes(bytes[8..16].try_into().unwrap_or_default()),
        extension: word(24),
        state,
        language: language_of(bytes[30])?,
    })
}

/// A path's number in its manifest; rows are sorted by path.
pub type Row = u32;

/// What a search needs of a row, without its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowFacts {
    /// What it is.
    pub kind: EntryKind,
    /// Size of the blob.
    pub bytes: u64,
    /// Number in [`Manifest::extensions`].
    pub extension: u32,
    /// Whether and where it can be searched.
    pub state: State,
    /// The language that the extension tells.
    pub language: Option<Language>,
}

impl Manifest {
    /// Opens a manifest.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when it is not one.
    pub fn open(file: SealedFile) -> Result<Self, IndexError> {
        let path = file.path().to_path_buf();
        Self::parse(file)?.ok_or_else(|| IndexError::corrupt(path, "it is not a manifest"))
    }

    fn parse(file: SealedFile) -> Result<Option<Self>, IndexError> {
        let Some(magic) = part(&file, 0, MAGIC.len())? else { return Ok(None) };
        let with_totals = match magic {
            _ if magic == MAGIC => true,
            _ if magic == MAGIC_WITHOUT_TOTALS => false,
            _ => return Ok(None),
        };
        let Some((header, mut rows_at)) = record::<Header>(&file, MAGIC.len())? else { return Ok(None) };
        let mut totals = None;
        if with_totals {
            let Some((stored, end)) = record::<StoredTotals>(&file, rows_at)? else { return Ok(None) };
            totals = stored.read().filter(|totals| totals.extensions.len() == header.extensions.len());
            if totals.is_none() {
                return Ok(None);
            }
            rows_at = end;
        }
        let (Some(commit), Some(tree)) = (Oid::from_bytes(&header.commit), Oid::from_bytes(&header.tree)) else {
            return Ok(None);
        };
        let id_len = header.commit.len();
        let ids_at = rows_at + header.rows as usize * ROW;
        let paths_at = ids_at + header.rows as usize * id_len;
        let mut next = paths_at.saturating_add(usize::try_from(header.path_bytes).unwrap_or(usize::MAX));
        let mut links_at = Vec::new();
        for (_, documents) in &header.segments {
            links_at.push(next);
            let offsets = (*documents as usize + 1) * 4;
            if next.saturating_add(offsets) > file.len() {
                return Ok(None);
            }
            let last = file.read(next + offsets - 4..next + offsets)?;
            let linked = u32::from_le_bytes(last.try_into().unwrap_or_default()) as usize;
            next = next.saturating_add(offsets + linked * if with_totals { 8 } else { 4 });
        }
        if next != file.len() {
            return Ok(None);
        }
        Ok(Some(Self {
            pin: Pin { commit, tree },
            segments: header.segments,
            extensions: header.extensions,
            content: header.content,
            totals,
            rows: header.rows,
            id_len,
            rows_at,
            ids_at,
            paths_at,
            links_at,
            file,
        }))
    }

    /// The commit and its tree.
    pub fn pin(&self) -> Pin {
        self.pin
    }

    /// Number of paths.
    pub fn len(&self) -> u32 {
        self.rows
    }

    /// Whether the commit has no paths.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Segments by name, with their document counts.
    pub fn segments(&self) -> &[(String, u32)] {
        &self.segments
    }

    /// The distinct extensions, sorted.
    pub fn extensions(&self) -> &[Vec<u8>] {
        &self.extensions
    }

    /// The hash of what the commit holds.
    pub fn content_sha256(&self) -> [u8; 32] {
        self.content
    }

    /// What the rows are in all; `None` in manifests that do not say it.
    pub fn totals(&self) -> Option<&Totals> {
        self.totals.as_ref()
    }

    fn corrupt(&self, reason: impl Into<String>) -> IndexError {
        IndexError::corrupt(self.file.path(), reason)
    }

    fn row(&self, row: Row) -> Result<&[u8], IndexError> {
        if row >= self.rows {
            return Err(self.corrupt(format!("it has no row {row}")));
        }
        let at = self.rows_at + row as usize * ROW;
        self.file.read(at..at + ROW)
    }

    /// What a search needs of a row.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn facts(&self, row: Row) -> Result<RowFacts, IndexError> {
        decode_facts(self.row(row)?).ok_or_else(|| self.corrupt(format!("row {row} does not decode")))
    }

    /// Calls `visit` with what a search needs of each row of a range.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`], and those of `visit`.
    pub fn for_each_facts(
        &self,
        rows: Range<Row>,
        mut visit: impl FnMut(Row, RowFacts) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        if rows.is_empty() {
            return Ok(());
        }
        self.row(rows.end - 1)?;
        let place = |row: Row| self.rows_at + row as usize * ROW;
        let bytes = self.file.read(place(rows.start)..place(rows.end))?;
        for (bytes, row) in bytes.chunks_exact(ROW).zip(rows) {
            visit(row, decode_facts(bytes).ok_or_else(|| self.corrupt(format!("row {row} does not decode")))?)?;
        }
        Ok(())
    }

    /// The path of a row.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn path(&self, row: Row) -> Result<&[u8], IndexError> {
        let bytes = self.row(row)?;
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap_or_default()) as usize;
        let start = self.paths_at + word(0);
        self.file.read(start..start + word(4))
    }

    /// The object id of a row.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn id(&self, row: Row) -> Result<Oid, IndexError> {
        self.row(row)?;
        let at = self.ids_at + row as usize * self.id_len;
        Oid::from_bytes(self.file.read(at..at + self.id_len)?).ok_or_else(|| self.corrupt("an id is not one"))
    }

    /// A whole row.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn entry(&self, row: Row) -> Result<Entry, IndexError> {
        let facts = self.facts(row)?;
        Ok(Entry {
            path: self.path(row)?.to_vec(),
            kind: facts.kind,
            id: self.id(row)?,
            bytes: facts.bytes,
            language: facts.language,
            state: facts.state,
        })
    }

    /// The rows whose paths begin with `prefix`, as a half-open range.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn rows_with_prefix(&self, prefix: &[u8]) -> Result<Range<Row>, IndexError> {
        let start = self.partition(|path| path < prefix)?;
        let end = self.partition(|path| path < prefix || path.starts_with(prefix))?;
        Ok(start..end)
    }

    /// The row of a path.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn find(&self, path: &[u8]) -> Result<Option<Row>, IndexError> {
        let row = self.partition(|known| known < path)?;
        Ok((row < self.rows && self.path(row)? == path).then_some(row))
    }

    /// The first row after all paths for which `before` holds.
    fn partition(&self, before: impl Fn(&[u8]) -> bool) -> Result<Row, IndexError> {
        let (mut low, mut high) = (0, self.rows);
        while low < high {
            let middle = low + (high - low) / 2;
            if before(self.path(middle)?) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// The first row at or after `path`.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn first_after(&self, path: &[u8]) -> Result<Row, IndexError> {
        self.partition(|known| known <= path)
    }

    /// The links from documents back to rows, all checked; `None` in manifests whose links have no extensions.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn links(&self) -> Result<Option<Links>, IndexError> {
        if self.totals.is_none() {
            return Ok(None);
        }
        let first = self.links_at.first().copied().unwrap_or(self.file.len());
        let bytes = self.file.checked(first..self.file.len())?;
        let mut segments = Vec::new();
        for (at, (name, documents)) in self.links_at.iter().zip(&self.segments) {
            let offsets = at - first;
            let rows = offsets + (*documents as usize + 1) * 4;
            if !bytes[offsets..rows].chunks_exact(4).is_sorted_by_key(|offset| number(offset, 0)) {
                return Err(self.corrupt(format!("the links of segment {name} are not in order")));
            }
            let extensions = rows + number(&bytes, rows - 4) * 4;
            segments.push(LinksOfSegment { documents: *documents, offsets, rows, extensions });
        }
        Ok(Some(Links { segments, bytes }))
    }

    /// The rows that a document of a segment (by its number in [`Self::segments`]) stands for.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn rows_of(&self, segment: usize, document: u32) -> Result<impl Iterator<Item = Row> + '_, IndexError> {
        let (start, documents) = match (self.links_at.get(segment), self.segments.get(segment)) {
            (Some(start), Some((_, documents))) if document < *documents => (*start, *documents as usize),
            _ => return Err(self.corrupt(format!("segment {segment} has no document {document}"))),
        };
        let at = start + document as usize * 4;
        let ends = self.file.read(at..at + 8)?;
        let rows = start + (documents + 1) * 4;
        let bytes = self.file.read(rows + number(ends, 0) * 4..rows + number(ends, 4) * 4)?;
        Ok(bytes.chunks_exact(4).map(|row| u32::from_le_bytes(row.try_into().unwrap_or_default())))
    }

    /// Reads every part once: checksums, rows, links.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn check(&self) -> Result<(), IndexError> {
        self.file.read_all()?;
        let mut totals = Totals::new(self.extensions.len());
        let mut last: Option<Vec<u8>> = None;
        for row in 0..self.rows {
            let entry = self.entry(row)?;
            if last.is_some_and(|last| last >= entry.path) {
                return Err(self.corrupt("its paths are not sorted"));
            }
            if let State::Document { segment, document } = entry.state
                && !self.rows_of(segment as usize, document)?.any(|linked| linked == row)
            {
                return Err(self.corrupt(format!("row {row} is not linked")));
            }
            totals.add(self.facts(row)?.extension as usize, entry.kind, entry.bytes, entry.state);
            last = Some(entry.path);
        }
        if self.totals.as_ref().is_some_and(|stated| *stated != totals) {
            return Err(self.corrupt("its totals are not those of its rows"));
        }
        self.check_links()
    }

    /// That each document's links are its rows, each once and with its extension; that each row is linked was seen.
    fn check_links(&self) -> Result<(), IndexError> {
        let links = self.links()?;
        for (segment, (name, documents)) in (0..).zip(&self.segments) {
            for document in 0..*documents {
                let rows: Vec<Row> = self.rows_of(segment as usize, document)?.collect();
                let own = State::Document { segment, document };
                let are_own =
                    rows.iter().map(|row| Ok(self.facts(*row)?.state == own)).collect::<Result<Vec<_>, _>>()?;
                let with_extensions = match &links {
                    None => true,
                    Some(links) => {
                        let own = rows.iter().map(|row| Ok((*row, self.facts(*row)?.extension)));
                        links.rows_of(segment as usize, document).eq(own.collect::<Result<Vec<_>, IndexError>>()?)
                    }
                };
                if !rows.is_sorted_by(|a, b| a < b) || are_own.contains(&false) || !with_extensions {
                    return Err(
                        self.corrupt(format!("the links of document {document} of segment {name} are not its rows"))
                    );
                }
            }
        }
        Ok(())
    }
}

fn number(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..at + 4).map_or(0, |bytes| u32::from_le_bytes(bytes.try_into().unwrap_or_default()) as usize)
}

/// From documents to the paths they stand for.
#[derive(Clone, Debug)]
pub struct Links {
    bytes: CheckedPart,
    segments: Vec<LinksOfSegment>,
}

/// Where the parts of a segment's links begin.
#[derive(Clone, Copy, Debug)]
struct LinksOfSegment {
    documents: u32,
    offsets: usize,
    rows: usize,
    extensions: usize,
}

impl Links {
    /// Number of documents of a segment.
    pub fn documents(&self, segment: usize) -> u32 {
        self.segments.get(segment).map_or(0, |links| links.documents)
    }

    /// The rows of a document, ascending, each with its extension's number in [`Manifest::extensions`]; none of a
    /// document that is not there.
    pub fn rows_of(&self, segment: usize, document: u32) -> LinkedRows<'_> {
        self.find(segment, document).unwrap_or_default()
    }

    fn find(&self, segment: usize, document: u32) -> Option<LinkedRows<'_>> {
        let links = self.segments.get(segment).filter(|links| document < links.documents)?;
        let bytes: &[u8] = &self.bytes;
        let at = links.offsets + document as usize * 4;
        let own = number(bytes, at) * 4..number(bytes, at + 4) * 4;
        Some(LinkedRows {
            rows: bytes.get(links.rows + own.start..links.rows + own.end)?,
            extensions: bytes.get(links.extensions + own.start..links.extensions + own.end)?,
        })
    }
}

/// Rows of one document, with their extensions.
#[derive(Clone, Debug, Default)]
pub struct LinkedRows<'a> {
    rows: &'a [u8],
    extensions: &'a [u8],
}

impl Iterator for LinkedRows<'_> {
    type Item = (Row, u32);

    fn next(&mut self) -> Option<(Row, u32)> {
        let (row, rows) = self.rows.split_first_chunk()?;
        let (extension, extensions) = self.extensions.split_first_chunk()?;
        *self = Self { rows, extensions };
        Some((u32::from_le_bytes(*row), u32::from_le_bytes(*extension)))
    }
}
