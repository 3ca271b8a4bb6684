//! Hyperlinks in a terminal (OSC 8), from a template that the user gives.
//!
//! A link is written only where colours are. Whatever a path holds, it is percent-encoded, and a template has the
//! characters of a URI only, so nothing in either can end the escape sequence or begin another one.

use std::sync::OnceLock;

use pincite_shared::failure::{Code, Failure};
use pincite_shared::wire::result::WirePath;

static CHOSEN: OnceLock<Template> = OnceLock::new();

/// Short forms of a forge's templates: the beginning, and what stands before and behind the repository's name.
const FORGES: [(&str, &str, &str); 2] = [
    ("github:", "https://github.com/", "/blob/{commit}/{path}#L{line}"),
    ("gitlab:", "https://gitlab.com/", "/-/blob/{commit}/{path}#L{line}"),
];

/// Settles once, before anything is printed, where links lead.
///
/// # Errors
/// `invalid_request` with the field `hyperlink`, which says what is allowed.
pub(crate) fn choose_hyperlink(template: Option<&str>) -> Result<(), Failure> {
    if let Some(text) = template {
        // Only the command line chooses, and it comes first.
        let _ = CHOSEN.set(Template::parse(text)?);
    }
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Commit,
    Path,
    Line,
}

/// A URI with placeholders.
#[derive(Debug, PartialEq, Eq)]
struct Template(Vec<Part>);

impl Template {
    /// Reads a template, or the short form of a forge.
    fn parse(text: &str) -> Result<Self, Failure> {
        let fault = |problem: String| {
            let message = format!(
                "`--hyperlink` is {text:?}, which {problem}; allowed is a URI such as \
                 https://code.example.org/{{commit}}/{{path}}#L{{line}} with the placeholders {{path}}, {{commit}} and \
                 {{line}}, the first of them needed, or github:OWNER/NAME, or gitlab:GROUP/NAME"
            );
            Failure::new(Code::InvalidRequest, message).field("hyperlink")
        };
        for (short, host, rest) in FORGES {
            if let Some(name) = text.strip_prefix(short) {
                return match is_repository(name) {
                    true => Self::parts(&format!("{host}{name}{rest}")).map_err(fault),
                    false => Err(fault(format!("does not name a repository behind `{short}`"))),
                };
            }
        }
        Self::parts(text).map_err(fault)
    }

    fn parts(text: &str) -> Result<Self, String> {
        let scheme = text.split_once(':').map(|(scheme, _)| scheme).unwrap_or_default();
        if !scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            || !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        {
            return Err("does not begin with the scheme of a URI, such as `https:`".into());
        }
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, behind) = behind.split_once('}').ok_or("has a `{` without its `}`")?;
            parts.push(literal(before)?);
            parts.push(match name {
                "commit" => Part::Commit,
                "path" => Part::Path,
                "line" => Part::Line,
                other => return Err(format!("has the unknown placeholder `{{{}}}`", other.escape_debug())),
            });
            rest = behind;
        }
        parts.push(literal(rest)?);
        match parts.contains(&Part::Path) {
            true => Ok(Self(parts)),
            false => Err("has no `{path}`".into()),
        }
    }

    fn uri(&self, commit: &str, path: &[u8], line: u32) -> String {
        let parts = self.0.iter().map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Commit => encoded(commit.as_bytes()),
            Part::Path => encoded(path),
            Part::Line => line.to_string(),
        });
        parts.collect()
    }
}

/// The characters of RFC 3986; everything else is for the writer of the template to encode.
fn literal(text: &str) -> Result<Part, String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
    match text.chars().find(|c| !allowed(*c)) {
        Some(c) => Err(format!("has {c:?}, which is no character of a URI; write it percent-encoded")),
        None => Ok(Part::Text(text.into())),
    }
}

/// Whether this is the name of a repository below its owner or groups.
fn is_repository(name: &str) -> bool {
    let segment = |one: &str| {
        one.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
            && !["", ".", ".."].contains(&one)
    };
    name.contains('/') && name.split('/').all(segment)
}

/// Percent-encodes everything but the unreserved characters of RFC 3986 and the slashes between segments.
fn encoded(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(byte.into()),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Links to the files of one commit.
#[derive(Clone, Copy)]
pub(super) struct Links<'a> {
    template: Option<&'static Template>,
    commit: &'a str,
}

impl<'a> Links<'a> {
    /// Links when `on`, which is where colours are, and when a template was given.
    pub(super) fn new(on: bool, commit: &'a str) -> Self {
        Self { template: if on { CHOSEN.get() } else { None }, commit }
    }

    /// Text that was made ready for a terminal, linked to a line of a file.
    pub(super) fn at(self, path: &WirePath, line: u32, text: &str) -> String {
        match self.template {
            None => text.to_owned(),
            Some(template) => {
                let uri = template.uri(self.commit, &path.bytes(), line);
                format!("\x1b]8;;{uri}\x1b\\{text}\x1b]8;;\x1b\\")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_in() {
        let check = |template: &str, path: &[u8], expected: &str| {
            assert_eq!(Template::parse(template).unwrap().uri("c0ffee", path, 7), expected);
        };
        check("x-y+1.z:{path}", b"a/b.c", "x-y+1.z:a/b.c");
        check("https://h/{commit}/{path}?at={line}&p={path}", b"a b", "https://h/c0ffee/a%20b?at=7&p=a%20b");
        check("github:o-1/n.m", b"%#?", "https://github.com/o-1/n.m/blob/c0ffee/%25%23%3F#L7");
        check("gitlab:g/h/n", b"\"\n\x1b\\\x07\xff", "https://gitlab.com/g/h/n/-/blob/c0ffee/%22%0A%1B%5C%07%FF#L7");
    }

    #[test]
    fn other_templates_are_refused() {
        for (template, says) in [
            ("https://h/{commit}", "has no `{path}`"),
            ("", "scheme"),
            ("{path}", "scheme"),
            ("1a:{path}", "scheme"),
            ("a b:{path}", "scheme"),
            ("/srv/{path}", "scheme"),
            ("https://h/{path}{Line}", "unknown placeholder `{Line}`"),
            ("https://h/{path}{}", "unknown placeholder `{}`"),
            ("https://h/{path}{{", "`{` without its `}`"),
            ("https://h/{path}}", "'}'"),
            ("https://h/{path}\u{1b}\\", "'\\u{1b}'"),
            ("https://h/{path}\u{7}", "'\\u{7}'"),
            ("https://h/{path}{\u{1b}}", "`{\\u{1b}}`"),
            ("https://h/ {path}", "' '"),
            ("https://h/\u{f6}{path}", "'ö'"),
            ("github:name", "does not name a repository"),
            ("github:a/../b", "does not name a repository"),
            ("gitlab:a/b?c", "does not name a repository"),
        ] {
            let failure = Template::parse(template).expect_err(template);
            assert_eq!((failure.code, failure.field.as_deref()), (Code::InvalidRequest, Some("hyperlink")));
            assert!(failure.message.contains(says), "{template:?}: {failure}");
            assert!(!failure.message.contains(|c: char| c.is_control()), "{template:?}: {failure:?}");
        }
    }
}
