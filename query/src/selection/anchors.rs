//! Anchors: what is searched for a request, from the request's text and the interpretation alone (C2-02 … C2-06).
//!
//! A caller names entities or nothing. Without references the text itself is looked up among numbers, names and proven
//! script names; what it does not name without doubt is assigned to nothing.

use std::collections::BTreeSet;

use pincite_shared::failure::{Code, Failure};
use pincite_shared::limits::LimitName;
use pincite_shared::settings::SelectionSettings;
use pincite_shared::term::is_identifier;
use pincite_shared::wire::interpretation::{Entity, Interpretation, Source};
use pincite_shared::wire::selection::{WireAnchor, WireAnchorSource};

use super::spelling;
use super::table::Signal;
use crate::completeness::Limits;

mod assign;
mod items;

/// What an anchor is, most wanted first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A script name that a record proves.
    Script,
    /// An identifier that the request asks for.
    Symbol,
    /// A number of an assigned entity whose type has markers.
    TypedId,
    /// A display name of an assigned entity, or one that the request asks for.
    Name,
    /// Another text that the request asks for.
    Text,
    /// A display name of an entity in focus.
    ContextName,
    /// The value of a context fact.
    ContextFact,
    /// A number of an assigned entity whose type has no markers.
    Id,
    /// A number that the request asks for and that belongs to no assigned entity.
    Number,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Symbol => "symbol",
            Self::TypedId | Self::Id => "id",
            Self::Name => "name",
            Self::Text => "text",
            Self::ContextName => "context_name",
            Self::ContextFact => "context_fact",
            Self::Number => "number",
        }
    }

    /// What a match of the anchor's text is worth by itself.
    pub(crate) fn signal(self) -> Signal {
        match self {
            Self::Script => Signal::Script,
            Self::Symbol => Signal::Symbol,
            Self::Name => Signal::Name,
            Self::Text => Signal::Text,
            Self::ContextName | Self::ContextFact => Signal::Context,
            Self::TypedId | Self::Id | Self::Number => Signal::Number,
        }
    }
}

/// One anchor group.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    pub(crate) variants: Vec<String>,
    pub(crate) entity_type: Option<String>,
    entity: Option<String>,
    roles: Vec<String>,
    source: WireAnchorSource,
}

impl Group {
    fn of_request(kind: Kind, text: &str) -> Self {
        Self {
            kind,
            text: text.into(),
            variants: Vec::new(),
            entity_type: None,
            entity: None,
            roles: Vec::new(),
            source: WireAnchorSource { document: "request".into(), sha256: None, pointer: "/text".into(), from: None },
        }
    }

    /// Whether a text is one of the group's spellings.
    fn is_spelled(&self, text: &str) -> bool {
        match self.kind {
            Kind::Name | Kind::ContextName | Kind::ContextFact => spelling::key(&self.text) == spelling::key(text),
            _ => self.text == text,
        }
    }

    pub(crate) fn to_wire(&self, id: String) -> WireAnchor {
        WireAnchor {
            group: id,
            text: self.text.clone(),
            variants: self.variants.clone(),
            kind: self.kind.name().into(),
            entity_type: self.entity_type.clone(),
            roles: self.roles.clone(),
            entity: self.entity.clone(),
            source: self.source.clone(),
        }
    }
}

/// What a request is about.
#[derive(Debug, Default)]
pub(crate) struct Anchors {
    /// In the order of their weight, those that the request's text names first.
    pub(crate) groups: Vec<Group>,
    /// What a match of the request's text is worth, by group.
    pub(crate) asked: Vec<(usize, Signal)>,
    /// Spelling keys of the places of the case.
    pub(crate) places: BTreeSet<String>,
    /// Why the text was not assigned.
    pub(crate) warnings: Vec<String>,
}

/// The name of a group on the wire.
pub(crate) fn group_id(number: usize) -> String {
    format!("g{}", number + 1)
}

/// Chooses the anchors of a request.
///
/// # Errors
/// `unknown_entity` for a reference that the interpretation does not name.
pub(crate) fn choose(
    settings: &SelectionSettings,
    interpretation: Option<&Interpretation>,
    text: &str,
    references: &[String],
    limits: &mut Limits,
) -> Result<Anchors, Failure> {
    let mut anchors = Anchors::default();
    if let Some(unknown) = references.iter().find(|id| interpretation.is_none_or(|one| !has_entity(one, id))) {
        let message = format!(
            "{unknown:?} is no entity of the interpretation{}; a reference names one by its `id`",
            if interpretation.is_none() { ", since none was given" } else { "" }
        );
        return Err(Failure::new(Code::UnknownEntity, message).field("entity_refs"));
    }
    if let Some(interpretation) = interpretation {
        let assigned = match references {
            [] => assign::by_text(settings, interpretation, text, &mut anchors.warnings),
            named => named.iter().filter_map(|id| place_of(interpretation, id)).collect(),
        };
        items::Items { settings, interpretation }.add(&assigned, &mut anchors);
    }
    let own = own_group(interpretation, text);
    if !anchors.groups.iter().any(|group| group.is_spelled(text)) {
        anchors.groups.push(own.clone());
    }
    // Stable: what the text names stands first, the rest in the order of its kinds.
    anchors.groups.sort_by_key(|group| (!group.is_spelled(text), group.kind));
    let most = settings.max_anchors as usize;
    if anchors.groups.len() > most {
        limits.reached(LimitName::MaxAnchors, most as u64, None);
        anchors.groups.truncate(most);
    }
    for (number, group) in anchors.groups.iter().enumerate().filter(|(_, group)| group.is_spelled(text)) {
        // An identifier that is asked for stays one when it is also a spelling of a name, but for the name itself.
        let signal =
            if group.kind == Kind::Script { Signal::Script } else { group.kind.signal().min(own.kind.signal()) };
        let is_number = matches!(group.kind, Kind::TypedId | Kind::Id);
        anchors.asked.push((number, if is_number { Signal::Number } else { signal }));
    }
    Ok(anchors)
}

fn has_entity(interpretation: &Interpretation, id: &str) -> bool {
    place_of(interpretation, id).is_some()
}

fn place_of(interpretation: &Interpretation, id: &str) -> Option<usize> {
    interpretation.document().entities.iter().position(|entity| entity.id == id)
}

/// What the request's text is by itself.
fn own_group(interpretation: Option<&Interpretation>, text: &str) -> Group {
    let entities = || interpretation.into_iter().flat_map(|one| &one.document().entities);
    let mut names = entities().flat_map(|entity: &Entity| &entity.names);
    // In another case a display name is still the display name; with `_` or joined words it is an identifier.
    let is_display_name = names.any(|name| name.to_lowercase() == text.to_lowercase());
    let unsigned = text.trim_start_matches(['-', '+', '.']);
    let kind = if is_display_name {
        Kind::Name
    } else if is_identifier(text) {
        Kind::Symbol
    } else if unsigned.starts_with(|c: char| c.is_ascii_digit()) || !spelling::has_letter(text) {
        Kind::Number
    } else {
        Kind::Text
    };
    let variants = if kind == Kind::Name { spelling::variants(text) } else { Vec::new() };
    Group { variants, ..Group::of_request(kind, text) }
}

/// The source of an item of the interpretation.
fn source(interpretation: &Interpretation, pointer: String, from: &Source) -> WireAnchorSource {
    WireAnchorSource {
        document: "interpretation".into(),
        sha256: Some(interpretation.sha256().into()),
        pointer,
        from: Some(from.clone()),
    }
}
