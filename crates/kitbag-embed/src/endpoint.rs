//! Texts to a server that speaks OpenAI's protocol for embeddings, vectors back.
//!
//! `POST {url}/embeddings` is what hosted services, Ollama, llama.cpp, vLLM and Text Embeddings Inference all answer. This
//! file cuts the texts into batches; `exchange` asks until there is an answer or no hope, `answer` believes nothing that it
//! did not check, `clock` keeps the pace. Batches go one after the other: two at a time would halve the time of the first
//! index run and double the trouble with rate limits.
//!
//! The key travels in one header and is in nothing that is printed: not in errors, not in `Debug`, not in identities.

mod answer;
mod clock;
mod exchange;

use std::fmt;
use std::time::Duration;

pub use clock::Clock;

use crate::EmbedError;
use crate::vector::normalise;
use exchange::Exchange;

/// A server's model takes 8,191 tokens or so, and no token is shorter than a byte.
const MAX_TEXT_BYTES: usize = 8_000;

/// What a request needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointOptions {
    /// Up to and without `/embeddings`, such as `https://host/v1`.
    pub url: String,
    pub model: String,
    pub key: Option<ApiKey>,
    /// Asks the server for vectors of this many numbers, and takes no others. `None`: whatever the first vector has,
    /// for which a request is made.
    pub dims: Option<usize>,
    /// Texts a request.
    pub batch: usize,
    /// For one request, from connecting to the last byte.
    pub timeout: Duration,
    pub requests_per_minute: Option<u32>,
}

/// A key that does not show itself.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    pub fn new(key: impl Into<String>) -> ApiKey {
        ApiKey(key.into())
    }

    /// For the header, and for taking it out of what others say.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

pub struct Endpoint {
    id: String,
    n_dims: usize,
    batch: usize,
    exchange: Exchange,
}

impl Endpoint {
    pub(crate) fn open(options: &EndpointOptions) -> Result<Endpoint, EmbedError> {
        Self::open_with(options, Clock::system())
    }

    /// With a clock of one's own, so that tests need not wait.
    pub fn open_with(options: &EndpointOptions, clock: Clock) -> Result<Endpoint, EmbedError> {
        if options.batch == 0 {
            return Err(EmbedError::BadSetting {
                setting: "the batch size of the embedding server",
                why: "a request needs a text".to_owned(),
            });
        }
        let exchange = Exchange::new(options, clock)?;
        let n_dims = match options.dims {
            Some(n_dims) => n_dims,
            None => exchange.ask(&["dimension"], None, false)?[0].len(),
        };
        Ok(Endpoint {
            // Vectors of another length are another model's, even if the name is the same.
            id: format!("endpoint:{}:{}:{n_dims}", exchange.shown_url(), options.model),
            n_dims,
            batch: options.batch,
            exchange,
        })
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn n_dims(&self) -> usize {
        self.n_dims
    }

    pub(crate) fn max_bytes(&self) -> usize {
        MAX_TEXT_BYTES
    }

    /// One vector a text, in order. Blank texts, which servers refuse, are zeros without asking.
    pub fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = vec![Vec::new(); texts.len()];
        let said: Vec<(usize, &str)> = texts
            .iter()
            .enumerate()
            .filter(|(_, text)| !text.trim().is_empty())
            .map(|(idx, text)| (idx, text.as_str()))
            .collect();
        for batch in said.chunks(self.batch) {
            let inputs: Vec<&str> = batch.iter().map(|(_, text)| *text).collect();
            let answers = self.exchange.ask(&inputs, Some(self.n_dims), true)?;
            for ((idx, _), mut vector) in batch.iter().zip(answers) {
                normalise(&mut vector);
                vectors[*idx] = vector;
            }
        }
        for vector in &mut vectors {
            vector.resize(self.n_dims, 0.0);
        }
        Ok(vectors)
    }

    /// The vector of a question, for somebody who waits: one try.
    pub fn embed_question(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        if text.trim().is_empty() {
            return Ok(vec![0.0; self.n_dims]);
        }
        let mut vector = self.exchange.ask(&[text], Some(self.n_dims), false)?.remove(0);
        normalise(&mut vector);
        Ok(vector)
    }
}
