//! Which file an import names, by the rule of its language. What no file of the project answers to is outside, unless
//! some path of the project has its first word: then where it is looked for may not be known here, and the answer is
//! "unknown".

use std::collections::BTreeSet;
use std::rc::Rc;

use kitbag_store::{FileRow, FileState, StoreError, SymbolRow};
use kitbag_syntax::ModuleRule;
use kitbag_types::RepoPath;

use super::{CertainBy, File, Form, MAX_DEPTH, Resolver, Value, fitting, is_one, is_type};

/// What an import path names before an item of it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Module {
    /// One file, by its row.
    File(i64),
    /// A folder that has no file of its own.
    Folder(String),
    /// A package as `a/b`, below any source root, as a file at the path sees it.
    Package(String, RepoPath),
    /// A folder whose files are one.
    Shared(String),
}

/// The folder that Java's sources stand under, whatever builds them.
const SOURCE_ROOT: &str = "java";
/// Folders that Python's sources often stand under.
const PYTHON_ROOTS: &[&str] = &["", "src", "lib"];

impl Resolver<'_, '_> {
    /// What an import of a file binds.
    pub(super) fn imported(
        &mut self,
        from: &Rc<File>,
        module: &str,
        form: &Form,
        depth: usize,
    ) -> Result<Value, StoreError> {
        let Some(lexical) = from.lexical.filter(|_| depth < MAX_DEPTH) else {
            return Ok(Value::Unknown);
        };
        match (lexical.modules, form) {
            (ModuleRule::Dotted, Form::FirstPart) => {
                let first = module.split('.').next().unwrap_or(module);
                self.dotted(from, first)
            }
            (ModuleRule::Dotted, Form::Itself | Form::Everything) => self.dotted(from, module),
            (ModuleRule::Dotted, Form::Item(item)) => match self.dotted(from, module)? {
                // `from . import util` in the package itself: the module, not the name that this binds.
                Value::Module(Module::File(id))
                    if self.files.get(&id).is_some_and(|file| Rc::ptr_eq(file, from)) =>
                {
                    self.python_file(&joined(from.path.folder(), item))
                }
                Value::Module(module) => self.in_module(&module, item, false, depth),
                other => Ok(other),
            },
            (ModuleRule::Packages, _) => self.packaged(from, module, depth),
            (ModuleRule::Folders, _) => self.go_package(module),
            (ModuleRule::Scripts, Form::Item(item)) => match self.script(from, module)? {
                Value::Module(module) => self.in_module(&module, item, false, depth),
                other => Ok(other),
            },
            (ModuleRule::Scripts, _) => self.script(from, module),
        }
    }

    /// A name in a module.
    pub(super) fn in_module(
        &mut self,
        module: &Module,
        name: &str,
        calls: bool,
        depth: usize,
    ) -> Result<Value, StoreError> {
        match module {
            Module::File(id) => {
                let Some(file) = self.files.get(id).cloned() else {
                    return Ok(Value::Unknown);
                };
                if let Some(found) = self.top(&file, name, calls, &mut CertainBy::Import, depth + 1)? {
                    return Ok(found);
                }
                self.submodule(&file, name)
            }
            Module::Folder(folder) => self.python_file(&joined(folder, name)),
            Module::Shared(folder) => Ok(self
                .in_folder(folder, name, calls, false)?
                .unwrap_or(Value::Unknown)),
            Module::Package(package, from) => {
                let found = self.types_in(package, name, from)?;
                Ok(match found.is_empty() {
                    true => Value::Unknown,
                    false => Value::Items(found, None),
                })
            }
        }
    }

    /// The file or folder beside the file of a package that has a name.
    pub(super) fn submodule(&mut self, file: &File, name: &str) -> Result<Value, StoreError> {
        match file.path.file_name() {
            "__init__.py" | "__init__.pyi" => self.python_file(&joined(file.path.folder(), name)),
            _ => Ok(Value::Unknown),
        }
    }

