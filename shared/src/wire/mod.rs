//! The wire: requests as they come in and results as they go out, apart from the types of the core.

pub mod interpretation;
mod members;
pub mod request;
pub mod result;
pub mod selection;
pub mod strict_json;
