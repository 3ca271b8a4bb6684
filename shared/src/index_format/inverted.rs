//! The inverted index of a segment: its vocabulary and its posting lists, term by term.

use std::path::Path;

use super::error::IndexError;
use super::layout;
use super::postings::{ListEncoder, PostingList, Postings, PostingsWriter};
use super::sealed::{FileRecord, SealedFile};
use super::vocabulary::{Cut, Pattern, Vocabulary, VocabularyTerm, VocabularyWriter};

/// Writes an inverted index term by term.
pub struct InvertedWriter {
    vocabulary: VocabularyWriter,
    postings: PostingsWriter,
}

impl InvertedWriter {
    /// Creates the two files in `folder`, which must not have them.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(folder: &Path) -> Result<Self, IndexError> {
        Ok(Self {
            vocabulary: VocabularyWriter::create(&folder.join(layout::VOCABULARY))?,
            postings: PostingsWriter::create(&folder.join(layout::POSTINGS))?,
        })
    }

    /// Appends a term, in the order of [`super::vocabulary::order`], with its list, which must have a line. The encoder
    /// is empty afterwards.
    ///
    /// # Errors
    /// What the system says.
    pub fn push(&mut self, key: &[u8], list: &mut ListEncoder) -> Result<(), IndexError> {
        self.vocabulary.push(key, self.postings.position())?;
        self.postings.push(list)
    }

    /// Writes the ends and syncs both files, which are called what `named` makes of their plain names.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(self, documents: u32, named: impl Fn(&str) -> String) -> Result<[FileRecord; 2], IndexError> {
        let postings = self.postings.finish(named(layout::POSTINGS), documents)?;
        Ok([postings, self.vocabulary.finish(named(layout::VOCABULARY))?])
    }
}

/// The key of a term and its list.
pub type Listed<'a> = (&'a [u8], PostingList);

/// An inverted index for reading. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Inverted {
    vocabulary: Vocabulary,
    postings: Postings,
}

impl Inverted {
    /// Opens the two files of a segment with so many documents. Nothing but their ends is read before it is needed.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when they do not belong together.
    pub fn open(vocabulary: SealedFile, postings: SealedFile, documents: u32) -> Result<Self, IndexError> {
        let path = vocabulary.path().to_owned();
        let inverted =
            Self { vocabulary: Vocabulary::open(vocabulary)?, postings: Postings::open(postings, documents)? };
        if inverted.vocabulary.len() != inverted.postings.len() {
            return Err(IndexError::corrupt(path, "it has not as many terms as there are posting lists"));
        }
        Ok(inverted)
    }

    /// The posting lists.
    pub fn postings(&self) -> &Postings {
        &self.postings
    }

    /// The list of a key; `None` when no document has it.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn list(&self, key: &[u8]) -> Result<Option<PostingList>, IndexError> {
        self.vocabulary.find(key)?.map(|term| self.list_of(&term)).transpose()
    }

    fn list_of(&self, term: &VocabularyTerm<'_>) -> Result<PostingList, IndexError> {
        self.postings.list(self.vocabulary.group_list(term.group)?, term.within)
    }

    /// The list of the term behind another one; of the first without one.
    fn list_behind(&self, list: Option<&PostingList>) -> Result<PostingList, IndexError> {
        self.postings.next(list)?.ok_or_else(|| self.vocabulary.corrupt())
    }

    fn lists_of<'a>(&self, terms: Vec<VocabularyTerm<'a>>) -> Result<Vec<Listed<'a>>, IndexError> {
        let mut lists: Vec<Listed<'a>> = Vec::with_capacity(terms.len());
        let mut last: Option<(usize, u32)> = None;
        for term in terms {
            let list = match (last, lists.last()) {
                // The neighbour of the one before needs no look at its group.
                (Some((group, within)), Some((_, before))) if (group, within + 1) == (term.group, term.within) => {
                    self.list_behind(Some(before))?
                }
                _ => self.list_of(&term)?,
            };
            last = Some((term.group, term.within));
            lists.push((term.key, list));
        }
        Ok(lists)
    }

    /// The terms of a pattern, in order, with their lists. Costs what the pattern lets through.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn matching<P: Pattern>(&self, pattern: &P) -> Result<Vec<Listed<'_>>, IndexError> {
        self.lists_of(self.vocabulary.matching(pattern)?)
    }

    /// All words and decimal tokens that hold `run` where `cut` allows, in order, with their lists; `None` when there
    /// are more than `limit`.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn expand(&self, run: &[u8], cut: Cut, limit: usize) -> Result<Option<Vec<Listed<'_>>>, IndexError> {
        self.vocabulary.expand(run, cut, limit)?.map(|terms| self.lists_of(terms)).transpose()
    }

    /// All words and decimal tokens in which `find` finds something, in order, with their lists (see
    /// [`Vocabulary::terms_where`]).
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn terms_where(
        &self,
        find: impl Fn(&[u8]) -> Option<std::ops::Range<usize>>,
    ) -> Result<Vec<Listed<'_>>, IndexError> {
        self.lists_of(self.vocabulary.terms_where(find)?)
    }

    /// Every term from the beginning with its list.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`], also for each item.
    pub fn terms(&self) -> Result<impl Iterator<Item = Result<Listed<'_>, IndexError>>, IndexError> {
        let mut last: Option<PostingList> = None;
        Ok(self.vocabulary.terms()?.map(move |term| {
            let list = self.list_behind(last.as_ref())?;
            last = Some(list);
            Ok((term.key, list))
        }))
    }

    /// Reads everything: the order of the terms, where their lists are said to be, and every document and line.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn check(&self) -> Result<(), IndexError> {
        self.vocabulary.check()?;
        let mut last = None;
        for term in self.vocabulary.terms()? {
            let list = self.list_behind(last.as_ref())?;
            if self.list_of(&term)? != list {
                return Err(self.vocabulary.corrupt());
            }
            self.postings.for_each_line(&list, |_| true, |_, _| {})?;
            last = Some(list);
        }
        match self.postings.next(last.as_ref())? {
            None => Ok(()),
            Some(_) => Err(self.vocabulary.corrupt()),
        }
    }
}
