//! Sends texts to a server that speaks OpenAI's protocol for embeddings, and gets vectors back.
//!
//! Hosted services, Ollama, llama.cpp, vLLM and Text Embeddings Inference all answer `POST {url}/embeddings`. This file
//! splits the texts into batches; `exchange` sends a batch and repeats it where that may help, `answer` checks the reply,
//! `clock` limits the rate. Batches are sent one after the other: two at a time would halve the time of the first index run,
//! but run into rate limits.
//!
//! The key is sent in one header and never printed: not in errors, not in `Debug`, not in ids.

mod answer;
mod clock;
mod exchange;

use std::fmt;
use std::time::Duration;

pub use clock::Clock;

use crate::EmbedError;
use crate::vector::normalise;
use exchange::Exchange;

/// The models of servers take about 8,191 tokens, and no token is shorter than a byte.
const MAX_TEXT_BYTES: usize = 8_000;

/// What requests are made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointOptions {
    /// The address without `/embeddings`, such as `https://host/v1`.
    pub url: String,
    pub model: String,
    pub key: Option<ApiKey>,
    /// Requests vectors of this many numbers and refuses others. `None`: the size of the first vector, for which a request is
    /// made.
    pub dims: Option<usize>,
    /// Texts per request.
    pub batch: usize,
    /// Timeout of one request, from connecting to the last byte.
    pub timeout: Duration,
    pub requests_per_minute: Option<u32>,
}

/// A key that `Debug` does not show.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    pub fn new(key: impl Into<String>) -> ApiKey {
        ApiKey(key.into())
    }

    /// For the header, and for removing the key from messages of the server.
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

    /// With the caller's clock, so that tests need not wait.
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
            // Vectors of another length come from another model, even if it has the same name.
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

    /// One vector per text, in order. Blank texts, which servers refuse, get zeros without a request.
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

    /// The vector of a question. The caller is waiting, so there is one try.
    pub fn embed_question(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        if text.trim().is_empty() {
            return Ok(vec![0.0; self.n_dims]);
        }
        let mut vector = self.exchange.ask(&[text], Some(self.n_dims), false)?.remove(0);
        normalise(&mut vector);
        Ok(vector)
    }
}
