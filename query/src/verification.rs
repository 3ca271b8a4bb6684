//! Evidence: what may stand in an answer.
//!
//! An index gives guesses. Here a path is looked up again from the re-hashed commit through re-hashed trees to a
//! re-hashed blob (P-04), and lines are cut from that blob. Only this module makes a [`Verified`].

use std::collections::HashMap;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use pincite_shared::failure::{Code, Failure};
use pincite_shared::git::{EntryKind, GitError, Objects, Repository};
use pincite_shared::hints::{Assignment, FunctionName};
use pincite_shared::ids::{LineNumber, ObjectFormat, Oid, Pin};
use pincite_shared::index_format::IndexError;
use pincite_shared::index_format::generation::hex;
use pincite_shared::index_format::hints::HintsFile;
use pincite_shared::index_format::manifest::Row;
use pincite_shared::term::{Matcher, Occurrence, char_columns};
use pincite_shared::text::{LineCursor, LineIndex, lossy, shorten};
use sha2::{Digest, Sha256};

use crate::index::Snapshot;
use crate::work::Work;

/// Cut from a re-hashed blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verified<T>(T);

impl<T> Verified<T> {
    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Verified<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// A file's identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileId {
    pub(crate) path: Vec<u8>,
    pub(crate) blob: Oid,
    pub(crate) sha256: String,
    pub(crate) bytes: u64,
}

/// A line as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// Characters of the whole line, when it was shortened.
    pub(crate) shortened: Option<u64>,
    /// Whether bytes that are not UTF-8 were replaced.
    pub(crate) lossy: bool,
}

/// Consecutive lines of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) start: LineNumber,
    pub(crate) lines: Vec<Line>,
}

/// A line with the places of a term in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MatchedLine {
    pub(crate) text: String,
    pub(crate) shortened: Option<u64>,
    pub(crate) lossy: bool,
    pub(crate) columns: Vec<[u32; 2]>,
    pub(crate) suffix: bool,
}

/// A file whose blob was re-hashed; its bytes are shared, or borrowed for one look.
pub(crate) struct EvidenceFile<B = Arc<[u8]>> {
    path: Vec<u8>,
    blob: Oid,
    bytes: B,
    lines: LineIndex,
}

/// Where the hints of a document are: the file of its segment, and its number there.
pub(crate) type DocumentHints = (HintsFile, u32);

/// Reads files of the pin for one request, each once.
pub(crate) struct Evidence<'a> {
    objects: Objects,
    snapshot: &'a Snapshot,
    work: &'a Work,
    pin: Pin,
    max_file_bytes: u64,
    max_line_chars: usize,
    files: HashMap<Row, Rc<EvidenceFile>>,
}

impl<'a> Evidence<'a> {
    pub(crate) fn new(
        repository: &Repository,
        snapshot: &'a Snapshot,
        work: &'a Work,
        pin: Pin,
        max_file_bytes: u64,
        max_line_chars: u32,
    ) -> Self {
        Self {
            objects: repository.objects(),
            snapshot,
            work,
            pin,
            max_file_bytes,
            max_line_chars: max_line_chars as usize,
            files: HashMap::new(),
        }
    }

    /// A file of the manifest, kept for the rest of the request.
    pub(crate) fn file(&mut self, row: Row) -> Result<Rc<EvidenceFile>, Failure> {
        if let Some(file) = self.files.get(&row) {
            return Ok(Rc::clone(file));
        }
        let file = Rc::new(self.read(row)?);
        self.files.insert(row, Rc::clone(&file));
        Ok(file)
    }

    /// A file of the manifest, not kept for the rest of the request.
    pub(crate) fn read(&self, row: Row) -> Result<EvidenceFile, Failure> {
        let (path, blob) = self.pinned(row)?;
        let shown = String::from_utf8_lossy(&path).into_owned();
        self.read_blob(path, blob, &shown)
    }

