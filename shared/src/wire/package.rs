//! What a package consists of: its context, its captures and its ledger.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::canonical::{canonical, sha256};
use super::result::{Name, WirePin};
use crate::failure::Failure;

/// The version of contexts, and of captures.
pub const PACKAGE_VERSION: u32 = 1;

/// A document that is bound by its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WireBound {
    /// SHA-256 of its bytes.
    pub sha256: String,
}

/// `context.json`: what a package is fixed to, written once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WireContext {
    /// Always 1.
    pub context: u32,
    /// The commit.
    pub pin: WirePin,
    /// The protocol of requests and results.
    pub protocol: u32,
    /// The settings in canonical form.
    pub settings: Value,
    /// SHA-256 of their canonical JSON.
    pub settings_sha256: String,
    /// The contract that a model was given.
    pub contract: Value,
    /// SHA-256 of its canonical JSON.
    pub contract_sha256: String,
    /// The interpretation context; null when there is none.
    pub interpretation: Option<WireBound>,
    /// Actions that may be answered; null for any number.
    pub budget: Option<u64>,
}

/// A capture: one answered request with everything that decided its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WireCapture {
    /// Always 1.
    pub capture: u32,
    /// The request, with its defaults filled in.
    pub request: Value,
    /// The commit.
    pub pin: WirePin,
    /// The settings in canonical form.
    pub settings: Value,
    /// SHA-256 of their canonical JSON.
    pub settings_sha256: String,
    /// The interpretation context; null when there is none.
    pub interpretation: Option<WireBound>,
    /// The result as it was given.
    pub result: Value,
}

/// What a package did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LedgerAction {
    /// The package was made.
    Created,
    /// A request was answered and captured; costs one action.
    Answered,
    /// A request was answered from its capture; costs nothing.
    Cached,
    /// A request was refused or failed; costs nothing.
    Failed,
    /// A capture was found that a process wrote before it ended; costs one action.
    Recovered,
}

/// A line of `ledger.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WireLedgerLine {
    /// When, in UTC (RFC 3339).
    pub at: String,
    /// What was done.
    pub action: LedgerAction,
    /// SHA-256 of the question: request, pin, settings' hash and interpretation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_sha256: Option<String>,
    /// The capture's SHA-256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture: Option<String>,
    /// SHA-256 of `context.json`, on the first line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_sha256: Option<String>,
    /// The code of the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Name>,
    /// Actions left after this one; null when any number is.
    pub budget_left: Option<u64>,
    /// How long it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<u64>,
    /// The machine's name.
    pub host: String,
    /// The version of pincite.
    pub version: String,
}

/// The hash of a question: what a cache is asked with.
///
/// # Errors
/// `internal` for a request that has no canonical form.
pub fn question_sha256(
    request: &Value,
    pin: &WirePin,
    settings_sha256: &str,
    interpretation: Option<&WireBound>,
) -> Result<String, Failure> {
    let question = serde_json::json!({
        "interpretation": interpretation,
        "pin": pin,
        "request": request,
        "settings_sha256": settings_sha256,
    });
    Ok(sha256(canonical(&question)?.as_bytes()))
}

impl WireCapture {
    /// The hash of the question that it answers.
    ///
    /// # Errors
    /// As [`question_sha256`].
    pub fn question_sha256(&self) -> Result<String, Failure> {
        question_sha256(&self.request, &self.pin, &self.settings_sha256, self.interpretation.as_ref())
    }
}
