//! Makes a citation: a file, a definition or lines become what they mean now.

use kitbag_store::CitationRow;
use kitbag_syntax::SenseDefinition;
use kitbag_types::LineRange;

use super::code::{Code, CodeFile, digest};

/// What is to be cited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cited {
    File,
    /// `name` or `container::name`.
    Symbol(String),
    Lines(LineRange),
}

/// `None`: there is nothing of this in the file.
pub(crate) fn citation(code: &dyn Code, path: &str, cited: &Cited) -> Option<CitationRow> {
    let file = code.file(path)?;
    let mut citation = CitationRow {
        path: path.to_owned(),
        commit: code.commit(),
        seen_path: path.to_owned(),
        seen_hash: file.hash.clone(),
        state: "fresh".to_owned(),
        ..CitationRow::default()
    };
    match cited {
        Cited::File => citation.hash = file.whole_meaning(),
        Cited::Lines(lines) => {
            let tokens = file.sense.on_lines(&file.text, *lines);
            if tokens.is_empty() {
                return None;
            }
            citation.line_start = lines.start();
            citation.line_end = lines.end();
            citation.n_tokens = tokens.len() as u32;
            citation.first_token = digest(file.sense.token(tokens.start).unwrap_or_default());
            citation.hash = digest(&file.sense.said(tokens, None));
        }
        Cited::Symbol(name) => {
            let definition = named(&file, name)?.clone();
            fill(code, &file, &definition, &mut citation)?;
        }
    }
    Some(citation)
}

/// The first definition of a file that a name means: by its qualified name, else by its end.
pub(crate) fn named<'f>(file: &'f CodeFile, name: &str) -> Option<&'f SenseDefinition> {
    let name = name.replace(['.', '#'], "::");
    let definitions = &file.sense.definitions;
    let ends = |definition: &&SenseDefinition| {
        let qualified = definition.qualified();
        qualified == name || qualified.ends_with(&format!("::{name}"))
    };
    let exact = definitions
        .iter()
        .find(|definition| definition.qualified() == name);
    exact.or_else(|| definitions.iter().find(ends))
}

/// Says which definition is meant, and how many are like it.
fn fill(
    code: &dyn Code,
    file: &CodeFile,
    definition: &SenseDefinition,
    citation: &mut CitationRow,
) -> Option<()> {
    citation.symbol = definition.qualified();
    citation.symbol_kind = definition.kind.as_str().to_owned();
    citation.signature = definition.signature.clone();
    citation.now_line = definition.lines.start();
    let (_, hash, nameless) = file.meanings().find(|(one, _, _)| *one == definition)?;
    citation.hash = hash.to_owned();
    citation.nameless = nameless.to_owned();
    let same = file
        .meanings()
        .filter(|(other, meaning, _)| *meaning == hash && other.qualified() == citation.symbol);
    citation.n_same = same.count() as u32;
    citation.n_twins = with_nameless(file, nameless).count().saturating_sub(1) as u32;
    citation.n_copies = copies(code, &citation.symbol, nameless, &citation.path).len() as u32;
    Some(())
}

/// Definitions of a file that mean this, whatever they are called.
pub(crate) fn with_nameless<'f>(
    file: &'f CodeFile,
    nameless: &'f str,
) -> impl Iterator<Item = &'f SenseDefinition> {
    let like = file.meanings().filter(move |(_, _, other)| *other == nameless);
    like.map(|(definition, _, _)| definition)
}

/// Definitions of this qualified name and meaning in other files: path and definition, in order. None if the name is too common.
/// A method of another type is another method, even if it says the same.
pub(crate) fn copies(
    code: &dyn Code,
    qualified: &str,
    nameless: &str,
    except: &str,
) -> Vec<(String, SenseDefinition)> {
    let mut found = Vec::new();
    for path in code.defining(last_name(qualified)).unwrap_or_default() {
        if path == except {
            continue;
        }
        let Some(file) = code.file(&path) else { continue };
        let same = file
            .meanings()
            .filter(|(definition, _, meaning)| *meaning == nameless && definition.qualified() == qualified);
        found.extend(same.map(|(definition, _, _)| (path.clone(), definition.clone())));
    }
    found
}

pub(crate) fn last_name(qualified: &str) -> &str {
    qualified.rsplit("::").next().unwrap_or(qualified)
}
