//! Go: the files of a folder are one package, which other files import by the name of its module (from `go.mod`) and the way to
//! the folder. Methods of a type may stand in any file of its folder.
//!
//! What two files of a folder define, for different systems or in tests of another package, is told apart by lines that
//! are not kept here: such a name stays by name.

use std::rc::Rc;

use kitbag_store::{StoreError, SymbolRow};
use kitbag_syntax::ModuleRule;

use super::modules::{Module, joined};
use super::{CertainBy, File, Import, Resolver, Site, Value, fitting};
use crate::packages::stored;

/// What such files define is seen by such files only.
const TEST_FILE: &str = "_test.go";

impl Resolver<'_, '_> {
    /// The package that an import path names.
    pub(super) fn go_package(&mut self, path: &str) -> Result<Value, StoreError> {
        let modules = self.importable("go")?;
        for (name, folder) in modules.iter() {
            let Some(rest) = path.strip_prefix(name.as_str()) else {
                continue;
            };
            if rest.is_empty() || rest.starts_with('/') {
                let inner = joined(folder, rest.trim_start_matches('/'));
                return Ok(match inner.is_empty() || self.has_folder(&inner)? {
                    true => Value::Module(Module::Shared(inner)),
                    false => Value::Unknown,
                });
            }
        }
        let last = path.rsplit('/').next().unwrap_or(path);
        Ok(match modules.is_empty() && self.has_word(last)? {
            true => Value::Unknown,
            false => Value::Outside,
        })
    }

    /// A name that files of a folder define.
    pub(super) fn in_folder(
        &mut self,
        folder: &str,
        name: &str,
        calls: bool,
        with_tests: bool,
    ) -> Result<Option<Value>, StoreError> {
        let found = self.go_symbols(folder, "", name, with_tests)?;
        Ok(fitting(found, calls).map(|found| Value::Items(found, None)))
    }

    pub(super) fn in_own_folder(
        &mut self,
        file: &File,
        name: &str,
        calls: bool,
    ) -> Result<Option<Value>, StoreError> {
        self.in_folder(file.path.folder(), name, calls, is_test(file.path.as_str()))
    }

    /// What stands directly in a type and has a name, wherever the language lets it stand.
    pub(super) fn members_of(
        &mut self,
        file: &Rc<File>,
        symbol: &SymbolRow,
        name: &str,
    ) -> Result<Vec<Rc<SymbolRow>>, StoreError> {
        match file.lexical.map(|lexical| lexical.modules) {
            Some(ModuleRule::Folders) => {
                let with_tests = is_test(symbol.path.as_str());
                self.go_symbols(file.path.folder(), &symbol.qualified(), name, with_tests)
            }
            _ => Ok(file.items(&symbol.qualified(), name)),
        }
    }

    /// An embedded type is a field of its own name.
    pub(super) fn embedded(
        &mut self,
        file: &Rc<File>,
        symbol: &SymbolRow,
        name: &str,
        depth: usize,
    ) -> Result<Option<Value>, StoreError> {
        if file
            .lexical
            .is_none_or(|lexical| lexical.modules != ModuleRule::Folders)
        {
            return Ok(None);
        }
        let is_it = |base: &&String| base.rsplit('.').next() == Some(name);
        let Some(path) = file
            .bases
            .get(&symbol.idx)
            .into_iter()
            .flatten()
            .flatten()
            .find(is_it)
        else {
            return Ok(None);
        };
        let site = Site {
            file: Rc::clone(file),
            holder: None,
            this: None,
        };
        self.eval(&format!("{path}@"), &site, false, &mut CertainBy::Type, depth + 1)
            .map(Some)
    }

    fn go_symbols(
        &mut self,
        folder: &str,
        container: &str,
        name: &str,
        with_tests: bool,
    ) -> Result<Vec<Rc<SymbolRow>>, StoreError> {
        let fits = |symbol: &&Rc<SymbolRow>| {
            symbol.container == container
                && symbol.path.folder() == folder
                && symbol.path.extension() == Some("go")
                && (with_tests || !is_test(symbol.path.as_str()))
        };
        Ok(self.named(name)?.iter().filter(fits).cloned().collect())
    }

    /// Packages of the project that files with an extension import by their names, with their folders, the longest name first.
    pub(super) fn importable(
        &mut self,
        extension: &'static str,
    ) -> Result<Rc<Vec<(String, String)>>, StoreError> {
        if let Some(known) = self.packages.get(extension) {
            return Ok(Rc::clone(known));
        }
        let list = stored(self.snapshot)?.map(|known| known.packages);
        let list = list.iter().flat_map(|packages| packages.list());
        let mut found: Vec<(String, String)> = list
            .filter(|package| package.is_imported_by_name(extension))
            .map(|package| (package.name.clone(), package.path.clone()))
            .collect();
        found.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        let found = Rc::new(found);
        self.packages.insert(extension, Rc::clone(&found));
        Ok(found)
    }
}

/// The second name by which a file may know a package whose path ends in a version: `yaml` of `gopkg.in/yaml.v3`, `chi` of
/// `example.com/chi/v5`. Which one it is, its own files say.
pub(super) fn unversioned(import: &Import) -> Option<Import> {
    let is_version = |part: &str| {
        part.strip_prefix('v')
            .is_some_and(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let (before, last) = import.module.rsplit_once('/')?;
    let name = match last.rsplit_once('.') {
        Some((name, version)) if is_version(version) => name,
        _ if is_version(last) => before.rsplit('/').next().unwrap_or(before),
        _ => return None,
    };
    // A name that was given is the only one.
    let is_given = import.local != last && !last.ends_with(&format!(".{}", import.local));
    (!is_given).then(|| Import {
        local: name.to_owned(),
        module: import.module.clone(),
        form: import.form.clone(),
    })
}

fn is_test(path: &str) -> bool {
    path.ends_with(TEST_FILE)
}
