//! `kitbag rebuild`: parses everything again, after asking; with `--dry-run` says what that would do.

use std::io::{IsTerminal as _, stdin};
use std::time::Instant;

use kitbag_engine::api::{self, RebuildOptions, RebuildPlan, RebuildRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::Rebuild;
use crate::cli::context::Context;
use crate::cli::job;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Align, Page, Style, Table, counted, grouped, sized, talk};

pub(crate) fn run(context: &Context, arguments: &Rebuild) -> Result<Answer, Failure> {
    let (engine, settings) = context.open(Vec::new())?;
    let mut request = RebuildRequest {
        confirm: arguments.force,
        paths: job::absolute(context, &engine, &arguments.paths)?,
        options: RebuildOptions {
            clear_errors: !arguments.keep_errors,
            vacuum: !arguments.no_vacuum,
            validate_only: arguments.dry_run,
        },
    };
    if arguments.dry_run {
        let started = Instant::now();
        let plan = api::plan_rebuild(&engine, &request, &|| started.elapsed(), context.around.now)?;
        return Ok(Answer::new(context, &plan, |page| render(page, &plan)));
    }
    if !request.confirm && !context.looks.json && stdin().is_terminal() && context.looks.stderr_is_terminal {
        if !asked(engine.root())? {
            return Ok(Answer::text(String::new())
                .remark(context, "nothing was done")
                .exit(Exit::NothingFound));
        }
        request.confirm = true;
    }
    let open = api::create_rebuild(&engine, "", &request, context.around.now).map_err(|error| {
        let is_unconfirmed = error.code() == "CONFIRMATION_REQUIRED";
        let failure = Failure::from(error);
        if is_unconfirmed {
            Failure {
                message: "a rebuild parses everything again, and nobody is here to confirm it".to_owned(),
                ..failure.with_hint("add --force to confirm it; --dry-run shows what it would do")
            }
        } else {
            failure
        }
    })?;
    job::run(context, &engine, &settings, open)
}

/// Asks for confirmation. Anything but a clear yes means no.
fn asked(root: &std::path::Path) -> Result<bool, Failure> {
    let mut page = Page::new(false);
    page.put(&format!("Parse all of {} again? [y/N] ", root.display()));
    talk(&page.into_text());
    let mut line = String::new();
    stdin()
        .read_line(&mut line)
        .map_err(|error| Failure::trouble("INPUT_ERROR", format!("the answer cannot be read: {error}")))?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn render(page: &mut Page, plan: &RebuildPlan) {
    let estimate = &plan.estimate;
    page.line(&format!(
        "would parse {}, {}, in about {:.1} s",
        counted(plan.files, "file"),
        sized(plan.bytes),
        estimate.seconds
    ));
    let rate = sized(estimate.bytes_per_second as u64);
    let sample = counted(estimate.sample_files, "file");
    page.styled(
        Style::Quiet,
        &format!("at {rate}/s, judged by {sample}; nothing was changed"),
    )
    .end_line();
    if plan.languages.is_empty() {
        return;
    }
    let mut languages: Vec<_> = plan.languages.iter().collect();
    languages.sort_by(|a, b| b.1.bytes.cmp(&a.1.bytes).then_with(|| a.0.cmp(b.0)));
    page.end_line();
    let mut table =
        Table::new(&[(Align::Left, None), (Align::Right, None), (Align::Right, None)]).indented(2);
    for (language, plan) in languages {
        table.row(&[language, &grouped(plan.files), &sized(plan.bytes)]);
    }
    table.print(page);
}
