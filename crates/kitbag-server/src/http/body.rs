//! A request's body, taken in whole before anything else happens: not larger than allowed, not slower, and not more of them at a
//! time than there is room for (SEC-4).
//!
//! Read by hand and not by `to_bytes`, which does not tell a body that is too large from one that its client broke off.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::{HeaderMap, StatusCode, header};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::problem::Problem;
use kitbag_door::settings::Server;

/// Bodies that arrive or are worked on, all together. What is made of one takes several times its size.
const MOST_AT_ONCE: usize = 64 << 20;
/// Room is given in pieces of this size, in bytes.
const PIECE: usize = 1 << 10;

pub(super) struct Bodies(Arc<Semaphore>);

impl Default for Bodies {
    fn default() -> Self {
        Bodies(Arc::new(Semaphore::new(MOST_AT_ONCE / PIECE)))
    }
}

impl Bodies {
    /// All of a body, and the room that it takes until its request is answered.
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
        // One that does not say how large it is may be as large as allowed. One alone is never too large.
        let n_pieces = announced.unwrap_or(most).min(MOST_AT_ONCE).div_ceil(PIECE);
        let n_pieces = u32::try_from(n_pieces).unwrap_or(u32::MAX);
        let Ok(room) = Arc::clone(&self.0).try_acquire_many_owned(n_pieces) else {
            return Err(Problem::busy("too many large requests are under way"));
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
        // What is not data is a trailer, which nobody asked for.
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > most {
            return Err(Problem::too_large(most));
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes.into())
}
