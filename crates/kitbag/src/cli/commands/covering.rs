//! `kitbag tests`: the tests that cover a change or a place, best first.

use kitbag_engine::Stop;
use kitbag_engine::api::{self, TestsReply, TestsRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::Tests;
use crate::cli::context::Context;
use crate::cli::meter::metered;
use crate::cli::paths::place_inside;
use crate::client::answered;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Page, Style};

pub(crate) fn run(context: &Context, arguments: Tests) -> Result<Answer, Failure> {
    let (engine, settings) = context.open(Vec::new())?;
    let request = TestsRequest {
        of: arguments.of.map(|of| place_inside(context, &engine, &of)),
        diff: arguments.diff,
        limit: Some(arguments.limit),
        update: !arguments.no_update,
        stop: Stop::never(),
    };
    let here = || {
        let asked = metered(context, |progress| {
            api::tests(&engine, &request, progress, context.around.now)
        });
        Ok(asked?)
    };
    let reply = answered(
        &settings.engine,
        here,
        (engine.root(), "/v1/tests", &request),
        |_| None,
    );
    let mut reply: TestsReply = reply?;
    if arguments.certain {
        reply.tests.retain(|test| test.certain);
    }
    let answer = Answer::new(context, &reply, |page| render(page, &reply, arguments.files));
    let answer = answer.warn(context, &reply.warnings);
    Ok(match reply.tests.is_empty() {
        true => answer.remark(context, &nothing(&reply)).exit(Exit::NothingFound),
        false => answer,
    })
}

fn nothing(reply: &TestsReply) -> String {
    match reply.of.is_empty() {
        true => "no code is touched, so no test is named".to_owned(),
        false => "no test is known to cover this".to_owned(),
    }
}

fn render(page: &mut Page, reply: &TestsReply, files: bool) {
    for test in &reply.tests {
        page.styled(Style::Path, &test.path);
        if files {
            page.end_line();
            continue;
        }
        let sureness = if test.certain { "certain" } else { "likely" };
        page.put("  ").styled(Style::Label, sureness);
        page.styled(Style::Quiet, &format!("  {}", test.reasons.join("; ")))
            .end_line();
        for case in &test.cases {
            let doubt = if case.certain { "" } else { ", by name" };
            page.put(&format!(
                "    {}-{}  {}",
                case.line_start, case.line_end, case.name
            ));
            page.styled(Style::Quiet, &format!("  uses {}{doubt}", case.uses))
                .end_line();
        }
    }
}
