//! Reads the reply of a server: bytes in; one vector per text, or what is wrong, out.
//!
//! A server may send the vectors in any order (`index` says which text they belong to), too few, of the wrong length, or an
//! HTML page with status 200. Everything is checked: a vector in the wrong place would never be noticed later.

#[cfg(test)]
mod tests;

use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: Option<usize>,
    /// Read as `f64`: whether a number too large for `f32` parses depends on features of the parser.
    embedding: Vec<f64>,
}

/// The vectors in the order of the texts.
pub(crate) fn vectors(bytes: &[u8], n_texts: usize, n_dims: Option<usize>) -> Result<Vec<Vec<f32>>, String> {
    let answer: Answer = serde_json::from_slice(bytes).map_err(|error| {
        if error.is_data() {
            // Some proxies send an error with status 200.
            let said = message(bytes);
            let said = if said.is_empty() {
                said
            } else {
                format!("; it says: {said}")
            };
            format!("its JSON has no list `data` of vectors `embedding`{said}")
        } else {
            "it is no JSON".to_owned()
        }
    })?;
    let n_found = answer.data.len();
    if n_found != n_texts {
        return Err(format!("{n_found} vectors for {n_texts} texts"));
    }
    let mut vectors: Vec<Vec<f32>> = vec![Vec::new(); n_texts];
    let mut n_dims = n_dims;
    for (place, Item { index, embedding }) in answer.data.into_iter().enumerate() {
        let index = index.unwrap_or(place);
        let embedding: Vec<f32> = embedding.into_iter().map(|value| value as f32).collect();
        let expected = *n_dims.get_or_insert(embedding.len());
        if embedding.is_empty() || embedding.len() != expected {
            return Err(format!(
                "a vector of {} numbers instead of {expected}",
                embedding.len()
            ));
        }
        if embedding.iter().any(|value| !value.is_finite()) {
            return Err("a vector with numbers that are not finite".to_owned());
        }
        match vectors.get_mut(index) {
            Some(vector) if vector.is_empty() => *vector = embedding,
            Some(_) => return Err(format!("two vectors with the index {index}")),
            None => return Err(format!("a vector with the index {index} for {n_texts} texts")),
        }
    }
    Ok(vectors)
}

/// The server's error message, if it has one of the usual forms, else empty. One short line.
pub(crate) fn message(bytes: &[u8]) -> String {
    const LONGEST: usize = 200;
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else {
        return String::new();
    };
    let places = ["/error/message", "/error", "/message", "/detail"];
    let said = places.iter().find_map(|place| value.pointer(place)?.as_str());
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    said.unwrap_or_default()
        .chars()
        .map(clean)
        .take(LONGEST)
        .collect()
}
