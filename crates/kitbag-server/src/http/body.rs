//! Reads the whole body of a request before anything else happens. Its size, its time and the memory of all bodies together
//! are limited (SEC-4).
//!
//! It does not use `to_bytes`, which cannot distinguish a body that is too large from one that its client broke off.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::{HeaderMap, StatusCode, header};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::problem::Problem;
use kitbag_door::settings::Server;

/// The most bytes of bodies that arrive or are worked on, together. The data made from one takes several times its size.
const MOST_AT_ONCE: usize = 64 << 20;
/// Memory is reserved in pieces of this size, in bytes.
const PIECE: usize = 1 << 10;

pub(super) struct Bodies(Arc<Semaphore>);

impl Default for Bodies {
    fn default() -> Self {
        Bodies(Arc::new(Semaphore::new(MOST_AT_ONCE / PIECE)))
    }
}

impl Bodies {
    /// The whole body, and its reservation until the request is answered.
    pub(super) async fn arrived(
        &self,
        headers: &HeaderMap,
        body: Body,
        limits: &Server,
    ) -> Result<(Bytes, OwnedSemaphorePermit), Problem> {
        let most = limits.max_body_bytes;
        let announced = announced(headers);
        if announced.is_some_and(|length| length > most) {
            return Err(Problem::too_large(most));
        }
        // A body without a length may be as large as allowed. A single body always fits.
        let n_pieces = announced.unwrap_or(most).min(MOST_AT_ONCE).div_ceil(PIECE);
        let n_pieces = u32::try_from(n_pieces).unwrap_or(u32::MAX);
        let Ok(room) = Arc::clone(&self.0).try_acquire_many_owned(n_pieces) else {
            return Err(Problem::busy("too many large requests at a time"));
        };
        let time = limits.timeout;
        match tokio::time::timeout(time, whole(body, most)).await {
            Ok(bytes) => Ok((bytes?, room)),
            Err(_) => {
                let detail = "the body did not arrive in time";
                Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "TOO_SLOW", detail))
            }
        }
    }
}

fn announced(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

async fn whole(mut body: Body, most: usize) -> Result<Bytes, Problem> {
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let Ok(frame) = frame else {
            let detail = "the body ended before it was complete";
            return Err(Problem::new(StatusCode::BAD_REQUEST, "INCOMPLETE", detail));
        };
        // A frame that is not data is a trailer, which is ignored.
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > most {
            return Err(Problem::too_large(most));
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes.into())
}
