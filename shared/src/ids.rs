//! Identities: Git object ids, the pin, line numbers.
//!
//! These are newtypes so that an object id can not be taken for another string and a one-based line number not
//! for a zero-based position. Parsing checks; nothing here reads Git.

use std::fmt;

/// The hash function of a repository (`extensions.objectFormat`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObjectFormat {
    /// 20 bytes, computed with collision detection (P-05).
    Sha1,
    /// 32 bytes.
    Sha256,
}

impl ObjectFormat {
    /// Bytes of an object id in this format: 20 or 32.
    pub fn id_len(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha256 => 32,
        }
    }

    /// The wire name: `sha1` or `sha256`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
        }
    }

    /// The format whose ids have `len` bytes.
    pub fn from_id_len(len: usize) -> Option<Self> {
        match len {
            20 => Some(Self::Sha1),
            32 => Some(Self::Sha256),
            _ => None,
        }
    }
}

/// A full Git object id: 20 bytes (SHA-1) or 32 bytes (SHA-256). Never abbreviated.
///
/// Ids order by their bytes; ids of different formats never compare equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Oid {
    bytes: [u8; 32],
    len: u8,
}

impl Oid {
    /// An id from its raw bytes; `None` unless there are 20 or 32.
    pub fn from_bytes(raw: &[u8]) -> Option<Self> {
        ObjectFormat::from_id_len(raw.len())?;
        let mut bytes = [0; 32];
        bytes[..raw.len()].copy_from_slice(raw);
        Some(Self { bytes, len: raw.len() as u8 })
    }

    /// An id from 40 or 64 lower- or upper-case hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Self> {
        let text = text.as_bytes();
        if !matches!(text.len(), 40 | 64) {
            return None;
        }
        let mut raw = [0; 32];
        for (byte, pair) in raw.iter_mut().zip(text.chunks_exact(2)) {
            let digit = |d: u8| char::from(d).to_digit(16);
            *byte = u8::try_from(digit(pair[0])? * 16 + digit(pair[1])?).ok()?;
        }
        Self::from_bytes(&raw[..text.len() / 2])
    }

    /// The raw bytes, 20 or 32.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// The format that the id's length tells.
    pub fn format(&self) -> ObjectFormat {
        if self.len == 20 { ObjectFormat::Sha1 } else { ObjectFormat::Sha256 }
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The commit that everything is read from, and its tree (P-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The commit's full id.
    pub commit: Oid,
    /// The root tree that the re-hashed commit object names.
    pub tree: Oid,
}

impl Pin {
    /// The repository's object format.
    pub fn object_format(&self) -> ObjectFormat {
        self.commit.format()
    }
}

/// A line's number in its file, starting at 1 (T-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineNumber(u32);

impl LineNumber {
    /// `None` for 0.
    pub fn new(number: u32) -> Option<Self> {
        (number > 0).then_some(Self(number))
    }

    /// The number of the line at a zero-based index; saturates at the largest number.
    pub fn from_index(index: u32) -> Self {
        Self(index.saturating_add(1))
    }

    /// The number, at least 1.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for LineNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_ids_are_whole() {
        let hex = "75057b03b0d9c3d2f4a2c1e5a6b7c8d9e0f1a2b3";
        assert_eq!(Oid::from_hex(hex).map(|id| id.to_string()).as_deref(), Some(hex));
        assert_eq!(Oid::from_hex(&hex.repeat(2)[..64]).map(|id| id.format()), Some(ObjectFormat::Sha256));
        for bad in [
            "",
            "75057b03",
            &hex[1..],
            "z5057b03b0d9c3d2f4a2c1e5a6b7c8d9e0f1a2b3",
            "é5057b03b0d9c3d2f4a2c1e5a6b7c8d9e0f1a2b",
        ] {
            assert_eq!(Oid::from_hex(bad), None, "{bad}");
        }
    }

    #[test]
    fn newtypes_are_small() {
        assert_eq!(size_of::<Oid>(), 33);
        assert_eq!(size_of::<LineNumber>(), 4);
    }
}
