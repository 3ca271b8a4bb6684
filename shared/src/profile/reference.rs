//! The reference of configuration keys, written from their table: `docs/configuration.md`.

use super::keys::{KEYS, Key, KeyKind, TABLES};
use super::tables::Field;
use crate::settings::{Protocol, ScopeName};

const INTRODUCTION: &str = "\
# Configuration

This page is generated from the table of keys in `shared/src/profile/keys.rs`.

A profile is a TOML file, by default `pincite.toml` in the current directory; `--profile FILE` names another. It is \
UTF-8 and has at most 1 MiB. An unknown key, a wrong type or a value out of range is the error `invalid_profile`, \
which names the key, its line and what is allowed; nothing runs then.
";

/// The content of `docs/configuration.md`.
pub fn reference_markdown() -> String {
    let mut page = INTRODUCTION.to_owned();
    for (table, about) in TABLES {
        page += &format!(
            "\n## `[{table}]`\n\n{about}\n\n| key | allowed | default | meaning |\n| --- | --- | --- | --- |\n"
        );
        for key in KEYS.iter().filter(|key| key.table == table && key.protocol == Protocol::One) {
            page += &row(key);
        }
    }
    page += "\n## Keys of protocol 2\n\nThey stand in `[source_analysis]`, need `protocol = 2`, and are refused under \
             protocol 1. [selection.md](selection.md) has the rules that they feed.\n\n\
             | key | allowed | default | meaning |\n| --- | --- | --- | --- |\n";
    for key in KEYS.iter().filter(|key| key.protocol == Protocol::Two) {
        page += &row(key);
    }
    for key in KEYS {
        page += &match key.kind {
            KeyKind::Tables { fields, .. } => fields_of(&format!("[[{}]]", key.dotted()), fields),
            KeyKind::Scopes { fields, .. } => {
                let names = ScopeName::ALL.map(|scope| format!("[{}.{}]", key.dotted(), scope.name()));
                fields_of(&names.join("`, `"), fields)
            }
            _ => continue,
        };
    }
    page
}

fn row(key: &Key) -> String {
    let allowed = key.allowed();
    let is_table = matches!(key.kind, KeyKind::Tables { .. } | KeyKind::Scopes { .. });
    let allowed = format!("{}{}", allowed.trim_end_matches(','), if is_table { "; see below" } else { "" });
    let default = key.default_toml().map(|toml| format!("`{toml}`")).unwrap_or_default();
    format!("| `{}` | {allowed} | {default} | {} |\n", key.name, key.about)
}

fn fields_of(title: &str, fields: &[Field]) -> String {
    let mut page = format!("\n### `{title}`\n\n| key | allowed | needed | meaning |\n| --- | --- | --- | --- |\n");
    for field in fields {
        let (allowed, needed) = (field.allowed(), if field.required { "yes" } else { "no" });
        let allowed = allowed.trim_end_matches(',');
        page += &format!("| `{}` | {allowed} | {needed} | {} |\n", field.name, field.about);
    }
    page
}
