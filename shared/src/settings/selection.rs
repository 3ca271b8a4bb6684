//! The settings of protocol 2: what an operator says about a project's namespaces, database columns, search spaces and
//! places (C2-01). Nothing of that is built into the engine.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::sorted;

/// The search spaces that a request can name (C2-14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScopeName {
    /// The program's source; the default.
    #[default]
    Code,
    /// The database schema as it is.
    Schema,
    /// Earlier database updates; only when asked for.
    HistoricalSql,
}

impl ScopeName {
    /// Every scope, in the order of the documentation.
    pub const ALL: [Self; 3] = [Self::Code, Self::Schema, Self::HistoricalSql];

    /// The name in profiles and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Schema => "schema",
            Self::HistoricalSql => "historical_sql",
        }
    }

    /// The scope of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// The names as they stand in errors.
    pub fn allowed() -> String {
        Self::ALL.map(|scope| format!("`{}`", scope.name())).join(", ")
    }
}

/// A search space: the paths of the commit that begin with one of `paths` and have one of the extensions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScopeSettings {
    /// Beginnings of paths, compared byte by byte like a `path_prefix`; empty means every path.
    pub paths: Vec<String>,
    /// Extensions instead of `source_analysis.extensions`; an empty list means every text file.
    pub extensions: Option<Vec<String>>,
    /// Extensions that are left out, whatever the others say.
    pub exclude_extensions: Vec<String>,
}

/// Beginnings of constants that belong to one type of entity, such as `NPC_` for creatures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeMarker {
    /// The entity type.
    pub entity_type: String,
    /// Beginnings of names.
    pub prefixes: Vec<String>,
}

/// A database table whose captured rows prove script names, such as `creature_template.entry → ScriptName`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntityTable {
    /// The type of the entities that the table describes.
    pub entity_type: String,
    /// The table.
    pub table: String,
    /// The column with the entity's number.
    pub id_column: String,
    /// The column with the script's name.
    pub script_column: String,
}

/// Where the code of one place of the world lies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LocationPaths {
    /// The place, as context facts name it.
    pub location: String,
    /// Beginnings of paths.
    pub paths: Vec<String>,
}

/// Everything that only protocol 2 reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectionSettings {
    /// Anchor groups of one query, the requested text included.
    pub max_anchors: u32,
    /// Files of one search that are weighed.
    pub max_candidates: u32,
    /// Files with weak numeric matches that are summarized.
    pub max_weak_summaries: u32,
    /// Roles of the entities that a case is about.
    pub focus_roles: Vec<String>,
    /// Names of the facts that give context.
    pub context_fact_names: Vec<String>,
    /// Search spaces; what is not here has no paths, apart from `code`.
    pub scopes: BTreeMap<ScopeName, ScopeSettings>,
    /// Namespaces of constants.
    pub type_markers: Vec<TypeMarker>,
    /// Tables that prove script names.
    pub entity_tables: Vec<EntityTable>,
    /// Known places of code.
    pub location_paths: Vec<LocationPaths>,
}

impl Default for SelectionSettings {
    fn default() -> Self {
        // Database text is no code, whatever a project's folders are called.
        let code = ScopeSettings { exclude_extensions: vec!["sql".into()], ..ScopeSettings::default() };
        Self {
            max_anchors: 8,
            max_candidates: 2_000,
            max_weak_summaries: 8,
            focus_roles: Vec::new(),
            context_fact_names: Vec::new(),
            scopes: BTreeMap::from([(ScopeName::Code, code)]),
            type_markers: Vec::new(),
            entity_tables: Vec::new(),
            location_paths: Vec::new(),
        }
    }
}

