//! Sends one batch of texts and returns its vectors, with repeats where they may help.
//!
//! A request is repeated if the server is busy (429), failed (5xx), slow or unreachable. The pause doubles each time unless
//! the server names one (`Retry-After`); tries and total time are limited. Other failures are final, such as a refused key.
//! Redirects are not followed and no proxy is taken from the environment: texts and key only go where the settings say.

use std::time::Duration;

use serde_json::json;
use ureq::Agent;
use ureq::http::{Response, StatusCode};

use super::answer;
use super::clock::{Clock, Pace};
use super::{ApiKey, EndpointOptions};
use crate::EmbedError;

const MAX_TRIES: u32 = 6;
/// Timeout for a question, whose caller is waiting. There is one try.
const QUESTION_LIMIT: Duration = Duration::from_secs(3);
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// For one batch with all its tries and pauses. Later than this no further try begins.
const MAX_TOTAL: Duration = Duration::from_secs(180);
/// A number in a vector takes about 20 bytes, and the largest vectors have about 4,096 numbers.
const MAX_BYTES_PER_TEXT: usize = 256 << 10;
const MAX_OTHER_BYTES: usize = 1 << 20;
/// Only one sentence of an error reply is used.
const MAX_REFUSAL_BYTES: u64 = 64 << 10;

pub(crate) struct Exchange {
    agent: Agent,
    url: String,
    /// Without the query part, which may contain a key.
    shown_url: String,
    model: String,
    key: Option<ApiKey>,
    /// Sent if it was set.
    dims: Option<usize>,
    timeout: Duration,
    clock: Clock,
    pace: Pace,
}

/// Why a try failed, and whether another may help.
enum Failure {
    Again { why: String, after: Option<Duration> },
    Final(EmbedError),
}

impl Exchange {
    pub(crate) fn new(options: &EndpointOptions, clock: Clock) -> Result<Exchange, EmbedError> {
        let (url, shown_url) = address(&options.url)?;
        let key_is_fit = |key: &ApiKey| key.reveal().chars().all(|c| c.is_ascii_graphic());
        if options.key.as_ref().is_some_and(|key| !key_is_fit(key)) {
            return Err(EmbedError::BadSetting {
                setting: "the key of the embedding server",
                why: "a key has letters, digits and signs only, no spaces or line ends".to_owned(),
            });
        }
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .timeout_global(Some(options.timeout))
            .user_agent(concat!("kitbag/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        Ok(Exchange {
            agent,
            url,
            shown_url,
            model: options.model.clone(),
            key: options.key.clone(),
            dims: options.dims,
            timeout: options.timeout,
            clock,
            pace: Pace::new(options.requests_per_minute),
        })
    }

    pub(crate) fn shown_url(&self) -> &str {
        &self.shown_url
    }

