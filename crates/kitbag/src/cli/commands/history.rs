//! `kitbag history`: the commits of a place, who wrote its lines, what changes with it.

use kitbag_engine::api::{self, HistoryReply, HistoryRequest, PastCommit};

use crate::cli::answer::Answer;
use crate::cli::arguments::History;
use crate::cli::context::Context;
use crate::cli::meter::metered;
use crate::cli::paths::place_inside;
use crate::client::answered;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Page, Style};

pub(crate) fn run(context: &Context, arguments: History) -> Result<Answer, Failure> {
    let (engine, settings) = context.open(Vec::new())?;
    let request = HistoryRequest {
        limit: Some(arguments.limit),
        update: !arguments.no_update,
        ..HistoryRequest::new(place_inside(context, &engine, &arguments.of))
    };
    let here = || {
        let asked = metered(context, |progress| {
            api::history(&engine, &request, progress, context.around.now)
        });
        Ok(asked?)
    };
    let reply: HistoryReply = answered(
        &settings.engine,
        here,
        (engine.root(), "/v1/history", &request),
        |_| None,
    )?;
    let answer = Answer::new(context, &reply, |page| render(page, &reply, arguments.short));
    let answer = answer.warn(context, &reply.warnings);
    Ok(match reply.is_empty() {
        true => answer
            .remark(
                context,
                "no commits: git does not know this place, or there is no git repository",
            )
            .exit(Exit::NothingFound),
        false => answer,
    })
}

fn render(page: &mut Page, reply: &HistoryReply, short: bool) {
    for place in &reply.places {
        if reply.is_empty() {
            return;
        }
        let lines = match (place.line_start, place.line_end) {
            (Some(start), Some(end)) if start != end => format!(":{start}-{end}"),
            (Some(start), _) => format!(":{start}"),
            _ => String::new(),
        };
        page.styled(Style::Path, &format!("{}{lines}", place.path));
        if let Some(name) = &place.name {
            page.put("  ").styled(Style::Label, name);
        }
        page.end_line();
        if !place.others.is_empty() {
            page.styled(
                Style::Quiet,
                &format!("also defined at {}", place.others.join(", ")),
            )
            .end_line();
        }
        page.end_line();
    }
    print_commits(page, &reply.commits, short);
    for line in reply.said() {
        page.line(&line);
    }
}

/// Commits with what they changed, or without.
pub(crate) fn print_commits(page: &mut Page, commits: &[PastCommit], short: bool) {
    for commit in commits {
        page.styled(Style::Label, commit.id.get(..10).unwrap_or(&commit.id));
        page.put("  ").put(&commit.date).put("  ").put(&commit.author);
        page.put("  ").put(&commit.subject).end_line();
        if short {
            continue;
        }
        for line in commit.body.lines() {
            page.put("    ").code(line).end_line();
        }
        for file in &commit.files {
            page.put("  ").styled(Style::Path, &file.path);
            if let Some(from) = &file.renamed_from {
                page.styled(Style::Quiet, &format!("  was {from}"));
            }
            if let Some(why) = &file.hidden {
                page.styled(Style::Quiet, &format!("  not shown: {why}"));
            }
            page.end_line();
            for line in file.hunks.iter().flat_map(|hunk| hunk.text.lines()) {
                page.put("    ").code(line).end_line();
            }
        }
        if commit.hunks_left_out > 0 {
            page.styled(Style::Quiet, &format!("    {} more hunks", commit.hunks_left_out))
                .end_line();
        }
        page.end_line();
    }
    if short && !commits.is_empty() {
        page.end_line();
    }
}
