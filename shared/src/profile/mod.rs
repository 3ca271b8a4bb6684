//! The profile: the operator's file (`pincite.toml`) that fixes repository, pin, index, limits and settings.
//!
//! [`keys`] is the one table of configuration keys; reading and documentation both come from it.

mod canonical;
mod error;
mod fields;
pub mod keys;
mod read;
mod reference;
pub mod tables;
#[cfg(test)]
mod tests;

pub use canonical::settings_from_canonical;
pub use error::{ProfileError, ProfileProblem};
pub use read::{MAX_PROFILE_BYTES, Profile};
pub use reference::reference_markdown;
