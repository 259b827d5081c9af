//! `kitbag pack`: a task in, the text for a prompt out. The pack is on standard output and nothing else; what there is to say
//! about it is on standard error.

use std::time::Instant;

use kitbag_engine::Tokenizer;
use kitbag_engine::api::{self, Budget, PackRequest};

use crate::cli::answer::Answer;
use crate::cli::arguments::Pack;
use crate::cli::context::Context;
use crate::cli::meter::Meter;
use crate::failure::Failure;

pub(crate) fn run(context: &Context, arguments: Pack) -> Result<Answer, Failure> {
    let (engine, settings) = context.open(Vec::new())?;
    let model = arguments.model.unwrap_or(settings.tokenizer.model);
    let tokenizer = Tokenizer::of_model(&model).ok_or_else(|| Failure::wrong_use("TOKEN_COUNTING_ERROR", format!("unknown model `{model}`")))?;
    let request = PackRequest {
        task: arguments.task.join(" "),
        budget: arguments.budget.map_or(Budget::ByTask { complexity: None }, Budget::Tokens),
        tokenizer: &tokenizer,
        intent: None,
        format: arguments.format,
        template: None,
        line_numbers: false,
        sources: Vec::new(),
        symbols: Vec::new(),
        paths: Vec::new(),
        exclude: Vec::new(),
        languages: Vec::new(),
        update: !arguments.no_update,
    };
    let started = Instant::now();
    let mut meter = Meter::new(context);
    let reply = api::pack(&engine, &request, &mut |progress| meter.report(progress), &|| started.elapsed(), context.now);
    meter.finish();
    let reply = reply?;
    Ok(Answer::own(context, &reply, |reply| &reply.text))
}
