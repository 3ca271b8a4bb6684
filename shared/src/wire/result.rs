//! Results as they go out: the JSON of `docs/protocol.md`. Made for serde only; the query engine has its own types.
//! Captures, reports and renderings read them back, and the contract's schemas are made from them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::git::EntryKind;
use crate::ids::Pin;

/// A name of a fixed set: borrowed where an answer is made, owned where one is read back.
pub type Name = Cow<'static, str>;

/// A path: lossy text, and its bytes in base64 beside it when it is not valid UTF-8.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WirePath {
    // Shared, because a file may have thousands of matches.
    /// The path, with U+FFFD for what is not UTF-8.
    pub path: Arc<str>,
    /// The exact bytes, only when `path` is not exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_base64: Option<String>,
}

impl WirePath {
    /// From the bytes of a path.
    pub fn new(path: &[u8]) -> Self {
        match str::from_utf8(path) {
            Ok(text) => Self { path: text.into(), path_base64: None },
            Err(_) => Self { path: String::from_utf8_lossy(path).into(), path_base64: Some(STANDARD.encode(path)) },
        }
    }

    /// The exact bytes; those of the text where `path_base64` is not Base64, which only a file from elsewhere has.
    pub fn bytes(&self) -> Vec<u8> {
        let exact = self.path_base64.as_ref().and_then(|text| STANDARD.decode(text).ok());
        exact.unwrap_or_else(|| self.path.as_bytes().to_vec())
    }
}

/// The commit that an answer was cut from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WirePin {
    /// Full object id of the commit.
    pub commit: String,
    /// Full object id of its tree.
    pub tree: String,
    /// `sha1` or `sha256`.
    pub object_format: Name,
}

impl From<Pin> for WirePin {
    fn from(pin: Pin) -> Self {
        Self {
            commit: pin.commit.to_string(),
            tree: pin.tree.to_string(),
            object_format: pin.object_format().name().into(),
        }
    }
}

/// Which index answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireIndex {
    /// Depends only on the commit's content, the versions of format, tokenizer and hints, and how far the hints are.
    pub id: String,
    /// `syntax` once tree-sitter has been over every file, `lexical` before.
    pub hints: Name,
}

/// A limit that cut something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireLimit {
    /// Its key in the profile.
    pub limit: Name,
    /// Its configured value.
    pub configured: u64,
    /// The search that it cut, when it cut one search only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
}

/// Why a search was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireOrigin {
    /// `request`, `assignment` or `registration`; in protocol 2 `request`, `anchor`, `binding` or `registration`.
    pub kind: Name,
    /// The anchor group that it was made for; in protocol 2, for anchors and bindings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The search whose match led to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
    /// Where the name was found.
    #[serde(flatten)]
    pub path: Option<WirePath>,
    /// Its line there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// `syntax` when tree-sitter confirmed it, `lexical` when only the byte scanner saw it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Name>,
}

/// How much of the scope was read, for a term that the index alone can not answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireScan {
    /// `candidates` when the index named the files to read, `scope` when all files of the scope had to be.
    pub over: Name,
    /// Files read.
    pub files: u64,
    /// Files to read.
    pub of_files: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Bytes to read.
    pub of_bytes: u64,
}

/// One search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireSearch {
    /// `s1`, `s2`, … in the order decided.
    pub id: String,
    /// The term.
    pub text: String,
    /// `word`, `literal` or `decimal`: how it was matched.
    pub mode: Name,
    /// Why it was made.
    pub origin: WireOrigin,
    /// The prefix of all paths that were searched.
    pub path_prefix: String,
    /// The search space; protocol 2 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Name>,
    /// Files in the scope whose content was searched or would have been but for a limit.
    pub searched_files: u64,
    /// Whether every line of the scope that holds the term is counted.
    pub complete: bool,
    /// Lines that hold the term, in the whole scope.
    pub matches: u64,
    /// Files with such lines.
    pub files: u64,
    /// Files in the scope that could not be searched, by reason.
    pub skipped: BTreeMap<Name, u64>,
    /// Files that the scope leaves out, by rule.
    pub outside: BTreeMap<Name, u64>,
    /// How much was read; only when the index alone did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scanned: Option<WireScan>,
    /// Lines that hold the term in another way or outside the scope and are not counted by `matches`, by category.
    pub elsewhere: BTreeMap<Name, u64>,
    /// Categories that were not counted, with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elsewhere_left_out: BTreeMap<Name, Name>,
}

