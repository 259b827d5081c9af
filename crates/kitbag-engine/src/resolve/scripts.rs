//! JavaScript and TypeScript: which file a module path names. Relative paths leave the extension out or say that of what is
//! built (`./a.js` for `a.ts`); a folder is its `index`. Other paths begin with the name of a package: one of the project, which
//! its `package.json` gives, or one from outside.
//!
//! What the configuration of a bundler or compiler maps (`@/x`) is not read: such paths stay unknown.

use kitbag_store::StoreError;
use kitbag_types::leads_to;

use super::modules::{Module, joined};
use super::{File, Resolver, Value};

/// The path by which a file gives something of its own a second name.
const OWN_FILE: &str = "=";
/// In the order in which a compiler looks.
const EXTENSIONS: &[&str] = &["ts", "tsx", "d.ts", "mts", "cts", "js", "jsx", "mjs", "cjs"];
/// What is built, and what it is built from.
const BUILT: &[(&str, &[&str])] = &[
    (".js", &["ts", "tsx"]),
    (".jsx", &["tsx"]),
    (".mjs", &["mts"]),
    (".cjs", &["cts"]),
];
/// Where the sources of a package stand.
const SOURCES: &[&str] = &["src", "", "lib"];

impl Resolver<'_, '_> {
    /// The module that a path names; `=` is the file itself.
    pub(super) fn script(&mut self, from: &File, path: &str) -> Result<Value, StoreError> {
        if path == OWN_FILE {
            let own = self.id_of(from.path.as_str())?;
            return Ok(own.map_or(Value::Unknown, |id| Value::Module(Module::File(id))));
        }
        if path.starts_with('.') {
            let found = match leads_to(from.path.folder(), path) {
                Some(path) => self.script_file(&path)?,
                None => None,
            };
            return Ok(found.map_or(Value::Unknown, |id| Value::Module(Module::File(id))));
        }
        let packages = self.importable("ts")?;
        let mut is_own = false;
        for (name, folder) in packages.iter() {
            let Some(rest) = path.strip_prefix(name.as_str()) else {
                continue;
            };
            if !rest.is_empty() && !rest.starts_with('/') {
                continue;
            }
            is_own = true;
            for sources in SOURCES {
                let inner = joined(&joined(folder, sources), rest.trim_start_matches('/'));
                if let Some(id) = self.script_file(&inner)? {
                    return Ok(Value::Module(Module::File(id)));
                }
            }
        }
        let first = path.split('/').next().unwrap_or(path);
        let is_mapped = is_own
            || first.is_empty()
            || first.starts_with(['#', '~'])
            || first == "@"
            || self.has_word(first)?;
        Ok(match is_mapped {
            true => Value::Unknown,
            false => Value::Outside,
        })
    }

    /// The row of the file that a path without or with its extension names.
    fn script_file(&mut self, path: &str) -> Result<Option<i64>, StoreError> {
        for (built, sources) in BUILT {
            let Some(stem) = path.strip_suffix(built) else {
                continue;
            };
            for extension in *sources {
                if let Some(id) = self.id_of(&format!("{stem}.{extension}"))? {
                    return Ok(Some(id));
                }
            }
        }
        let index = joined(path, "index");
        for candidate in [path, index.as_str()] {
            for extension in EXTENSIONS {
                if !candidate.is_empty()
                    && let Some(id) = self.id_of(&format!("{candidate}.{extension}"))?
                {
                    return Ok(Some(id));
                }
            }
        }
        match path.is_empty() {
            true => Ok(None),
            false => self.id_of(path),
        }
    }
}
