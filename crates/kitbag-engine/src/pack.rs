//! From a task to a pack: collect pieces from search and from what was handed in, pull in what they depend on, let
//! `kitbag-pack` choose and write, and say what is missing.

mod calls;
mod closure;
mod depth;
mod given;
mod hints;
mod lines;
mod log;
mod pieces;
mod steer;

pub use calls::Door;
pub(crate) use closure::pull_in;
pub(crate) use depth::deepen;
pub(crate) use given::{MOST_SOURCES, read_all};
pub(crate) use hints::{Advice, advise};
pub(crate) use lines::find_focus;
pub(crate) use pieces::{Collector, Facts, Found, hex, id_of};
pub(crate) use steer::steer;
