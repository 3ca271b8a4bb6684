//! What protocol 2 adds to `source.context`: anchors, the selection, and summaries of weak numeric matches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::result::{Name, WireContextMatch, WireFile, WireHead, WirePath, WireSearch};

/// Where an anchor is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireAnchorSource {
    /// `request`, or `interpretation` for the canonical interpretation.
    pub document: Name,
    /// SHA-256 of the canonical interpretation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// A JSON Pointer into the document.
    pub pointer: String,
    /// What the interpretation names as the source of that item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<super::interpretation::Source>,
}

/// An anchor group: one thing that is searched, in all its spellings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireAnchor {
    /// `g1`, `g2`, … in the order of their weight.
    pub group: String,
    /// The text.
    pub text: String,
    /// Its other spellings, in the order in which they are searched.
    pub variants: Vec<String>,
    /// `script`, `symbol`, `id`, `name`, `text`, `context_name`, `context_fact` or `number`.
    pub kind: Name,
    /// The proven type of its entity; null when none is proven.
    #[serde(rename = "type")]
    pub entity_type: Option<String>,
    /// The roles of its entity.
    pub roles: Vec<String>,
    /// Its entity; null for a text that belongs to none.
    pub entity: Option<String>,
    /// Where it is from.
    pub source: WireAnchorSource,
}

/// The strongest signal of one anchor group in one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireSignal {
    /// The anchor group.
    pub group: String,
    /// `script`, `symbol`, `binding`, `constant`, `registration`, `name`, `text`, `context`, `namesake` or `number`.
    pub signal: Name,
    /// The search that found it.
    pub search: String,
}

/// A file that was selected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireSelectedFile {
    /// Which file.
    #[serde(flatten)]
    pub path: WirePath,
    /// `primary_candidate`, `supporting_context`, `supporting_other_location` or `weak_numeric`: how relevant it is to
    /// the search, never how likely it is a cause.
    pub class: Name,
    /// The configured place of its path; null when it has none.
    pub location: Option<String>,
    /// The strongest signal of each anchor group, strongest first.
    pub signals: Vec<WireSignal>,
}

/// The selection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireSelection {
    /// Paths of the selected files with class `primary_candidate`; may be empty, and nothing takes their place then.
    /// Lossy like `path`; `files` has the exact bytes.
    pub primary_files: Vec<String>,
    /// The selected files, most relevant first.
    pub files: Vec<WireSelectedFile>,
}

/// A file in which only numbers match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireWeakNumeric {
    /// Which file.
    #[serde(flatten)]
    pub path: WirePath,
    /// Lines with such matches.
    pub count: u64,
    /// The first of them.
    pub lines: Vec<u32>,
}

/// The result of `source.context` under protocol 2.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SelectionResult {
    /// What every result begins with.
    #[serde(flatten)]
    pub head: WireHead,
    /// The search space.
    pub scope: Name,
    /// What was looked for.
    pub anchors: Vec<WireAnchor>,
    /// The chain of searches.
    pub searches: Vec<WireSearch>,
    /// What was chosen.
    pub selection: WireSelection,
    /// Files with windows.
    pub files: Vec<WireFile>,
    /// Matches considered.
    pub matches: Vec<WireContextMatch>,
    /// Files in which only numbers match.
    pub weak_numeric: Vec<WireWeakNumeric>,
    /// What the result does not claim.
    pub notice: Name,
}
