//! A package's context and captures as resources: `pincite://context`, `pincite://capture/<sha256>`.

use pincite_query::package::Package;
use pincite_shared::failure::{Code, Failure};
use pincite_shared::wire::canonical::canonical;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde_json::Value;

/// The context's address.
pub(crate) const CONTEXT_URI: &str = "pincite://context";
/// What a capture's address begins with; its SHA-256 follows.
pub(crate) const CAPTURE_URI: &str = "pincite://capture/";

const JSON: &str = "application/json";

/// Resources on one page of a listing.
const PAGE: usize = 200;

/// One page of resources and where the next one begins.
pub(crate) fn list(package: &Package, cursor: Option<&str>) -> Result<(Vec<Resource>, Option<String>), Failure> {
    let names = package.capture_names()?;
    let start = match cursor {
        None => 0,
        // Captures only come in addition; whatever the name's place is now, the page goes on behind it.
        Some(after) if is_capture_name(after) => names.partition_point(|name| name.as_str() <= after),
        Some(_) => {
            return Err(Failure::new(Code::InvalidRequest, "the cursor is none of this server's").field("cursor"));
        }
    };
    let page = names.get(start..).unwrap_or_default();
    let mut resources = Vec::new();
    if cursor.is_none() {
        let about = "What the package is fixed to: commit, settings, contract, budget";
        resources.push(Resource::new(CONTEXT_URI, "context").with_title(about).with_mime_type(JSON));
    }
    for name in page.iter().take(PAGE) {
        let short = name.get(..12).unwrap_or(name);
        let resource = Resource::new(format!("{CAPTURE_URI}{name}"), format!("capture {short}"));
        resources.push(resource.with_title(title(package, name)).with_mime_type(JSON));
    }
    let next = page.get(PAGE - 1).filter(|_| page.len() > PAGE).cloned();
    Ok((resources, next))
}

/// The request that a capture answers, for a person.
fn title(package: &Package, name: &str) -> String {
    let Ok(capture) = package.capture(name) else { return "a capture that is damaged".to_owned() };
    let member = |member: &str| capture.request.get(member).and_then(Value::as_str);
    let what = ["text", "path", "path_prefix"].iter().find_map(|name| member(name)).unwrap_or_default();
    format!("{} {what}", member("kind").unwrap_or_default()).trim_end().to_owned()
}

/// The addresses that a client may build by itself.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let about = "One answered request with everything that decided its answer, checked against its hash";
    let template = ResourceTemplate::new(format!("{CAPTURE_URI}{{sha256}}"), "capture");
    vec![template.with_description(about).with_mime_type(JSON)]
}

/// What stands at an address; `None` when nothing does.
pub(crate) fn read(package: &Package, uri: &str) -> Result<Option<ResourceContents>, Failure> {
    let text = if uri == CONTEXT_URI {
        canonical(package.context())?
    } else {
        let Some(name) = uri.strip_prefix(CAPTURE_URI).filter(|name| is_capture_name(name)) else { return Ok(None) };
        if !package.capture_names()?.iter().any(|one| one == name) {
            return Ok(None);
        }
        // Canonical JSON, so these are the bytes that the name is the hash of.
        canonical(&package.capture(name)?)?
    };
    Ok(Some(ResourceContents::text(text, uri).with_mime_type(JSON)))
}

fn is_capture_name(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
