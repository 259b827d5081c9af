//! What the READMEs of a project say, so that a brief does not say it again (INS-12).

use kitbag_store::Snapshot;
use kitbag_types::RepoPath;

use crate::EngineError;

/// Words in which a README says what the project is.
const OPENING: usize = 200;

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
    wanted.len() > 1 && around(readmes, folder).any(|readme| readme.words.contains(&wanted))
}

/// Whether the beginning of such a README has every word that counts of a description.
pub(crate) fn introduces(readmes: &[Readme], folder: &str, description: &str) -> bool {
    let wanted = words(description);
    let wanted: Vec<&str> = wanted.split_whitespace().filter(|word| word.len() > 3).collect();
    let is_said = |readme: &Readme| {
        let opening: Vec<&str> = readme.words.split_whitespace().take(OPENING).collect();
        wanted.iter().all(|word| opening.contains(word))
    };
    !wanted.is_empty() && around(readmes, folder).any(is_said)
}

/// The READMEs of a folder and of those above it.
fn around<'r>(readmes: &'r [Readme], folder: &str) -> impl Iterator<Item = &'r Readme> {
    readmes.iter().filter(move |readme| {
        let home = readme.path.as_str().rsplit_once('/').map_or("", |(home, _)| home);
        let below = folder.strip_prefix(home);
        home.is_empty() || below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
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
