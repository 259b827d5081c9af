//! `refresh_context`, `rebuild_context`, `get_rebuild_status`, and for programs `cancel_job`: long work on the index. It runs
//! as a job, which continues when the caller stops waiting and is visible to every process of the project.

use std::time::{Duration, Instant};

use kitbag_engine::api::{
    self, JobReply, OpenJob, RebuildOptions, RebuildPlan, RebuildRequest, RefreshRequest,
};
use schemars::{JsonSchema, Schema, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::call::{Call, MOST_TOKENS, OperationReply};
use super::super::operation::arguments;
use super::super::project::Open;
use super::super::{Operation, Project, Set, answer, lean};
use super::answer_size::{LEAST_TOKENS, budget, fitting};
use kitbag_door::failure::Failure;
use kitbag_door::printer::{counted, sized};

const REFRESH: &str = "refresh_context";
const REBUILD: &str = "rebuild_context";
const STATUS: &str = "get_rebuild_status";
const CANCEL: &str = "cancel_job";
const STATUS_TOKENS: usize = 1_000;
/// How long a caller waits before it is told that the job continues. Clients give up after a minute.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) const REFRESH_OPERATION: Operation = Operation {
    name: REFRESH,
    set: Set::Core,
    description: "Bring the index up to date now. Seldom needed: changes are noticed by themselves within two seconds.",
    read_only: false,
    destructive: false,
    idempotent: true,
    cached: false,
    schema: lean::<RefreshArguments>,
    reply: answer::<JobReply>,
    run: run_refresh,
};

pub(super) const REBUILD_OPERATION: Operation = Operation {
    name: REBUILD,
    set: Set::Admin,
    description: "Make the index anew, if answers seem wrong. The old one answers meanwhile. dry_run says what it would take.",
    read_only: false,
    destructive: false,
    idempotent: true,
    cached: false,
    schema: lean::<RebuildArguments>,
    reply: rebuilt,
    run: run_rebuild,
};

pub(super) const STATUS_OPERATION: Operation = Operation {
    name: STATUS,
    set: Set::Admin,
    description: "How far a rebuild or refresh is, or the latest ones.",
    read_only: true,
    destructive: false,
    idempotent: true,
    cached: false,
    schema: lean::<StatusArguments>,
    reply: answer::<Jobs>,
    run: run_status,
};

