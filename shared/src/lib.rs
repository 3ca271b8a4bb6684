//! What the indexer and the query engine of pincite must agree on: identities, the text model, limits, errors,
//! access to Git, and the index format. No threads, no printing.

pub mod deadline;
pub mod failure;
pub mod git;
pub mod hints;
pub mod ids;
pub mod language;
pub mod limits;
pub mod path;
pub mod skip;
