//! bincode, behind one module, so that a successor is a change of one file.
//!
//! Variable-length integers, little endian. Decoding is bounded by the input and never allocates more than it claims.

use bincode::config::{Configuration, Limit, LittleEndian, Varint};

/// No record is larger than this: 64 MiB.
const MAX_RECORD: usize = 64 << 20;

const CONFIG: Configuration<LittleEndian, Varint, Limit<MAX_RECORD>> =
    bincode::config::standard().with_limit::<MAX_RECORD>();

/// The bytes of a record.
pub(super) fn encode<T: bincode::Encode>(record: &T) -> Vec<u8> {
    bincode::encode_to_vec(record, CONFIG).expect("records hold only owned data below the limit, which always encodes")
}

/// A record that fills all of `bytes`; `None` when it does not.
pub(super) fn decode<T: bincode::Decode<()>>(bytes: &[u8]) -> Option<T> {
    match bincode::decode_from_slice(bytes, CONFIG) {
        Ok((record, used)) if used == bytes.len() => Some(record),
        _ => None,
    }
}
