//! One file becomes pairs: its chunks as the index cuts them, each with a question that people have answered with it.

use kitbag_syntax::{ChunkSettings, LANGUAGES, conventions, language_of, parse};
use kitbag_types::terms::parts_of;
use kitbag_types::{Chunk, ChunkKind, RepoPath, Symbol, SymbolKind};

use crate::queries::{clipped, question, without_docs, without_name};
use crate::random::{Random, hash};
use crate::record::{Kind, Pair};

const MAX_BODY_BYTES: usize = 3_500;
const MIN_BODY_BYTES: usize = 40;

/// The pairs of a file. `seed` decides which of many possible ones are taken.
pub fn pairs_of(path: &str, text: &str, seed: u64) -> Vec<Pair> {
    let Ok(repo_path) = RepoPath::new(path) else {
        return Vec::new();
    };
    let Some(language) = language_of(&repo_path, text.lines().next().unwrap_or_default()) else {
        return Vec::new();
    };
    if conventions().is_test(&repo_path) {
        return Vec::new();
    }
    let parsed = parse(text, Some(language), &ChunkSettings::default());
    let mut file = File {
        path,
        text,
        language: LANGUAGES
            .iter()
            .position(|row| row.name == language.name)
            .unwrap_or(255) as u8,
        symbols: &parsed.symbols,
        random: Random::new(seed ^ hash(text.as_bytes())),
        pairs: Vec::new(),
    };
    for chunk in &parsed.chunks {
        file.chunk(chunk);
    }
    file.head(&parsed.chunks);
    file.pairs
}

struct File<'a> {
    path: &'a str,
    text: &'a str,
    language: u8,
    symbols: &'a [Symbol],
    random: Random,
    pairs: Vec<Pair>,
}

impl File<'_> {
    fn chunk(&mut self, chunk: &Chunk) {
        if chunk.kind == ChunkKind::MarkdownSection {
            return self.heading(chunk);
        }
        if !chunk.kind.is_code() || chunk.bytes.len() < MIN_BODY_BYTES {
            return;
        }
        let symbols = self.symbols;
        let defined: Vec<&Symbol> = symbols
            .iter()
            .filter(|symbol| chunk.lines.contains(symbol.name_line) && symbol.kind != SymbolKind::Field)
            .collect();
        self.documented(chunk, &defined);
        if let Some(symbol) = (!defined.is_empty()).then(|| defined[self.random.below(defined.len().min(3))])
        {
            if self.random.share() < 0.30 {
                self.words(chunk, symbol);
            }
            if self.random.share() < 0.12 {
                self.symbol(chunk, symbol);
            }
        }
    }

    /// Doc comment → code without it.
    fn documented(&mut self, chunk: &Chunk, defined: &[&Symbol]) {
        if chunk.docs.is_empty() {
            return;
        }
        let whole = self.random.share() < 0.25;
        let mut asked = Vec::new();
        if whole || defined.len() < 2 {
            asked.extend(question(&chunk.docs, whole));
        } else {
            asked.extend(
                defined
                    .iter()
                    .filter_map(|symbol| question(&symbol.doc, false))
                    .take(2),
            );
        }
        let body = without_docs(&self.text[chunk.bytes.clone()], &chunk.docs);
        for query in asked {
            let kind = if query.len() > 250 {
                Kind::LongDocs
            } else {
                Kind::Docs
            };
            let names = chunk.names.clone();
            self.push(
                chunk,
                kind,
                query,
                names,
                String::new(),
                chunk.capsule.clone(),
                &body,
            );
        }
    }

    /// Words of the name, sometimes after those of its holder → code without the name.
    fn words(&mut self, chunk: &Chunk, symbol: &Symbol) {
        let mut words = parts_of(&symbol.name);
        if words.len() < 2 && symbol.container.is_empty() {
            return;
        }
        if words.len() < 2 || self.random.share() < 0.3 {
            let holder = symbol.container.rsplit("::").next().unwrap_or_default();
            words.splice(0..0, parts_of(holder));
        }
        if words.len() < 2 || words.iter().map(String::len).sum::<usize>() < 7 {
            return;
        }
        let names = chunk
            .names
            .iter()
            .filter(|name| **name != symbol.name)
            .cloned()
            .collect();
        let without = |text: &str| without_name(text, &symbol.name);
        let (docs, capsule) = (without(&chunk.docs), without(&chunk.capsule));
        let body = without(&self.text[chunk.bytes.clone()]);
        self.push(chunk, Kind::Words, words.join(" "), names, docs, capsule, &body);
    }

    /// The name as written → the code.
    fn symbol(&mut self, chunk: &Chunk, symbol: &Symbol) {
        if symbol.name.len() < 4 || symbol.name.contains(' ') {
            return;
        }
        let query = match self.random.share() < 0.3 && !symbol.container.is_empty() {
            true => format!("{} {}", symbol.container.replace("::", " "), symbol.name),
            false => symbol.name.clone(),
        };
        let body = self.text[chunk.bytes.clone()].to_owned();
        self.push(
            chunk,
            Kind::Symbol,
            query,
            chunk.names.clone(),
            chunk.docs.clone(),
            chunk.capsule.clone(),
            &body,
        );
    }

    /// What the file says of itself at its top → chunks further down.
    fn head(&mut self, chunks: &[Chunk]) {
        let Some(first) = chunks.first().filter(|chunk| !chunk.docs.is_empty()) else {
            return;
        };
        if first.kind == ChunkKind::MarkdownSection || chunks.len() < 2 {
            return;
        }
        let Some(query) = question(&first.docs, false).filter(|query| query.len() > 25) else {
            return;
        };
        for _ in 0..2 {
            let chunk = &chunks[1 + self.random.below(chunks.len() - 1)];
            if chunk.kind.is_code() && chunk.bytes.len() >= 2 * MIN_BODY_BYTES {
                let body = self.text[chunk.bytes.clone()].to_owned();
                let names = chunk.names.clone();
                self.push(
                    chunk,
                    Kind::File,
                    query.clone(),
                    names,
                    chunk.docs.clone(),
                    chunk.capsule.clone(),
                    &body,
                );
            }
        }
    }

    fn heading(&mut self, chunk: &Chunk) {
        let heading = chunk.label.replace(" > ", " ");
        let body = self.text[chunk.bytes.clone()]
            .lines()
            .skip(1)
            .collect::<Vec<_>>()
            .join("\n");
        let n_words = heading.split_whitespace().count();
        if (2..15).contains(&n_words)
            && heading.is_ascii()
            && body.len() > 4 * MIN_BODY_BYTES
            && self.random.share() < 0.5
        {
            self.push(
                chunk,
                Kind::Heading,
                heading,
                Vec::new(),
                String::new(),
                String::new(),
                &body,
            );
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the fields of a pair, each named by the caller"
    )]
    fn push(
        &mut self,
        chunk: &Chunk,
        kind: Kind,
        query: String,
        names: Vec<String>,
        docs: String,
        capsule: String,
        body: &str,
    ) {
        if body.trim().len() < MIN_BODY_BYTES {
            return;
        }
        self.pairs.push(Pair {
            package: 0,
            kind: kind as u8,
            language: self.language,
            chunk: hash(self.text[chunk.bytes.clone()].as_bytes()),
            query,
            path: self.path.to_owned(),
            names,
            docs: clipped(&docs, 1_000).to_owned(),
            capsule,
            body: clipped(body, MAX_BODY_BYTES).to_owned(),
        });
    }
}

#[cfg(test)]
mod tests;