    /// What a file sees of its package without an import.
    pub(super) fn in_package(
        &mut self,
        file: &Rc<File>,
        name: &str,
        calls: bool,
    ) -> Result<Option<Value>, StoreError> {
        match file.lexical.map(|lexical| lexical.modules) {
            Some(ModuleRule::Packages) => {}
            Some(ModuleRule::Folders) => return self.in_own_folder(file, name, calls),
            _ => return Ok(None),
        }
        let package = package_of(&file.path).to_owned();
        let found = fitting(self.types_in(&package, name, &file.path)?, calls);
        Ok(found.map(|found| Value::Items(found, None)))
    }

    /// A Python module by its dotted path; leading dots start from the package of the file.
    fn dotted(&mut self, from: &File, module: &str) -> Result<Value, StoreError> {
        let n_dots = module.bytes().take_while(|byte| *byte == b'.').count();
        let path = module[n_dots..].replace('.', "/");
        let folder = from.path.folder();
        if n_dots > 0 {
            let mut base = folder;
            for _ in 1..n_dots {
                base = base.rsplit_once('/').map_or("", |(parent, _)| parent);
            }
            return self.python_file(&joined(base, &path));
        }
        // Each folder above that is not a package may be where the interpreter starts to look.
        let mut base = Some(folder);
        while let Some(root) = base {
            let is_package = self.id_of(&joined(root, "__init__.py"))?.is_some();
            if !is_package && let found @ Value::Module(_) = self.python_file(&joined(root, &path))? {
                return Ok(found);
            }
            base = match root {
                "" => None,
                root => Some(root.rsplit_once('/').map_or("", |(parent, _)| parent)),
            };
        }
        for root in PYTHON_ROOTS {
            if let found @ Value::Module(_) = self.python_file(&joined(root, &path))? {
                return Ok(found);
            }
        }
        let first = path.split('/').next().unwrap_or_default();
        Ok(match self.has_word(first)? {
            true => Value::Unknown,
            false => Value::Outside,
        })
    }

    /// The module at a path: a file, or a folder.
    fn python_file(&mut self, path: &str) -> Result<Value, StoreError> {
        let inside = joined(path, "__init__");
        for candidate in [path, inside.as_str()] {
            for extension in ["py", "pyi"] {
                let candidate = match path.is_empty() && candidate.is_empty() {
                    true => continue,
                    false => format!("{candidate}.{extension}"),
                };
                if let Some(id) = self.id_of(&candidate)? {
                    return Ok(Value::Module(Module::File(id)));
                }
            }
        }
        let is_folder = self.has_folder(path)?;
        Ok(match is_folder {
            true => Value::Module(Module::Folder(path.to_owned())),
            false => Value::Unknown,
        })
    }

    /// A type by its package and name, or a member of it: `com.x.Foo`, `com.x.Foo.bar`, or the package itself.
    fn packaged(&mut self, from: &Rc<File>, module: &str, depth: usize) -> Result<Value, StoreError> {
        let parts: Vec<&str> = module.split('.').collect();
        for n_package in (1..parts.len()).rev() {
            let package = parts[..n_package].join("/");
            let found = self.types_in(&package, parts[n_package], &from.path)?;
            if found.is_empty() {
                continue;
            }
            let mut value = Value::Items(found, None);
            for part in &parts[n_package + 1..] {
                value = self.member_of(value, part, (true, false), &mut CertainBy::Import, depth + 1)?;
            }
            return Ok(value);
        }
        let package = parts.join("/");
        if self.has_folder_ending(&package)? {
            return Ok(Value::Module(Module::Package(package, from.path.clone())));
        }
        // A package of the project whose type is generated is not outside of it.
        let of_project = parts.len() > 1 && self.has_folder_ending(&parts[..parts.len() - 1].join("/"))?;
        Ok(match of_project {
            true => Value::Unknown,
            false => Value::Outside,
        })
    }

