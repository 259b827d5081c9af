//! The interface of this room: opens the configured model, and turns a question or passages into vectors of length 1.
//!
//! An enum and not a trait: there are four kinds of our own with different costs, and the engine must know whether one is
//! slow. The fifth kind holds the trait, for models of the program around the library (LIB-1). Vectors of two models are not
//! comparable, so each model has an id that is stored with its vectors and changes with everything that determines them.

use std::path::PathBuf;

use crate::custom::{self, VectorModel};
use crate::endpoint::{Endpoint, EndpointOptions};
use crate::folder::{self, Kind};
use crate::static_folder::StaticFolder;
use crate::text::passage_text;
use crate::transformer::Transformer;
use crate::{EmbedError, Passage, Table};

/// Where the model comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Source {
    #[default]
    BuiltIn,
    /// A folder of sentence-transformers or model2vec; the files in it tell which.
    Folder(PathBuf),
    Endpoint(EndpointOptions),
}

pub enum Model {
    BuiltIn(&'static Table),
    Static(Box<StaticFolder>),
    Transformer(Box<Transformer>),
    Endpoint(Box<Endpoint>),
    Custom(Box<dyn VectorModel>),
}

/// All threads of an engine share one model.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Model>();
};

impl Model {
    /// Reads the whole model. An endpoint without a configured dimension is asked for a first vector.
    pub fn open(source: &Source) -> Result<Model, EmbedError> {
        match source {
            Source::BuiltIn => Ok(Model::BuiltIn(Table::built_in())),
            Source::Folder(path) => match folder::kind(path)? {
                Kind::Transformer => Ok(Model::Transformer(Box::new(Transformer::open(path)?))),
                Kind::Static(place) => Ok(Model::Static(Box::new(StaticFolder::open(path, &place)?))),
            },
            Source::Endpoint(options) => Ok(Model::Endpoint(Box::new(Endpoint::open(options)?))),
        }
    }

    /// The id that is stored with the vectors: kind, name and a digest of what determines the vectors. For an endpoint, which
    /// cannot be digested: address, model and dimension.
    pub fn id(&self) -> &str {
        match self {
            Model::BuiltIn(table) => table.id(),
            Model::Static(model) => model.id(),
            Model::Transformer(model) => model.id(),
            Model::Endpoint(model) => model.id(),
            Model::Custom(model) => model.id(),
        }
    }

    pub fn dims(&self) -> usize {
        match self {
            Model::BuiltIn(table) => table.dims(),
            Model::Static(model) => model.n_dims(),
            Model::Transformer(model) => model.n_dims(),
            Model::Endpoint(model) => model.n_dims(),
            Model::Custom(model) => model.dims(),
        }
    }

    /// One vector per passage, in order, of length 1; zeros for a text without any known term.
    pub fn passages(&self, passages: &[Passage<'_>]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let texts = |max_bytes| -> Vec<String> {
            let text = |passage| passage_text(passage, max_bytes);
            passages.iter().map(text).collect()
        };
        match self {
            Model::BuiltIn(table) => Ok(passages
                .iter()
                .map(|passage| table.embed_passage(passage))
                .collect()),
            Model::Static(model) => texts(model.max_bytes())
                .iter()
                .map(|text| model.embed(text))
                .collect(),
            Model::Transformer(model) => model.passages(&texts(model.max_bytes())),
            Model::Endpoint(model) => model.embed(&texts(model.max_bytes())),
            Model::Custom(model) => custom::embed(&**model, &texts(model.max_bytes())),
        }
    }

    /// A vector of length 1; zeros for a text without any known term.
    pub fn query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        match self {
            Model::BuiltIn(table) => Ok(table.embed_query(text)),
            Model::Static(model) => model.embed(text),
            Model::Transformer(model) => model.query(text),
            Model::Endpoint(model) => model.embed_question(kitbag_types::prefix(text, model.max_bytes())),
            Model::Custom(model) => custom::embed_one(&**model, text),
        }
    }

    /// Whether it embeds tens of passages per second rather than thousands. Its vectors are then worth keeping.
    pub fn is_slow(&self) -> bool {
        match self {
            Model::BuiltIn(_) | Model::Static(_) => false,
            Model::Transformer(_) | Model::Endpoint(_) => true,
            Model::Custom(model) => model.is_slow(),
        }
    }
}
