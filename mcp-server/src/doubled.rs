//! Members that stand twice in a call of a tool.
//!
//! The protocol's reader keeps the last of them, so the engine would answer another request than a person who reads the
//! message sees. Before it is read, such a message is marked in the `_meta` of its parameters, and the handler answers
//! a marked call with the error that a query has too. A client that sets the mark by itself is refused likewise.

use std::borrow::Cow;

use pincite_shared::failure::{Code, Failure};
use pincite_shared::wire::strict_json;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};

/// The mark: `{"member", "message"}`.
const MARK: &str = "pincite/doubled-member";

/// Bytes of a line that are looked at. The protocol's reader drops longer ones.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// Bytes that are on their way to the protocol's reader.
const BUFFER_BYTES: usize = 64 << 10;

/// The message, marked when it calls a tool and a member stands twice in it; else as it is.
pub(crate) fn marked(message: &[u8]) -> Cow<'_, [u8]> {
    mark(message).map_or(Cow::Borrowed(message), Cow::Owned)
}

fn mark(message: &[u8]) -> Option<Vec<u8>> {
    let text = str::from_utf8(message).ok()?;
    let failure = strict_json::parse_document(text, "the message").err()?;
    // Only a member that stands twice has a field; what is no JSON at all is the protocol's to refuse.
    let member = failure.field?;
    let mut value: Value = serde_json::from_str(text).ok()?;
    if value["method"] != "tools/call" {
        return None;
    }
    let parameters = value.get_mut("params")?.as_object_mut()?;
    let meta = parameters.entry("_meta").or_insert_with(|| json!({}));
    if !meta.is_object() {
        *meta = json!({});
    }
    meta[MARK] = json!({"member": member, "message": failure.message});
    serde_json::to_vec(&value).ok()
}

/// The failure of a marked call.
pub(crate) fn failure(meta: &Map<String, Value>) -> Option<Failure> {
    let mark = meta.get(MARK)?;
    let text = |name: &str| mark[name].as_str().map(str::to_owned);
    let message = text("message").unwrap_or_else(|| format!("`{MARK}` is not for clients to set; leave it out"));
    Some(Failure::new(Code::InvalidRequest, message).field(text("member").unwrap_or_else(|| MARK.into())))
}

/// The lines of a client, marked where they need to be.
pub(crate) fn marked_lines(client: impl AsyncRead + Send + Unpin + 'static) -> DuplexStream {
    let (mut to, from) = duplex(BUFFER_BYTES);
    tokio::spawn(async move {
        let mut client = BufReader::new(client);
        let mut line = Vec::new();
        loop {
            line.clear();
            match (&mut client).take(MAX_LINE_BYTES).read_until(b'\n', &mut line).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let message = line.strip_suffix(b"\n").unwrap_or(&line);
            let end = &line[message.len()..];
            let message = marked(message);
            // The reader is gone when the session is.
            if to.write_all(&message).await.is_err() || to.write_all(end).await.is_err() {
                return;
            }
        }
    });
    from
}
