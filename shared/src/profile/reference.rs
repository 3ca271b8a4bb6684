//! The reference of configuration keys, written from their table: `docs/configuration.md`.

use super::keys::{KEYS, KeyKind, TABLES};

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
        for key in KEYS.iter().filter(|key| key.table == table && key.protocol() == 1) {
            let allowed = key.allowed();
            let allowed = allowed.trim_end_matches(',');
            let default = key.default_toml().map(|toml| format!("`{toml}`")).unwrap_or_default();
            page += &format!("| `{}` | {allowed} | {default} | {} |\n", key.name, key.about);
        }
    }
    page += "\n## Keys of protocol 2\n\nThey stand in `[source_analysis]`, need `protocol = 2`, and are refused in this \
             version.\n\n| key | meaning |\n| --- | --- |\n";
    for key in KEYS.iter().filter(|key| matches!(key.kind, KeyKind::Protocol2)) {
        page += &format!("| `{}` | {} |\n", key.name, key.about);
    }
    page
}
