//! Which entities a text names without doubt (C2-03).

use std::collections::BTreeSet;

use pincite_shared::settings::SelectionSettings;
use pincite_shared::wire::interpretation::{Entity, Interpretation};

use super::items;
use crate::selection::spelling;

/// Entities of the text, by their places in the interpretation.
///
/// A number names the entities that have it when all of them are of one type. A script name names the one entity whose
/// record proves it, a name the one entity that has it in any spelling. Whatever is shared by more is assigned to none.
pub(super) fn by_text(
    settings: &SelectionSettings,
    interpretation: &Interpretation,
    text: &str,
    warnings: &mut Vec<String>,
) -> Vec<usize> {
    let entities = &interpretation.document().entities;
    let which = |fits: &dyn Fn(&Entity) -> bool| -> Vec<usize> {
        entities.iter().enumerate().filter(|(_, entity)| fits(entity)).map(|(place, _)| place).collect()
    };
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        // With leading zeros it is another token than the entity's number.
        let number = text.parse::<u64>().ok().filter(|number| number.to_string() == text);
        let found = which(&|entity| number.is_some_and(|number| entity.ids.contains(&number)));
        let types: BTreeSet<&str> = found.iter().map(|place| entities[*place].entity_type.as_str()).collect();
        if types.len() > 1 {
            let types = types.into_iter().collect::<Vec<_>>().join(", ");
            warnings.push(format!(
                "the number {text} belongs to entities of several types ({types}) and was assigned to none; name one \
                 with `entity_refs`"
            ));
            return Vec::new();
        }
        return found;
    }
    let numbers = items::numbers_of_script(settings, interpretation, text);
    let is_proven = |entity: &Entity| entity.ids.iter().any(|id| numbers.contains(&(&entity.entity_type, *id)));
    let proven = if numbers.is_empty() { Vec::new() } else { which(&is_proven) };
    let key = spelling::key(text);
    let named = || which(&|entity| !key.is_empty() && entity.names.iter().any(|name| spelling::key(name) == key));
    let found = if proven.is_empty() { named() } else { proven };
    if found.len() > 1 {
        let ids = found.iter().map(|place| entities[*place].id.as_str()).collect::<Vec<_>>().join(", ");
        warnings.push(format!(
            "the text belongs to several entities ({ids}) and was assigned to none; name one with `entity_refs`"
        ));
        return Vec::new();
    }
    found
}
