//! Turns text into vectors, which compare a question and a chunk by more than their words (RET-12).
//!
//! The built-in model is a [`Table`]: one row of numbers per term, summed and normalised to length 1. It is part of the
//! binary, needs no download and embeds thousands of chunks per second on one core; `docs/embedding.md` says how it was made
//! and how well it works. Its terms are those of the text index (`kitbag_types::terms`), so there is only one tokenizer.
//!
//! Other models are a folder or a server. [`Model`] is any of them and has an id that says which vectors are comparable. A
//! program that uses the library can pass its own model as a [`VectorModel`].
//!
//! Read [`Passage`] first (which parts of a chunk are embedded), then [`Table`], then `model.rs`. For other models: `folder`
//! (what is in a folder), `transformer` (our own encoder) and `endpoint` (a server and its failures).

mod custom;
mod endpoint;
mod error;
mod folder;
mod model;
mod passage;
mod pieces;
mod static_folder;
mod table;
mod text;
mod transformer;
mod vector;
mod weights;

pub use custom::VectorModel;
pub use endpoint::{ApiKey, Clock, Endpoint, EndpointOptions};
pub use error::EmbedError;
pub use model::{Model, Source};
pub use passage::{Feature, Field, Passage, Rows, term_key};
pub use static_folder::StaticFolder;
pub use table::{Table, TableParts};
pub use transformer::Transformer;
