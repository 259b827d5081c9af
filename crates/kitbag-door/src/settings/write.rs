//! The file of `kitbag config init`: every setting with its explanation and default, commented out.
//!
//! It is made from the table of keys, so it is never out of date. `# ` begins an explanation, `#` a setting to uncomment.

#[cfg(test)]
mod tests;

use super::keys::{CHUNKING, KEYS, Key, SECTIONS, WhenUnset};

pub fn commented_file() -> String {
    let mut out = String::from(
        "# Settings of Kitbag for this project. Every line shows a default: remove the # to change it.\n\
         # Later wins: the user's file, this file, variables (KITBAG_INDEXING_HIDDEN=true), flags.\n\
         # Strings may hold ${VARIABLES}. `kitbag config show` prints each value and where it comes from.\n",
    );
    for (section, doc) in SECTIONS {
        out.push_str(&format!("\n# {doc}\n[{section}]\n"));
        for key in KEYS.iter().filter(|key| key.section == *section) {
            out.push_str(&lines(key));
        }
        if *section == CHUNKING {
            out.push_str("\n#[chunking.rust]\n#max_chunk_tokens = 800\n");
        }
    }
    out
}

fn lines(key: &Key) -> String {
    let Key { name, doc, .. } = key;
    // A setting that may not be in this file is explained, but not offered.
    let offered = if key.users_own { "# " } else { "#" };
    match key.unset {
        Some(WhenUnset { means, example }) => {
            format!("# {doc} Unless set: {means}.\n{offered}{name} = {example}\n")
        }
        None => {
            let value = key.default().map(|value| value.to_toml()).unwrap_or_default();
            format!("# {doc}\n{offered}{name} = {value}\n")
        }
    }
}