    /// The types of a package that have a name; where several modules of the project have it, those nearest to `from`.
    fn types_in(
        &mut self,
        package: &str,
        name: &str,
        from: &RepoPath,
    ) -> Result<Vec<Rc<SymbolRow>>, StoreError> {
        let language = kitbag_syntax::language_of(from, "").map_or("", |language| language.name);
        let is_here = |folder: &str| {
            ends_in(folder, package) || (folder == from.folder() && package_of(from) == package)
        };
        let fits = |symbol: &&Rc<SymbolRow>| {
            symbol.language == language
                && symbol.container.is_empty()
                && is_type(symbol)
                && is_here(symbol.path.folder())
        };
        let mut found: Vec<Rc<SymbolRow>> = self.named(name)?.iter().filter(fits).cloned().collect();
        if found.len() > 1 && !is_one(&found) {
            let nearness = |symbol: &SymbolRow| common(symbol.path.as_str(), from.as_str());
            let best = found.iter().map(|symbol| nearness(symbol)).max().unwrap_or(0);
            found.retain(|symbol| nearness(symbol) == best);
        }
        Ok(found)
    }

    /// The row of the file at a path, loaded; `None`: the project has none.
    pub(super) fn id_of(&mut self, path: &str) -> Result<Option<i64>, StoreError> {
        if let Some(known) = self.paths.get(path) {
            return Ok(*known);
        }
        let row: Option<FileRow> = match RepoPath::new(path) {
            Ok(path) => self.snapshot.file(&path)?,
            Err(_) => None,
        };
        let id = match row.filter(|row| row.state == FileState::Indexed) {
            Some(FileRow {
                id,
                parse: Some(parse),
                path,
                language,
                ..
            }) => {
                self.file(id, parse, &path, &language)?;
                Some(id)
            }
            _ => None,
        };
        self.paths.insert(path.to_owned(), id);
        Ok(id)
    }

    /// Whether some folder or file of the project is called so.
    pub(super) fn has_word(&mut self, word: &str) -> Result<bool, StoreError> {
        Ok(self.folders()?.contains(word))
    }

    /// Whether there is a folder at a path.
    pub(super) fn has_folder(&mut self, path: &str) -> Result<bool, StoreError> {
        let path = format!("{path}/");
        Ok(self.folders()?.contains(&path))
    }

    /// Whether there is a folder that ends in a path.
    fn has_folder_ending(&mut self, package: &str) -> Result<bool, StoreError> {
        if let Some(known) = self.endings.get(package) {
            return Ok(*known);
        }
        let folders = self.folders()?;
        let mut folders = folders.iter().filter_map(|folder| folder.strip_suffix('/'));
        let found = folders.any(|folder| ends_in(folder, package));
        self.endings.insert(package.to_owned(), found);
        Ok(found)
    }

    /// Every folder with a slash behind it, and every word of which paths are made.
    fn folders(&mut self) -> Result<&BTreeSet<String>, StoreError> {
        if self.words.is_none() {
            let mut words = BTreeSet::new();
            for file in self.snapshot.files()? {
                words.insert(file.path.stem().to_owned());
                let mut folder = file.path.folder();
                while !folder.is_empty() && words.insert(format!("{folder}/")) {
                    let (parent, last) = folder.rsplit_once('/').unwrap_or(("", folder));
                    words.insert(last.to_owned());
                    folder = parent;
                }
            }
            self.words = Some(words);
        }
        Ok(self.words.get_or_insert_default())
    }
}

/// The package that a Java file stands in, as far as its folder tells.
fn package_of(path: &RepoPath) -> &str {
    let folder = path.folder();
    let mut parts = folder.rsplitn(2, "/java/");
    match (parts.next(), parts.next()) {
        (Some(package), Some(_)) => package,
        _ => folder
            .strip_prefix(SOURCE_ROOT)
            .and_then(|rest| rest.strip_prefix('/'))
            .unwrap_or(folder),
    }
}

/// Whether a folder ends in the folders of a package.
fn ends_in(folder: &str, package: &str) -> bool {
    folder
        .strip_suffix(package)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// How many folders two paths share from the start.
fn common(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}

pub(super) fn joined(folder: &str, name: &str) -> String {
    match (folder, name) {
        ("", name) => name.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, name) => format!("{folder}/{name}"),
    }
}
