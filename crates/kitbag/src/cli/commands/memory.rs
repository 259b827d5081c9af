//! `kitbag memory`: what is kept about a project, checked against its code (MEM-1 to MEM-3).

use kitbag_engine::Engine;
use kitbag_engine::api::{
    self, CheckedMemory, ImportMemoriesRequest, Memory, MemoryKind, MergeMemoriesRequest, RecallRequest,
    RememberRequest,
};

use crate::cli::answer::Answer;
use crate::cli::arguments::{AddMemory, ListMemories, Memory as Arguments, MemoryAction};
use crate::cli::context::Context;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Page, Style, ago, counted};

/// The command line has one user.
const USER: &str = "";

pub(crate) fn run(context: &Context, arguments: Arguments) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    match arguments.action {
        MemoryAction::Add(given) => add(context, &engine, given),
        MemoryAction::List(given) => list(context, &engine, given),
        MemoryAction::Show { id } => show(context, &engine, id),
        MemoryAction::Check { ids } => check(context, &engine, &ids),
        MemoryAction::Forget { id, archive, restore } => forget(context, &engine, id, archive, restore),
        MemoryAction::Import { files, dry_run } => {
            let named = |path: &std::path::PathBuf| super::packages::project_path(context, &engine, path);
            let request = ImportMemoriesRequest {
                files: files.iter().map(named).collect::<Result<_, _>>()?,
                dry_run,
            };
            import(context, &engine, &request)
        }
        MemoryAction::Export => {
            let reply = api::export_memories(&engine, USER)?;
            let answer = Answer::own(context, &reply, |reply| &reply.text);
            Ok(answer.remark(
                context,
                &counted(reply.memories as u64, "memory").replace("memorys", "memories"),
            ))
        }
        MemoryAction::Merge { ids, content } => {
            let reply = api::merge_memories(&engine, USER, &MergeMemoriesRequest { ids, content })?;
            Ok(Answer::new(context, &reply, |page| {
                let gone: Vec<String> = reply.deleted.iter().map(ToString::to_string).collect();
                page.line(&format!("memory {} took over {}", reply.id, gone.join(", ")));
            }))
        }
    }
}

fn add(context: &Context, engine: &Engine, given: AddMemory) -> Result<Answer, Failure> {
    // Places are found by the index, which must know what was written a moment ago.
    if !given.cites.is_empty() {
        api::index(
            engine,
            api::IndexRequest::default(),
            &mut |_| {},
            context.around.now,
        )?;
    }
    let request = RememberRequest {
        content: given.content,
        kind: MemoryKind::parse(&given.kind).unwrap_or_default(),
        cites: given.cites,
        tags: given.tags,
        confidence: given.confidence,
        private: given.private,
    };
    let reply = api::remember(engine, USER, &request, context.around.now)?;
    let answer = Answer::new(context, &reply, |page| {
        let how = if reply.is_new {
            "kept as"
        } else {
            "known already as"
        };
        page.line(&format!("{how} memory {}, {}", reply.id, cited(reply.cited)));
        for like in &reply.like {
            let how = if like.how == "contradicts" {
                "contradicts"
            } else {
                "is like"
            };
            page.line(&format!("it {how} memory {}: {}", like.id, like.content));
        }
        if reply.cited == 0 {
            page.line("it cites nothing, so nobody can tell when it becomes wrong: it is let go after 90 days without use");
        }
        if !reply.nearest.is_empty() {
            page.line("add it again with one of these, if it is about them:");
            for symbol in &reply.nearest {
                page.put("  --cite ");
                page.styled_code(Style::Path, &format!("'{}'", symbol.cite));
                page.end_line();
            }
        }
    });
    Ok(answer.warn(context, &reply.warnings))
}

fn cited(n: usize) -> String {
    match n {
        0 => "citing nothing".to_owned(),
        n => format!("citing {}", counted(n as u64, "place")),
    }
}

fn list(context: &Context, engine: &Engine, given: ListMemories) -> Result<Answer, Failure> {
    let request = RecallRequest {
        query: given.query,
        files: given.files,
        symbols: given.symbols,
        intent: given.intent,
        limit: Some(given.limit),
        all: given.all,
    };
    let reply = api::recall(engine, USER, &request, context.around.now)?;
    let answer = Answer::new(context, &reply, |page| {
        for memory in &reply.memories {
            line(page, memory);
        }
    });
    let answer = answer.warn(context, &reply.warnings);
    Ok(match reply.memories.is_empty() {
        true => answer
            .remark(context, "nothing is remembered about that")
            .exit(Exit::NothingFound),
        false => answer,
    })
}

