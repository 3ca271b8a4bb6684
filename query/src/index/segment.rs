//! One segment of a snapshot: postings, vocabulary and hints, each opened when it is first needed.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use pincite_shared::index_format::error::IndexError;
use pincite_shared::index_format::generation::SegmentRecord;
use pincite_shared::index_format::hints::HintsFile;
use pincite_shared::index_format::sealed::SealedFile;
use pincite_shared::index_format::tantivy_files::SegmentFiles;
use pincite_shared::index_format::vocabulary::Vocabulary;
use pincite_shared::index_format::{layout, terms};
use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, InvertedIndexReader, TERMINATED};
use tantivy_fst::Automaton;

/// A segment whose files are all mapped, so that it stays readable after a prune.
pub(crate) struct Segment {
    files: SegmentFiles,
    hints: SealedFile,
    documents: u32,
    inverted: OnceLock<Arc<InvertedIndexReader>>,
}

impl Segment {
    pub(crate) fn open(index: &Path, record: &SegmentRecord) -> Result<Self, IndexError> {
        Ok(Self {
            files: SegmentFiles::open(index, record)?,
            hints: SealedFile::open(index, &record.hints.file)?,
            documents: record.documents,
            inverted: OnceLock::new(),
        })
    }

    pub(crate) fn vocabulary(&self) -> Result<Vocabulary, IndexError> {
        Vocabulary::open(self.files.file(layout::VOCABULARY)?.clone())
    }

    pub(crate) fn hints(&self) -> Result<HintsFile, IndexError> {
        HintsFile::open(self.hints.clone())
    }

    fn inverted(&self) -> Result<&InvertedIndexReader, IndexError> {
        if let Some(open) = self.inverted.get() {
            return Ok(open);
        }
        let (_, reader) = self.files.open_index()?;
        if reader.max_doc() != self.documents {
            return Err(self.corrupt(format!("{} documents instead of {}", reader.max_doc(), self.documents)));
        }
        let (_, field) = terms::schema();
        let inverted = reader.inverted_index(field).map_err(|error| self.corrupt(error.to_string()))?;
        Ok(self.inverted.get_or_init(|| inverted))
    }

    pub(crate) fn corrupt(&self, reason: impl Into<String>) -> IndexError {
        IndexError::corrupt(self.files.directory(), reason)
    }

    /// Where the postings of a key are; `None` when no document has it.
    pub(crate) fn term(&self, key: &[u8]) -> Result<Option<TermInfo>, IndexError> {
        self.inverted()?.terms().get(key).map_err(|error| self.corrupt(error.to_string()))
    }

    /// The keys that an automaton accepts, ascending, with where their postings are. The walk over the dictionary costs
    /// what the automaton lets through, not what the dictionary holds.
    pub(crate) fn matching<A: Automaton>(&self, automaton: A) -> Result<Vec<(Vec<u8>, TermInfo)>, IndexError>
    where
        A::State: Clone,
    {
        let dictionary = self.inverted()?.terms();
        let stream = dictionary.search(automaton).into_stream();
        let mut stream = stream.map_err(|error| self.corrupt(error.to_string()))?;
        let mut found = Vec::new();
        while let Some((key, term)) = stream.next() {
            found.push((key.to_vec(), term.clone()));
        }
        Ok(found)
    }

    /// Where the postings of keys of the vocabulary are.
    pub(crate) fn terms(&self, keys: &[&[u8]]) -> Result<Vec<TermInfo>, IndexError> {
        let unknown = || self.corrupt("vocabulary and term dictionary do not agree");
        keys.iter().map(|key| self.term(key)?.ok_or_else(unknown)).collect()
    }

    /// Calls `visit` with each document that has the term, ascending, and the number of its lines with it.
    pub(crate) fn for_each_document(
        &self,
        term: &TermInfo,
        mut visit: impl FnMut(u32, u32) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        let mut postings = self.postings(term, IndexRecordOption::WithFreqs)?;
        let mut last = None;
        let mut document = postings.doc();
        while document != TERMINATED {
            self.check_document(document, last)?;
            visit(document, postings.term_freq())?;
            last = Some(document);
            document = postings.advance();
        }
        Ok(())
    }

    /// Calls `visit` with each line (zero-based) of each document for which `wanted` holds, ascending.
    pub(crate) fn for_each_line(
        &self,
        term: &TermInfo,
        mut wanted: impl FnMut(u32) -> bool,
        mut visit: impl FnMut(u32, u32),
    ) -> Result<(), IndexError> {
        let mut postings = self.postings(term, IndexRecordOption::WithFreqsAndPositions)?;
        let mut lines = Vec::new();
        let mut last = None;
        let mut document = postings.doc();
        while document != TERMINATED {
            self.check_document(document, last)?;
            if wanted(document) {
                postings.positions(&mut lines);
                lines.iter().for_each(|line| visit(document, *line));
            }
            last = Some(document);
            document = postings.advance();
        }
        Ok(())
    }

    /// As [`Self::for_each_line`], for ascending documents of which few are in the postings or the other way round.
    pub(crate) fn for_each_line_in(
        &self,
        term: &TermInfo,
        documents: &[u32],
        mut visit: impl FnMut(u32, u32),
    ) -> Result<(), IndexError> {
        let mut postings = self.postings(term, IndexRecordOption::WithFreqsAndPositions)?;
        let mut lines = Vec::new();
        for wanted in documents {
            if postings.doc() < *wanted {
                postings.seek(*wanted);
            }
            match postings.doc() {
                TERMINATED => break,
                found if found == *wanted => {
                    postings.positions(&mut lines);
                    lines.iter().for_each(|line| visit(*wanted, *line));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn postings(&self, term: &TermInfo, option: IndexRecordOption) -> Result<SegmentPostings, IndexError> {
        let inverted = self.inverted()?;
        inverted.read_postings_from_terminfo(term, option).map_err(|error| self.corrupt(error.to_string()))
    }

    fn check_document(&self, document: u32, last: Option<u32>) -> Result<(), IndexError> {
        if document >= self.documents || last.is_some_and(|last| last >= document) {
            return Err(self.corrupt("a posting list names a document that is not there"));
        }
        Ok(())
    }
}
