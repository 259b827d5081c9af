//! `kitbag feedback`: which items of packs were of use (MEM-5).

use kitbag_engine::Engine;
use kitbag_engine::api::{self, FeedbackRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::{Feedback, FeedbackAction};
use crate::cli::context::Context;
use crate::cli::saved::USER;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::Style;

pub(crate) fn run(context: &Context, arguments: Feedback) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    match arguments.action {
        FeedbackAction::Useful { items } => give(context, &engine, items, true),
        FeedbackAction::Useless { items } => give(context, &engine, items, false),
        FeedbackAction::List => list(context, &engine),
        FeedbackAction::Undo { id, .. } => {
            let n = api::undo_feedback(&engine, USER, id)?;
            if n == 0 {
                return Err(
                    Failure::wrong_use("FEEDBACK_NOT_FOUND", "there is no such feedback")
                        .with_hint("`kitbag feedback list` lists it"),
                );
            }
            let reply = serde_json::json!({ "undone": n });
            Ok(Answer::new(context, &reply, |page| {
                page.line(&format!("taken back: {n}"));
            }))
        }
    }
}

fn give(context: &Context, engine: &Engine, items: Vec<String>, useful: bool) -> Result<Answer, Failure> {
    let request = FeedbackRequest {
        useful,
        items,
        pack: String::new(),
    };
    let reply = api::give_feedback(engine, USER, &request, context.around.now)?;
    Ok(Answer::new(context, &reply, |page| {
        page.line(&format!(
            "noted: {}; in all {} useful, {} not",
            reply.noted, reply.useful, reply.not_useful
        ));
    }))
}

fn list(context: &Context, engine: &Engine) -> Result<Answer, Failure> {
    let reply = api::feedback(engine, USER)?;
    let answer = Answer::new(context, &reply, |page| {
        for one in &reply.given {
            let how = match (one.useful, one.quoted) {
                (true, true) => "quoted",
                (true, false) => "useful",
                (false, _) => "useless",
            };
            page.styled(Style::Label, &format!("{:>4}", one.id))
                .put(&format!("  {how:<7}  "));
            page.styled(Style::Path, &one.path)
                .put(" ")
                .put(&one.label)
                .end_line();
        }
        for place in &reply.influence {
            page.put(&format!("times {:.2}  ", place.factor));
            page.styled(Style::Path, &place.path)
                .put(" ")
                .put(&place.label)
                .end_line();
        }
    });
    Ok(match reply.given.is_empty() {
        true => answer
            .remark(context, "nobody has given feedback")
            .exit(Exit::NothingFound),
        false => answer,
    })
}