/// What an answer took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireWork {
    /// Searches made, those for `elsewhere` included.
    pub searches: u64,
    /// Distinct blobs that the index or a scope named to be read, or that evidence was cut from.
    pub blobs_considered: u64,
    /// Distinct blobs that were read.
    pub blobs_read: u64,
    /// Their bytes, each blob once.
    pub bytes_read: u64,
}

/// A line that was shortened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireShortened {
    /// Its number.
    pub line: u32,
    /// How many characters it has.
    pub chars: u64,
}

/// A window of code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireBlock {
    /// Number of the first line.
    pub start_line: u32,
    /// The lines, without line ends.
    pub lines: Vec<String>,
    /// Lines of the block that were shortened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shortened: Vec<WireShortened>,
    /// Numbers of lines that are not valid UTF-8 and have U+FFFD in place of the bad bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lossy_lines: Vec<u32>,
}

/// A file's identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireFileId {
    /// Its path.
    #[serde(flatten)]
    pub path: WirePath,
    /// Git's object id of its content.
    pub blob: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Software Heritage identifier; only in SHA-1 repositories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swhid: Option<String>,
    /// Its size.
    pub bytes: u64,
}

/// A file with its windows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireFile {
    /// Which file.
    #[serde(flatten)]
    pub id: WireFileId,
    /// Windows in order, neither overlapping nor adjacent.
    pub blocks: Vec<WireBlock>,
}

/// A match of `source.context`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireContextMatch {
    /// The search that found it.
    pub search: String,
    /// Where.
    #[serde(flatten)]
    pub path: WirePath,
    /// Its line.
    pub line: u32,
    /// Whether a returned window shows the line.
    pub context_returned: bool,
}

/// A match of `source.search`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireSearchMatch {
    /// The search that found it.
    pub search: Name,
    /// Where.
    #[serde(flatten)]
    pub path: WirePath,
    /// Its line.
    pub line: u32,
    /// The line, shortened as needed.
    pub text: String,
    /// [start, end) of each occurrence, in characters of the whole line.
    pub columns: Vec<[u32; 2]>,
    /// Whether an integer suffix follows the number; only for decimal searches that found one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suffix: bool,
    /// Characters of the whole line, when `text` was shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chars: Option<u64>,
    /// Whether `text` has U+FFFD in place of bytes that are not valid UTF-8.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lossy: bool,
}

/// What every result begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireHead {
    /// `source.context`, …
    pub kind: Name,
    /// 1 or 2.
    pub protocol: u32,
    /// The commit.
    pub pin: WirePin,
    /// The index.
    pub index: WireIndex,
    /// The request as asked, with defaults filled in.
    pub request: serde_json::Value,
    /// Whether something was left out.
    pub status: Name,
    /// Each limit that cut something.
    pub limits_reached: Vec<WireLimit>,
    /// What the answer took.
    pub work: WireWork,
    /// What a reader should know before taking an empty answer for an absence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The result of `source.context`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContextResult {
    /// What every result begins with.
    #[serde(flatten)]
    pub head: WireHead,
    /// The chain of searches.
    pub searches: Vec<WireSearch>,
    /// Files with windows.
    pub files: Vec<WireFile>,
    /// Matches considered.
    pub matches: Vec<WireContextMatch>,
    /// What the result does not claim.
    pub notice: Name,
}

/// The result of `source.search`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchResult {
    /// What every result begins with.
    #[serde(flatten)]
    pub head: WireHead,
    /// The one search.
    pub searches: Vec<WireSearch>,
    /// The matches listed.
    pub matches: Vec<WireSearchMatch>,
    /// What the result does not claim.
    pub notice: Name,
}

