//! `kitbag map`: the repository without a task, on one page (CLI-6). It is a pack that tells and shows no code.

use std::time::Instant;

use kitbag_engine::api::{self, Door, PackReply, PackRequest};

use super::pack::warnings;
use crate::cli::answer::Answer;
use crate::cli::arguments::Map;
use crate::cli::context::Context;
use crate::cli::meter::Meter;
use crate::client::answered;
use kitbag_door::failure::{Exit, Failure};
use kitbag_door::printer::json as to_json;
use kitbag_door::settings::Flag;

pub(crate) fn run(context: &Context, arguments: Map) -> Result<Answer, Failure> {
    let started = Instant::now();
    let model = arguments.model.clone().map(|text| Flag {
        flag: "--model",
        key: "tokenizer.model",
        text,
    });
    let (engine, settings) = context.open(model.into_iter().collect())?;
    let tokenizer = api::tokenizer_of(&settings.tokenizer_model)?;
    let request = PackRequest {
        map: true,
        max_tokens: arguments.budget,
        model: Some(settings.tokenizer_model.clone()),
        format: Some(arguments.format),
        session: arguments.session,
        update: !arguments.no_update,
        tokenizer: Some(&tokenizer),
        door: Door::Terminal,
        ..PackRequest::default()
    };
    let here = || {
        let mut meter = Meter::new(context);
        let reply = api::pack(
            &engine,
            &request,
            &mut |progress| meter.report(progress),
            &|| started.elapsed(),
            context.around.now,
        );
        meter.finish();
        Ok(reply?)
    };
    let mut reply = answered(
        &settings.engine,
        here,
        (engine.root(), "/v1/pack", &request),
        |_| None::<PackReply>,
    )?;
    let mut answer = Answer::text(match context.looks.json {
        true => to_json(&reply, context.looks.stdout_is_terminal),
        false => reply.text.clone(),
    });
    if reply.is_empty() {
        answer = answer.exit(Exit::NothingFound);
    }
    answer.delivery = reply.session.as_mut().and_then(|session| session.delivery.take());
    Ok(match context.looks.json || context.everywhere.quiet {
        true => answer,
        false => answer.warn(context, &warnings(&reply)),
    })
}
