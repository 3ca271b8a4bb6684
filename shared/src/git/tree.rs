//! One tree object: decoded strictly and sorted.
//!
//! The grammar is `<octal mode> SP <name> NUL <id>`, repeated. Names are data, so `.git` is allowed, but a name that
//! could not be one segment of a path (empty, `.`, `..`, with a `/`) makes the tree corrupt, as do two entries of one
//! name. An unsorted tree is accepted and sorted: its meaning is clear, and old tools wrote such trees.

use std::cmp::Ordering;

use super::GitError;
use crate::ids::Oid;

/// What a tree entry is, apart from a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntryKind {
    /// A regular file (mode 100644 and its historic variants).
    File,
    /// A regular file whose owner may execute it (100755).
    Executable,
    /// A symbolic link; the blob is its target (120000).
    Symlink,
    /// A commit of another repository (160000); its object is not here.
    Submodule,
}

/// One entry's place in [`Tree::data`]. Twelve bytes, so that a decoded tree is less than twice its object.
struct Slot {
    name: u32,
    name_len: u32,
    /// `None` for a directory.
    kind: Option<EntryKind>,
}

/// A checked tree, in Git's order: directories sort as if their names ended in a slash, so that a walk in this order
/// meets full paths in byte order.
pub(super) struct Tree {
    data: Box<[u8]>,
    slots: Box<[Slot]>,
    id_len: usize,
}

/// One entry, borrowed.
pub(super) struct Entry<'a> {
    pub(super) name: &'a [u8],
    /// `None` for a directory.
    pub(super) kind: Option<EntryKind>,
    pub(super) oid: Oid,
}

impl Tree {
    /// Decodes the content of the tree `id`.
    pub(super) fn decode(id: Oid, data: &[u8]) -> Result<Self, GitError> {
        let id_len = id.format().id_len();
        let mut slots = Vec::new();
        let mut at = 0;
        while at < data.len() {
            let (slot, next) = decode_entry(data, at, id_len)
                .map_err(|reason| GitError::corrupt(id, format!("its entry {}: {reason}", slots.len())))?;
            slots.push(slot);
            at = next;
        }
        let mut tree = Self { data: data.into(), slots: Box::default(), id_len };
        // Both sorts take linear time on trees in order. A file and a directory of one name need not be neighbours in
        // Git's order, hence the first.
        slots.sort_by(|a, b| tree.name(a).cmp(tree.name(b)));
        if let Some(pair) = slots.windows(2).find(|pair| tree.name(&pair[0]) == tree.name(&pair[1])) {
            let name = String::from_utf8_lossy(tree.name(&pair[0])).into_owned();
            return Err(GitError::corrupt(id, format!("it has two entries named {name:?}")));
        }
        slots.sort_by(|a, b| order((tree.name(a), a.kind.is_none()), (tree.name(b), b.kind.is_none())));
        tree.slots = slots.into();
        Ok(tree)
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Bytes of the tree object.
    pub(super) fn byte_len(&self) -> usize {
        self.data.len()
    }

    pub(super) fn entry(&self, index: usize) -> Option<Entry<'_>> {
        let slot = self.slots.get(index)?;
        let name = self.name(slot);
        let id_at = slot.name as usize + name.len() + 1;
        let oid = Oid::from_bytes(&self.data[id_at..id_at + self.id_len])?;
        Some(Entry { name, kind: slot.kind, oid })
    }

    /// The entry of that name, whatever it is.
    pub(super) fn find(&self, name: &[u8]) -> Option<Entry<'_>> {
        [false, true].into_iter().find_map(|is_tree| {
            let found = self
                .slots
                .binary_search_by(|slot| order((self.name(slot), slot.kind.is_none()), (name, is_tree)))
                .ok()?;
            self.entry(found)
        })
    }

    fn name(&self, slot: &Slot) -> &[u8] {
        let start = slot.name as usize;
        &self.data[start..start + slot.name_len as usize]
    }

    /// Bytes that it takes in memory.
    pub(super) fn memory(&self) -> usize {
        self.data.len() + self.slots.len() * size_of::<Slot>() + size_of::<Self>()
    }
}

/// Git's order of `(name, is a directory)`.
fn order((a, a_is_tree): (&[u8], bool), (b, b_is_tree): (&[u8], bool)) -> Ordering {
    let common = a.len().min(b.len());
    let next = |name: &[u8], is_tree: bool| name.get(common).copied().or(is_tree.then_some(b'/'));
    a[..common]
        .cmp(&b[..common])
        .then_with(|| next(a, a_is_tree).cmp(&next(b, b_is_tree)))
        .then_with(|| a.len().cmp(&b.len()))
}

