//! A provider of your own (LIB-1): `cargo run -p kitbag-engine --example provider PROJECT "what does team payments own"`.
//!
//! `Owners` knows which team owns which folder, as a CODEOWNERS file says it, and finds the code of a team that the question
//! names. The engine asks it with its own providers, fuses its list with theirs, and names it in the reasons of every hit.

#![expect(clippy::print_stdout, reason = "the hits are its output")]

use std::path::Path;

use kitbag_engine::api::{self, SearchRequest};
use kitbag_engine::{Answer, Ask, Engine, EngineError, Options, Provider, Timestamp};

/// Folders with the teams that own them.
struct Owners(Vec<(&'static str, &'static str)>);

impl Provider for Owners {
    fn name(&self) -> &'static str {
        "owners"
    }

    fn run(&self, ask: &Ask<'_>) -> Result<Answer, EngineError> {
        let question = ask.query().text.to_lowercase();
        let named = |team: &str| question.split_whitespace().any(|word| word == team);
        let folders: Vec<&str> = self
            .0
            .iter()
            .filter(|(_, team)| named(team))
            .map(|(folder, _)| *folder)
            .collect();
        let mut rows = Vec::new();
        for path in ask.files()? {
            ask.check()?;
            if folders.iter().any(|folder| path.as_str().starts_with(folder)) {
                rows.extend(ask.chunks_of(&path)?);
            }
        }
        Ok(Answer::ordered(rows))
    }
}

fn main() -> Result<(), EngineError> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| ".".to_owned());
    let question = arguments.next().unwrap_or_else(|| "team payments".to_owned());
    let store = std::env::temp_dir().join("kitbag-provider-example");
    let owners = Owners(vec![("src/billing/", "payments"), ("src/", "platform")]);
    let engine =
        Engine::open(Path::new(&root), store, Options::default())?.with_provider(Box::new(owners))?;
    // An example has no clock; a program hands in the time of the day.
    let now = Timestamp(4_000_000_000_000);
    let reply = api::search(&engine, &SearchRequest::new(question), &mut |_| {}, now)?;
    for hit in reply.results {
        let by: Vec<&str> = hit.reasons.iter().map(|reason| &*reason.factor).collect();
        println!("{}:{} {}", hit.path, hit.line_start, by.join(" "));
    }
    Ok(())
}

#[cfg(test)]
#[path = "provider/tests.rs"]
mod tests;
