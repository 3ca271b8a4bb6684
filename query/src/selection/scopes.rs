//! Search spaces (C2-14): which paths a request of protocol 2 looks into.
//!
//! An empty prefix is the search space. A prefix within it narrows it. A prefix that reaches further than it is cut to
//! it, and what it would have added is counted in `outside` under `scope`. A prefix that has nothing in common with it
//! is refused.

use pincite_shared::failure::{Code, Failure};
use pincite_shared::settings::ScopeName;

use crate::engine::Engine;
use crate::scope::ScopeRules;

/// The rules of a search space below a prefix.
///
/// # Errors
/// `unsafe_path`; `outside_scope`; `invalid_request` for a search space that the profile does not have.
pub(super) fn rules(engine: &Engine, name: ScopeName, prefix: &str) -> Result<ScopeRules, Failure> {
    let plain = engine.scope_rules(prefix)?;
    let configured = &engine.settings.source_analysis.selection.scopes;
    let Some(scope) = configured.get(&name) else {
        let known = configured.keys().map(|name| format!("`{}`", name.name())).collect::<Vec<_>>().join(", ");
        let name = name.name();
        let message = format!(
            "the profile has no scope `{name}`; {known} can be searched, and `[source_analysis.scopes.{name}]` adds it"
        );
        return Err(Failure::new(Code::InvalidRequest, message).field("scope"));
    };
    let meets = |path: &String| path.starts_with(prefix) || prefix.starts_with(path.as_str());
    if !scope.paths.is_empty() && !scope.paths.iter().any(meets) {
        let paths = scope.paths.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ");
        let message = format!(
            "`path_prefix` {prefix:?} lies outside the scope `{}`, which covers {paths}; narrow the prefix within it, or \
             ask for another scope",
            name.name()
        );
        return Err(Failure::new(Code::OutsideScope, message).field("path_prefix"));
    }
    Ok(ScopeRules {
        paths: scope.paths.iter().map(|path| path.clone().into_bytes()).collect(),
        extensions: scope.extensions.clone().unwrap_or(plain.extensions.clone()),
        exclude: scope.exclude_extensions.clone(),
        ..plain
    })
}