    /// `patient`: repeat where that may help; otherwise a caller is waiting.
    pub(crate) fn ask(
        &self,
        texts: &[&str],
        n_dims: Option<usize>,
        patient: bool,
    ) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut body = json!({ "model": self.model, "input": texts });
        if let Some(dims) = self.dims {
            body["dimensions"] = json!(dims);
        }
        let body = body.to_string();
        let (max_tries, limit) = if patient {
            (MAX_TRIES, self.timeout)
        } else {
            (1, self.timeout.min(QUESTION_LIMIT))
        };
        let start = (self.clock.now)();
        let mut pause = FIRST_PAUSE;
        let mut n_tries = 0;
        loop {
            self.pace.wait(&self.clock);
            n_tries += 1;
            let (why, after) = match self.attempt(&body, texts.len(), n_dims, limit) {
                Ok(vectors) => return Ok(vectors),
                Err(Failure::Final(error)) => return Err(error),
                Err(Failure::Again { why, after }) => (why, after),
            };
            let wait = after.unwrap_or(pause);
            let spent = (self.clock.now)().saturating_sub(start);
            if n_tries >= max_tries || spent.saturating_add(wait) > MAX_TOTAL {
                let asked = after.map_or_else(String::new, |after| {
                    format!("; it asks to be left alone for {} s", after.as_secs())
                });
                return Err(EmbedError::Unreachable {
                    url: self.shown_url.clone(),
                    n_tries,
                    why: why + &asked,
                });
            }
            (self.clock.wait)(wait);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn attempt(
        &self,
        body: &str,
        n_texts: usize,
        n_dims: Option<usize>,
        limit: Duration,
    ) -> Result<Vec<Vec<f32>>, Failure> {
        let mut request = self
            .agent
            .post(&self.url)
            .config()
            .timeout_global(Some(limit))
            .build()
            .header("Content-Type", "application/json")
            .header("Accept", "application/json");
        if let Some(key) = &self.key {
            request = request.header("Authorization", format!("Bearer {}", key.reveal()));
        }
        let mut response = request.send(body).map_err(|error| self.failed(&error))?;
        let status = response.status();
        let limit = if status.is_success() {
            (MAX_OTHER_BYTES + MAX_BYTES_PER_TEXT * n_texts) as u64
        } else {
            MAX_REFUSAL_BYTES
        };
        let read = response.body_mut().with_config().limit(limit).read_to_vec();
        if !status.is_success() {
            return Err(self.refused(&response, &read.unwrap_or_default()));
        }
        let bytes = read.map_err(|error| self.failed(&error))?;
        answer::vectors(&bytes, n_texts, n_dims).map_err(|what| self.strange(&what))
    }

    fn refused<B>(&self, response: &Response<B>, body: &[u8]) -> Failure {
        let status = response.status();
        if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
            let header = response.headers().get("retry-after");
            // In seconds. The other form, a date, would need the time of day, and servers do not send it here.
            let seconds = header.and_then(|value| value.to_str().ok()?.trim().parse::<u64>().ok());
            return Failure::Again {
                why: format!("status {}", status.as_u16()),
                after: seconds.map(Duration::from_secs),
            };
        }
        let message = match status {
            // Services often quote a part of the key here.
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN if self.key.is_some() => {
                "the key is not accepted".to_owned()
            }
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => "it wants a key".to_owned(),
            _ => self.without_key(&answer::message(body)),
        };
        Failure::Final(EmbedError::Refused {
            url: self.shown_url.clone(),
            status: status.as_u16(),
            message,
        })
    }

    /// There was no reply, or only a part of one.
    fn failed(&self, error: &ureq::Error) -> Failure {
        let why = match error {
            ureq::Error::Timeout(_) => format!("no answer within {} ms", self.timeout.as_millis()),
            ureq::Error::HostNotFound => "the host is not known".to_owned(),
            ureq::Error::ConnectionFailed => "no connection".to_owned(),
            ureq::Error::Io(error) => error.kind().to_string(),
            ureq::Error::BodyExceedsLimit(limit) => {
                return self.strange(&format!("more than {limit} bytes"));
            }
            ureq::Error::Tls(_) | ureq::Error::Rustls(_) => return self.strange("no safe connection (TLS)"),
            _ => return self.strange("its answer is not valid HTTP"),
        };
        Failure::Again { why, after: None }
    }

    fn strange(&self, what: &str) -> Failure {
        Failure::Final(EmbedError::BadAnswer {
            url: self.shown_url.clone(),
            what: self.without_key(what),
        })
    }

    fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) if !key.reveal().is_empty() => text.replace(key.reveal(), "[REDACTED]"),
            _ => text.to_owned(),
        }
    }
}

/// The address for requests, and the form of it that is shown.
fn address(url: &str) -> Result<(String, String), EmbedError> {
    let wrong = |why: &str| EmbedError::BadSetting {
        setting: "the URL of the embedding server",
        why: why.to_owned(),
    };
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))
        .ok_or_else(|| wrong("it begins with neither https:// nor http://"))?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if host.is_empty() || url.contains('#') || !url.chars().all(|c| c.is_ascii_graphic()) {
        return Err(wrong("it is not an address, such as https://host/v1"));
    }
    if host.contains('@') {
        return Err(wrong(
            "it holds a user or a password; the key has a setting of its own",
        ));
    }
    let (path, query) = match url.split_once('?') {
        Some((path, query)) => (path, format!("?{query}")),
        None => (url, String::new()),
    };
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix("/embeddings").unwrap_or(path);
    Ok((format!("{path}/embeddings{query}"), path.to_owned()))
}
