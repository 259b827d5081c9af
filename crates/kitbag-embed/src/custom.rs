//! A model that the program around the library provides (LIB-1): texts in, vectors out. Its output is checked, because it is
//! foreign code: one vector per text, each of the promised dimension, only finite numbers.

use crate::EmbedError;
use crate::vector::normalise;

/// Makes vectors of texts. `kitbag_engine::Engine::with_model` takes one.
pub trait VectorModel: Send + Sync {
    /// Stored with the vectors. Vectors with another id are not comparable: change it whenever the vectors change.
    fn id(&self) -> &str;

    /// Numbers per vector.
    fn dims(&self) -> usize;

    /// One vector per text, in order; an error says why there are none. Vectors need not have unit length.
    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String>;

    /// The most bytes of a text that are embedded.
    fn max_bytes(&self) -> usize {
        8_000
    }

    /// Whether it makes tens of vectors per second rather than thousands. A search does not wait for many vectors of a slow
    /// model.
    fn is_slow(&self) -> bool {
        true
    }
}

/// The vectors of these texts, normalised to length 1.
pub(crate) fn embed(model: &dyn VectorModel, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
    let failed = |what: String| EmbedError::Custom {
        id: model.id().to_owned(),
        what,
    };
    let mut vectors = model.embed(texts).map_err(failed)?;
    let n_dims = model.dims();
    if vectors.len() != texts.len() {
        let what = format!("{} vectors for {} texts", vectors.len(), texts.len());
        return Err(failed(what));
    }
    for vector in &mut vectors {
        if vector.len() != n_dims {
            return Err(failed(format!("{} numbers instead of {n_dims}", vector.len())));
        }
        if !vector.iter().all(|number| number.is_finite()) {
            return Err(failed("a vector has something that is not a number".to_owned()));
        }
        normalise(vector);
    }
    Ok(vectors)
}

/// The vector of a question.
pub(crate) fn embed_one(model: &dyn VectorModel, text: &str) -> Result<Vec<f32>, EmbedError> {
    let text = kitbag_types::prefix(text, model.max_bytes()).to_owned();
    Ok(embed(model, &[text])?.pop().expect("one text has one vector"))
}

#[cfg(test)]
mod tests;
