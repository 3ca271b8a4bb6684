//! `pincite mcp` and `pincite serve`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pincite_mcp_server::{Backend, HttpOptions, IndexSource, serve_http, serve_stdio};
use pincite_query::package::Package;
use pincite_shared::failure::{Code, Failure};

use super::query::{engine, engine_of};
use crate::flags::{McpArguments, Place, ServeArguments};
use crate::render;

pub(crate) fn mcp(place: &Place, arguments: &McpArguments) -> Result<(), Failure> {
    serve_stdio(backend(place, arguments)?)
}

pub(crate) fn serve(place: &Place, arguments: &ServeArguments) -> Result<(), Failure> {
    let options = HttpOptions {
        listen: arguments.listen.clone(),
        token: arguments.token_file.as_deref().map(token).transpose()?,
        hosts: arguments.allow_host.clone(),
    };
    options.check()?;
    serve_http(backend(place, &arguments.source)?, &options, |address| {
        render::note(&format!("listening on http://{address}"));
    })
}

fn backend(place: &Place, arguments: &McpArguments) -> Result<Arc<Backend>, Failure> {
    let commit = arguments.commit.as_deref();
    let package = arguments.package.as_deref().map(Package::open).transpose()?;
    let engine = match &package {
        Some(package) => engine_of(place, package, commit)?,
        None => engine(place, commit, arguments.interpretation.as_deref())?,
    };
    let engine = engine.keeping(arguments.cache << 20);
    Backend::new(IndexSource::new(engine), package)
}

fn token(file: &Path) -> Result<String, Failure> {
    let text = fs::read_to_string(file).map_err(|error| {
        let message = format!("the token in {} could not be read: {error}", file.display());
        Failure::new(Code::InvalidRequest, message).field("token-file")
    })?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}
