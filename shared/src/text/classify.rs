//! What a blob's content is (T-07).

/// Git looks for a NUL in this many bytes at the beginning (`buffer_is_binary` in its `xdiff-interface.c`).
const SNIFFED: usize = 8_000;

/// A Git LFS pointer is smaller than this (its specification).
const MAX_POINTER: usize = 1_024;

/// What a blob's content is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Searched.
    Text,
    /// A NUL within the first 8,000 bytes.
    Binary,
    /// UTF-16 text.
    Utf16,
    /// A Git LFS pointer.
    LfsPointer,
}

/// Tells what a blob is by its bytes alone; attributes and names change nothing (P-01).
///
/// UTF-16 is told by a byte order mark; or, in data that would be binary, by NULs at nearly all even or nearly all odd
/// offsets (ASCII text in UTF-16) and hardly any at the others.
pub fn classify(bytes: &[u8]) -> Content {
    let start = &bytes[..bytes.len().min(SNIFFED)];
    let is_utf32 = start.starts_with(&[0xff, 0xfe, 0, 0]);
    if !is_utf32 && (start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff])) {
        return Content::Utf16;
    }
    if memchr::memchr(0, start).is_some() {
        return if !is_utf32 && looks_like_utf16(start) { Content::Utf16 } else { Content::Binary };
    }
    if is_lfs_pointer(bytes) { Content::LfsPointer } else { Content::Text }
}

fn looks_like_utf16(start: &[u8]) -> bool {
    let units = start.len() / 2;
    let nuls = |offset: usize| start.chunks_exact(2).filter(|unit| unit[offset] == 0).count();
    let (even, odd) = (nuls(0), nuls(1));
    let (more, fewer) = (even.max(odd), even.min(odd));
    // A short blob must be all of one kind; 90 % of the units of a longer one must be, and 1 % may be NUL characters.
    units >= 2 && more * 10 >= units * 9 && fewer * 100 <= units
}

fn is_lfs_pointer(bytes: &[u8]) -> bool {
    let versions: [&[u8]; 2] =
        [b"version https://git-lfs.github.com/spec/v1\n", b"version https://hawser.github.com/spec/v1\n"];
    let has_line = |key: &[u8]| bytes.split(|byte| *byte == b'\n').any(|line| line.starts_with(key));
    bytes.len() < MAX_POINTER
        && versions.iter().any(|version| bytes.starts_with(version))
        && has_line(b"oid sha256:")
        && has_line(b"size ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    // T-07
    #[test]
    fn content_is_told_by_its_bytes() {
        let check =
            |bytes: &[u8], expected| assert_eq!(classify(bytes), expected, "{:?}", &bytes[..bytes.len().min(40)]);
        check(b"", Content::Text);
        check(b"int x;\n", Content::Text);
        check(b"caf\xe9\n", Content::Text);
        check("\u{feff}x".as_bytes(), Content::Text);
        check(b"a\0b", Content::Binary);
        check(b"\0\0\0\0", Content::Binary);
        let mut late = vec![b'a'; 7_999];
        late.push(0);
        check(&late, Content::Binary);
        late.insert(0, b'a');
        check(&late, Content::Text);
        check(&utf16("needle and more"), Content::Utf16);
        check(&[&[0xff, 0xfe][..], &utf16("x")].concat(), Content::Utf16);
        check(&[0xfe, 0xff, 0, b'x'], Content::Utf16);
        check(&[0xff, 0xfe, 0, 0, b'x', 0, 0, 0], Content::Binary);
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
        check(pointer, Content::LfsPointer);
        check(&pointer[..50], Content::Text);
        check(b"# version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 1\n", Content::Text);
    }
}
