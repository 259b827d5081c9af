//! `kitbag check-file`: whether a file is indexed, and if not, why not.

use kitbag_engine::api::{self, CheckFileReply};

use crate::cli::answer::Answer;
use crate::cli::arguments::CheckFile;
use crate::cli::context::Context;
use crate::cli::paths::meant;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Page, Style, counted};

pub(crate) fn run(context: &Context, arguments: &CheckFile) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let path = meant(engine.root(), &context.around.cwd, &arguments.path);
    let reply = api::check_file(&engine, &path, &context.around.cwd)?;
    let answer = Answer::new(context, &reply, |page| render(page, &reply));
    Ok(if reply.indexable {
        answer
    } else {
        answer.exit(Exit::NothingFound)
    })
}

fn render(page: &mut Page, reply: &CheckFileReply) {
    page.styled(Style::Path, &reply.path).put(": ");
    if reply.indexable {
        let language = reply.language.as_deref().unwrap_or("text");
        match reply.chunks {
            Some(n_chunks) if reply.indexed => {
                page.styled(Style::Good, "indexed")
                    .line(&format!(" ({language}, {})", counted(n_chunks as u64, "chunk")));
            }
            _ => {
                page.line(&format!("will be indexed ({language})"));
            }
        }
    } else {
        page.styled(Style::Warning, "not indexed")
            .put(": ")
            .put(reply.reason.as_deref().unwrap_or("unknown"));
        if let Some(detail) = reply.detail.as_deref().filter(|detail| !detail.is_empty()) {
            page.put(&format!(" ({detail})"));
        }
        page.end_line();
        if reply.indexed {
            page.line("  the index still holds it; the next update takes it out");
        }
    }
    for note in &reply.notes {
        page.put("  ").line(note);
    }
}
