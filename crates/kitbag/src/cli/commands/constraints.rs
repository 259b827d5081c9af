//! `kitbag constraints`: the rules that the project has for its code, each with its place.

use kitbag_engine::api::{self, ConstraintFact, ConstraintsRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::Constraints;
use crate::cli::context::Context;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Page, Style};

pub(crate) fn run(context: &Context, arguments: Constraints) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let request = ConstraintsRequest {
        package: arguments.package,
        path: arguments
            .path
            .map(|path| super::packages::project_path(context, &engine, &path))
            .transpose()?,
        kind: arguments.kind,
    };
    let reply = api::constraints(&engine, &request, context.around.now)?;
    let answer = Answer::new(context, &reply, |page| render(page, &reply.constraints));
    let answer = answer.warn(context, &reply.warnings);
    Ok(match reply.constraints.is_empty() {
        true => answer
            .remark(context, "no constraints were found")
            .exit(Exit::NothingFound),
        false => answer,
    })
}

/// File by file, a line for each.
fn render(page: &mut Page, constraints: &[ConstraintFact]) {
    let mut file = "";
    for one in constraints {
        if one.file != file {
            if !file.is_empty() {
                page.end_line();
            }
            page.styled(Style::Path, &one.file).end_line();
            file = &one.file;
        }
        page.put(&format!("{:>5}  {:<7}  ", one.line, one.enforcement));
        if one.kind == "config" {
            page.styled(Style::Label, &one.tool).put(": ");
        }
        page.put(&one.guidance);
        match one.condition.as_str() {
            "all files" => {}
            condition => {
                page.styled(Style::Quiet, &format!("  ({condition})"));
            }
        }
        page.end_line();
    }
}
