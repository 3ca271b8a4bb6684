//! The second phase: tree-sitter over every document whose hints are still the scanner's.
//!
//! Segment by segment, each published on its own, so that a run that is killed loses one segment's work and the next
//! run goes on. The index answers meanwhile with the scanner's hints, and says so.

use std::path::Path;
use std::time::Duration;

use pincite_shared::git::{Objects, Repository};
use pincite_shared::index_format::documents::DocumentKey;
use pincite_shared::index_format::generation::{Generation, HintsRecord, HintsState, SegmentRecord};
use pincite_shared::index_format::hints as hint_format;
use pincite_shared::index_format::segment_files::SegmentFiles;
use pincite_shared::language::Language;
use rayon::prelude::*;

use crate::error::IndexingError;
use crate::hints::{self, NotParsed, SyntaxBounds, SyntaxParser};
use crate::progress::{Phase, Progress};
use crate::segment::{read_table, write_hints};

/// A file beyond these keeps the scanner's hints and is counted. Sources that people write parse within a tenth of
/// the time; generated tables and hostile input do not.
const BOUNDS: SyntaxBounds = SyntaxBounds { max_bytes: 4 << 20, max_time: Duration::from_secs(2) };

/// Completes the hints of every segment.
pub(crate) fn run(
    repository: &Repository,
    directory: &Path,
    generation: &mut Generation,
    progress: &dyn Progress,
) -> Result<(), IndexingError> {
    let waiting = |segment: &SegmentRecord| segment.hints.state == HintsState::Lexical;
    let total = generation.segments.iter().filter(|segment| waiting(segment)).map(|segment| segment.blob_bytes).sum();
    if total == 0 && !generation.segments.iter().any(waiting) {
        return Ok(());
    }
    progress.begin(Phase::Hints, Some(total));
    for number in 0..generation.segments.len() {
        if waiting(&generation.segments[number]) {
            let record = segment(repository, directory, &generation.segments[number], progress)?;
            generation.segments[number].hints = record;
            generation.number += 1;
            generation.publish(directory)?;
        }
    }
    Ok(())
}

struct Worker {
    objects: Objects,
    buffer: Vec<u8>,
    parser: SyntaxParser,
}

fn segment(
    repository: &Repository,
    directory: &Path,
    record: &SegmentRecord,
    progress: &dyn Progress,
) -> Result<HintsRecord, IndexingError> {
    let table = read_table(&SegmentFiles::open(directory, record)?, record)?;
    let worker = || Worker { objects: repository.objects(), buffer: Vec::new(), parser: SyntaxParser::new() };
    let derived: Vec<(Vec<u8>, bool)> = table
        .documents
        .par_iter()
        .with_max_len(16)
        .map_init(worker, |worker, key| worker.hints(key, progress))
        .collect::<Result<_, _>>()?;
    let not_parsed = derived.iter().filter(|(_, parsed)| !parsed).count() as u32;
    let records: Vec<Vec<u8>> = derived.into_iter().map(|(record, _)| record).collect();
    let file = write_hints(directory, &record.name, HintsState::Syntax, &records)?;
    Ok(HintsRecord { state: HintsState::Syntax, not_parsed, file })
}

impl Worker {
    /// The encoded hints of a document, and whether everything that has a grammar was parsed.
    fn hints(&mut self, key: &DocumentKey, progress: &dyn Progress) -> Result<(Vec<u8>, bool), IndexingError> {
        let Some(language) = key.language else { return Ok((Vec::new(), true)) };
        // A blob that went missing since the first phase: its postings stay, its hints are lost with it.
        let Some(source) = self.objects.blob(key.blob, u64::MAX, &mut self.buffer)? else {
            return Ok((Vec::new(), false));
        };
        progress.advance(source.len() as u64);
        let lexical = hints::lexical(language, source);
        // The scanner sees nearly all that tree-sitter sees; where it sees nothing, parsing is not worth its time.
        let is_empty = lexical.assignments.is_empty() && lexical.functions.is_empty();
        if is_empty || language == Language::Sql {
            return Ok((hint_format::encode(&lexical, source), true));
        }
        match self.parser.hints(language, source, &BOUNDS) {
            Ok(syntax) => Ok((hint_format::encode(&hints::merge(lexical, syntax), source), true)),
            Err(NotParsed::NoGrammar) => Ok((hint_format::encode(&lexical, source), true)),
            Err(NotParsed::TooLarge | NotParsed::TimedOut) => Ok((hint_format::encode(&lexical, source), false)),
        }
    }
}
