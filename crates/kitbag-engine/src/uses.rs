//! What a use of a name leads to (IDX-20, IDX-21, IDX-23): certain where the rules of the language say so (`resolve`), else
//! by name, with how many definitions have that name. Among those, the same file or a fitting import makes one likelier than
//! another, never certain. `symbol`, packs (which pull in the definitions that their code uses) and the provider `dependency` share
//! this.

use std::collections::BTreeMap;
use std::rc::Rc;

use kitbag_store::{ChunkRow, LinkRow, ParseId, Snapshot, StoreError, SymbolRow};
use kitbag_types::terms::fold;
use kitbag_types::{RepoPath, Stop, SymbolKind};

use crate::conventions::is_test;
use crate::imports::strength;
use crate::resolve::{CertainBy, Resolution, Resolver};

/// The reason why a use means this definition and not another of the same name. The surest first; only the first is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tie {
    Certain(CertainBy),
    /// By name, and both are in one file.
    File,
    /// By name, and an import of the file names the other file.
    Import,
    Name,
}

impl Tie {
    pub(crate) fn is_certain(self) -> bool {
        matches!(self, Self::Certain(_))
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Certain(by) => by.as_str(),
            _ => "name",
        }
    }
}

/// A definition that a use leads to.
pub(crate) struct Meaning {
    pub target: SymbolRow,
    pub tie: Tie,
    /// How many definitions it may be.
    pub n_targets: usize,
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

/// A name that more definitions have than this does not tell which one is meant.
pub(crate) const FEW: usize = 3;

/// Lookups that are made once per file or name.
pub(crate) struct Uses<'a, 's> {
    snapshot: &'a Snapshot<'s>,
    resolver: Resolver<'a, 's>,
    n_targets: BTreeMap<(String, String), usize>,
    imports: BTreeMap<i64, Vec<String>>,
    symbols: BTreeMap<i64, Vec<SymbolRow>>,
    few: BTreeMap<String, Vec<SymbolRow>>,
}

impl<'a, 's> Uses<'a, 's> {
    /// After `stop`, answers are wrong; the caller must check it.
    pub(crate) fn new(snapshot: &'a Snapshot<'s>, stop: Stop<'a>) -> Self {
        Self {
            snapshot,
            resolver: Resolver::new(snapshot, stop),
            n_targets: BTreeMap::new(),
            imports: BTreeMap::new(),
            symbols: BTreeMap::new(),
            few: BTreeMap::new(),
        }
    }

    /// Starts the limit of all questions together again. Whoever asks about a whole project does so for each file.
    pub(crate) fn begin_again(&mut self) {
        self.resolver.n_all_visits = 0;
    }

    /// What the rules of its language say about a link.
    pub(crate) fn resolve(&mut self, link: &LinkRow) -> Result<Resolution, StoreError> {
        self.resolver.resolve(link)
    }

    /// The definitions that a link may mean by its name alone.
    pub(crate) fn by_name(&self, link: &LinkRow) -> Result<Vec<SymbolRow>, StoreError> {
        let mut targets = self.snapshot.symbols_named(&fold(&link.name))?;
        targets.retain(|target| {
            target.name == link.name && target.language == link.language && target.kind != SymbolKind::Section
        });
        Ok(targets)
    }

    /// How many definitions a link may mean by its name alone.
    pub(crate) fn n_targets(&mut self, link: &LinkRow) -> Result<usize, StoreError> {
        let key = (link.name.clone(), link.language.clone());
        if let Some(known) = self.n_targets.get(&key) {
            return Ok(*known);
        }
        let n_targets = self.by_name(link)?.len();
        self.n_targets.insert(key, n_targets);
        Ok(n_targets)
    }

    /// Which of the definitions of its name a link means, and why. `None` if it certainly means something else.
    pub(crate) fn leads_to(
        &mut self,
        link: &LinkRow,
        definitions: &[SymbolRow],
    ) -> Result<Option<Tie>, StoreError> {
        let is_one = |target: &Rc<SymbolRow>| {
            definitions
                .iter()
                .any(|symbol| (symbol.file, symbol.idx) == (target.file, target.idx))
        };
        Ok(match self.resolve(link)? {
            Resolution::Certain(by, targets) => targets.iter().any(is_one).then_some(Tie::Certain(by)),
            Resolution::Outside => None,
            Resolution::ByName => Some(self.tie(User::of_link(link), definitions)?),
        })
    }

    /// The definition that a link means, if that is known.
    pub(crate) fn meaning(&mut self, link: &LinkRow) -> Result<Option<Meaning>, StoreError> {
        match self.resolve(link)? {
            Resolution::Certain(by, targets) => {
                let tie = Tie::Certain(by);
                let target = targets.first().map(|target| SymbolRow::clone(target));
                return Ok(target.map(|target| Meaning {
                    target,
                    tie,
                    n_targets: 1,
                }));
            }
            Resolution::Outside => return Ok(None),
            Resolution::ByName => {}
        }
        let user = User::of_link(link);
        let mut targets = self.by_name(link)?;
        let n_targets = targets.len();
        // Among equals, code before its test doubles.
        targets.sort_by_cached_key(|target| (is_test(&target.path), target.path.clone(), target.idx));
        let mut best: Option<(Tie, SymbolRow)> = None;
        for target in targets {
            let tie = self.tie(user, std::slice::from_ref(&target))?;
            if best.as_ref().is_none_or(|(known, _)| tie < *known) {
                best = Some((tie, target));
            }
        }
        // `push` and `collect` are methods of many types: without an import or the same file, a method is a guess.
        Ok(best
            .filter(|(tie, target)| *tie != Tie::Name || target.container.is_empty())
            .map(|(tie, target)| Meaning {
                target,
                tie,
                n_targets,
            }))
    }

    /// Notes the imports of a file that the caller knows already, so that they need no lookup.
    pub(crate) fn know_imports(&mut self, file: i64, imports: Vec<String>) {
        self.imports.insert(file, imports);
    }

    /// The definitions of a name in a language, if they are few. Test doubles count only if there is nothing else.
    pub(crate) fn few(&mut self, name: &str, language: &str) -> Result<Vec<SymbolRow>, StoreError> {
        if !self.few.contains_key(name) {
            let found = self.snapshot.few_named(&fold(name), FEW)?;
            self.few.insert(name.to_owned(), found);
        }
        let fits = |symbol: &&SymbolRow| symbol.name == name && symbol.language == language;
        let mut found: Vec<SymbolRow> = self.few[name].iter().filter(fits).cloned().collect();
        if found.len() > 1 && !found.iter().all(|symbol| is_test(&symbol.path)) {
            found.retain(|symbol| !is_test(&symbol.path));
        }
        Ok(found)
    }

    /// The most likely definitions of a name where it is used, if they are few. Cheaper than
    /// [`Self::meaning`]: a name with one definition is not checked further.
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
