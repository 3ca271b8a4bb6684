//! The wire: requests as they come in and results as they go out, apart from the types of the core.

pub mod canonical;
pub mod interpretation;
mod members;
pub mod package;
pub mod pointer;
pub mod query;
pub mod request;
pub mod result;
pub mod schema;
pub mod selection;
pub mod strict_json;
