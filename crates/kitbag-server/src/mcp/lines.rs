//! Standard input with a limit on the length of lines. A line beyond the limit is dropped and answered with an error.
//!
//! The SDK drops such a line silently, and its client would wait for ever. Here the line is cut, so that the SDK ignores it,
//! and followed by a short request with the same id, which [`super::Handler`] answers with the error. Only the beginning and
//! the end of the line are kept: the id is at its beginning or, as most clients write it, at its end.

#[cfg(test)]
mod tests;

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use serde_json::{Value, json};
use tokio::io::{AsyncRead, ReadBuf};

/// The default limit of a request over HTTP.
pub(super) const MOST_BYTES: usize = 8 << 20;
/// The method of the request that replaces a line that was too long.
pub(super) const TOO_LONG: &str = "kitbag/line_too_long";
/// The bytes that are kept of a line's beginning, and of its end.
const KEPT: usize = 1 << 10;

pub(super) struct Lines<R> {
    input: R,
    most: usize,
    /// The length of the current line.
    n_bytes: usize,
    head: Vec<u8>,
    tail: Vec<u8>,
    /// Read, and passed on up to `n_passed`.
    ready: Vec<u8>,
    n_passed: usize,
}

impl<R> Lines<R> {
    pub(super) fn new(input: R, most: usize) -> Lines<R> {
        Lines {
            input,
            most,
            n_bytes: 0,
            head: Vec::new(),
            tail: Vec::new(),
            ready: Vec::new(),
            n_passed: 0,
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let was_fine = self.n_bytes <= self.most;
            self.n_bytes = self.n_bytes.saturating_add(piece.len());
            let is_fine = self.n_bytes <= self.most;
            self.remember(piece);
            if is_fine {
                self.ready.extend_from_slice(piece);
            } else if was_fine {
                self.ready.push(b'\n');
            }
            if piece.ends_with(b"\n") {
                if !is_fine {
                    self.ready.extend_from_slice(&self.stand_in());
                }
                self.n_bytes = 0;
                self.head.clear();
                self.tail.clear();
            }
        }
    }

    fn remember(&mut self, piece: &[u8]) {
        let n_missing = KEPT - self.head.len();
        self.head.extend_from_slice(&piece[..piece.len().min(n_missing)]);
        self.tail
            .extend_from_slice(&piece[piece.len().saturating_sub(KEPT)..]);
        let n_over = self.tail.len().saturating_sub(KEPT);
        self.tail.drain(..n_over);
    }

    /// What the SDK reads in place of the line. Without an id it is not a request, and the error has no id.
    fn stand_in(&self) -> Vec<u8> {
        let id = id_at_start(&String::from_utf8_lossy(&self.head))
            .or_else(|| id_at_end(&String::from_utf8_lossy(&self.tail)));
        let line = match id {
            Some(id) => json!({"jsonrpc": "2.0", "id": id, "method": TOO_LONG}),
            None => json!({"jsonrpc": "2.0"}),
        };
        format!("{line}\n").into_bytes()
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        while self.n_passed == self.ready.len() {
            let mut bytes = [0; 8 << 10];
            let mut part = ReadBuf::new(&mut bytes);
            ready!(Pin::new(&mut self.input).poll_read(context, &mut part))?;
            if part.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            self.ready.clear();
            self.n_passed = 0;
            self.take(part.filled());
        }
        let left = &self.ready[self.n_passed..];
        let n = left.len().min(buffer.remaining());
        buffer.put_slice(&left[..n]);
        self.n_passed += n;
        Poll::Ready(Ok(()))
    }
}

/// The id in the beginning of a message, if it is there: a key of the outermost object.
fn id_at_start(text: &str) -> Option<Value> {
    let (mut depth, mut rest) = (0, text);
    loop {
        let at = rest.find(['"', '{', '}', '[', ']'])?;
        let (sign, after) = (rest.as_bytes()[at], &rest[at + 1..]);
        rest = after;
        match sign {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {
                let (word, after) = string(after)?;
                rest = after;
                let value = after.trim_start().strip_prefix(':');
                if let (1, "id", Some(value)) = (depth, word, value) {
                    let mut values = serde_json::Deserializer::from_str(value).into_iter::<Value>();
                    return is_id(values.next()?.ok()?);
                }
            }
        }
    }
}

/// Splits at the quote that ends a string.
fn string(text: &str) -> Option<(&str, &str)> {
    let mut is_escaped = false;
    let end = text.find(|c| {
        let ends = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    })?;
    Some((&text[..end], &text[end + 1..]))
}

/// The id in the end of a message: only the end of the message may follow it.
fn id_at_end(text: &str) -> Option<Value> {
    let at = text.rfind("\"id\"")?;
    let message: Value = serde_json::from_str(&format!("{{{}", &text[at..])).ok()?;
    is_id(message.get("id")?.clone())
}

fn is_id(value: Value) -> Option<Value> {
    matches!(value, Value::String(_) | Value::Number(_)).then_some(value)
}
