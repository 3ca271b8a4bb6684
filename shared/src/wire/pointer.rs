//! JSON Pointers (RFC 6901).

/// A name as a reference token: `~` and `/` are escaped.
pub fn token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The pointer to what stands under a name, or at a number, in what `pointer` leads to.
pub fn below(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", token(name))
}
