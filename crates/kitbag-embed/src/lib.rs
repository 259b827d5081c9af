//! Text becomes vectors: what a question and a chunk have in common beyond their words (RET-12).
//!
//! The built-in model is a [`Table`]: a row of numbers for every term, summed and brought to unit length. It ships in the
//! binary, needs no download and embeds thousands of chunks per second on one core; `docs/embedding.md` says how it was made
//! and what it is worth. The terms are those of the text index (`kitbag_types::terms`), so there is one tokenizer in the house.
//!
//! Whoever has another model names a folder or a server: [`Model`] is one of them, and says which vectors are whose. A
//! program that uses the library brings its own as a [`VectorModel`].
//!
//! Read [`Passage`] first (what of a chunk is embedded), then [`Table`], then `model.rs`. For the models of others: `folder`
//! (what is in a folder), `transformer` (an encoder of our own) and `endpoint` (a server, with all that can go wrong there).

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
