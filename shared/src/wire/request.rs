//! Requests, read strictly: every member is known, typed and in range, or the request is refused.
//!
//! Written by hand instead of derived, so that each refusal names its member and says what is allowed. No request
//! can name a repository, commit, revision, remote or Git option (P-02). What depends on settings, such as
//! `max_matches` up to the configured one, is checked where the request is answered.

use serde_json::{Map, Value};

use super::members::{Members, fault, kind_of, put_path, required, shown};
use super::strict_json;
use crate::failure::{Code, Failure};
use crate::settings::{Protocol, ScopeName};

/// How a `source.search` text is matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SearchMode {
    /// Chosen from the text.
    #[default]
    Auto,
    /// As a whole word.
    Word,
    /// As it stands, anywhere.
    Literal,
    /// As a whole decimal number.
    Decimal,
}

impl SearchMode {
    /// Every mode, in the order of the documentation.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Word, Self::Literal, Self::Decimal];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Word => "word",
            Self::Literal => "literal",
            Self::Decimal => "decimal",
        }
    }
}

/// One request. Paths are safe (L-06), texts have 1 to 256 characters on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `source.context`
    Context {
        /// What is looked for.
        text: String,
        /// The start of the paths that are searched.
        path_prefix: String,
        /// Entities of the interpretation that the request is about; protocol 2 only.
        entity_refs: Vec<String>,
        /// The search space; `Some` under protocol 2, where `code` is the default, and only there.
        scope: Option<ScopeName>,
    },
    /// `source.search`
    Search {
        /// What is looked for.
        text: String,
        /// How it is matched.
        mode: SearchMode,
        /// The start of the paths that are searched.
        path_prefix: String,
        /// Matches listed, at least 1; `None` means the configured number.
        max_matches: Option<u32>,
    },
    /// `source.read`
    Read {
        /// The file.
        path: Vec<u8>,
        /// The first line, at least 1.
        start_line: u32,
        /// The last line, at least `start_line`.
        end_line: u32,
    },
    /// `source.list`
    List {
        /// The start of the paths that are listed.
        path_prefix: String,
        /// The last path of the page before.
        after: Option<Vec<u8>>,
    },
}

impl Request {
    /// The kinds, in the order of the documentation.
    pub const KINDS: [&str; 4] = ["source.context", "source.search", "source.read", "source.list"];

    /// A `source.context` request that names nothing but its text and prefix.
    pub fn context(text: impl Into<String>, path_prefix: impl Into<String>) -> Self {
        Self::Context { text: text.into(), path_prefix: path_prefix.into(), entity_refs: Vec::new(), scope: None }
    }

