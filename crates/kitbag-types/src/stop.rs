//! Tells long loops whether to stop: the caller may have gone, run out of time or cancelled.
//!
//! It is a flag or a function, because each door learns this in its own way: a connection that closed, a call that was
//! cancelled, a flag that a signal sets. A check costs about as much as reading an atomic.

use std::sync::atomic::{AtomicBool, Ordering};

/// Checked in every long loop.
#[derive(Clone, Copy, Default)]
pub struct Stop<'a>(How<'a>);

#[derive(Clone, Copy, Default)]
enum How<'a> {
    #[default]
    Never,
    Flag(&'a AtomicBool),
    When(&'a (dyn Fn() -> bool + Sync)),
}

/// The work was stopped because nobody wants the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl<'a> Stop<'a> {
    /// Never stops.
    pub const fn never() -> Self {
        Self(How::Never)
    }

    /// Stops soon after `is_stopped` returns true, which it must then keep returning.
    pub const fn when(is_stopped: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self(How::When(is_stopped))
    }

    /// The flag that stops the work, if there is one.
    pub fn flag(&self) -> Option<&'a AtomicBool> {
        match self.0 {
            How::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    pub fn is_stopped(&self) -> bool {
        match self.0 {
            How::Never => false,
            How::Flag(flag) => flag.load(Ordering::Relaxed),
            How::When(is_stopped) => is_stopped(),
        }
    }

    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}

impl<'a> From<&'a AtomicBool> for Stop<'a> {
    fn from(flag: &'a AtomicBool) -> Self {
        Self(How::Flag(flag))
    }
}

impl std::fmt::Debug for Stop<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.0 {
            How::Never => "Never",
            How::Flag(_) => "Flag",
            How::When(_) => "When",
        })
    }
}
