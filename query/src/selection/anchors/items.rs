//! The anchors that assigned entities, entities in focus and context facts give (C2-04, C2-05).

use pincite_shared::settings::SelectionSettings;
use pincite_shared::wire::interpretation::{Entity, Interpretation};
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

/// A number of a database, which may be captured as text.
fn number(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        other => other.as_u64(),
    }
}

impl Items<'_> {
    /// Adds the groups of the assigned entities and of the context, and the places of the case.
    pub(super) fn add(&self, assigned: &[usize], anchors: &mut Anchors) {
        let document = self.interpretation.document();
        let in_focus = |entity: &Entity| entity.roles.iter().any(|role| self.settings.focus_roles.contains(role));
        let focus: Vec<usize> =
            (0..document.entities.len()).filter(|place| in_focus(&document.entities[*place])).collect();
        for place in assigned {
            self.add_entity(*place, &mut anchors.groups);
        }
        for place in focus.iter().filter(|place| !assigned.contains(place)) {
            self.add_names(*place, Kind::ContextName, &mut anchors.groups);
        }
        for (place, fact) in document.facts.iter().enumerate() {
            let in_view = |id: &String| assigned.iter().chain(&focus).any(|place| document.entities[*place].id == *id);
            if !self.settings.context_fact_names.contains(&fact.name) || !fact.entity.as_ref().is_none_or(in_view) {
                continue;
            }
            anchors.places.extend(Some(spelling::key(&fact.value)).filter(|key| !key.is_empty()));
            if spelling::has_letter(&fact.value) {
                let source = source(self.interpretation, format!("/facts/{place}/value"), &fact.source);
                let group = Group {
                    kind: Kind::ContextFact,
                    text: fact.value.clone(),
                    variants: spelling::variants(&fact.value),
                    entity_type: None,
                    entity: fact.entity.clone(),
                    roles: Vec::new(),
                    source,
                };
                push(&mut anchors.groups, group);
            }
        }
    }

    /// What an assigned entity gives: scripts, numbers, names.
    fn add_entity(&self, place: usize, groups: &mut Vec<Group>) {
        let entity = &self.interpretation.document().entities[place];
        for script in scripts(self.settings, self.interpretation, entity) {
            let record = &self.interpretation.document().records[script.record];
            let column = script.column.replace('~', "~0").replace('/', "~1");
            let pointer = format!("/records/{}/row/{column}", script.record);
            let source = source(self.interpretation, pointer, &record.source);
            push(groups, Group { source, ..self.group(entity, Kind::Script, &script.text) });
        }
        let kind = if self.settings.has_markers(&entity.entity_type) { Kind::TypedId } else { Kind::Id };
        for (number, id) in entity.ids.iter().enumerate() {
            let pointer = format!("/entities/{place}/ids/{number}");
            let source = source(self.interpretation, pointer, &entity.source);
            push(groups, Group { source, ..self.group(entity, kind, &id.to_string()) });
        }
        self.add_names(place, Kind::Name, groups);
    }

    fn add_names(&self, place: usize, kind: Kind, groups: &mut Vec<Group>) {
        let entity = &self.interpretation.document().entities[place];
        for (number, name) in entity.names.iter().enumerate().filter(|(_, name)| spelling::has_letter(name)) {
            let pointer = format!("/entities/{place}/names/{number}");
            let source = source(self.interpretation, pointer, &entity.source);
            let variants = spelling::variants(name);
            push(groups, Group { source, variants, ..self.group(entity, kind, name) });
        }
    }

    fn group(&self, entity: &Entity, kind: Kind, text: &str) -> Group {
        Group {
            entity_type: Some(entity.entity_type.clone()),
            entity: Some(entity.id.clone()),
            roles: entity.roles.clone(),
            ..Group::of_request(kind, text)
        }
    }
}

/// Adds a group unless one stands for the same: a number within one type, a script, a name in any spelling.
fn push(groups: &mut Vec<Group>, group: Group) {
    let is_name = |kind| matches!(kind, Kind::Name | Kind::ContextName | Kind::ContextFact);
    let same = |known: &Group| match group.kind {
        Kind::TypedId | Kind::Id => known.text == group.text && known.entity_type == group.entity_type,
        Kind::Script => known.kind == Kind::Script && known.text == group.text,
        _ => is_name(known.kind) && spelling::key(&known.text) == spelling::key(&group.text),
    };
    if !groups.iter().any(same) {
        groups.push(group);
    }
}
