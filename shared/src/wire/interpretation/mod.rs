//! The interpretation of a case (protocol 2): entities, facts and captured records, each with its source.
//!
//! It is the only place that anchors come from (C2-02): a caller can name entities of it and nothing else. No list of
//! the document has an order, so [`Interpretation`] keeps it in its canonical form: lists sorted and freed of
//! duplicates, the text as RFC 8785 says. [`Interpretation::sha256`] is the hash of that text, and JSON Pointers point
//! into it.

mod read;
#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::failure::{Code, Failure};
use crate::index_format::generation::hex;
use crate::wire::strict_json;

/// The largest document, in bytes.
pub const MAX_INTERPRETATION_BYTES: usize = 16 << 20;

/// The document as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InterpretationDocument {
    /// The version of the document's form: 1.
    pub interpretation: u32,
    /// What the case is about.
    #[serde(default)]
    pub entities: Vec<Entity>,
    /// What was observed.
    #[serde(default)]
    pub facts: Vec<Fact>,
    /// Rows that were captured from a database.
    #[serde(default)]
    pub records: Vec<Record>,
}

/// A thing that the case is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entity {
    /// What references name it by.
    pub id: String,
    /// Its type, such as `creature`.
    #[serde(rename = "type")]
    pub entity_type: String,
    /// Its numbers in the namespace of its type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<u64>,
    /// Its display names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// What it is to the case, such as `target`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// Where it is from.
    pub source: Source,
}

/// An observation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// What was observed, such as `zone`.
    pub name: String,
    /// The observed value.
    pub value: String,
    /// The entity that it is about; without one, the whole case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// Where it is from.
    pub source: Source,
}

/// A row of a database table, as it was captured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The table.
    pub table: String,
    /// Values by column: strings, integers, booleans, null.
    pub row: Map<String, Value>,
    /// Where it is from.
    pub source: Source,
}

/// A place in a document of the case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The document.
    pub document: String,
    /// Its SHA-256, in hexadecimal, when it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// A JSON Pointer into it.
    pub pointer: String,
}

/// A checked interpretation in its canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpretation {
    document: InterpretationDocument,
    canonical: String,
    sha256: String,
}

impl Interpretation {
    /// Reads a document.
    ///
    /// # Errors
    /// `invalid_request`; the field is `interpretation` with the JSON Pointer to what is at fault.
    pub fn parse_str(text: &str) -> Result<Self, Failure> {
        if text.len() > MAX_INTERPRETATION_BYTES {
            let message = format!("the interpretation has more than {MAX_INTERPRETATION_BYTES} bytes");
            return Err(Failure::new(Code::InvalidRequest, message).field("interpretation"));
        }
        let value = strict_json::parse_document(text, "the interpretation")
            .map_err(|failure| Failure { field: Some("interpretation".into()), ..failure })?;
        Self::parse(&value)
    }

    /// Reads a document that is JSON already.
    ///
    /// # Errors
    /// As [`Interpretation::parse_str`].
    pub fn parse(value: &Value) -> Result<Self, Failure> {
        Self::canonical(read::document(value)?)
    }

    fn canonical(mut document: InterpretationDocument) -> Result<Self, Failure> {
        for entity in &mut document.entities {
            entity.ids.sort_unstable();
            entity.ids.dedup();
            entity.names.sort();
            entity.names.dedup();
            entity.roles.sort();
            entity.roles.dedup();
        }
        document.entities.sort();
        document.facts.sort();
        document.facts.dedup();
        // Rows are maps, so records are ordered by their canonical text.
        let mut records = Vec::with_capacity(document.records.len());
        for record in std::mem::take(&mut document.records) {
            records.push((canonical_text(&record)?, record));
        }
        records.sort_by(|a, b| a.0.cmp(&b.0));
        records.dedup_by(|a, b| a.0 == b.0);
        document.records = records.into_iter().map(|(_, record)| record).collect();
        let canonical = canonical_text(&document)?;
        let sha256 = hex(&Sha256::digest(canonical.as_bytes()));
        Ok(Self { document, canonical, sha256 })
    }

    /// The document with its lists in canonical order.
    pub fn document(&self) -> &InterpretationDocument {
        &self.document
    }

    /// The canonical text (RFC 8785).
    pub fn canonical_text(&self) -> &str {
        &self.canonical
    }

    /// SHA-256 of the canonical text, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

/// The text of RFC 8785.
fn canonical_text(value: &impl Serialize) -> Result<String, Failure> {
    serde_json_canonicalizer::to_string(value)
        .map_err(|error| Failure::new(Code::Internal, format!("an interpretation did not serialize: {error}")))
}
