//! A blob as tantivy sees it: one text value.

use std::iter::{Once, once};

use tantivy::Document;
use tantivy::schema::Field;

/// One field with the blob's text. Blobs that are not valid UTF-8 have U+FFFD in place of the bad bytes, which is no
/// word character either, so tokens and lines are the same.
pub(super) struct BlobDocument {
    field: Field,
    text: String,
}

impl BlobDocument {
    pub(super) fn new(field: Field, blob: Vec<u8>) -> Self {
        let text =
            String::from_utf8(blob).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Self { field, text }
    }
}

impl Document for BlobDocument {
    type Value<'a> = &'a String;
    type FieldsValuesIter<'a> = Once<(Field, &'a String)>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        once((self.field, &self.text))
    }
}
