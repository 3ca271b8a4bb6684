//! What the indexer and the query engine of pincite must agree on: identities, the text model, limits, errors,
//! access to Git, and the index format. No threads, no printing.

pub mod deadline;
pub mod failure;
pub mod git;
pub mod hints;
pub mod ids;
pub mod index_format;

pub mod language;
pub mod limits;
pub mod path;
pub mod profile;
pub mod settings;
pub mod skip;
pub mod term;
pub mod text;
pub mod tokenizer;
pub mod wire;
