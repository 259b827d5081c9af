//! The files of a project as conventions are counted in them: facts, definitions and texts, from the index or from a commit.

use kitbag_analyse::patterns::{Described, Role, Source};
use kitbag_repo::Written;
use kitbag_store::{Snapshot, StoreError};
use kitbag_types::{Fact, RepoPath, Visibility};

use crate::Engine;
use crate::conventions::standing;
use crate::parallel::side_by_side;

/// Languages that are programs; others have no conventions of the kind that is counted.
const CODE: &[&str] = &[
    "c",
    "cpp",
    "csharp",
    "elixir",
    "go",
    "haskell",
    "java",
    "javascript",
    "kotlin",
    "lua",
    "php",
    "python",
    "ruby",
    "rust",
    "scala",
    "swift",
    "tsx",
    "typescript",
    "zig",
];
/// A file that has more lines was made by a program.
const MAX_LINES: usize = 30_000;

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
fn role(path: &RepoPath) -> Option<Role> {
    match standing(path) {
        0 => Some(Role::Source),
        1 => Some(match without_package(path).map(|path| standing(&path)) {
            Some(0) => Role::Source,
            _ => Role::Example,
        }),
        2 => Some(Role::Test),
        _ => None,
    }
}

/// `src/main/java/A.java` of `src/main/java/com/shop/samples/A.java`: the folders of a package are a name, not places.
fn without_package(path: &RepoPath) -> Option<RepoPath> {
    let root = ["/java/", "/kotlin/", "/scala/"];
    let end = root
        .iter()
        .find_map(|root| Some(path.as_str().find(root)? + root.len()))?;
    RepoPath::new(format!("{}{}", &path.as_str()[..end], path.file_name())).ok()
}

/// Files that were made by a program say so at their top.
fn is_generated(text: &str) -> bool {
    let mut head = text.lines().take(6);
    head.any(|line| {
        let line = line.to_lowercase();
        line.contains("do not edit") || line.contains("@generated") || line.contains("auto-generated")
    })
}

/// A project that is itself an example (`samples` in the name of its package) has no examples.
fn settled(mut files: Vec<CodeFile>) -> Vec<CodeFile> {
    let n = |role| files.iter().filter(|file| file.role == role).count();
    if n(Role::Source) < n(Role::Example) / 4 {
        for file in files.iter_mut().filter(|file| file.role == Role::Example) {
            file.role = Role::Source;
        }
    }
    files
}

/// All files of code in the index, by path.
pub(crate) fn read(snapshot: &Snapshot<'_>) -> Result<Vec<CodeFile>, StoreError> {
    let mut facts = snapshot.facts()?.into_iter().peekable();
    let mut files = Vec::new();
    for row in snapshot.files()? {
        while facts.peek().is_some_and(|one| one.path < row.path) {
            facts.next();
        }
        let own = facts.next_if(|one| one.path == row.path);
        let (Some(role), Some(parse)) = (role(&row.path), row.parse) else {
            continue;
        };
        if !CODE.contains(&row.language.as_str()) {
            continue;
        }
        let text = snapshot.parse_text(parse)?;
        if is_generated(&text) || text.lines().count() > MAX_LINES {
            continue;
        }
        let symbols = snapshot.symbols_of(row.id, parse)?;
        files.push(CodeFile {
            path: row.path,
            language: row.language,
            role,
            facts: own.map(|own| own.facts).unwrap_or_default(),
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
    Ok(settled(files))
}

/// Names of files of code, for git.
pub(crate) fn globs() -> Vec<String> {
    let languages = kitbag_syntax::LANGUAGES
        .iter()
        .filter(|one| CODE.contains(&one.name));
    languages
        .flat_map(|one| one.extensions.iter().map(|extension| format!("*.{extension}")))
        .collect()
}

/// The same from the texts of a commit, parsed here.
pub(crate) fn parsed(engine: &Engine, written: &[Written]) -> Vec<CodeFile> {
    let files = side_by_side(engine.n_workers(), written, &|one| {
        let role = role(&one.path)?;
        let first = one.lines.first().map_or("", |(_, line)| line.as_str());
        let language = kitbag_syntax::language_of(&one.path, first)?;
        if !CODE.contains(&language.name) || one.lines.len() > MAX_LINES {
            return None;
        }
        let text = one.text();
        if is_generated(&text) {
            return None;
        }
        let settings = kitbag_syntax::ChunkSettings::default();
        let parsed = kitbag_syntax::parse_within(&text, Some(language), &settings, engine.options.clock);
        let definitions = parsed.symbols.into_iter().map(|symbol| Described {
            line: symbol.name_line,
            name: symbol.name,
            kind: symbol.kind,
            is_public: symbol.visibility == Visibility::Public,
            doc: symbol.doc,
            signature: symbol.signature,
        });
        Some(CodeFile {
            path: one.path.clone(),
            language: language.name.to_owned(),
            role,
            facts: parsed.facts,
            definitions: definitions.collect(),
            text,
        })
    });
    settled(files.into_iter().flatten().collect())
}
