//! The settings that decide what an answer holds: the shared limits and source analysis (L-01, C1-06).
//!
//! They come from a profile (see [`crate::profile`]) or are the defaults. A capture carries them in the form of
//! [`Settings::canonical_json`], so every value that can change an answer stands here, and nothing that can not.

mod selection;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::language::EXTENSIONS;
use crate::limits::ProjectLimits;

pub use selection::{EntityTable, LocationPaths, ScopeName, ScopeSettings, SelectionSettings, TypeMarker};

/// The rules by which `source.context` answers (`source_analysis.protocol`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Protocol {
    /// Lexical chain and windows.
    #[default]
    One,
    /// Anchors from an interpretation, and selection by signals.
    Two,
}

impl Protocol {
    /// Every protocol.
    pub const ALL: [Self; 2] = [Self::One, Self::Two];

    /// The number on the wire and in profiles.
    pub fn number(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

/// How source analysis chooses and cuts (`[source_analysis]`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceAnalysis {
    /// Whether `source.context` answers. A profile switches it on with the table `[source_analysis]`; without any
    /// profile it is on.
    pub enabled: bool,
    /// The rules of selection.
    pub protocol: Protocol,
    /// Lines shown before and after each match; 0 shows the matching line only.
    pub context_lines: u32,
    /// Searches of one query, the requested one included.
    pub max_searches: u32,
    /// Matches considered per search.
    pub max_matches: u32,
    /// Files with windows.
    pub max_files: u32,
    /// Windows after merging.
    pub max_blocks: u32,
    /// Lines in all windows together.
    pub max_total_lines: u32,
    /// Beginnings of the names of registration functions, sorted; empty follows no registrations.
    pub registration_prefixes: Vec<String>,
    /// Extensions of the files that are searched, lower case without dot, sorted; **empty means every text file**.
    pub extensions: Vec<String>,
    /// What only protocol 2 reads.
    pub selection: SelectionSettings,
}

impl Default for SourceAnalysis {
    fn default() -> Self {
        Self {
            enabled: true,
            protocol: Protocol::One,
            context_lines: 8,
            max_searches: 4,
            max_matches: 12,
            max_files: 8,
            max_blocks: 12,
            max_total_lines: 160,
            registration_prefixes: Vec::new(),
            extensions: EXTENSIONS.iter().map(|(extension, _)| (*extension).to_owned()).collect(),
            selection: SelectionSettings::default(),
        }
    }
}

/// Everything that is configured about answers. The default is what applies without a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The limits of every operation.
    pub limits: ProjectLimits,
    /// Source analysis.
    pub source_analysis: SourceAnalysis,
}

impl Settings {
    /// What a person at a command line expects of a search without a profile: every text file, every match, however
    /// long it takes.
    pub fn unlimited() -> Self {
        let mut settings = Self::default();
        settings.limits.timeout_ms = 0;
        settings.limits.max_search_bytes = u64::MAX;
        settings.limits.max_result_bytes = u64::MAX;
        settings.source_analysis.max_matches = u32::MAX;
        settings.source_analysis.extensions = Vec::new();
        settings
    }

    /// The settings as JSON with sorted keys, the form that is stored and hashed.
    ///
    /// Equal settings give equal bytes: lists are sorted and freed of duplicates, since their order has no meaning.
    /// What only protocol 2 reads stands there under protocol 2 only, so that the form of protocol 1 stays what it was.
    pub fn canonical_json(&self) -> Value {
        let limits = &self.limits;
        let analysis = &self.source_analysis;
        // The map keeps the order of insertion, so the keys stand here in the order of their names.
        let mut value = json!({
            "limits": {
                "max_file_bytes": limits.max_file_bytes,
                "max_line_chars": limits.max_line_chars,
                "max_lines": limits.max_lines,
                "max_result_bytes": limits.max_result_bytes,
                "max_search_bytes": limits.max_search_bytes,
                "timeout_ms": limits.timeout_ms,
            },
            "source_analysis": {
                "context_lines": analysis.context_lines,
                "enabled": analysis.enabled,
                "extensions": sorted(&analysis.extensions),
                "max_blocks": analysis.max_blocks,
                "max_files": analysis.max_files,
                "max_matches": analysis.max_matches,
                "max_searches": analysis.max_searches,
                "max_total_lines": analysis.max_total_lines,
                "protocol": analysis.protocol.number(),
                "registration_prefixes": sorted(&analysis.registration_prefixes),
            },
        });
        if analysis.protocol == Protocol::Two
            && let Some(Value::Object(members)) = value.get_mut("source_analysis")
        {
            members.extend(analysis.selection.canonical_members());
            let by_name: BTreeMap<String, Value> = std::mem::take(members).into_iter().collect();
            *members = Map::from_iter(by_name);
        }
        value
    }
}

fn sorted(list: &[String]) -> Vec<&String> {
    let mut list: Vec<_> = list.iter().collect();
    list.sort();
    list.dedup();
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_sorted(value: &Value) {
        if let Value::Object(map) = value {
            assert!(map.keys().is_sorted(), "{:?}", map.keys());
            map.values().for_each(check_sorted);
        }
    }

    #[test]
    fn canonical_json_is_sorted_and_independent_of_list_order() {
        let mut settings = Settings::default();
        check_sorted(&settings.canonical_json());
        let before = settings.canonical_json().to_string();
        settings.source_analysis.extensions.reverse();
        assert_eq!(settings.canonical_json().to_string(), before);
        settings.limits.max_lines += 1;
        assert_ne!(settings.canonical_json().to_string(), before);
    }

    // C2-01 C2-06: protocol 1 has the form it always had; under protocol 2 every setting of it counts.
    #[test]
    fn settings_of_protocol_2_count_under_protocol_2_only() {
        let mut settings = Settings::default();
        let before = settings.canonical_json().to_string();
        settings.source_analysis.selection.max_anchors = 3;
        settings.source_analysis.selection.focus_roles = vec!["target".into()];
        assert_eq!(settings.canonical_json().to_string(), before);
        settings.source_analysis.protocol = Protocol::Two;
        check_sorted(&settings.canonical_json());
        let with = settings.canonical_json().to_string();
        for member in ["\"protocol\":2", "\"max_anchors\":3", "\"focus_roles\":[\"target\"]", "\"scopes\":{\"code\""] {
            assert!(with.contains(member), "{with}");
        }
        settings.source_analysis.selection.type_markers =
            vec![TypeMarker { entity_type: "creature".into(), prefixes: vec!["NPC_".into()] }];
        assert_ne!(settings.canonical_json().to_string(), with);
    }
}
