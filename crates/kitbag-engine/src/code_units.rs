//! The files of a project as conventions are counted in them: facts, definitions and texts, from the index or from texts of a commit.

use kitbag_analyse::patterns::{Described, Role, Source};
use kitbag_store::{Snapshot, StoreError};
use kitbag_types::{Fact, RepoPath, Symbol, Visibility};

use crate::conventions::standing;

/// One file.
pub(crate) struct CodeFile {
    pub(crate) path: RepoPath,
    pub(crate) language: String,
    pub(crate) role: Role,
    pub(crate) facts: Vec<Fact>,
    pub(crate) definitions: Vec<Described>,
    pub(crate) text: String,
}

impl CodeFile {
    pub(crate) fn source(&self) -> Source<'_> {
        Source {
            path: &self.path,
            language: &self.language,
            role: self.role,
            facts: &self.facts,
            definitions: &self.definitions,
            text: &self.text,
        }
    }
}

/// What a file is for; `None`: what a tool made or others wrote, whose habits are not the project's.
pub(crate) fn role(path: &RepoPath) -> Option<Role> {
    match standing(path) {
        0 => Some(Role::Source),
        1 => Some(Role::Example),
        2 => Some(Role::Test),
        _ => None,
    }
}

/// Files that were made by a program say so at their top.
pub(crate) fn is_generated(text: &str) -> bool {
    let mut head = text.lines().take(6);
    head.any(|line| {
        let line = line.to_lowercase();
        line.contains("do not edit") || line.contains("@generated") || line.contains("auto-generated")
    })
}

pub(crate) fn described(symbol: &Symbol) -> Described {
    Described {
        line: symbol.name_line,
        name: symbol.name.clone(),
        kind: symbol.kind,
        is_public: symbol.visibility == Visibility::Public,
        doc: symbol.doc.clone(),
        signature: symbol.signature.clone(),
    }
}

/// All files that have facts, by path.
pub(crate) fn read(snapshot: &Snapshot<'_>) -> Result<Vec<CodeFile>, StoreError> {
    let mut facts = snapshot.facts()?.into_iter().peekable();
    let mut files = Vec::new();
    for row in snapshot.files()? {
        while facts.peek().is_some_and(|one| one.path < row.path) {
            facts.next();
        }
        let Some(own) = facts.next_if(|one| one.path == row.path) else {
            continue;
        };
        let (Some(role), Some(parse)) = (role(&row.path), row.parse) else {
            continue;
        };
        let text = snapshot.parse_text(parse)?;
        if is_generated(&text) {
            continue;
        }
        let symbols = snapshot.symbols_of(row.id, parse)?;
        files.push(CodeFile {
            path: own.path,
            language: own.language,
            role,
            facts: own.facts,
            definitions: symbols
                .into_iter()
                .map(|symbol| Described {
                    line: symbol.name_line,
                    name: symbol.name,
                    kind: symbol.kind,
                    is_public: symbol.exported,
                    doc: symbol.doc,
                    signature: symbol.signature,
                })
                .collect(),
            text,
        });
    }
    Ok(files)
}
