//! Opens the model in a folder: a sentence-transformers encoder, or a static table in the format of model2vec. The files in
//! the folder tell which it is.
//!
//! Errors name what is missing or of another kind. The usual mistakes are a partial download, a PyTorch checkpoint
//! (`pytorch_model.bin`, which runs code when it is read) and a model of another architecture.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::EmbedError;
use crate::text::TEXT_VERSION;

pub(crate) const WEIGHTS: &str = "model.safetensors";
pub(crate) const TOKENIZER: &str = "tokenizer.json";
pub(crate) const CONFIG: &str = "config.json";

/// The largest file of settings that is read.
const MAX_JSON_BYTES: u64 = 10_000_000;

#[derive(Debug, PartialEq)]
pub(crate) enum Kind {
    Transformer,
    /// The folder with weights and tokenizer, which may be a subfolder.
    Static(PathBuf),
}

pub(crate) fn kind(folder: &Path) -> Result<Kind, EmbedError> {
    let not_a_model = |what: String| EmbedError::NotAModel {
        path: folder.to_owned(),
        what,
    };
    if !folder.is_dir() {
        return Err(not_a_model("there is no such folder".to_owned()));
    }
    let first_module = modules(folder)?.into_iter().next();
    if let Some(Module { name, path }) = first_module
        && name == "StaticEmbedding"
    {
        let below = folder.join(path);
        return complete(&below).map(|()| Kind::Static(below));
    }
    complete(folder)?;
    let Some(config) = json(&folder.join(CONFIG))? else {
        return Err(not_a_model(format!("{CONFIG} is missing")));
    };
    match config.get("model_type").and_then(Value::as_str) {
        Some("bert") => Ok(Kind::Transformer),
        // The type that model2vec writes into its configurations.
        None | Some("model2vec") => Ok(Kind::Static(folder.to_owned())),
        Some(other) => Err(EmbedError::unsupported(
            folder,
            format!(
                "its model_type is {other}; bert (MiniLM, BGE, E5, GTE …) and static tables are computed here"
            ),
        )),
    }
}

fn complete(folder: &Path) -> Result<(), EmbedError> {
    let missing: Vec<&str> = [WEIGHTS, TOKENIZER]
        .into_iter()
        .filter(|name| !folder.join(name).is_file())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let mut what = format!(
        "{} {} missing",
        missing.join(" and "),
        if missing.len() == 1 { "is" } else { "are" }
    );
    if folder.join("pytorch_model.bin").is_file() {
        what.push_str(" (pytorch_model.bin is not read: it can run code)");
    }
    Err(EmbedError::NotAModel {
        path: folder.to_owned(),
        what,
    })
}

/// One step of a sentence-transformers model: the last word of its type, and its folder.
#[derive(Debug, PartialEq)]
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) path: String,
}

/// The steps in `modules.json`, in order; empty without that file.
pub(crate) fn modules(folder: &Path) -> Result<Vec<Module>, EmbedError> {
    let path = folder.join("modules.json");
    let Some(value) = json(&path)? else {
        return Ok(Vec::new());
    };
    let module = |value: &Value| {
        let kind = value.get("type")?.as_str()?;
        let path = value.get("path")?.as_str()?;
        // A step must be inside the model's folder.
        let inside = !Path::new(path).is_absolute() && !path.split(['/', '\\']).any(|part| part == "..");
        inside.then(|| Module {
            name: kind.rsplit('.').next().unwrap_or(kind).to_owned(),
            path: path.to_owned(),
        })
    };
    let modules: Option<Vec<Module>> = value
        .as_array()
        .and_then(|list| list.iter().map(module).collect());
    modules.ok_or_else(|| EmbedError::damaged(&path, "it is not a list of modules with type and path"))
}

/// `None` if there is no such file.
pub(crate) fn json(path: &Path) -> Result<Option<Value>, EmbedError> {
    let bytes = match read_limited(path, MAX_JSON_BYTES) {
        Ok(bytes) => bytes,
        Err(EmbedError::Unreadable {
            kind: ErrorKind::NotFound,
            ..
        }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let value = serde_json::from_slice(&bytes);
    value
        .map(Some)
        .map_err(|error| EmbedError::damaged(path, format!("it is no JSON: {error}")))
}

pub(crate) fn read_limited(path: &Path, max_bytes: u64) -> Result<Vec<u8>, EmbedError> {
    let unreadable = |error: std::io::Error| EmbedError::Unreadable {
        path: path.to_owned(),
        kind: error.kind(),
    };
    // A pipe would be waited for without end.
    if path.exists() && !path.is_file() {
        return Err(EmbedError::unsupported(
            path,
            "it is not a regular file".to_owned(),
        ));
    }
    let file = File::open(path).map_err(unreadable)?;
    let n_bytes = file.metadata().map_err(unreadable)?.len();
    let mut bytes = Vec::with_capacity(usize::try_from(n_bytes.min(max_bytes)).unwrap_or(0));
    file.take(max_bytes + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > max_bytes {
        return Err(EmbedError::unsupported(
            path,
            format!("it has more than {max_bytes} bytes"),
        ));
    }
    Ok(bytes)
}

/// The id that is stored with the vectors: kind, folder, and twelve digits of a digest of everything that determines them.
pub(crate) fn id(kind: &str, folder: &Path, parts: &[&[u8]]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&TEXT_VERSION.to_le_bytes());
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    let hex = hasher.finalize().to_hex();
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    format!("{kind}:{name}:{}", &hex[..12])
}
