//! Removes what no generation names: leftovers of crashes and of older generations. Only the writer does this.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use pincite_shared::index_format::generation::Generation;
use pincite_shared::index_format::{IndexError, layout};

/// Makes the folders of an index and empties the temporary one.
pub(crate) fn prepare(directory: &Path) -> Result<(), IndexError> {
    let temporary = directory.join(layout::TEMPORARY);
    if temporary.exists() {
        fs::remove_dir_all(&temporary).map_err(IndexError::io(&temporary))?;
    }
    for folder in [layout::SEGMENTS, layout::HINTS, layout::MANIFESTS, layout::TEMPORARY] {
        let folder = directory.join(folder);
        fs::create_dir_all(&folder).map_err(IndexError::io(&folder))?;
    }
    Ok(())
}

/// Removes every file in the index's folders that the published generation does not name. Readers that still use one
/// have it mapped, which unlinking does not disturb.
pub(crate) fn collect(directory: &Path, generation: &Generation) -> Result<(), IndexError> {
    let wanted: HashSet<PathBuf> = generation.files().map(|file| directory.join(&file.name)).collect();
    let segments: HashSet<&str> = generation.segments.iter().map(|segment| segment.name.as_str()).collect();
    for path in entries(&directory.join(layout::SEGMENTS))? {
        if !path.file_name().and_then(|name| name.to_str()).is_some_and(|name| segments.contains(name)) {
            fs::remove_dir_all(&path).map_err(IndexError::io(&path))?;
        }
    }
    for folder in [layout::HINTS, layout::MANIFESTS] {
        for path in entries(&directory.join(folder))? {
            if !wanted.contains(&path) {
                fs::remove_file(&path).map_err(IndexError::io(&path))?;
            }
        }
    }
    let current = layout::generation_name(generation.number);
    for path in entries(directory)? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name != current && (name.starts_with("generation-") || name.ends_with(".new")) {
            fs::remove_file(&path).map_err(IndexError::io(&path))?;
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, IndexError> {
    let read = fs::read_dir(folder).map_err(IndexError::io(folder))?;
    read.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(IndexError::io(folder))
}
