//! `kitbag refresh`: bring the index up to date, all of it or a part, as a job that other processes can see and cancel.

use kitbag_engine::api::{self, RefreshRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::Refresh;
use crate::cli::context::Context;
use crate::cli::job;
use kitbag_door::failure::Failure;

pub(crate) fn run(context: &Context, arguments: &Refresh) -> Result<Answer, Failure> {
    let (engine, settings) = context.open(Vec::new())?;
    let request = RefreshRequest {
        paths: job::absolute(context, &engine, &arguments.paths)?,
        force: arguments.force,
    };
    let open = api::create_refresh(&engine, "", &request, context.around.now)?;
    job::run(context, &engine, &settings, open)
}
