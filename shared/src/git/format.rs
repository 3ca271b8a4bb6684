//! The repository's format: what `core.repositoryFormatVersion` and `extensions.*` say.
//!
//! Like Git, this reads the repository's own `config` without includes
//! (<https://git-scm.com/docs/repository-version>). No other setting is looked at, so nothing in a configuration can
//! run a program or change an answer (P-01, P-03). A repository without the file has version 0.

use std::path::Path;

use super::GitError;
use super::location::read_small;
use crate::ids::ObjectFormat;

/// Bytes of a repository's `config` file.
const MAX_CONFIG_BYTES: u64 = 4 << 20;

/// What reading depends on.
pub(super) struct Format {
    pub(super) objects: ObjectFormat,
    /// References lie in a reftable, so revisions can not be looked up by name.
    pub(super) reftable: bool,
}

/// Reads the format of the repository whose common Git directory is `common`.
pub(super) fn read_format(common: &Path) -> Result<Format, GitError> {
    let unsupported = |reason: String| GitError::UnsupportedFormat { path: common.to_owned(), reason };
    let path = common.join("config");
    let content = read_small(&path, MAX_CONFIG_BYTES)
        .map_err(|source| GitError::Io { doing: format!("reading {}", path.display()), source })?;
    let Some(content) = content else {
        return Ok(Format { objects: ObjectFormat::Sha1, reftable: false });
    };
    let config = gix::config::File::from_bytes_no_includes(
        &content,
        gix::config::file::Metadata::from(gix::config::Source::Local),
        gix::config::file::init::Options::default(),
    )
    .map_err(|error| unsupported(format!("its config file can not be parsed ({error})")))?;

    let version = last_value(&config, "core", "repositoryformatversion").unwrap_or_else(|| "0".to_owned());
    let version = match version.trim() {
        "0" => 0,
        "1" => 1,
        other => return Err(unsupported(format!("core.repositoryFormatVersion is `{other}`"))),
    };
    let mut format = Format { objects: ObjectFormat::Sha1, reftable: false };
    for section in config.sections_by_name("extensions").into_iter().flatten() {
        if let Some(subsection) = section.header().subsection_name() {
            if version == 1 {
                return Err(unsupported(format!("unknown extension `extensions.{subsection}`")));
            }
            continue;
        }
        for name in section.value_names() {
            let name = name.to_ascii_lowercase();
            let value = section.value(&name).map(|value| value.to_string()).unwrap_or_default();
            apply_extension(&mut format, version, &name, &value).map_err(unsupported)?;
        }
    }
    Ok(format)
}

/// The value that stands last, which is the one that counts in Git.
fn last_value(config: &gix::config::File, section: &str, key: &str) -> Option<String> {
    config
        .sections_by_name(section)?
        .filter(|section| section.header().subsection_name().is_none())
        .filter_map(|section| section.value(key))
        .last()
        .map(|value| value.to_string())
}

fn apply_extension(format: &mut Format, version: u8, name: &str, value: &str) -> Result<(), String> {
    match name {
        // These do not change how objects are read. The first four are older than version 1.
        "noop" | "preciousobjects" | "partialclone" | "worktreeconfig" => Ok(()),
        "noop-v1" | "compatobjectformat" | "relativeworktrees" | "submodulepathconfig" if version == 1 => Ok(()),
        "objectformat" if version == 1 => {
            format.objects = match value {
                "sha1" => ObjectFormat::Sha1,
                "sha256" => ObjectFormat::Sha256,
                other => return Err(format!("extensions.objectFormat is `{other}`")),
            };
            Ok(())
        }
        "refstorage" if version == 1 => {
            format.reftable = match value.split(':').next() {
                Some("files") => false,
                Some("reftable") => true,
                _ => return Err(format!("extensions.refStorage is `{value}`")),
            };
            Ok(())
        }
        "objectformat" | "refstorage" => {
            Err(format!("extensions.{name} is set, but core.repositoryFormatVersion is not 1"))
        }
        _ if version == 1 => Err(format!("unknown extension `extensions.{name}`")),
        // Version 0 ignores what it does not know.
        _ => Ok(()),
    }
}
