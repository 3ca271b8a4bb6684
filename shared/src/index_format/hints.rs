//! The hints of a segment's documents.
//!
//! ```text
//! "PCHINT01" | version u32 | document count u32 | per document and one more: offset of its record u64 | records
//! record: bincode, see `Stored`; empty for a document without hints
//! ```

use std::path::Path;

use bincode::{Decode, Encode};

use crate::hints::{Assignment, FunctionKind, FunctionName, HintOrigin, Hints};
use crate::ids::LineNumber;

use super::HINTS_VERSION;
use super::error::IndexError;
use super::records;
use super::sealed::{FileRecord, SealedFile, SealedWriter};

const MAGIC: &[u8; 8] = b"PCHINT01";
const HEADER: usize = 8 + 4 + 4;

/// Names once per document; lines as differences.
#[derive(Default, Encode, Decode)]
struct Stored {
    names: Vec<String>,
    /// Line difference, name, value, lexical only.
    assignments: Vec<(u32, u32, u32, bool)>,
    /// Line difference, name, kind × 2 + lexical only.
    functions: Vec<(u32, u32, u8)>,
}

/// Hints of one document, encoded; `None` bytes for none.
pub fn encode(hints: &Hints) -> Vec<u8> {
    if hints.assignments.is_empty() && hints.functions.is_empty() {
        return Vec::new();
    }
    let mut stored = Stored::default();
    let mut known = std::collections::HashMap::new();
    let mut name = |names: &mut Vec<String>, text: &str| match known.get(text) {
        Some(at) => *at,
        None => {
            let at = names.len() as u32;
            known.insert(text.to_owned(), at);
            names.push(text.to_owned());
            at
        }
    };
    let mut last = 0;
    for one in &hints.assignments {
        let (left, right) = (name(&mut stored.names, &one.name), name(&mut stored.names, &one.value));
        stored.assignments.push((one.line.get() - last, left, right, one.origin == HintOrigin::Lexical));
        last = one.line.get();
    }
    last = 0;
    for one in &hints.functions {
        let at = name(&mut stored.names, &one.name);
        let kind = match one.kind {
            FunctionKind::Definition => 0,
            FunctionKind::Declaration => 2,
            FunctionKind::Call => 4,
        };
        stored.functions.push((one.line.get() - last, at, kind + u8::from(one.origin == HintOrigin::Lexical)));
        last = one.line.get();
    }
    records::encode(&stored)
}

fn decode(bytes: &[u8]) -> Option<Hints> {
    if bytes.is_empty() {
        return Some(Hints::default());
    }
    let stored: Stored = records::decode(bytes)?;
    let name = |at: u32| stored.names.get(at as usize).cloned();
    let origin = |lexical: bool| if lexical { HintOrigin::Lexical } else { HintOrigin::Syntax };
    let mut hints = Hints::default();
    let mut line = 0u32;
    for (step, left, right, lexical) in &stored.assignments {
        line = line.checked_add(*step)?;
        let line = LineNumber::new(line)?;
        hints.assignments.push(Assignment { line, name: name(*left)?, value: name(*right)?, origin: origin(*lexical) });
    }
    line = 0;
    for (step, at, kind) in &stored.functions {
        line = line.checked_add(*step)?;
        let line = LineNumber::new(line)?;
        let what = match kind / 2 {
            0 => FunctionKind::Definition,
            1 => FunctionKind::Declaration,
            2 => FunctionKind::Call,
            _ => return None,
        };
        hints.functions.push(FunctionName { line, name: name(*at)?, kind: what, origin: origin(kind % 2 == 1) });
    }
    Some(hints)
}

/// Writes the encoded hints of all documents of a segment, in document order.
///
/// # Errors
/// What the system says.
pub fn write(path: &Path, name: String, documents: &[Vec<u8>]) -> Result<FileRecord, IndexError> {
    let mut writer = SealedWriter::create(path)?;
    writer.write(MAGIC)?;
    writer.write(&HINTS_VERSION.to_le_bytes())?;
    writer.write(&(documents.len() as u32).to_le_bytes())?;
    let mut offset = 0u64;
    for bytes in documents {
        writer.write(&offset.to_le_bytes())?;
        offset += bytes.len() as u64;
    }
    writer.write(&offset.to_le_bytes())?;
    for bytes in documents {
        writer.write(bytes)?;
    }
    writer.finish(name)
}

/// The hints of a segment for reading.
#[derive(Clone, Debug)]
pub struct HintsFile {
    file: SealedFile,
    documents: u32,
}

impl HintsFile {
    /// Opens a hint file.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when it is not one of this version.
    pub fn open(file: SealedFile) -> Result<Self, IndexError> {
        let broken = || IndexError::corrupt(file.path(), "it is not a hint file of this version");
        if file.len() < HEADER {
            return Err(broken());
        }
        let header = file.read(0..HEADER)?;
        let documents = u32::from_le_bytes(header[12..16].try_into().unwrap_or_default());
        let table = HEADER as u64 + (u64::from(documents) + 1) * 8;
        if !header.starts_with(MAGIC) || header[8..12] != HINTS_VERSION.to_le_bytes() || table > file.len() as u64 {
            return Err(broken());
        }
        Ok(Self { documents, file })
    }

    /// Number of documents.
    pub fn len(&self) -> u32 {
        self.documents
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.documents == 0
    }

    /// The encoded hints of a document, for copying.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn encoded(&self, document: u32) -> Result<&[u8], IndexError> {
        if document >= self.documents {
            return Err(IndexError::corrupt(self.file.path(), format!("it has no document {document}")));
        }
        let records = HEADER + (self.documents as usize + 1) * 8;
        let at = HEADER + document as usize * 8;
        let ends = self.file.read(at..at + 16)?;
        let offset = |at: usize| {
            let offset = u64::from_le_bytes(ends[at..at + 8].try_into().unwrap_or_default());
            usize::try_from(offset).ok().and_then(|offset| offset.checked_add(records)).unwrap_or(usize::MAX)
        };
        self.file.read(offset(0)..offset(8))
    }

    /// The hints of a document.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn get(&self, document: u32) -> Result<Hints, IndexError> {
        decode(self.encoded(document)?)
            .ok_or_else(|| IndexError::corrupt(self.file.path(), format!("document {document} does not decode")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_survive() {
        let line = |number| LineNumber::new(number).unwrap();
        let hints = Hints {
            assignments: vec![
                Assignment { line: line(3), name: "A".into(), value: "23487".into(), origin: HintOrigin::Syntax },
                Assignment { line: line(3), name: "B".into(), value: "A".into(), origin: HintOrigin::Lexical },
            ],
            functions: vec![
                FunctionName { line: line(1), name: "f".into(), kind: FunctionKind::Call, origin: HintOrigin::Lexical },
                FunctionName {
                    line: line(9),
                    name: "A".into(),
                    kind: FunctionKind::Definition,
                    origin: HintOrigin::Syntax,
                },
            ],
        };
        let folder = tempfile::tempdir().unwrap();
        let documents = [Vec::new(), encode(&hints), Vec::new()];
        let record = write(&folder.path().join("h"), "h".into(), &documents).unwrap();
        let file = HintsFile::open(SealedFile::open(folder.path(), &record).unwrap()).unwrap();
        assert_eq!(file.get(0).unwrap(), Hints::default());
        assert_eq!(file.get(1).unwrap(), hints);
        assert_eq!(file.get(2).unwrap(), Hints::default());
        assert!(file.get(3).is_err());
    }
}
