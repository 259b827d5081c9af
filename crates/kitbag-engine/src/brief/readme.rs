//! What the READMEs of a project say, so that a brief does not say it again (INS-12).

use kitbag_store::Snapshot;
use kitbag_types::RepoPath;

use crate::EngineError;

/// A README as words.
pub(crate) struct Readme {
    path: RepoPath,
    words: String,
}

pub(super) fn readmes(snapshot: &Snapshot<'_>) -> Result<Vec<Readme>, EngineError> {
    let mut found = Vec::new();
    for file in snapshot.files()? {
        let name = file.path.file_name().to_ascii_lowercase();
        let is_readme = name.split('.').next() == Some("readme");
        if let Some(parse) = file.parse.filter(|_| is_readme) {
            let words = words(&snapshot.parse_text(parse)?);
            found.push(Readme {
                path: file.path,
                words,
            });
        }
    }
    Ok(found)
}

/// Whether a README of `folder`, or of a folder above it, says this in the same words.
pub(crate) fn says(readmes: &[Readme], folder: &str, text: &str) -> bool {
    let wanted = words(text);
    let is_around = |readme: &&Readme| {
        let home = readme.path.as_str().rsplit_once('/').map_or("", |(home, _)| home);
        let below = folder.strip_prefix(home);
        home.is_empty() || below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    wanted.len() > 1
        && readmes
            .iter()
            .filter(is_around)
            .any(|readme| readme.words.contains(&wanted))
}

/// ` word word word `: without marks, case and line breaks.
fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    let parts = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty());
    for part in parts {
        out.extend(part.chars().flat_map(char::to_lowercase));
        out.push(' ');
    }
    out
}