/// Members of `source.read` that are there only when more lines were asked for than the limit allows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireReadLimit {
    /// Lines asked for.
    pub requested_line_count: u64,
    /// `max_lines`.
    pub line_limit: u64,
    /// Always true here.
    pub line_limit_exceeded: bool,
    /// Lines returned.
    pub returned_line_count: u64,
    /// First line asked for.
    pub requested_start_line: u32,
    /// Last line asked for.
    pub requested_end_line: u32,
    /// First line returned; null when there is none.
    pub returned_start_line: Option<u32>,
    /// Last line returned; null when there is none.
    pub returned_end_line: Option<u32>,
    /// Whether every existing line of the range asked for is returned.
    pub requested_range_complete: bool,
    /// Where to go on with the same end; null at the end of the file.
    pub next_start_line: Option<u32>,
    /// The same for a reader.
    pub read_notice: String,
}

/// The result of `source.read`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadResult {
    /// What every result begins with.
    #[serde(flatten)]
    pub head: WireHead,
    /// Which file.
    #[serde(flatten)]
    pub id: WireFileId,
    /// First line returned; the line asked for when none is.
    pub start_line: u32,
    /// Last line returned; null when there is none.
    pub end_line: Option<u32>,
    /// The lines, without line ends.
    pub lines: Vec<String>,
    /// Whether the returned lines reach the end of the file.
    pub eof: bool,
    /// Whether existing lines of the range asked for are missing.
    pub truncated: bool,
    /// Numbers of lines that were shortened.
    pub text_truncated: Vec<u32>,
    /// The same lines with their lengths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shortened: Vec<WireShortened>,
    /// Numbers of lines that are not valid UTF-8.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lossy_lines: Vec<u32>,
    /// Only when the line limit was exceeded.
    #[serde(flatten)]
    pub limit: Option<WireReadLimit>,
    /// What the result does not claim.
    pub notice: Name,
}

/// The wire name of a tree entry's kind.
pub fn entry_kind_name(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::File => "file",
        EntryKind::Executable => "executable",
        EntryKind::Symlink => "symlink",
        EntryKind::Submodule => "submodule",
    }
}

/// An entry of `source.list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireEntry {
    /// Its path.
    #[serde(flatten)]
    pub path: WirePath,
    /// `file`, `executable`, `symlink` or `submodule`.
    pub kind: Name,
    /// Size; null where it is not known.
    pub bytes: Option<u64>,
    /// The language that the extension tells; null for none.
    pub language: Option<Name>,
    /// Whether searches look into it.
    pub searchable: bool,
    /// Why not, when it could not be searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Name>,
    /// Why not, when the scope leaves it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outside: Option<Name>,
}

/// The result of `source.list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListResult {
    /// What every result begins with.
    #[serde(flatten)]
    pub head: WireHead,
    /// Paths below the prefix, in byte order.
    pub entries: Vec<WireEntry>,
    /// Paths below the prefix, on all pages.
    pub total: u64,
    /// Ask for the next page with this as `after`; null on the last page.
    pub next_after: Option<String>,
    /// The exact bytes of `next_after` when it is not valid UTF-8; ask with `after_base64`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_after_base64: Option<String>,
    /// What the result does not claim.
    pub notice: Name,
}

impl ListResult {
    /// The exact bytes of the last path of the page, when there are more pages.
    pub fn next_after_bytes(&self) -> Option<Vec<u8>> {
        let next = self.next_after.clone();
        next.map(|path| WirePath { path: path.into(), path_base64: self.next_after_base64.clone() }.bytes())
    }
}

/// A controlled error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireError {
    /// The error.
    pub error: WireErrorBody,
}

/// Code, message and field of an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireErrorBody {
    /// The stable code.
    pub code: Name,
    /// For a person.
    pub message: String,
    /// The offending member, flag or key; null when there is none.
    pub field: Option<String>,
}

impl From<&Failure> for WireError {
    fn from(failure: &Failure) -> Self {
        Self {
            error: WireErrorBody {
                code: failure.code.name().into(),
                message: failure.message.clone(),
                field: failure.field.clone(),
            },
        }
    }
}
