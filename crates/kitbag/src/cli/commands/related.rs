//! `kitbag related`: what belongs to a place, by kind, each with its reason.

use kitbag_engine::api::{self, RelatedReply, RelatedRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::Related;
use crate::cli::context::Context;
use crate::cli::meter::metered;
use crate::cli::paths::place_inside;
use crate::client::answered;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Page, Style};

/// What each kind is called.
const TITLES: &[(&str, &str)] = &[
    ("definition", "definition"),
    ("caller", "used by"),
    ("callee", "calls"),
    ("type", "names"),
    ("implementor", "implemented by"),
    ("test", "tests"),
    ("changes_with", "usually changes with"),
    ("similar", "similar code"),
    ("same_name", "same name elsewhere"),
];

pub(crate) fn run(context: &Context, arguments: Related) -> Result<Answer, Failure> {
    let (engine, settings) = context.open(Vec::new())?;
    let request = RelatedRequest {
        limit: Some(arguments.limit),
        update: !arguments.no_update,
        ..RelatedRequest::new(place_inside(context, &engine, &arguments.of))
    };
    let here = || {
        let asked = metered(context, |progress| {
            api::related(&engine, &request, progress, context.around.now)
        });
        Ok(asked?)
    };
    let reply: RelatedReply = answered(
        &settings.engine,
        here,
        (engine.root(), "/v1/related", &request),
        |_| None,
    )?;
    let answer = Answer::new(context, &reply, |page| render(page, &reply)).warn(context, &reply.warnings);
    Ok(match reply.related.is_empty() {
        true => answer
            .remark(context, &format!("nothing is known to belong to {}", reply.of))
            .exit(Exit::NothingFound),
        false => answer,
    })
}

fn render(page: &mut Page, reply: &RelatedReply) {
    for (kind, title) in TITLES {
        let mut places = reply
            .related
            .iter()
            .filter(|place| place.kind == *kind)
            .peekable();
        if places.peek().is_none() {
            continue;
        }
        page.styled(Style::Label, title).end_line();
        for place in places {
            let at = match (place.line_start, place.line_end) {
                (Some(start), Some(end)) if start != end => format!("{}:{start}-{end}", place.path),
                (Some(start), _) => format!("{}:{start}", place.path),
                _ => place.path.clone(),
            };
            page.put("  ").styled(Style::Path, &at);
            if !place.name.is_empty() {
                page.put("  ").put(&place.name);
            }
            page.styled(Style::Quiet, &format!("  {}", place.reason))
                .end_line();
        }
    }
}
