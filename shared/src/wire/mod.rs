//! The wire: the only serde types of the protocol.

pub mod result;
