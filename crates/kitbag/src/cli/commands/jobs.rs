//! `kitbag jobs`: lists what was and is being done to the index, by any process; shows one job in full; cancels one.

use kitbag_engine::api::{self, JobReply};
use serde::Serialize;

use crate::cli::answer::Answer;
use crate::cli::arguments::Jobs;
use crate::cli::context::Context;
use crate::cli::job;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Align, Page, Style, Table, ago, grouped};

#[derive(Serialize)]
struct JobsReply {
    jobs: Vec<JobReply>,
}

pub(crate) fn run(context: &Context, arguments: &Jobs) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let now = context.around.now;
    if let Some(id) = &arguments.cancel {
        let reply = api::cancel_job(&engine, "", id, now).map_err(not_found)?;
        return Ok(Answer::new(context, &reply, |page| cancelled(page, &reply)));
    }
    if let Some(id) = &arguments.id {
        let reply = api::job(&engine, "", id, now).map_err(not_found)?;
        return Ok(Answer::new(context, &reply, |page| job::render(page, &reply)));
    }
    let reply = JobsReply {
        jobs: api::jobs(&engine, "", now)?,
    };
    let answer = Answer::new(context, &reply, |page| list(page, &reply.jobs, now.0));
    Ok(if reply.jobs.is_empty() {
        answer.remark(
            context,
            "no jobs yet: `kitbag refresh` or `kitbag rebuild` makes one",
        )
    } else {
        answer
    })
}

fn not_found(error: kitbag_engine::EngineError) -> Failure {
    let is_unknown = error.code() == "JOB_NOT_FOUND";
    let failure = Failure::from(error);
    if is_unknown {
        Failure {
            exit: Exit::NothingFound,
            ..failure.with_hint("`kitbag jobs` lists them")
        }
    } else {
        failure
    }
}

fn cancelled(page: &mut Page, reply: &JobReply) {
    if reply.cancelling {
        page.line(&format!("{} will stop at the next file", reply.id));
    } else {
        page.line(&format!("{} has ended: {}", reply.id, reply.status));
    }
}

fn list(page: &mut Page, jobs: &[JobReply], now: i64) {
    let mut table = Table::new(&[
        (Align::Left, Some(Style::Label)),
        (Align::Left, None),
        (Align::Left, None),
        (Align::Right, None),
        (Align::Left, Some(Style::Quiet)),
    ]);
    for job in jobs {
        let files = match job.total {
            0 => String::new(),
            total => format!("{}/{}", grouped(job.processed), grouped(total)),
        };
        let status = if job.cancelling { "stopping" } else { job.status };
        table.row(&[&job.id, job.kind, status, &files, &ago(job.created_at, now)]);
    }
    table.print(page);
}