    /// What `look` makes of a file of the manifest. With `keep` its blob is kept for requests that follow.
    pub(crate) fn look<T>(
        &self,
        row: Row,
        keep: bool,
        look: impl FnOnce(&EvidenceFile<&[u8]>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let (path, blob) = self.pinned(row)?;
        let shown = String::from_utf8_lossy(&path).into_owned();
        let looked = self.objects.look_at_blob(blob, self.max_file_bytes, |bytes| {
            self.work.read([(blob, bytes.len() as u64)].into_iter());
            let lines = LineIndex::new(bytes);
            (look(&EvidenceFile { path, blob, bytes, lines }), keep)
        });
        self.there(looked, blob, &shown)?
    }

    /// The path and blob of a row, once the commit's tree says the same.
    fn pinned(&self, row: Row) -> Result<(Vec<u8>, Oid), Failure> {
        let manifest = &self.snapshot.manifest;
        let path = manifest.path(row)?.to_vec();
        let expected = manifest.id(row)?;
        match self.objects.lookup(&self.pin, &path)? {
            Some((EntryKind::File | EntryKind::Executable, blob)) if blob == expected => Ok((path, blob)),
            _ => {
                let shown = String::from_utf8_lossy(&path);
                let message =
                    format!("the index says that {shown:?} is blob {expected}, and the commit's tree says otherwise");
                Err(Failure::new(Code::IndexCorrupt, message))
            }
        }
    }

    /// What the commit's tree has at a path.
    pub(crate) fn lookup(&self, path: &[u8]) -> Result<Option<(EntryKind, Oid)>, Failure> {
        Ok(self.objects.lookup(&self.pin, path)?)
    }

    pub(crate) fn read_blob(&self, path: Vec<u8>, blob: Oid, shown: &str) -> Result<EvidenceFile, Failure> {
        let bytes = self.there(self.objects.kept_blob(blob, self.max_file_bytes), blob, shown)?;
        self.work.read([(blob, bytes.len() as u64)].into_iter());
        let lines = LineIndex::new(&bytes);
        Ok(EvidenceFile { path, blob, bytes, lines })
    }

    /// What was read of a blob, or why it could not be.
    fn there<T>(&self, read: Result<Option<T>, GitError>, blob: Oid, shown: &str) -> Result<T, Failure> {
        match read {
            Ok(Some(read)) => Ok(read),
            Ok(None) => {
                let message = format!("blob {blob} of {shown:?} is not in this clone; fetch it");
                Err(Failure::new(Code::ObjectMissing, message).field("path"))
            }
            Err(GitError::TooLarge { max_bytes, .. }) if max_bytes == self.max_file_bytes => {
                let message =
                    format!("{shown:?} is larger than {max_bytes} bytes; raise `limits.max_file_bytes` to read it");
                Err(Failure::new(Code::ResultTooLarge, message).field("max_file_bytes"))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Whether so many bytes of blobs can be kept for requests that follow.
    pub(crate) fn has_room_for(&self, bytes: u64) -> bool {
        self.objects.has_room_for(bytes)
    }

    /// The identity of a file.
    pub(crate) fn id(&self, file: &EvidenceFile) -> Verified<FileId> {
        Verified(FileId {
            path: file.path.clone(),
            blob: file.blob,
            sha256: hex(&Sha256::digest(&file.bytes)),
            bytes: file.bytes.len() as u64,
        })
    }

    /// The lines from `start` to `end`, as far as the file has them.
    pub(crate) fn window(&self, file: &EvidenceFile, start: LineNumber, end: LineNumber) -> Verified<Window> {
        let numbers = start.get()..=end.get();
        let lines = numbers.map_while(|number| {
            let raw = LineNumber::new(number).and_then(|number| file.lines.line(&file.bytes, number))?;
            let (text, lossy) = lossy(raw);
            let shown = shorten(&text, self.max_line_chars);
            Some(Line { shortened: shown.chars_if_cut(), text: shown.text, lossy })
        });
        Verified(Window { start, lines: lines.collect() })
    }

    /// Lines that the index says hold the term.
    ///
    /// # Errors
    /// `index_corrupt` when one does not.
    pub(crate) fn matched_lines<B: Deref<Target = [u8]>>(
        &self,
        file: &EvidenceFile<B>,
        lines: impl Iterator<Item = LineNumber>,
        matcher: &Matcher,
    ) -> Result<Vec<Verified<MatchedLine>>, Failure> {
        let mut cursor = LineCursor::new(&file.bytes, &file.lines);
        let mut show = |line| {
            let raw = cursor.line(line).unwrap_or_default();
            let occurrences = matcher.find_all(raw);
            if occurrences.is_empty() {
                return Err(without_term(&file.path, line));
            }
            Ok(Verified(show_match(raw, &occurrences, self.max_line_chars)))
        };
        lines.map(&mut show).collect()
    }

    /// Checks that a line holds the term.
    ///
    /// # Errors
    /// `index_corrupt` when it does not.
    pub(crate) fn check_match(&self, file: &EvidenceFile, line: LineNumber, matcher: &Matcher) -> Result<(), Failure> {
        let raw = file.lines.line(&file.bytes, line).unwrap_or_default();
        if matcher.find_all(raw).is_empty() { Err(without_term(&file.path, line)) } else { Ok(()) }
    }
}

fn without_term(path: &[u8], line: LineNumber) -> Failure {
    let message = format!(
        "the index names line {line} of {:?}, which does not hold the term; build the index again",
        String::from_utf8_lossy(path)
    );
    Failure::new(Code::IndexCorrupt, message).field("index")
}

impl EvidenceFile {
    /// The assignments on wanted lines of the document that this file is.
    pub(crate) fn assignments(
        &self,
        (hints, document): &DocumentHints,
        wanted: impl Fn(LineNumber) -> bool,
    ) -> Result<Vec<Assignment>, IndexError> {
        hints.assignments(*document, &self.bytes, &self.lines, wanted)
    }

    /// The wanted function names of the document that this file is.
    pub(crate) fn functions(
        &self,
        (hints, document): &DocumentHints,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<FunctionName>, IndexError> {
        hints.functions(*document, &self.bytes, &self.lines, wanted)
    }

    /// The whole content.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of lines.
    pub(crate) fn line_count(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }
}

/// A line as a search shows it, with the places of the term.
pub(crate) fn show_match(raw: &[u8], occurrences: &[Occurrence], max_line_chars: usize) -> MatchedLine {
    let (text, is_lossy) = lossy(raw);
    let columns = char_columns(raw, occurrences);
    let shown = shorten(&text, max_line_chars);
    let shortened = shown.chars_if_cut();
    let text = match (shortened, columns.first()) {
        // The match lies behind the part that would be shown: show the part around it.
        (Some(_), Some([start, end])) if *end as usize > max_line_chars => {
            let room = max_line_chars.saturating_sub((end - start) as usize) / 4;
            let from = (*start as usize).saturating_sub(room);
            let part: String = text.chars().skip(from).take(max_line_chars).collect();
            format!("…{part}…")
        }
        _ => shown.text,
    };
    let suffix = occurrences.iter().any(|one| one.suffix);
    MatchedLine { text, shortened, lossy: is_lossy, columns, suffix }
}

/// The Software Heritage identifier of a file's content.
pub(crate) fn swhid(blob: Oid) -> Option<String> {
    (blob.format() == ObjectFormat::Sha1).then(|| format!("swh:1:cnt:{blob}"))
}