/// `12  [decision] content (files)`, then what changed.
fn line(page: &mut Page, memory: &Memory) {
    page.styled(Style::Label, &format!("{:>4}", memory.id)).put("  ");
    page.put(&format!("[{}] {}", memory.kind, memory.content));
    if !memory.files.is_empty() {
        page.put(" (")
            .styled(Style::Path, &memory.files.join(", "))
            .put(")");
    }
    page.end_line();
    let is_wrong = matches!(memory.state.as_str(), "drifted" | "orphaned");
    for change in &memory.changes {
        page.put("      ");
        if is_wrong {
            page.styled(Style::Warning, &memory.state).put(": ");
        }
        page.put(change);
        page.end_line();
    }
}

fn show(context: &Context, engine: &Engine, id: i64) -> Result<Answer, Failure> {
    let reply = api::check_memories(engine, USER, &[id], context.around.now)?;
    let now = context.around.now.0;
    Ok(Answer::new(context, &reply, |page| {
        for CheckedMemory { memory, like } in &reply.memories {
            line(page, memory);
            for citation in &memory.citations {
                let symbol = citation
                    .symbol
                    .as_ref()
                    .map_or(String::new(), |name| format!("#{name}"));
                let line = citation
                    .line
                    .map_or(String::new(), |line| format!(", line {line}"));
                page.line(&format!(
                    "      cites {}{symbol}{line}: {}",
                    citation.path, citation.state
                ));
            }
            let mut said = format!(
                "      {}, confidence {}, kept {}, used {}, last {}",
                memory.state,
                memory.confidence,
                ago(memory.created, now),
                counted(memory.uses.into(), "time"),
                ago(memory.last_used, now)
            );
            if !memory.tags.is_empty() {
                said.push_str(&format!(", tags {}", memory.tags.join(", ")));
            }
            if !memory.source.is_empty() {
                said.push_str(&format!(", from {}", memory.source));
            }
            page.line(&said);
            for other in like {
                page.line(&format!(
                    "      {} memory {}: {}",
                    other.how, other.id, other.content
                ));
            }
        }
    }))
}

fn check(context: &Context, engine: &Engine, ids: &[i64]) -> Result<Answer, Failure> {
    api::index(
        engine,
        api::IndexRequest::default(),
        &mut |_| {},
        context.around.now,
    )?;
    let reply = api::check_memories(engine, USER, ids, context.around.now)?;
    let answer = Answer::new(context, &reply, |page| {
        for CheckedMemory { memory, like } in &reply.memories {
            let is_fine = memory.state == "fresh" && memory.changes.is_empty() && like.is_empty();
            if is_fine && ids.is_empty() {
                continue;
            }
            line(page, memory);
            for other in like.iter().filter(|other| other.id > memory.id) {
                page.line(&format!(
                    "      {} memory {}: {}",
                    other.how, other.id, other.content
                ));
            }
        }
        page.line(&format!(
            "{} fresh, {} uncited, {} drifted, {} orphaned",
            reply.fresh, reply.uncited, reply.drifted, reply.orphaned
        ));
    });
    let answer = answer.warn(context, &reply.warnings);
    Ok(match reply.drifted + reply.orphaned {
        0 => answer,
        _ => answer.exit(Exit::NothingFound),
    })
}

fn forget(
    context: &Context,
    engine: &Engine,
    id: i64,
    archive: bool,
    restore: bool,
) -> Result<Answer, Failure> {
    let (done, what) = match (archive, restore) {
        (true, _) => (api::archive_memory(engine, USER, id, true)?, "archived"),
        (_, true) => (api::archive_memory(engine, USER, id, false)?, "restored"),
        _ => (api::forget(engine, USER, id)?, "deleted"),
    };
    if !done {
        return Err(Failure::wrong_use("MEMORY_NOT_FOUND", format!("no memory {id}"))
            .with_hint("`kitbag memory list --all` lists them"));
    }
    let reply = serde_json::json!({ what: id });
    Ok(Answer::new(context, &reply, |page| {
        page.line(&format!("{what} memory {id}"));
    }))
}

fn import(context: &Context, engine: &Engine, request: &ImportMemoriesRequest) -> Result<Answer, Failure> {
    api::index(
        engine,
        api::IndexRequest::default(),
        &mut |_| {},
        context.around.now,
    )?;
    let reply = api::import_memories(engine, USER, request, context.around.now)?;
    let answer = Answer::new(context, &reply, |page| {
        for memory in &reply.added {
            page.put(&format!("[{}] {} ", memory.kind, memory.content));
            page.styled(Style::Path, &format!("({})", memory.source))
                .end_line();
        }
    });
    let kept = if request.dry_run { "would be kept" } else { "kept" };
    let remark = format!(
        "{} {kept}, {} known already, from {} and commits",
        reply.added.len(),
        reply.known,
        counted(reply.files as u64, "file")
    );
    let answer = answer.warn(context, &reply.warnings).remark(context, &remark);
    Ok(match reply.added.len() + reply.known {
        0 => answer.exit(Exit::NothingFound),
        _ => answer,
    })
}
