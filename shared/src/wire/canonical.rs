//! Canonical JSON (RFC 8785), the form that is stored and hashed: equal values give equal bytes.

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::failure::{Code, Failure};
use crate::index_format::generation::hex;

/// The canonical text of a value.
///
/// # Errors
/// `internal` for a value that JSON can not hold, such as a number that is not finite.
pub fn canonical(value: &impl Serialize) -> Result<String, Failure> {
    serde_json_canonicalizer::to_string(value)
        .map_err(|error| Failure::new(Code::Internal, format!("a value has no canonical JSON: {error}")))
}

/// SHA-256 of bytes, in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    // the examples of RFC 8785 that concern what captures hold, and the empty input's known hash.
    #[test]
    fn members_are_sorted_and_nothing_is_escaped_that_need_not_be() {
        let value = json!({"b": [1, true, null], "a": "é\u{2028}\"\\\n\u{1}", "A": {}, "1": 4294967295u32});
        assert_eq!(
            canonical(&value).unwrap(),
            "{\"1\":4294967295,\"A\":{},\"a\":\"é\u{2028}\\\"\\\\\\n\\u0001\",\"b\":[1,true,null]}"
        );
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
