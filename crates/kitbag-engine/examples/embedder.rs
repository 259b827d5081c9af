//! A model of your own for vectors (LIB-1): `cargo run -p kitbag-engine --example embedder PROJECT "money that is owed"`.
//!
//! `Topics` knows a few words per topic and counts how often a text uses them. A real model would call a library or a service; what
//! the engine needs of it is the same four answers.

#![expect(clippy::print_stdout, reason = "the hits are its output")]

use std::path::Path;

use kitbag_engine::api::{self, SearchRequest};
use kitbag_engine::{Engine, EngineError, Options, Timestamp, VectorModel};

/// Each topic is one number of a vector.
const TOPICS: [&[&str]; 2] = [
    &["invoice", "bill", "owed", "money"],
    &["door", "gate", "enter", "open"],
];

struct Topics;

impl VectorModel for Topics {
    fn id(&self) -> &str {
        "topics-1"
    }

    fn dims(&self) -> usize {
        TOPICS.len()
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        let count = |text: &String, words: &[&str]| {
            let text = text.to_lowercase();
            words.iter().map(|word| text.matches(word).count()).sum::<usize>() as f32
        };
        let vector = |text| TOPICS.iter().map(|words| count(text, words)).collect();
        Ok(texts.iter().map(vector).collect())
    }

    fn is_slow(&self) -> bool {
        false
    }
}

fn main() -> Result<(), EngineError> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| ".".to_owned());
    let question = arguments
        .next()
        .unwrap_or_else(|| "money that is owed".to_owned());
    let store = std::env::temp_dir().join("kitbag-embedder-example");
    let engine = Engine::open(Path::new(&root), store, Options::default())?.with_model(Box::new(Topics));
    // An example has no clock; a program hands in the time of the day.
    let now = Timestamp(4_000_000_000_000);
    let reply = api::search(&engine, &SearchRequest::new(question), &mut |_| {}, now)?;
    for hit in reply.results {
        println!("{}:{} {}", hit.path, hit.line_start, hit.label);
    }
    Ok(())
}

#[cfg(test)]
#[path = "embedder/tests.rs"]
mod tests;
