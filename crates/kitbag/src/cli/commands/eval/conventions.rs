//! `kitbag eval --conventions`: how code that was written later follows the conventions of before.

use kitbag_engine::Engine;
use kitbag_engine::api::{
    self, ConventionResult, DecideRequest, EvalConventions, EvalConventionsRequest, PatternsRequest,
};

use crate::cli::answer::Answer;
use crate::cli::arguments::Eval;
use crate::cli::commands::patterns::write_decisions;
use crate::cli::context::Context;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Align, Page, Style, Table, counted, grouped};

pub(super) fn run(context: &Context, arguments: &Eval) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let request = EvalConventionsRequest {
        from: arguments.from.clone(),
    };
    let done = api::eval_conventions(&engine, &request)?;
    if arguments.ignore_failing {
        ignore_failing(context, &engine, &done)?;
    }
    let answer = Answer::new(context, &done, |page| render(page, &done));
    Ok(match done.tested {
        0 => answer
            .remark(context, "no convention could be tested on what was added since")
            .exit(Exit::NothingFound),
        _ => answer,
    })
}

/// What new code does not follow, as far as it is a convention today, is not shown any more.
fn ignore_failing(context: &Context, engine: &Engine, done: &EvalConventions) -> Result<(), Failure> {
    let now = context.around.now;
    let known = api::patterns(engine, &PatternsRequest::default(), true, &mut |_| {}, now)?;
    let fails = |id: &String| {
        let of = |one: &&ConventionResult| one.id == *id;
        let one = done.conventions.iter().find(of);
        one.is_some_and(|one| one.held == Some(false))
    };
    let shown = known.patterns.into_iter().map(|one| one.id);
    let request = DecideRequest {
        ids: shown.filter(fails).collect(),
        status: "ignored".to_owned(),
    };
    if request.ids.is_empty() {
        return Ok(());
    }
    write_decisions(engine, &api::decide_patterns(engine, &request, now)?)
}

fn render(page: &mut Page, done: &EvalConventions) {
    let short: String = done.from.chars().take(12).collect();
    page.line(&format!(
        "mined at {short} in {}; {} added since",
        counted(done.files_then, "file"),
        counted(done.lines_added, "line"),
    ));
    page.line(&format!(
        "{} shown, {} tested: new code follows {:.1} % on the mean; {:.1} % hold as often as stated",
        grouped(done.shown),
        grouped(done.tested),
        done.followed * 100.0,
        done.held * 100.0
    ));
    page.end_line();
    let mut table = Table::new(&[
        (Align::Right, None),
        (Align::Right, None),
        (Align::Left, None),
        (Align::Left, None),
    ]);
    table.row(&["then", "since", "", "convention"]);
    let tested = |one: &&ConventionResult| one.shown && one.held.is_some();
    for one in done.conventions.iter().filter(tested) {
        let mark = if one.held == Some(false) { "fails" } else { "" };
        table.row(&[
            &format!("{}/{}", one.occurrences, one.applicable),
            &format!("{}/{}", one.new_occurrences, one.new_applicable),
            mark,
            &one.statement,
        ]);
    }
    table.fit(3).print(page);
    if !done.calibration.is_empty() {
        page.end_line()
            .line("stated confidence against what was followed, all conventions");
        for step in &done.calibration {
            page.put(&format!("  {:.2} to {:.2}  ", step.from, step.to));
            page.put(&format!(
                "stated {:.3}  followed {:.3}  ",
                step.stated, step.followed
            ));
            page.styled(Style::Quiet, &counted(step.conventions, "convention"))
                .end_line();
        }
    }
}