pub(super) const CANCEL_OPERATION: Operation = Operation {
    name: CANCEL,
    set: Set::Program,
    description: "Ask a job to stop; the index stays whole.",
    read_only: false,
    destructive: false,
    idempotent: true,
    cached: false,
    schema: lean::<CancelArguments>,
    reply: answer::<JobReply>,
    run: run_cancel,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RefreshArguments {
    /// Files or folders; otherwise everything.
    #[serde(default)]
    paths: Vec<String>,
    /// Also what looks unchanged.
    #[serde(default)]
    force: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RebuildArguments {
    /// Must be true, unless dry_run.
    #[serde(default)]
    confirm: bool,
    #[serde(default)]
    dry_run: bool,
    #[serde(default)]
    paths: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StatusArguments {
    /// Its id; otherwise the latest.
    #[serde(default)]
    job: Option<String>,
    /// Default 1000.
    #[serde(default)]
    #[schemars(range(min = LEAST_TOKENS, max = MOST_TOKENS))]
    max_tokens: Option<usize>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CancelArguments {
    job: String,
}

#[derive(Serialize, JsonSchema)]
struct Jobs {
    jobs: Vec<JobReply>,
}

/// The answer of a rebuild: what it would do, or the job.
fn rebuilt() -> Schema {
    json_schema!({"anyOf": [answer::<RebuildPlan>(), answer::<JobReply>()]})
}

fn run_refresh(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: RefreshArguments = arguments(REFRESH, given)?;
    let request = RefreshRequest {
        paths: given.paths,
        force: given.force,
    };
    let open = project.current();
    let job = api::create_refresh(&open.engine, asked.user, &request, asked.now)?;
    carried_out(project, &open, job, asked)
}

fn run_rebuild(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: RebuildArguments = arguments(REBUILD, given)?;
    let request = RebuildRequest {
        confirm: given.confirm,
        paths: given.paths,
        options: RebuildOptions {
            validate_only: given.dry_run,
            ..RebuildOptions::default()
        },
    };
    let open = project.current();
    if given.dry_run {
        let began = Instant::now();
        let plan = api::plan_rebuild(&open.engine, &request, &|| began.elapsed(), asked.now)?;
        return Ok(OperationReply::new(planned(&plan), &plan));
    }
    let job = api::create_rebuild(&open.engine, asked.user, &request, asked.now)?;
    carried_out(project, &open, job, asked)
}

fn run_status(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: StatusArguments = arguments(STATUS, given)?;
    let open = project.current();
    let tokens = budget(given.max_tokens, STATUS_TOKENS, None, &open);
    let jobs = match &given.job {
        Some(id) => vec![api::job(&open.engine, asked.user, id, asked.now)?],
        None => api::jobs(&open.engine, asked.user, asked.now)?,
    };
    let lines: Vec<String> = jobs.iter().map(described).collect();
    let count = |text: &str| open.tokenizer.count(text).tokens;
    let text = if lines.is_empty() {
        "No job has run yet; the index keeps itself up to date.".to_owned()
    } else {
        fitting(&lines, tokens, &count)
    };
    Ok(OperationReply::new(text, &Jobs { jobs }))
}

fn run_cancel(project: &Project, given: Value, asked: &Call<'_>) -> Result<OperationReply, Failure> {
    let given: CancelArguments = arguments(CANCEL, given)?;
    let job = api::cancel_job(&project.current().engine, asked.user, &given.job, asked.now)?;
    Ok(OperationReply::new(described(&job), &job))
}

/// Runs a job on a thread of its own and waits for a while. If the caller cancels, the job is cancelled.
fn carried_out(
    project: &Project,
    open: &Open,
    job: OpenJob,
    asked: &Call<'_>,
) -> Result<OperationReply, Failure> {
    let missing = job.missing().to_vec();
    let done = |job: &JobReply| {
        let mut text = described(job);
        if !missing.is_empty() {
            text.push_str(&format!(". Not found: {}", missing.join(", ")));
        }
        let mut done = OperationReply::new(text, job);
        done.data["missing"] = json!(missing);
        done
    };
    let id = project.carry_out(job)?;
    let began = Instant::now();
    let patience = PATIENCE.min(open.settings.server.timeout / 2);
    loop {
        let job = api::job(&open.engine, asked.user, &id, project.now())?;
        let is_gone = (asked.stop)();
        if is_gone && asked.door == "mcp" {
            // Only if the caller said so; over HTTP, a connection may break for any reason.
            api::cancel_job(&open.engine, asked.user, &id, project.now())?;
        }
        if is_gone || job.finished_at.is_some() || began.elapsed() > patience {
            return Ok(done(&job));
        }
        (asked.tell)(&super::super::Steps::of_job(job.processed, job.total));
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn described(job: &JobReply) -> String {
    let count = |name: &str| job.metrics.get(name).copied().unwrap_or(0);
    let mut text = format!("{} ({}) {}", job.id, job.kind, job.status);
    match job.status {
        "completed" => text.push_str(&format!(
            ": {} added, {} changed, {} removed, {} failed",
            count("added"),
            count("changed"),
            count("removed"),
            count("failed")
        )),
        "in_progress" | "queued" => text.push_str(&format!(": {} of {} files", job.processed, job.total)),
        _ => {}
    }
    if let Some(error) = &job.error {
        text.push_str(&format!(": {}", error.message));
    }
    text
}

fn planned(plan: &RebuildPlan) -> String {
    let languages: Vec<String> = plan
        .languages
        .iter()
        .map(|(name, language)| format!("{name} {}", language.files))
        .collect();
    format!(
        "A rebuild would parse {} ({}): {}. About {} s. Nothing was changed; call again with confirm: true.",
        counted(plan.files, "file"),
        sized(plan.bytes),
        languages.join(", "),
        plan.estimate.seconds.round()
    )
}
