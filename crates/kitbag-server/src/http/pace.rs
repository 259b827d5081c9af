//! A connection whose client must keep up: a stream in, the same stream out, broken off when its other end stops reading.
//!
//! hyper waits for ever until a client takes its answer. Here, a write that has to wait starts a clock; when the time is up, the
//! client must have taken a least number of bytes, or the write fails and the connection ends. A connection that has nothing to
//! write has no clock, so an idle stream of events lives as long as its client does. Meanwhile `stuck` is told, because a connection
//! whose client does not read may have to make room for another.

#[cfg(test)]
mod tests;

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// What a client must take of a waiting answer within the time limit, in bytes. A byte now and then does not hold a connection.
const LEAST_TAKEN: usize = 16 << 10;

pub(super) struct Paced<S> {
    stream: S,
    within: Duration,
    wait: Option<Wait>,
    /// Hears when a write begins to wait, and when it no longer does.
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

    /// What becomes of an attempt to write `n_wanted` bytes.
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
                // Polled until it is not ready, because only then it wakes us.
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
