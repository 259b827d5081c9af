//! `${VAR}` in strings: text and variables in, text with the values out. `$${` stands for a literal `${`.
//!
//! An unset variable is an error, not an empty string: `"${CACHE}/kitbag"` must not quietly become `/kitbag`.

#[cfg(test)]
mod tests;

use crate::env::{self, Variables};

/// What is wrong, and in which part of the text.
#[derive(Debug, PartialEq, Eq)]
pub struct Unexpanded {
    pub reference: String,
    pub message: String,
}

pub fn expand(text: &str, variables: &Variables) -> Result<String, Unexpanded> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        if let Some(before) = rest[..at].strip_suffix('$') {
            out.push_str(before);
            out.push_str("${");
            rest = &rest[at + 2..];
            continue;
        }
        out.push_str(&rest[..at]);
        let Some(end) = rest[at..].find('}') else {
            let message = "`${` without `}`; write `$${` for the characters themselves".to_owned();
            return Err(Unexpanded {
                reference: "${".to_owned(),
                message,
            });
        };
        let reference = &rest[at..=at + end];
        let name = &reference[2..reference.len() - 1];
        let Some(value) = env::get(variables, name) else {
            let message = format!("the variable {name} is not set");
            return Err(Unexpanded {
                reference: reference.to_owned(),
                message,
            });
        };
        out.push_str(value);
        rest = &rest[at + end + 1..];
    }
    out.push_str(rest);
    Ok(out)
}