/// Decodes the entry at `at`; returns the offset behind it.
fn decode_entry(data: &[u8], at: usize, id_len: usize) -> Result<(Slot, usize), &'static str> {
    let rest = &data[at..];
    let space = rest.iter().take(8).position(|byte| *byte == b' ').ok_or("the mode is cut off or too long")?;
    let kind = decode_mode(&rest[..space])?;
    let name_and_id = &rest[space + 1..];
    let name_len = memchr::memchr(0, name_and_id).ok_or("the name is cut off")?;
    let name = &name_and_id[..name_len];
    match name {
        b"" => return Err("the name is empty"),
        b"." | b".." => return Err("the name is `.` or `..`"),
        _ if name.contains(&b'/') => return Err("the name has a slash"),
        _ => {}
    }
    if name_and_id.len() - name_len - 1 < id_len {
        return Err("the object id is cut off");
    }
    let name_at = at + space + 1;
    let narrow = |value: usize| u32::try_from(value).map_err(|_| "the tree is too large");
    Ok((Slot { name: narrow(name_at)?, name_len: narrow(name_len)?, kind }, name_at + name_len + 1 + id_len))
}

/// The kind that an octal mode tells, by its file type bits as in Git's `canon_mode`; `None` is a directory.
fn decode_mode(digits: &[u8]) -> Result<Option<EntryKind>, &'static str> {
    if digits.is_empty() {
        return Err("the mode is empty");
    }
    let mut mode = 0u32;
    for digit in digits {
        let value = char::from(*digit).to_digit(8).ok_or("the mode is not octal")?;
        mode = mode << 3 | value;
    }
    match mode & 0o170_000 {
        0o040_000 => Ok(None),
        0o100_000 if mode & 0o100 != 0 => Ok(Some(EntryKind::Executable)),
        0o100_000 => Ok(Some(EntryKind::File)),
        0o120_000 => Ok(Some(EntryKind::Symlink)),
        0o160_000 => Ok(Some(EntryKind::Submodule)),
        _ => Err("the mode is unknown"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(entries: &[(&str, &[u8])]) -> Result<Tree, GitError> {
        let id = Oid::from_bytes(&[7; 20]).expect("20 bytes");
        let mut data = Vec::new();
        for (mode, name) in entries {
            data.extend_from_slice(mode.as_bytes());
            data.push(b' ');
            data.extend_from_slice(name);
            data.push(0);
            data.extend_from_slice(&[1; 20]);
        }
        Tree::decode(id, &data)
    }

    fn names(tree: &Tree) -> Vec<String> {
        let name = |index| tree.entry(index).map(|entry: Entry<'_>| String::from_utf8_lossy(entry.name).into_owned());
        (0..tree.len()).filter_map(name).collect()
    }

    #[test]
    fn entries_are_in_path_order() {
        let tree = tree(&[
            ("100644", b"a0"),
            ("40000", b"a"),
            ("100755", b"a.c"),
            ("120000", b"B"),
            ("160000", b".git"),
            ("100664", b"-"),
        ])
        .expect("valid");
        assert_eq!(names(&tree), ["-", ".git", "B", "a.c", "a", "a0"]);
        let kind = |name: &[u8]| tree.find(name).map(|entry| entry.kind);
        assert_eq!(kind(b"a"), Some(None));
        assert_eq!(kind(b"a.c"), Some(Some(EntryKind::Executable)));
        assert_eq!(kind(b"-"), Some(Some(EntryKind::File)));
        assert_eq!(kind(b"B"), Some(Some(EntryKind::Symlink)));
        assert_eq!(kind(b".git"), Some(Some(EntryKind::Submodule)));
        assert_eq!(kind(b"b"), None);
    }

    // P-04
    #[test]
    fn hostile_entries_are_refused() {
        for entries in [
            &[("100644", &b""[..])][..],
            &[("100644", b".")],
            &[("40000", b"..")],
            &[("100644", b"a/b")],
            &[("100644", b"a"), ("100644", b"a")],
            &[("100644", b"a"), ("100644", b"a.c"), ("40000", b"a")],
            &[("", b"a")],
            &[("10064x", b"a")],
            &[("0", b"a")],
            &[("60000", b"a")],
            &[("000000000100644", b"a")],
        ] {
            assert!(matches!(tree(entries), Err(GitError::ObjectCorrupt { .. })), "{entries:?}");
        }
        let id = Oid::from_bytes(&[7; 32]).expect("32 bytes");
        for cut in [&b"100644 a\0\x01\x02"[..], b"100644 a", b"100644", b"100644 "] {
            assert!(Tree::decode(id, cut).is_err(), "{cut:?}");
        }
        assert_eq!(Tree::decode(id, b"").map(|tree| tree.len()).ok(), Some(0));
    }

    #[test]
    fn slots_are_small() {
        assert_eq!(size_of::<Slot>(), 12);
    }
}