impl SelectionSettings {
    /// Whether the longest marker that a name begins with belongs to `entity_type`.
    ///
    /// The longest decides, so that `NPC_VEHICLE_` can be told from `NPC_`.
    pub fn is_marked(&self, name: &str, entity_type: &str) -> bool {
        let fitting = |marker: &&String| name.len() > marker.len() && name.starts_with(marker.as_str());
        let longest = |marker: &TypeMarker| marker.prefixes.iter().filter(fitting).map(String::len).max().unwrap_or(0);
        let best = self.type_markers.iter().map(longest).max().unwrap_or(0);
        best > 0 && self.type_markers.iter().any(|marker| marker.entity_type == entity_type && longest(marker) == best)
    }

    /// Whether constants of a type can be told by their names.
    pub fn has_markers(&self, entity_type: &str) -> bool {
        self.type_markers.iter().any(|marker| marker.entity_type == entity_type && !marker.prefixes.is_empty())
    }

    /// The members of [`super::Settings::canonical_json`] that protocol 2 adds, in any order.
    pub(super) fn canonical_members(&self) -> Map<String, Value> {
        let mut scopes = Map::new();
        for (name, scope) in self.scopes.iter().map(|(name, scope)| (name.name(), scope)).collect::<BTreeMap<_, _>>() {
            let mut members = Map::new();
            members.insert("exclude_extensions".into(), json!(sorted(&scope.exclude_extensions)));
            if let Some(extensions) = &scope.extensions {
                members.insert("extensions".into(), json!(sorted(extensions)));
            }
            members.insert("paths".into(), json!(sorted(&scope.paths)));
            scopes.insert(name.into(), members.into());
        }
        let mut tables: Vec<_> = self.entity_tables.iter().collect();
        tables.sort();
        let tables: Vec<_> = tables
            .iter()
            .map(|one| {
                json!({"id_column": one.id_column, "script_column": one.script_column, "table": one.table,
                       "type": one.entity_type})
            })
            .collect();
        let mut locations: Vec<_> = self.location_paths.iter().collect();
        locations.sort();
        let locations: Vec<_> =
            locations.iter().map(|one| json!({"location": one.location, "paths": sorted(&one.paths)})).collect();
        let mut markers: Vec<_> = self.type_markers.iter().collect();
        markers.sort();
        let markers: Vec<_> =
            markers.iter().map(|one| json!({"prefixes": sorted(&one.prefixes), "type": one.entity_type})).collect();
        Map::from_iter([
            ("context_fact_names".to_owned(), json!(sorted(&self.context_fact_names))),
            ("entity_tables".to_owned(), tables.into()),
            ("focus_roles".to_owned(), json!(sorted(&self.focus_roles))),
            ("location_paths".to_owned(), locations.into()),
            ("max_anchors".to_owned(), self.max_anchors.into()),
            ("max_candidates".to_owned(), self.max_candidates.into()),
            ("max_weak_summaries".to_owned(), self.max_weak_summaries.into()),
            ("scopes".to_owned(), scopes.into()),
            ("type_markers".to_owned(), markers.into()),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // C2-09
    #[test]
    fn the_longest_marker_decides() {
        let marker = |entity_type: &str, prefixes: &[&str]| TypeMarker {
            entity_type: entity_type.into(),
            prefixes: prefixes.iter().map(|one| (*one).to_owned()).collect(),
        };
        let settings = SelectionSettings {
            type_markers: vec![marker("creature", &["NPC_", "CREATURE_"]), marker("vehicle", &["NPC_VEHICLE_"])],
            ..SelectionSettings::default()
        };
        for (name, entity_type, expected) in [
            ("NPC_WOLPERTINGER", "creature", true),
            ("NPC_WOLPERTINGER", "vehicle", false),
            ("NPC_VEHICLE_X", "vehicle", true),
            ("NPC_VEHICLE_X", "creature", false),
            ("CREATURE_X", "creature", true),
            ("SPELL_X", "creature", false),
            ("NPC_", "creature", false),
            ("npc_x", "creature", false),
            ("MY_NPC_X", "creature", false),
        ] {
            assert_eq!(settings.is_marked(name, entity_type), expected, "{name} {entity_type}");
        }
        assert!(settings.has_markers("vehicle") && !settings.has_markers("quest"));
    }
}
