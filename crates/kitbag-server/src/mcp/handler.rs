//! The handler that the SDK calls: it runs operations on threads that may block.

use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse, Implementation, JsonObject,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, MetaObject,
    PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{NotificationContext, Peer, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};

use super::lines::{MOST_BYTES, TOO_LONG};
use super::roots::{KnownRoots, Roots};
use super::{prompts, resources};
use crate::caller::{Caller, CallerGone, handed_over};
use crate::operations::{arguments_of, in_sets, waits};
use crate::queue::Queue;
use crate::{Call, Operation, OperationReply, PROJECT, Project, Projects, Set, Steps};
use kitbag_door::failure::Failure;

/// How long a client may keep lists: they never change while a server runs.
const LISTS_FRESH_MS: u64 = 3_600_000;

/// The longest message of an error.
const MOST_ERROR_CHARS: usize = 600;

/// Models read it once, when they connect. Clients cut it at about 2 KB.
const INSTRUCTIONS: &str = "\
Kitbag knows this repository: code, tests, config, docs, names, history. \
Before you grep or read files for a task, call build_context_pack with the task; it returns what you need with exact paths and \
line numbers, so go there directly and do not search for the same again. \
For one question use query_context, for a name locate_symbol. \
Pass the same `session` string (any id you make up for this conversation) with every call: what you were sent before is then \
referred to instead of repeated. If an answer says that indexing is under way, it holds for the part that is done; ask again \
later. \
If an answer says that no project is named, pass the absolute path of the repository as `project` with every call.";

#[derive(Clone)]
pub(crate) struct Handler {
    projects: Arc<Projects>,
    roots: Arc<Roots>,
    sets: Arc<[Set]>,
    /// Shared by all clients of a server.
    queue: Arc<Queue>,
}

impl Handler {
    pub(crate) fn new(projects: Arc<Projects>, sets: &[Set], queue: Arc<Queue>) -> Handler {
        Handler {
            projects,
            roots: Arc::default(),
            sets: sets.into(),
            queue,
        }
    }

    async fn roots_of(&self, peer: &Peer<RoleServer>) -> Vec<PathBuf> {
        if self.projects.asks_for_roots() {
            self.roots.of_peer(peer).await
        } else {
            Vec::new()
        }
    }

    /// The project for requests that cannot name one.
    async fn project(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<Result<Arc<Project>, Failure>, ErrorData> {
        let (roots, projects) = (self.roots_of(&context.peer).await, Arc::clone(&self.projects));
        self.run(context, move || projects.find(None, &roots)).await
    }

    /// Runs work that is not an operation, when its turn comes.
    async fn run<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let done = self.queue.run(&caller(context).user, false, work).await;
        done.map_err(|failure| ErrorData::internal_error(told(&failure), None))
    }

