//! The commit's files as Git has them, each looked up and re-hashed once.

use std::collections::HashMap;
use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pincite_shared::git::{EntryKind, Objects, Repository};
use pincite_shared::ids::{LineNumber, Oid, Pin};
use pincite_shared::settings::Settings;
use pincite_shared::text::{LineIndex, lossy, shorten};
use pincite_shared::wire::canonical::sha256;
use pincite_shared::wire::result::{WireFileId, WirePath};

use super::Problems;
use crate::verification::swhid;

/// Bytes of a blob when no settings say how many.
const MAX_BYTES: u64 = 1 << 30;

/// A file of the commit.
pub(crate) struct Content {
    pub(crate) blob: Oid,
    pub(crate) bytes: Vec<u8>,
    pub(crate) lines: LineIndex,
}

impl Content {
    pub(crate) fn line(&self, number: u32) -> Option<&[u8]> {
        LineNumber::new(number).and_then(|number| self.lines.line(&self.bytes, number))
    }
}

/// Reads files of one pin.
pub(crate) struct Contents {
    objects: Objects,
    pin: Pin,
    max_line_chars: Option<usize>,
    files: HashMap<Vec<u8>, Result<Rc<Content>, String>>,
    pub(crate) lines: u64,
    pub(crate) blobs: u64,
}

/// The exact bytes of a path on the wire; an error when its two forms do not agree.
pub(crate) fn path_bytes(path: &WirePath) -> Result<Vec<u8>, String> {
    let bytes = match &path.path_base64 {
        None => path.path.as_bytes().to_vec(),
        Some(exact) => STANDARD.decode(exact).map_err(|error| format!("`path_base64` is not Base64: {error}"))?,
    };
    if WirePath::new(&bytes) == *path { Ok(bytes) } else { Err("`path` and `path_base64` do not agree".into()) }
}

impl Contents {
    pub(crate) fn new(repository: &Repository, pin: Pin, settings: Option<&Settings>) -> Self {
        Self {
            objects: repository.objects(),
            pin,
            max_line_chars: settings.map(|settings| settings.limits.max_line_chars as usize),
            files: HashMap::new(),
            lines: 0,
            blobs: 0,
        }
    }

    /// What the commit's tree has at a path.
    pub(crate) fn entry(&self, path: &[u8]) -> Result<Option<(EntryKind, Oid)>, String> {
        self.objects.lookup(&self.pin, path).map_err(|error| error.to_string())
    }

    /// The size of a blob, when the clone has it.
    pub(crate) fn blob_size(&self, blob: Oid) -> Option<u64> {
        self.objects.blob_size(blob).ok().flatten()
    }

    /// The file at a path; a problem when it can not be read.
    pub(crate) fn file(&mut self, pointer: &str, path: &WirePath, problems: &mut Problems<'_>) -> Option<Rc<Content>> {
        let bytes = match path_bytes(path) {
            Ok(bytes) => bytes,
            Err(problem) => {
                problems.add(format!("{pointer}/path"), problem);
                return None;
            }
        };
        if !self.files.contains_key(&bytes) {
            let read = self.read(&bytes);
            self.blobs += u64::from(read.is_ok());
            self.files.insert(bytes.clone(), read.map(Rc::new));
        }
        match self.files.get(&bytes)? {
            Ok(content) => Some(Rc::clone(content)),
            Err(problem) => {
                problems.add(format!("{pointer}/path"), problem);
                None
            }
        }
    }

    fn read(&self, path: &[u8]) -> Result<Content, String> {
        let shown = String::from_utf8_lossy(path);
        let blob = match self.entry(path)? {
            Some((EntryKind::File | EntryKind::Executable, blob)) => blob,
            _ => return Err(format!("the commit has no file {shown:?}")),
        };
        let mut bytes = Vec::new();
        let found = self.objects.blob(blob, MAX_BYTES, &mut bytes).map_err(|error| error.to_string())?;
        if found.is_none() {
            return Err(format!("blob {blob} of {shown:?} is not in this repository"));
        }
        let lines = LineIndex::new(&bytes);
        Ok(Content { blob, bytes, lines })
    }

    /// Checks a file's identity.
    pub(crate) fn identity(
        &mut self,
        pointer: &str,
        id: &WireFileId,
        problems: &mut Problems<'_>,
    ) -> Option<Rc<Content>> {
        let content = self.file(pointer, &id.path, problems)?;
        problems.same(format!("{pointer}/blob"), &id.blob, &content.blob.to_string());
        problems.same(format!("{pointer}/sha256"), &id.sha256, &sha256(&content.bytes));
        problems.same(format!("{pointer}/bytes"), &id.bytes, &(content.bytes.len() as u64));
        problems.same(format!("{pointer}/swhid"), &id.swhid, &swhid(content.blob));
        Some(content)
    }

    /// Checks one line as it is shown; `shortened` is the length that is claimed for a line that was cut.
    pub(crate) fn line(
        &mut self,
        pointer: &str,
        content: &Content,
        number: u32,
        text: &str,
        claims: (Option<u64>, bool),
        problems: &mut Problems<'_>,
    ) {
        self.lines += 1;
        let (shortened, is_lossy) = claims;
        let Some(raw) = content.line(number) else {
            return problems.add(pointer, format!("the file has no line {number}"));
        };
        let (whole, really_lossy) = lossy(raw);
        if really_lossy != is_lossy {
            problems.add(pointer, format!("whether line {number} has bytes that are not UTF-8 is said wrongly"));
        }
        let (expected, chars) = match (self.max_line_chars, shortened) {
            (Some(max), _) => {
                let shown = shorten(&whole, max);
                (shown.text.clone(), shown.chars_if_cut())
            }
            (None, None) => (whole.into_owned(), None),
            // Without settings the text itself says where it was cut.
            (None, Some(_)) => {
                let shown = shorten(&whole, text.chars().count().saturating_sub(1));
                (shown.text.clone(), shown.chars_if_cut())
            }
        };
        if text != expected {
            problems.add(pointer, format!("line {number} of the blob is another one"));
        }
        if shortened != chars {
            problems.add(pointer, format!("line {number} has {chars:?} characters to be shortened, not {shortened:?}"));
        }
    }
}
