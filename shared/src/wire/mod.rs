//! The wire: requests as they come in, apart from the types of the core.

mod members;
pub mod request;
pub mod strict_json;
