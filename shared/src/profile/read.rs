//! Reads a profile against the table of keys. The first fault ends it: nothing runs on half a profile.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml_edit::{Document, Item, TableLike};

use super::keys::{KEYS, Key, KeyKind, Number, TABLES};
use super::tables;
use super::{ProfileError, ProfileProblem};
use crate::ids::Oid;
use crate::settings::{Protocol, Settings};

/// The largest profile, in bytes.
pub const MAX_PROFILE_BYTES: u64 = 1 << 20;

/// What an operator has fixed. The default is what applies without a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The project's name.
    pub name: Option<String>,
    /// The repository; a relative path has been joined to the profile's folder.
    pub repository: Option<PathBuf>,
    /// The pinned commit.
    pub commit: Option<Oid>,
    /// The index directory; a relative path has been joined to the profile's folder.
    pub index: Option<PathBuf>,
    /// Limits and source analysis.
    pub settings: Settings,
}

impl Profile {
    /// Reads the profile at `path`, of at most [`MAX_PROFILE_BYTES`].
    ///
    /// # Errors
    /// The file can not be read as text, or as for [`Profile::parse`].
    pub fn load(path: &Path) -> Result<Self, ProfileError> {
        let fault = |line, problem| ProfileError { file: path.to_owned(), line, key: None, problem: Box::new(problem) };
        let unreadable = |error: std::io::Error| match error.kind() {
            ErrorKind::NotFound => fault(None, ProfileProblem::Missing),
            _ => fault(None, ProfileProblem::Unreadable(error)),
        };
        let mut bytes = Vec::new();
        // One byte more than allowed tells a file that is too large; `parse` reports it.
        File::open(path)
            .map_err(unreadable)?
            .take(MAX_PROFILE_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        check_size(bytes.len()).map_err(|problem| fault(None, problem))?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            fault(Some(line_after(valid)), ProfileProblem::NotUtf8)
        })?;
        Self::parse(text, path)
    }

    /// Reads the text of the profile that lies at `file`, which serves messages and relative paths only.
    ///
    /// A profile without the table `[source_analysis]` has source analysis switched off.
    ///
    /// # Errors
    /// The first fault, with its line and key.
    pub fn parse(text: &str, file: &Path) -> Result<Self, ProfileError> {
        Reader { text, file }.read()
    }
}

struct Reader<'a> {
    text: &'a str,
    file: &'a Path,
}

impl Reader<'_> {
    fn read(&self) -> Result<Profile, ProfileError> {
        check_size(self.text.len()).map_err(|problem| self.fault(None, None, problem))?;
        let document = Document::parse(self.text).map_err(|error| self.syntax(&error))?;
        let mut profile = Profile::default();
        profile.settings.source_analysis.enabled = document.contains_key("source_analysis");
        for (name, item) in document.iter() {
            let span = document.key(name).and_then(|key| key.span()).or_else(|| item.span());
            if !TABLES.iter().any(|(table, _)| *table == name) {
                return Err(self.fault(span, Some(name), unknown_table(name)));
            }
            let table = item.as_table_like().ok_or_else(|| {
                let allowed = format!("a table `[{name}]`");
                let problem = ProfileProblem::WrongType { key: name.into(), found: item.type_name(), allowed };
                self.fault(span, Some(name), problem)
            })?;
            self.table(&mut profile, name, table)?;
        }
        Ok(profile)
    }

    fn table(&self, profile: &mut Profile, table: &str, entries: &dyn TableLike) -> Result<(), ProfileError> {
        // The protocol decides how the other keys are judged, wherever it stands.
        let (protocol, others): (Vec<_>, Vec<_>) = entries.iter().partition(|(name, _)| *name == "protocol");
        for (name, item) in protocol.into_iter().chain(others) {
            let span = entries.key(name).and_then(|key| key.span()).or_else(|| item.span());
            let dotted = format!("{table}.{name}");
            let Some(key) = KEYS.iter().find(|key| key.table == table && key.name == name) else {
                let problem = unknown_key(table, name, profile.settings.source_analysis.protocol);
                return Err(self.fault(span, Some(&dotted), problem));
            };
            if key.protocol > profile.settings.source_analysis.protocol {
                return Err(self.fault(span, Some(&dotted), ProfileProblem::NeedsProtocol2 { key: dotted.clone() }));
            }
            let settings = &mut profile.settings.source_analysis.selection;
            tables::put(settings, key, item, &|span| self.written(span)).map_err(|fault| {
                let key = fault.field.map_or(dotted.clone(), |field| format!("{dotted}.{field}"));
                self.fault(fault.span.or(span.clone()), Some(&key), *fault.problem)
            })?;
            self.value(profile, key, item).map_err(|(at, problem)| self.fault(at.or(span), Some(&dotted), problem))?;
        }
        Ok(())
    }

    /// Puts one value in its place; a fault has a span of its own when it is not that of the key.
    fn value(
        &self,
        profile: &mut Profile,
        key: &Key,
        item: &Item,
    ) -> Result<(), (Option<Range<usize>>, ProfileProblem)> {
        let wrong_type =
            || (None, ProfileProblem::WrongType { key: key.dotted(), found: item.type_name(), allowed: key.allowed() });
        let not_allowed = |at: Option<Range<usize>>, allowed: &str| {
            let found = self.written(at.clone().or_else(|| item.span()));
            (at, ProfileProblem::NotAllowed { key: key.dotted(), found, allowed: allowed.into() })
        };
        let text = || match item.as_str() {
            Some("") => Err(not_allowed(None, &key.allowed())),
            Some(text) => Ok(text),
            None => Err(wrong_type()),
        };
        match key.kind {
            KeyKind::Text(field) => *field(profile) = Some(text()?.to_owned()),
            KeyKind::Path(field) => {
                let folder = self.file.parent().unwrap_or(Path::new(""));
                *field(profile) = Some(folder.join(text()?));
            }
            KeyKind::Commit => {
                let id = Oid::from_hex(text()?).ok_or_else(|| not_allowed(None, &key.allowed()))?;
                profile.commit = Some(id);
            }
            KeyKind::Bool(field) => *field(profile) = item.as_bool().ok_or_else(wrong_type)?,
            KeyKind::Integer { min, max, field } => {
                let number = item.as_integer().ok_or_else(wrong_type)?;
                let number = u32::try_from(number).ok().filter(|number| (min..=max).contains(number));
                let number = number.ok_or_else(|| not_allowed(None, &key.allowed()))?;
                match field(profile) {
                    Number::U32(place) => *place = number,
                    Number::U64(place) => *place = u64::from(number),
                }
            }
            KeyKind::Strings { allowed, normalize, field } => {
                let mut list = Vec::new();
                for entry in item.as_array().ok_or_else(wrong_type)? {
                    let normal = entry.as_str().and_then(normalize);
                    list.push(normal.ok_or_else(|| not_allowed(entry.span(), allowed))?);
                }
                list.sort();
                list.dedup();
                *field(profile) = list;
            }
            KeyKind::Protocol => match item.as_integer().ok_or_else(wrong_type)? {
                1 => profile.settings.source_analysis.protocol = Protocol::One,
                2 => profile.settings.source_analysis.protocol = Protocol::Two,
                _ => return Err(not_allowed(None, &key.allowed())),
            },
            // Put in place by `tables`.
            KeyKind::Tables { .. } | KeyKind::Scopes { .. } => {}
        }
        Ok(())
    }

    /// A value as it stands in the file, shortened to one line.
    fn written(&self, span: Option<Range<usize>>) -> String {
        const SHOWN: usize = 60;
        let raw = span.and_then(|span| self.text.get(span)).unwrap_or("not a value");
        let line = raw.lines().next().unwrap_or_default();
        match line.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line.to_owned(),
        }
    }

    fn syntax(&self, error: &toml_edit::TomlError) -> ProfileError {
        // A fault at the end of the file has no span.
        let at = error.span().map_or(self.text.len(), |span| span.start);
        let before = self.text.get(..at).unwrap_or(self.text);
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let message = error.message().lines().collect::<Vec<_>>().join("; ");
        let column = u32::try_from(column).unwrap_or(u32::MAX);
        self.fault(Some(at..at), None, ProfileProblem::Syntax { column, message })
    }

    fn fault(&self, span: Option<Range<usize>>, key: Option<&str>, problem: ProfileProblem) -> ProfileError {
        let line = span.map(|span| line_after(self.text.as_bytes().get(..span.start).unwrap_or_default()));
        ProfileError { file: self.file.to_owned(), line, key: key.map(str::to_owned), problem: Box::new(problem) }
    }
}