    /// The request's kind, as on the wire.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Context { .. } => "source.context",
            Self::Search { .. } => "source.search",
            Self::Read { .. } => "source.read",
            Self::List { .. } => "source.list",
        }
    }

    /// Reads a request from JSON text, in which no member may stand twice.
    ///
    /// # Errors
    /// As [`Request::parse`], and `invalid_request` for text that is not JSON.
    pub fn parse_str(text: &str, protocol: Protocol) -> Result<Self, Failure> {
        Self::parse(&strict_json::parse(text)?, protocol)
    }

    /// Reads a request. What a protocol does not know is an unknown member.
    ///
    /// # Errors
    /// `invalid_request` or `unsafe_path`, with the member at fault.
    pub fn parse(value: &Value, protocol: Protocol) -> Result<Self, Failure> {
        let Value::Object(map) = value else {
            let message = format!("the request is {}; an object is needed", kind_of(value));
            return Err(Failure::new(Code::InvalidRequest, message));
        };
        let members = Members(map);
        let kind = required("kind", members.string("kind")?)?;
        match kind {
            "source.context" => {
                members.allow(kind, context_members(protocol))?;
                let (text, path_prefix) = (members.text()?, members.path_prefix()?);
                let (entity_refs, scope) = match protocol {
                    Protocol::One => (Vec::new(), None),
                    Protocol::Two => (members.strings("entity_refs", MAX_REFS)?, Some(scope(members)?)),
                };
                Ok(Self::Context { text, path_prefix, entity_refs, scope })
            }
            "source.search" => {
                members.allow(kind, &["kind", "text", "mode", "path_prefix", "max_matches"])?;
                Ok(Self::Search {
                    text: members.text()?,
                    mode: mode(members)?,
                    path_prefix: members.path_prefix()?,
                    max_matches: members.positive("max_matches")?,
                })
            }
            "source.read" => {
                members.allow(kind, &["kind", "path", "path_base64", "start_line", "end_line"])?;
                let path = required("path", members.path("path", "path_base64")?)?;
                let start_line = required("start_line", members.positive("start_line")?)?;
                let end_line = required("end_line", members.positive("end_line")?)?;
                if end_line < start_line {
                    let problem = format!("is {end_line}, before `start_line` {start_line}; the range is reversed");
                    return Err(fault("end_line", problem));
                }
                Ok(Self::Read { path, start_line, end_line })
            }
            "source.list" => {
                members.allow(kind, &["kind", "path_prefix", "after", "after_base64"])?;
                Ok(Self::List { path_prefix: members.path_prefix()?, after: members.path("after", "after_base64")? })
            }
            other => {
                let allowed = Self::KINDS.map(|kind| format!("`{kind}`")).join(", ");
                Err(fault("kind", format!("is {:?}; {allowed} are allowed", shown(other))))
            }
        }
    }

    /// The request with the defaults of a protocol, as the command line and other callers that build one need it.
    ///
    /// # Errors
    /// `invalid_request` for members that the protocol does not know, and for references that it refuses.
    pub fn settled(self, protocol: Protocol) -> Result<Self, Failure> {
        match (self, protocol) {
            (Self::Context { text, path_prefix, entity_refs, scope }, Protocol::Two) => {
                let scope = Some(scope.unwrap_or_default());
                let map = Map::from_iter([("entity_refs".to_owned(), Value::from(entity_refs))]);
                let entity_refs = Members(&map).strings("entity_refs", MAX_REFS)?;
                Ok(Self::Context { text, path_prefix, entity_refs, scope })
            }
            (Self::Context { entity_refs, scope, .. }, Protocol::One) if !entity_refs.is_empty() || scope.is_some() => {
                let member = if entity_refs.is_empty() { "scope" } else { "entity_refs" };
                let map = Map::from_iter([(member.to_owned(), Value::Null)]);
                Members(&map).allow("source.context", context_members(protocol))?;
                Err(fault(member, "is not a member of protocol 1"))
            }
            (other, _) => Ok(other),
        }
    }

    /// The request as JSON with its defaults filled in, as an answer repeats it.
    ///
    /// `max_matches` and `after` stand only when they were asked for: without them the settings and the first page
    /// decide. Reading it again gives an equal request.
    pub fn to_value(&self) -> Value {
        let mut map = Map::new();
        map.insert("kind".into(), self.kind().into());
        match self {
            Self::Context { text, path_prefix, entity_refs, scope } => {
                map.insert("text".into(), text.as_str().into());
                map.insert("path_prefix".into(), path_prefix.as_str().into());
                if let Some(scope) = scope {
                    map.insert("entity_refs".into(), entity_refs.as_slice().into());
                    map.insert("scope".into(), scope.name().into());
                }
            }
            Self::Search { text, mode, path_prefix, max_matches } => {
                map.insert("text".into(), text.as_str().into());
                map.insert("mode".into(), mode.name().into());
                map.insert("path_prefix".into(), path_prefix.as_str().into());
                if let Some(max_matches) = max_matches {
                    map.insert("max_matches".into(), (*max_matches).into());
                }
            }
            Self::Read { path, start_line, end_line } => {
                put_path(&mut map, "path", "path_base64", path);
                map.insert("start_line".into(), (*start_line).into());
                map.insert("end_line".into(), (*end_line).into());
            }
            Self::List { path_prefix, after } => {
                map.insert("path_prefix".into(), path_prefix.as_str().into());
                if let Some(after) = after {
                    put_path(&mut map, "after", "after_base64", after);
                }
            }
        }
        Value::Object(map)
    }
}

/// References of one request.
const MAX_REFS: usize = 64;

fn context_members(protocol: Protocol) -> &'static [&'static str] {
    match protocol {
        Protocol::One => &["kind", "text", "path_prefix"],
        Protocol::Two => &["kind", "text", "path_prefix", "entity_refs", "scope"],
    }
}

fn scope(members: Members<'_>) -> Result<ScopeName, Failure> {
    let Some(name) = members.string("scope")? else { return Ok(ScopeName::default()) };
    ScopeName::from_name(name)
        .ok_or_else(|| fault("scope", format!("is {:?}; {} are allowed", shown(name), ScopeName::allowed())))
}

fn mode(members: Members<'_>) -> Result<SearchMode, Failure> {
    let Some(name) = members.string("mode")? else { return Ok(SearchMode::default()) };
    SearchMode::ALL.into_iter().find(|mode| mode.name() == name).ok_or_else(|| {
        let allowed = SearchMode::ALL.map(|mode| format!("`{}`", mode.name())).join(", ");
        fault("mode", format!("is {:?}; {allowed} are allowed", shown(name)))
    })
}

#[cfg(test)]
mod tests;
