//! Wraps the stream of a connection, and ends it when the client stops reading.
//!
//! hyper waits without limit for a client to read its answer. Here, a write that has to wait starts a timer; by its end the
//! client must have read a minimum of bytes, or the write fails and the connection ends. A connection with nothing to write
//! has no timer, so an idle stream of events lasts as long as its client. `stuck` is called when a write begins or ends
//! waiting, because such a connection may have to make room for another.

#[cfg(test)]
mod tests;

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// The bytes of a waiting answer that a client must read within the time limit. Single bytes do not keep a connection open.
const LEAST_TAKEN: usize = 16 << 10;

pub(super) struct Paced<S> {
    stream: S,
    within: Duration,
    wait: Option<Wait>,
    /// Called when a write begins to wait, and when it no longer does.
    stuck: Box<dyn Fn(bool) + Send + Sync>,
}

/// A write that could not be finished at once.
struct Wait {
    up: Pin<Box<Sleep>>,
    n_taken: usize,
}

impl<S: Unpin> Paced<S> {
    pub(super) fn new(stream: S, within: Duration, stuck: impl Fn(bool) + Send + Sync + 'static) -> Paced<S> {
        Paced {
            stream,
            within,
            wait: None,
            stuck: Box::new(stuck),
        }
    }

    /// The result of an attempt to write `n_wanted` bytes.
    fn paced(
        &mut self,
        context: &mut Context<'_>,
        wrote: Poll<io::Result<usize>>,
        n_wanted: usize,
    ) -> Poll<io::Result<usize>> {
        match wrote {
            Poll::Ready(Ok(n)) => {
                if n == n_wanted {
                    if self.wait.take().is_some() {
                        (self.stuck)(false);
                    }
                } else if let Some(wait) = &mut self.wait {
                    wait.n_taken += n;
                }
                Poll::Ready(Ok(n))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                let (within, stuck) = (self.within, &self.stuck);
                let wait = self.wait.get_or_insert_with(|| {
                    stuck(true);
                    Wait {
                        up: Box::pin(sleep(within)),
                        n_taken: 0,
                    }
                });
                // Polled until it is pending, because only then it wakes us.
                while wait.up.as_mut().poll(context).is_ready() {
                    if wait.n_taken < LEAST_TAKEN {
                        return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
                    }
                    wait.n_taken = 0;
                    wait.up.as_mut().reset(Instant::now() + within);
                }
                Poll::Pending
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.paced(context, wrote, bytes.len())
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        let n_wanted = pieces.iter().map(|piece| piece.len()).sum();
        self.paced(context, wrote, n_wanted)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
