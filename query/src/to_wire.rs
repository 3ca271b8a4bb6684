//! From verified evidence to the wire.

use pincite_shared::wire::result::{WireBlock, WireFileId, WirePath, WireShortened};

use crate::verification::{FileId, Verified, Window, swhid};

pub(crate) fn file_id(id: &Verified<FileId>) -> WireFileId {
    WireFileId {
        path: WirePath::new(&id.path),
        blob: id.blob.to_string(),
        sha256: id.sha256.clone(),
        swhid: swhid(id.blob),
        bytes: id.bytes,
    }
}

pub(crate) fn block(window: &Window) -> WireBlock {
    let numbered = || window.lines.iter().zip(window.start.get()..);
    WireBlock {
        start_line: window.start.get(),
        lines: window.lines.iter().map(|line| line.text.clone()).collect(),
        shortened: numbered()
            .filter_map(|(line, number)| line.shortened.map(|chars| WireShortened { line: number, chars }))
            .collect(),
        lossy_lines: numbered().filter(|(line, _)| line.lossy).map(|(_, number)| number).collect(),
    }
}
