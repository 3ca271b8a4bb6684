//! The anchors that assigned entities, entities in focus and context facts give (C2-04, C2-05).

use std::collections::HashSet;

use pincite_shared::settings::SelectionSettings;
use pincite_shared::wire::interpretation::{Entity, Interpretation};
use pincite_shared::wire::pointer;
use serde_json::Value;

use super::{Anchors, Group, Kind, source};
use crate::selection::spelling;

/// Where anchors are taken from.
pub(super) struct Items<'a> {
    pub(super) settings: &'a SelectionSettings,
    pub(super) interpretation: &'a Interpretation,
}

/// A script name that a captured record proves.
pub(super) struct Script {
    pub(super) text: String,
    /// The record's place in the interpretation.
    record: usize,
    column: String,
}

/// The script names of an entity: only from records of tables that the profile maps to its type.
pub(super) fn scripts(settings: &SelectionSettings, interpretation: &Interpretation, entity: &Entity) -> Vec<Script> {
    let mut found: Vec<Script> = Vec::new();
    for (place, record) in interpretation.document().records.iter().enumerate() {
        let maps = settings
            .entity_tables
            .iter()
            .filter(|map| map.table == record.table && map.entity_type == entity.entity_type);
        for map in maps {
            let id = record.row.get(&map.id_column).and_then(number);
            let script = record.row.get(&map.script_column).and_then(Value::as_str);
            if let (Some(id), Some(script)) = (id, script)
                && entity.ids.contains(&id)
                && spelling::has_letter(script)
                && !found.iter().any(|known| known.text == script)
            {
                found.push(Script { text: script.into(), record: place, column: map.script_column.clone() });
            }
        }
    }
    found
}

/// The entity types and numbers that records prove a script name for.
pub(super) fn numbers_of_script<'a>(
    settings: &'a SelectionSettings,
    interpretation: &Interpretation,
    text: &str,
) -> HashSet<(&'a String, u64)> {
    let mut found = HashSet::new();
    for record in &interpretation.document().records {
        for map in settings.entity_tables.iter().filter(|map| map.table == record.table) {
            let is_text = record.row.get(&map.script_column).and_then(Value::as_str) == Some(text);
            let id = record.row.get(&map.id_column).and_then(number);
            found.extend(id.filter(|_| is_text).map(|id| (&map.entity_type, id)));
        }
    }
    found
}

/// A number of a database, which may be captured as text.
fn number(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        other => other.as_u64(),
    }
}

/// Groups in the making: one for each thing.
#[derive(Default)]
struct Groups {
    list: Vec<Group>,
    seen: HashSet<(&'static str, String)>,
}

impl Groups {
    /// Adds a group unless one stands for the same: a number within one type, a script, a name in any spelling.
    fn push(&mut self, group: Group) {
        let thing = match group.kind {
            Kind::TypedId | Kind::Id => {
                ("id", format!("{} {}", group.text, group.entity_type.as_deref().unwrap_or_default()))
            }
            Kind::Script => ("script", group.text.clone()),
            _ => ("name", spelling::key(&group.text)),
        };
        if self.seen.insert(thing) {
            self.list.push(group);
        }
    }
}

impl Items<'_> {
    /// Adds the groups of the assigned entities and of the context, and the places of the case.
    pub(super) fn add(&self, assigned: &[usize], anchors: &mut Anchors) {
        let document = self.interpretation.document();
        let mut groups = Groups::default();
        for place in assigned {
            self.add_entity(*place, &mut groups);
        }
        let mut in_view: HashSet<usize> = assigned.iter().copied().collect();
        for (place, entity) in document.entities.iter().enumerate() {
            let in_focus = entity.roles.iter().any(|role| self.settings.focus_roles.contains(role));
            if in_focus && in_view.insert(place) {
                self.add_names(place, Kind::ContextName, &mut groups);
            }
        }
        let in_view: HashSet<&String> = in_view.into_iter().map(|place| &document.entities[place].id).collect();
        for (place, fact) in document.facts.iter().enumerate() {
            let is_context = self.settings.context_fact_names.contains(&fact.name);
            if is_context && fact.entity.as_ref().is_none_or(|id| in_view.contains(id)) {
                anchors.places.extend(Some(spelling::key(&fact.value)).filter(|key| !key.is_empty()));
                self.add_fact(place, &mut groups);
            }
        }
        anchors.groups = groups.list;
    }

    /// What an assigned entity gives: scripts, numbers, names.
    fn add_entity(&self, place: usize, groups: &mut Groups) {
        let entity = &self.interpretation.document().entities[place];
        for script in scripts(self.settings, self.interpretation, entity) {
            let record = &self.interpretation.document().records[script.record];
            let pointer = pointer::below(&format!("/records/{}/row", script.record), &script.column);
            let source = source(self.interpretation, pointer, &record.source);
            groups.push(Group { source, ..of_entity(entity, Kind::Script, &script.text) });
        }
        let kind = if self.settings.has_markers(&entity.entity_type) { Kind::TypedId } else { Kind::Id };
        for (number, id) in entity.ids.iter().enumerate() {
            let pointer = format!("/entities/{place}/ids/{number}");
            let source = source(self.interpretation, pointer, &entity.source);
            groups.push(Group { source, ..of_entity(entity, kind, &id.to_string()) });
        }
        self.add_names(place, Kind::Name, groups);
    }

    fn add_names(&self, place: usize, kind: Kind, groups: &mut Groups) {
        let entity = &self.interpretation.document().entities[place];
        for (number, name) in entity.names.iter().enumerate().filter(|(_, name)| spelling::has_letter(name)) {
            let pointer = format!("/entities/{place}/names/{number}");
            let source = source(self.interpretation, pointer, &entity.source);
            let variants = spelling::variants(name);
            groups.push(Group { source, variants, ..of_entity(entity, kind, name) });
        }
    }

    fn add_fact(&self, place: usize, groups: &mut Groups) {
        let fact = &self.interpretation.document().facts[place];
        if spelling::has_letter(&fact.value) {
            groups.push(Group {
                variants: spelling::variants(&fact.value),
                entity: fact.entity.clone(),
                source: source(self.interpretation, format!("/facts/{place}/value"), &fact.source),
                ..Group::of_request(Kind::ContextFact, &fact.value)
            });
        }
    }
}

fn of_entity(entity: &Entity, kind: Kind, text: &str) -> Group {
    Group {
        entity_type: Some(entity.entity_type.clone()),
        entity: Some(entity.id.clone()),
        roles: entity.roles.clone(),
        ..Group::of_request(kind, text)
    }
}
