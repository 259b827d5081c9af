//! `kitbag eval --memories`: which changes of a history memories notice (MEM-3).

use kitbag_engine::api::{self, EvalMemoriesRequest};

use crate::cli::answer::Answer;
use crate::cli::context::Context;
use kitbag_door::failure::{Exit, Failure};

pub(super) fn run(context: &Context, commits: u32, cited: u32) -> Result<Answer, Failure> {
    let (engine, _) = context.open(Vec::new())?;
    let request = EvalMemoriesRequest {
        commits: commits as usize,
        memories: cited as usize,
    };
    let mut told = 0;
    let done = api::eval_memories(&engine, request, &mut |done, all| {
        if done >= told + 100 {
            told = done;
            context.say("replay", &format!("{done} of {all} commits"));
        }
    })?;
    let answer = Answer::new(context, &done, |page| {
        let mut line = |text: String| {
            page.put(&text);
            page.end_line();
        };
        line(format!(
            "{} commits, {} definitions cited, {} times a commit touched the file of one",
            done.commits, done.memories, done.cases
        ));
        line(format!(
            "changed in meaning or gone: {}; flagged: {} ({})",
            done.changed,
            done.flagged,
            percent(done.flagged, done.changed)
        ));
        line(format!(
            "the same: {}; false alarms: {} ({})",
            done.same,
            done.false_alarms,
            percent(done.false_alarms, done.same)
        ));
        for (how, edits) in &done.by_edit {
            line(format!(
                "  {how}: {}; false alarms: {}",
                edits.cases, edits.false_alarms
            ));
        }
        line(format!("not judged: {}", done.unclear));
        for (word, cases) in [("missed", &done.missed), ("false alarm", &done.alarms)] {
            for case in cases.iter().take(20) {
                line(format!(
                    "{word}: {} {} {}: {} {}; the scanner says {}",
                    &case.commit[..case.commit.len().min(10)],
                    case.path,
                    case.symbol,
                    case.state,
                    case.what,
                    case.verdict
                ));
            }
        }
    });
    Ok(if done.cases == 0 {
        answer
            .remark(context, "no commit touched code that could be cited")
            .exit(Exit::NothingFound)
    } else {
        answer
    })
}

fn percent(part: usize, all: usize) -> String {
    match all {
        0 => "none".to_owned(),
        _ => format!("{:.2} %", part as f64 * 100.0 / all as f64),
    }
}
