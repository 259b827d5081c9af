//! What a name leads to (IDX-20, IDX-21). Names are matched as text; how sure a link is stands beside it: the same file, an
//! import that names the file, or the name alone. Shared by `symbol`, by packs, which pull in what they
//! show the use of, and by `linked`, which looks around the best candidates.

use std::collections::BTreeMap;

use kitbag_rank::paths::{PathClass, classes};
use kitbag_store::{ChunkRow, LinkRow, ParseId, Snapshot, StoreError, SymbolRow};
use kitbag_types::RepoPath;
use kitbag_types::terms::fold;

use crate::imports::strength;

/// What says that a use means this definition and not another of the same name. The surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tie {
    File,
    Import,
    Name,
}

impl Tie {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Import => "import",
            Self::Name => "name",
        }
    }
}

/// A file that uses names.
#[derive(Clone, Copy)]
pub(crate) struct User<'u> {
    pub file: i64,
    pub parse: ParseId,
    pub path: &'u RepoPath,
    pub language: &'u str,
}

impl<'u> User<'u> {
    pub(crate) fn of_chunk(row: &'u ChunkRow) -> Self {
        Self {
            file: row.at.file,
            parse: row.at.parse,
            path: &row.path,
            language: &row.language,
        }
    }

    pub(crate) fn of_link(link: &'u LinkRow) -> Self {
        Self {
            file: link.file,
            parse: link.parse,
            path: &link.path,
            language: &link.language,
        }
    }
}

/// A name that more definitions have does not tell which one is meant.
const FEW: usize = 3;

/// What is looked up once a file or a name.
pub(crate) struct Uses<'a, 's> {
    snapshot: &'a Snapshot<'s>,
    imports: BTreeMap<i64, Vec<String>>,
    symbols: BTreeMap<i64, Vec<SymbolRow>>,
    few: BTreeMap<String, Vec<SymbolRow>>,
}

impl<'a, 's> Uses<'a, 's> {
    pub(crate) fn new(snapshot: &'a Snapshot<'s>) -> Self {
        Self {
            snapshot,
            imports: BTreeMap::new(),
            symbols: BTreeMap::new(),
            few: BTreeMap::new(),
        }
    }

    /// The definition that a name means where it is used, if that can be told.
    pub(crate) fn meaning(
        &mut self,
        name: &str,
        user: User<'_>,
    ) -> Result<Option<(SymbolRow, Tie)>, StoreError> {
        let mut targets: Vec<SymbolRow> = self.snapshot.symbols_named(&fold(name))?;
        targets.retain(|target| target.name == name && target.language == user.language);
        // Among equals, code before the doubles that tests make of it.
        targets.sort_by_cached_key(|target| {
            (
                classes(&target.path).contains(&PathClass::Test),
                target.path.clone(),
                target.idx,
            )
        });
        let mut best: Option<(Tie, SymbolRow)> = None;
        for target in targets {
            let tie = self.tie(user, std::slice::from_ref(&target))?;
            if best.as_ref().is_none_or(|(known, _)| tie < *known) {
                best = Some((tie, target));
            }
        }
        // `push` and `collect` are methods of everything: without an import or the same file, a method is a guess.
        Ok(best
            .filter(|(tie, target)| *tie != Tie::Name || target.container.is_empty())
            .map(|(tie, target)| (target, tie)))
    }

    /// Spares looking the imports of a file up.
    pub(crate) fn know_imports(&mut self, file: i64, imports: Vec<String>) {
        self.imports.insert(file, imports);
    }

    /// The definitions of a name in a language, if they are few. Code before the doubles that tests make of it: those count
    /// only where there is nothing else.
    pub(crate) fn few(&mut self, name: &str, language: &str) -> Result<Vec<SymbolRow>, StoreError> {
        if !self.few.contains_key(name) {
            let found = self.snapshot.few_named(&fold(name), FEW)?;
            self.few.insert(name.to_owned(), found);
        }
        let fits = |symbol: &&SymbolRow| symbol.name == name && symbol.language == language;
        let mut found: Vec<SymbolRow> = self.few[name].iter().filter(fits).cloned().collect();
        if found.len() > 1 {
            let is_test = |symbol: &SymbolRow| classes(&symbol.path).contains(&PathClass::Test);
            if !found.iter().all(is_test) {
                found.retain(|symbol| !is_test(symbol));
            }
        }
        Ok(found)
    }

    /// The definitions that a name may mean where it is used, those with the surest tie, if they are few. Cheaper than
    /// [`Self::meaning`]: a name that only one place defines is taken at its word.
    pub(crate) fn few_meanings(
        &mut self,
        name: &str,
        user: User<'_>,
    ) -> Result<(Tie, Vec<SymbolRow>), StoreError> {
        let found = self.few(name, user.language)?;
        let mut best = (Tie::Name, Vec::new());
        let is_one = found.len() == 1;
        for target in found {
            let tie = if is_one && target.file != user.file {
                Tie::Name
            } else {
                self.tie(user, std::slice::from_ref(&target))?
            };
            if tie < best.0 {
                best = (tie, Vec::new());
            }
            if tie == best.0 {
                best.1.push(target);
            }
        }
        Ok(best)
    }

    /// What connects a file with one of the definitions.
    pub(crate) fn tie(&mut self, user: User<'_>, definitions: &[SymbolRow]) -> Result<Tie, StoreError> {
        if definitions.iter().any(|symbol| symbol.file == user.file) {
            return Ok(Tie::File);
        }
        if !self.imports.contains_key(&user.file) {
            let imports = self.snapshot.imports_of(user.parse)?;
            self.imports.insert(user.file, imports);
        }
        let imports = &self.imports[&user.file];
        let named = |symbol: &SymbolRow| {
            imports
                .iter()
                .any(|import| strength(import, user.path, &symbol.path) > 0)
        };
        Ok(if definitions.iter().any(named) {
            Tie::Import
        } else {
            Tie::Name
        })
    }

    pub(crate) fn symbols(&mut self, file: i64, parse: ParseId) -> Result<&[SymbolRow], StoreError> {
        if !self.symbols.contains_key(&file) {
            let symbols = self.snapshot.symbols_of(file, parse)?;
            self.symbols.insert(file, symbols);
        }
        Ok(&self.symbols[&file])
    }
}