    fn find(&self, name: &str) -> Option<&'static Operation> {
        in_sets(&self.sets).find(|operation| operation.name == name)
    }

    /// Runs an operation on a thread that may block, passes on the progress of indexing, and stops waiting when the caller
    /// does.
    async fn perform(
        &self,
        operation: &'static Operation,
        arguments: Value,
        roots: Vec<PathBuf>,
        context: &RequestContext<RoleServer>,
    ) -> Result<OperationReply, Failure> {
        let (steps, mut heard) = tokio::sync::watch::channel(Steps::default());
        // Also if a connection ends: then this future is dropped.
        let gone = CallerGone::default();
        let caller = caller(context);
        let user = Arc::clone(&caller.user);
        let work = {
            let (handler, gone) = (self.clone(), Arc::clone(&gone.0));
            move || {
                let asked = Call {
                    door: "mcp",
                    in_terminal: false,
                    project: None,
                    user: &caller.user,
                    id: &caller.id,
                    now: handler.projects.now(),
                    tell: &|seen| {
                        steps.send_if_modified(|last| {
                            let is_new = last != seen;
                            last.clone_from(seen);
                            is_new
                        });
                    },
                    stop: &|| gone.load(Ordering::Relaxed),
                };
                handler.projects.answer(operation, arguments, &roots, &asked)
            }
        };
        // If it is dropped while it waits for its turn, it never starts.
        let mut working = pin!(self.queue.run(&user, waits(operation), work));
        let token = context.meta.get_progress_token();
        let (mut listening, mut told) = (token.is_some(), 0_u64);
        loop {
            tokio::select! {
                done = &mut working => return done?,
                () = context.ct.cancelled() => {
                    return Err(Failure::trouble("CANCELLED", "the request was cancelled"));
                }
                changed = heard.changed(), if listening => {
                    // On an error the work is done, and its result arrives next.
                    listening = changed.is_ok();
                    let seen = heard.borrow_and_update().clone();
                    // The protocol requires that it grows with every notification.
                    if let Some(token) = token.clone().filter(|_| seen.percent() > told) {
                        told = seen.percent();
                        let mut progress = ProgressNotificationParam::new(token, told as f64);
                        progress.total = Some(100.0);
                        progress.message = Some(seen.describe());
                        // A client that does not listen needs none of these.
                        let _ = context.peer.notify_progress(progress).await;
                    }
                }
            }
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        let mut server = Implementation::new("kitbag", env!("CARGO_PKG_VERSION"));
        server.title = Some("Kitbag".to_owned());
        ServerConfig::new(capabilities)
            .with_server_info(server)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut result = ListToolsResult::with_all_items(in_sets(&self.sets).map(tool).collect());
        result.ttl_ms = Some(LISTS_FRESH_MS);
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(operation) = self.find(&request.name) else {
            let known: Vec<&str> = in_sets(&self.sets).map(|operation| operation.name).collect();
            let message = format!("unknown tool `{}`; known are {}", request.name, known.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let is_named = request
            .arguments
            .as_ref()
            .and_then(|given| given.get(PROJECT))
            .is_some_and(|value| !value.is_null());
        let roots = if is_named || !self.projects.asks_for_roots() {
            // A relative path is inside a root, if roots are known.
            self.roots.known().await
        } else {
            match self.roots.of_call(&request, &context).await {
                KnownRoots::Roots(roots) => roots,
                KnownRoots::Ask(question) => return Ok(question.into()),
            }
        };
        let arguments = request.arguments.map_or(Value::Null, Value::Object);
        let result = match self.perform(operation, arguments, roots, &context).await {
            Ok(mut done) => {
                // Not for a call that was cancelled meanwhile: its answer is not sent (ENG-40).
                let shown = done.delivery.take().filter(|_| !context.ct.is_cancelled());
                handed_over(shown.into_iter().collect()).await;
                answered(done)
            }
            Err(failure) => CallToolResult::error(vec![ContentBlock::text(told(&failure))]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let user = caller(&context).user;
        let found = match self.project(&context).await? {
            Ok(project) => {
                self.run(&context, move || resources::list(&project, &user))
                    .await?
            }
            // Without a project there is nothing to read.
            Err(_) => Vec::new(),
        };
        Ok(ListResourcesResult::with_all_items(found))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut result = ListResourceTemplatesResult::with_all_items(resources::templates());
        result.ttl_ms = Some(LISTS_FRESH_MS);
        Ok(result)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let user = caller(&context).user;
        let project = self
            .project(&context)
            .await?
            .map_err(|failure| ErrorData::resource_not_found(told(&failure), None))?;
        let read = self.run(&context, move || resources::read(&project, &user, &request.uri));
        Ok(read.await??.into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(match request.method.as_str() {
            TOO_LONG => {
                let message = format!("the message is longer than {MOST_BYTES} bytes; send less of it");
                ErrorData::invalid_request(message, Some(json!({"code": "TOO_LARGE"})))
            }
            _ => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None),
        })
    }

    /// Begins to index before the first question.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let handler = self.clone();
        tokio::spawn(async move {
            let roots = handler.roots_of(&context.peer).await;
            // Errors are reported to the first caller.
            let _ = tokio::task::spawn_blocking(move || handler.projects.find(None, &roots)).await;
        });
    }

    async fn on_roots_list_changed(&self, _: NotificationContext<RoleServer>) {
        self.roots.forget().await;
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut result = ListPromptsResult::with_all_items(prompts::list());
        result.ttl_ms = Some(LISTS_FRESH_MS);
        Ok(result)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(prompts::get(&request.name, request.arguments.unwrap_or_default())?.into())
    }
}

/// The caller: over HTTP the user that the guard accepted (SEC-5), else the only client.
fn caller(context: &RequestContext<RoleServer>) -> Caller {
    let parts = context.extensions.get::<axum::http::request::Parts>();
    let known = parts.and_then(|parts| parts.extensions.get::<Caller>());
    known.cloned().unwrap_or_else(|| Caller {
        user: Arc::from(""),
        in_terminal: false,
        id: Arc::from(format!("mcp-{}", context.id)),
    })
}

fn tool(operation: &Operation) -> Tool {
    let annotations = ToolAnnotations::new()
        .read_only(operation.read_only)
        .idempotent(operation.idempotent)
        .open_world(false);
    // A tool that only reads needs no further hint.
    let annotations = if operation.read_only {
        annotations
    } else {
        annotations.destructive(operation.destructive)
    };
    let schema = arguments_of(operation).clone().to_value();
    let mut schema = match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    };
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (_, name) in FOR_PROGRAMS.iter().filter(|(tool, _)| *tool == operation.name) {
            properties.remove(*name);
        }
        properties.insert(
            PROJECT.to_owned(),
            json!({"type": "string", "description": "A path, if not the open one."}),
        );
    }
    Tool::new(operation.name, operation.description, schema).with_annotations(annotations)
}

/// Arguments of tools that are accepted but not listed. Programs use them, models do not need them, and each would cost
/// tokens in every conversation (MCP-2).
const FOR_PROGRAMS: &[(&str, &str)] = &[
    ("query_context", "exclude"),
    ("query_context", "k"),
    ("query_context", "kinds"),
    ("query_context", "min_score"),
];

/// Text only: a client that gets text and structure shows a model only one of them (MCP-3). A caller that requested JSON gets
/// the same JSON in both.
fn answered(done: OperationReply) -> CallToolResult {
    let structure = done
        .wants_data
        .then(|| serde_json::from_str::<Value>(&done.text).ok())
        .flatten();
    let from_cache = done.from_cache;
    let blocks = done.note.into_iter().chain([done.text]).map(ContentBlock::text);
    let mut result = CallToolResult::success(blocks.collect());
    result.structured_content = structure;
    if from_cache {
        let mut meta = MetaObject::new();
        meta.0.insert("kitbag/cacheHit".to_owned(), Value::Bool(true));
        result.meta = Some(meta);
    }
    result
}

/// An error that a model can act on: what is wrong and what to do.
fn told(failure: &Failure) -> String {
    // It may repeat what was sent, which may be long.
    let message = match failure.message.char_indices().nth(MOST_ERROR_CHARS) {
        Some((end, _)) => format!("{}…", &failure.message[..end]),
        None => failure.message.clone(),
    };
    match &failure.hint {
        Some(hint) => format!("[{}] {message}; {hint}", failure.code),
        None => format!("[{}] {message}", failure.code),
    }
}
