//! How an engine is put together: a project, its store and options, and the providers, ours and those of the program that uses
//! this crate.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use kitbag_embed::{Model, VectorModel};
use kitbag_repo::Tree;
use kitbag_repo::secrets::SecretRules;

use crate::engine::Provider;
use crate::providers::{built_in, in_order, switches};
use crate::{Engine, EngineError, Options};

impl Engine {
    /// Opens the project at `root` with its store in `store_dir`. Touches neither; a root that must not be indexed is
    /// refused here (IDX-2).
    pub fn open(root: &Path, store_dir: PathBuf, options: Options) -> Result<Self, EngineError> {
        let rules = if options.scrub_secrets {
            SecretRules::new(&options.secret_patterns)?
        } else {
            SecretRules::off()
        };
        let fingerprint = rules.fingerprint();
        let tree = Tree::open(root, options.boundary.clone(), rules)?;
        if store_dir.canonicalize().is_ok_and(|store| store == tree.root()) {
            return Err(EngineError::Invalid {
                code: "PATH_DENIED",
                message:
                    "the store cannot be the project folder itself; choose a folder inside or outside it"
                        .into(),
            });
        }
        let providers = in_order(built_in()).expect("the built-in ones wait for one another only");
        Ok(Self::new(tree, store_dir, options, &fingerprint, providers))
    }

    /// Adds a provider (LIB-1). It is asked with the others, and has the same weight as the provider `reference`.
    pub fn with_provider(mut self, provider: Box<dyn Provider>) -> Result<Self, EngineError> {
        let invalid = |message: String| EngineError::Invalid {
            code: "INVALID_PROVIDER",
            message,
        };
        let name = provider.name();
        if switches().contains(&name) || self.providers.iter().any(|known| known.name() == name) {
            let message = format!("`{name}` is the name of another provider or factor; choose another name");
            return Err(invalid(message));
        }
        self.providers.push(provider);
        self.providers = in_order(self.providers).map_err(|name| {
            invalid(format!(
                "the provider `{name}` depends on itself or on a provider that does not exist"
            ))
        })?;
        Ok(self)
    }

    /// Makes vectors with this model instead of the configured one (LIB-1). Files that are indexed already get vectors of it in the
    /// next index run; until then the old vectors are used.
    pub fn with_model(mut self, model: Box<dyn VectorModel>) -> Self {
        self.model = OnceLock::from(Ok(Model::Custom(model)));
        self
    }

    /// What [`crate::api::SearchRequest::without`] can name here: the providers of this engine, then the factors.
    pub(crate) fn switches(&self) -> Vec<&'static str> {
        let own = self.providers.iter().map(|provider| provider.name());
        let all = switches();
        let own = own.filter(|name| !all.contains(name)).collect::<Vec<_>>();
        all.into_iter().chain(own).collect()
    }
}
