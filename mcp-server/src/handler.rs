//! The Model Context Protocol's requests, answered by the backend.

use std::borrow::Cow;
use std::sync::Arc;

use pincite_query::{Reply, render};
use pincite_shared::failure::{Code, Failure};
use pincite_shared::wire::result::WireError;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, MetaObject, PaginatedRequestParams,
    ProgressNotificationParam, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData as Refusal, ServerHandler};
use serde_json::{Map, Value, json};

use crate::backend::{Backend, Replied};
use crate::{doubled, resources, tools};

/// The revisions that are spoken: the newest that the SDK knows and the two before it.
const VERSIONS: &[ProtocolVersion] =
    &[ProtocolVersion::V_2025_06_18, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28];

/// Names the capture of an answer in `_meta`: its SHA-256.
const META_CAPTURE: &str = "pincite/capture";
/// Names the captures of a bundle's answers in `_meta`, in their order, null for errors.
const META_CAPTURES: &str = "pincite/captures";

/// Serves one client. All clients share the backend.
#[derive(Clone)]
pub(crate) struct Handler {
    backend: Arc<Backend>,
    tools: Arc<[Tool]>,
    config: Arc<ServerConfig>,
}

impl Handler {
    pub(crate) fn new(backend: Arc<Backend>) -> Self {
        let protocol = backend.protocol();
        let capabilities = ServerCapabilities::builder().enable_tools();
        let capabilities = match backend.package() {
            Some(_) => capabilities.enable_resources().build(),
            None => capabilities.build(),
        };
        let config = ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("pincite", env!("CARGO_PKG_VERSION")).with_title("pincite"))
            .with_instructions(backend.instructions());
        Self { backend, tools: tools::tools(protocol).into(), config: Arc::new(config) }
    }

    async fn call(&self, name: &str, arguments: Option<Map<String, Value>>) -> Result<CallToolResult, Refusal> {
        let Some(query) = tools::query(name, arguments, self.backend.protocol()) else {
            let known: Vec<_> = self.tools.iter().map(|tool| tool.name.as_ref()).collect();
            let message = format!("there is no tool {name:?}; there are {}", known.join(", "));
            return Err(Refusal::invalid_params(message, None));
        };
        let replied = match query {
            Ok(query) => self.backend.ask(query).await,
            Err(failure) => {
                self.backend.count_invalid(&failure);
                Err(failure)
            }
        };
        Ok(match replied.and_then(|replied| result(&replied)) {
            Ok(result) => result,
            Err(failure) => error(&failure),
        })
    }
}

/// The reply as structured content, and its rendering for a model as text.
fn result(replied: &Replied) -> Result<CallToolResult, Failure> {
    let value = serde_json::to_value(&replied.reply)
        .map_err(|error| Failure::new(Code::Internal, format!("a reply did not serialize: {error}")))?;
    let mut result = CallToolResult::success(vec![ContentBlock::text(render::prompt_reply(&replied.reply))]);
    result.structured_content = Some(value);
    let named = match (&replied.reply, replied.captures.first()) {
        (Reply::One(_), Some(Some(capture))) => Some((META_CAPTURE, json!(capture))),
        (Reply::Bundle(_), _) if replied.captures.iter().any(Option::is_some) => {
            Some((META_CAPTURES, json!(replied.captures)))
        }
        _ => None,
    };
    result.meta = named.map(|(name, value)| MetaObject(Map::from_iter([(name.to_owned(), value)])));
    Ok(result)
}

/// A controlled error: a tool's error, which the model sees and can correct.
fn error(failure: &Failure) -> CallToolResult {
    let value = serde_json::to_value(WireError::from(failure)).unwrap_or_default();
    let mut result = CallToolResult::error(vec![ContentBlock::text(value.to_string())]);
    result.structured_content = Some(value);
    result
}

/// A failure where the protocol has no place for a tool's error.
fn refusal(failure: &Failure) -> Refusal {
    let data = serde_json::to_value(WireError::from(failure)).ok();
    match failure.code {
        Code::InvalidRequest => ErrorData::invalid_params(failure.message.clone(), data),
        _ => ErrorData::internal_error(failure.message.clone(), data),
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        (*self.config).clone()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(VERSIONS)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, Refusal> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Refusal> {
        let token = context.meta.get_progress_token();
        let progress = |step: f64, message: &'static str| {
            let token = token.clone();
            let peer = context.peer.clone();
            async move {
                if let Some(token) = token {
                    let told = ProgressNotificationParam::new(token, step).with_total(1.0).with_message(message);
                    // A client that does not listen any more gets its answer, or does not, all the same.
                    let _ = peer.notify_progress(told).await;
                }
            }
        };
        let work = async {
            progress(0.0, "begun").await;
            let result = match doubled::failure(&context.meta) {
                None => self.call(&request.name, request.arguments).await?,
                Some(failure) => {
                    self.backend.count_invalid(&failure);
                    error(&failure)
                }
            };
            progress(1.0, "answered").await;
            Ok(result.into())
        };
        tokio::select! {
            biased;
            // The answer to a cancelled request is dropped by the SDK; what matters is that the work is, too.
            () = context.ct.cancelled() => Err(Refusal::internal_error("the request was cancelled", None)),
            result = work => result,
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, Refusal> {
        let cursor = request.and_then(|request| request.cursor);
        let listed = self.backend.blocking(move |backend| match backend.package() {
            Some(package) => resources::list(package, cursor.as_deref()),
            None => Ok((Vec::new(), None)),
        });
        let (resources, next) = listed.await.map_err(|failure| refusal(&failure))?;
        let mut result = ListResourcesResult::with_all_items(resources);
        result.next_cursor = next;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, Refusal> {
        let templates = self.backend.package().map(|_| resources::templates()).unwrap_or_default();
        Ok(ListResourceTemplatesResult::with_all_items(templates))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, Refusal> {
        let uri = request.uri.clone();
        let read = self.backend.blocking(move |backend| match backend.package() {
            Some(package) => resources::read(package, &uri),
            None => Ok(None),
        });
        match read.await.map_err(|failure| refusal(&failure))? {
            Some(contents) => Ok(ReadResourceResult::new(vec![contents]).into()),
            None => Err(Refusal::resource_not_found(format!("there is no resource {}", request.uri), None)),
        }
    }
}