fn check_size(bytes: usize) -> Result<(), ProfileProblem> {
    match u64::try_from(bytes) {
        Ok(bytes) if bytes <= MAX_PROFILE_BYTES => Ok(()),
        _ => Err(ProfileProblem::TooLarge { limit: MAX_PROFILE_BYTES }),
    }
}

/// The number of the line in which the next byte after `before` stands.
fn line_after(before: &[u8]) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', before).count() + 1).unwrap_or(u32::MAX)
}

fn unknown_table(name: &str) -> ProfileProblem {
    let names = TABLES.map(|(table, _)| table.to_owned());
    // A key that was written above the first table header.
    let key = KEYS.iter().find(|key| key.name == name).map(Key::dotted);
    let nearest = key.or_else(|| nearest(name, names.iter().cloned()));
    let allowed = names.map(|table| format!("`[{table}]`")).join(", ");
    ProfileProblem::UnknownTable { key: name.into(), allowed, nearest }
}

fn unknown_key(table: &str, name: &str, protocol: Protocol) -> ProfileProblem {
    let in_table = || KEYS.iter().filter(|key| key.table == table && key.protocol <= protocol);
    let elsewhere = KEYS.iter().find(|key| key.name == name).map(Key::dotted);
    let nearest = elsewhere
        .or_else(|| nearest(name, in_table().map(|key| key.name.to_owned())).map(|name| format!("{table}.{name}")));
    let allowed = in_table().map(|key| format!("`{}`", key.name)).collect::<Vec<_>>().join(", ");
    ProfileProblem::UnknownKey { key: format!("{table}.{name}"), allowed, nearest }
}

/// The known name with the smallest edit distance, unless all are too far for a slip of the pen.
fn nearest(name: &str, known: impl Iterator<Item = String>) -> Option<String> {
    // No known name is longer than this by more than a slip; it also bounds the work.
    if name.len() > 40 {
        return None;
    }
    let close = name.chars().count() / 3 + 1;
    let (found, known) = known.map(|known| (distance(name, &known), known)).min()?;
    (found <= close).then_some(known)
}

/// Levenshtein's distance, in characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        row[0] = left;
        for (cell, y) in row.iter_mut().skip(1).zip(&b) {
            left = (diagonal + usize::from(x != *y)).min(left + 1).min(*cell + 1);
            diagonal = std::mem::replace(cell, left);
        }
    }
    row.last().copied().unwrap_or_default()
}
