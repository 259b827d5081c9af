//! `kitbag thread`: conversations, and the pack for a message (MEM-4).

use kitbag_engine::api::{self, AppendRequest, BuildReply, BuildRequest, ThreadMessage, ThreadReply};

use crate::cli::answer::Answer;
use crate::cli::arguments::{Thread, ThreadAction};
use crate::cli::context::Context;
use crate::cli::saved::USER;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::{Style, counted};

pub(crate) fn run(context: &Context, arguments: Thread) -> Result<Answer, Failure> {
    let (engine, settings) = context.open(Vec::new())?;
    let now = context.around.now;
    let appended = |request: &AppendRequest| -> Result<Answer, Failure> {
        let reply = api::append_to_thread(&engine, USER, request, now)?;
        Ok(Answer::new(context, &reply, |_| {}).remark(context, &said(&reply)))
    };
    match arguments.action {
        ThreadAction::Add { thread, text, role } => appended(&AppendRequest {
            thread,
            messages: vec![ThreadMessage { role, text, at: None }],
            ..AppendRequest::default()
        }),
        ThreadAction::Attach {
            thread,
            places,
            opened,
        } => {
            let (references, opened) = if opened {
                (Vec::new(), places)
            } else {
                (places, Vec::new())
            };
            appended(&AppendRequest {
                thread,
                references,
                opened,
                ..AppendRequest::default()
            })
        }
        ThreadAction::Pack {
            thread,
            message,
            budget,
            system,
        } => {
            api::index(&engine, api::IndexRequest::default(), &mut |_| {}, now)?;
            let tokenizer = api::tokenizer_of(&settings.tokenizer_model)?;
            let request = BuildRequest {
                thread,
                message,
                max_tokens: budget,
                system_tokens: system,
            };
            let reply = api::build_for_thread(&engine, USER, &request, &tokenizer, now)?;
            Ok(packed(context, &reply))
        }
        ThreadAction::Show { thread } => {
            let reply = api::thread(&engine, USER, &thread)?;
            Ok(shown(context, &reply))
        }
        ThreadAction::List => {
            let threads = api::threads(&engine, USER)?;
            let answer = Answer::new(context, &threads, |page| {
                for thread in &threads {
                    page.line(thread);
                }
            });
            Ok(match threads.is_empty() {
                true => answer
                    .remark(context, "there are no threads")
                    .exit(Exit::NothingFound),
                false => answer,
            })
        }
        ThreadAction::Delete { thread } => {
            if !api::delete_thread(&engine, USER, &thread)? {
                return Err(Failure::wrong_use(
                    "THREAD_NOT_FOUND",
                    format!("no thread `{thread}`"),
                ));
            }
            let reply = serde_json::json!({ "deleted": thread });
            Ok(Answer::new(context, &reply, |page| {
                page.line(&format!("deleted thread {thread}"));
            }))
        }
    }
}

/// The pack for a message, and what it is made of.
fn packed(context: &Context, reply: &BuildReply) -> Answer {
    let counts: Vec<String> = reply
        .counts
        .iter()
        .map(|(origin, n)| format!("{n} {origin}"))
        .collect();
    let left: usize = reply.left_out.values().sum();
    let remark = format!(
        "{} of {} tokens: {}; left out: {left}",
        reply.tokens,
        reply.budget,
        counts.join(", ")
    );
    let answer = Answer::own(context, reply, |reply| &reply.text);
    answer.warn(context, &reply.warnings).remark(context, &remark)
}

/// Messages, then what is attached.
fn shown(context: &Context, reply: &ThreadReply) -> Answer {
    Answer::new(context, reply, |page| {
        for message in &reply.messages {
            page.styled(Style::Label, &message.role)
                .put(": ")
                .put(&message.text)
                .end_line();
        }
        for place in &reply.references {
            page.put("reference: ").styled(Style::Path, place).end_line();
        }
        for place in &reply.files {
            page.put("file: ").styled(Style::Path, place).end_line();
        }
    })
}

fn said(reply: &ThreadReply) -> String {
    format!(
        "thread {}: {}, {}",
        reply.thread,
        counted(reply.messages.len() as u64, "message"),
        counted(reply.references.len() as u64, "reference")
    )
}
