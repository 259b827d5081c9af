//! Resources (MCP-5): an overview of the project, and its latest packs by id.

use kitbag_engine::api::{self, SavedPack};
use rmcp::model::{ErrorData, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

use crate::{Project, overview};
use kitbag_door::failure::Failure;

const OVERVIEW: &str = "kitbag://overview";
const PACK: &str = "kitbag://pack/";
const MARKDOWN: &str = "text/markdown";

/// The overview, then the packs, newest first. If the store cannot be read, there are no packs.
pub(super) fn list(project: &Project, user: &str) -> Vec<Resource> {
    let overview = Resource::new(OVERVIEW, "overview")
        .with_title("Overview of the repository")
        .with_description("Languages, size, central files, state of the index")
        .with_mime_type(MARKDOWN);
    let open = project.current();
    let ids = api::kept_packs(&open.engine, user).unwrap_or_default();
    let packs = ids.into_iter().map(|id| {
        let task = saved(project, user, &id).map_or_else(|| id.clone(), |saved| saved.reply.task);
        Resource::new(format!("{PACK}{id}"), format!("pack-{}", &id[..id.len().min(8)]))
            .with_description(shortened(&task))
            .with_mime_type(MARKDOWN)
    });
    std::iter::once(overview).chain(packs).collect()
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{PACK}{{id}}"), "pack")
            .with_description("A pack that was made before")
            .with_mime_type(MARKDOWN),
    ]
}

pub(super) fn read(project: &Project, user: &str, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let text = if uri == OVERVIEW {
        overview(project).map_err(|failure: Failure| ErrorData::internal_error(failure.message, None))?
    } else {
        let found = uri.strip_prefix(PACK).and_then(|id| saved(project, user, id));
        let Some(found) = found else {
            let message = format!("no resource {uri}; there are {OVERVIEW} and {PACK}<id> of the last packs");
            return Err(ErrorData::resource_not_found(message, None));
        };
        found.reply.text
    };
    let contents = ResourceContents::text(text, uri).with_mime_type(MARKDOWN);
    Ok(ReadResourceResult::new(vec![contents]))
}

fn saved(project: &Project, user: &str, id: &str) -> Option<SavedPack> {
    api::kept_pack(&project.current().engine, user, id).ok()?
}

/// The first line of a task, cut to fit into a list.
fn shortened(task: &str) -> String {
    let line = task.lines().next().unwrap_or_default();
    match line.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
