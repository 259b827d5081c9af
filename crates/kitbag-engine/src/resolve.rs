//! What a link means by the rules of its language (IDX-23). A path from `kitbag_syntax` (`scopes.rs` there explains their
//! form) is followed through the definitions of the project: names from the inside out, imports to their files, members along
//! the types that a type inherits from.
//!
//! Three answers: certain, with the definitions; outside, if the name certainly belongs to a library or the language; or by
//! name, which is everything else. A step that is not understood ends in "by name", never in a guess.

mod file;
mod folders;
mod members;
mod modules;
mod path;
mod scripts;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use kitbag_store::{LinkRow, ParseId, Snapshot, StoreError, SymbolRow};
use kitbag_syntax::ModuleRule;
use kitbag_types::terms::fold;
use kitbag_types::{LinkKind, RepoPath, Stop, SymbolKind};

use file::{File, Form, Import};
use members::Ancestor;
use modules::Module;
use path::{Root, Step};

/// How deep definitions and imports that refer to each other are followed.
const MAX_DEPTH: usize = 24;
/// How many files and steps of paths one question may visit, repeats included. Beyond that the answer is "by name".
const MAX_VISITS: usize = 2_000;
/// The same for all questions to one resolver: about a second.
const MAX_ALL_VISITS: usize = 500_000;

/// What makes a link certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CertainBy {
    /// A name of the same file, looked up from the inside out.
    Scope,
    /// Through an import, or a member of an imported module.
    Import,
    /// A name of the same package.
    Package,
    /// A member of the object that the code runs on (`self`).
    This,
    /// A member of a type that is written or assigned nearby.
    Type,
    /// A member that such a type inherits.
    Inherited,
}

impl CertainBy {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::Import => "import",
            Self::Package => "package",
            Self::This => "self",
            Self::Type => "type",
            Self::Inherited => "inherited",
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Resolution {
    /// The definitions, all in one file and one container; overloads are several.
    Certain(CertainBy, Vec<Rc<SymbolRow>>),
    /// Certainly not a definition of the project.
    Outside,
    ByName,
}

/// The value of a path so far.
#[derive(Clone, Debug)]
enum Value {
    Module(Module),
    Type(Rc<SymbolRow>),
    Object(Rc<SymbolRow>),
    /// What the type inherits from.
    Super(Rc<SymbolRow>),
    /// Definitions of one name, and the type of the object they were reached by.
    Items(Vec<Rc<SymbolRow>>, Option<Rc<SymbolRow>>),
    /// A module, type or function from outside the project.
    Outside,
    /// An object from outside.
    Foreign,
    /// A member of such an object: it is certainly outside, but its value may be anything.
    ForeignMember,
    /// Imports that lead back to the name that is being looked up: they add nothing. Only the functions that follow imports see this
    /// (`top`, `imported`, `in_module`); for others it is unknown.
    Loop,
    Unknown,
}

impl Value {
    fn unless_loop(self) -> Self {
        match self {
            Self::Loop => Self::Unknown,
            value => value,
        }
    }
}

/// The definitions of one name.
type Definitions = Rc<Vec<Rc<SymbolRow>>>;

/// Where a path is looked up from.
#[derive(Clone)]
struct Site {
    file: Rc<File>,
    /// The definition around it.
    holder: Option<Rc<SymbolRow>>,
    /// The type of the object, if it is not the type around the code.
    this: Option<Rc<SymbolRow>>,
}

pub(crate) struct Resolver<'a, 's> {
    snapshot: &'a Snapshot<'s>,
    files: BTreeMap<i64, Rc<File>>,
    /// Files by path; `None`: there is none.
    paths: BTreeMap<String, Option<i64>>,
    ancestors: BTreeMap<(i64, u32), Rc<Vec<Ancestor>>>,
    /// Definitions by name.
    named: BTreeMap<String, Definitions>,
    /// Whether the path of some folder ends in this path.
    endings: BTreeMap<String, bool>,
    /// The folders of the project, and the words that its paths are made of.
    words: Option<BTreeSet<String>>,
    /// Packages with their folders, by the language that imports them, the longest name first.
    packages: BTreeMap<&'static str, Rc<Vec<(String, String)>>>,
    /// The names that are being looked up at the top of files.
    open: Vec<(i64, String)>,
    /// How many files and steps the question at hand has visited.
    n_visits: usize,
    /// And all questions together.
    pub(crate) n_all_visits: usize,
    /// After a stop every answer is "by name"; the caller must check it.
    stop: Stop<'a>,
}

impl<'a, 's> Resolver<'a, 's> {
    pub(crate) fn new(snapshot: &'a Snapshot<'s>, stop: Stop<'a>) -> Self {
        Self {
            snapshot,
            files: BTreeMap::new(),
            paths: BTreeMap::new(),
            ancestors: BTreeMap::new(),
            named: BTreeMap::new(),
            endings: BTreeMap::new(),
            words: None,
            packages: BTreeMap::new(),
            open: Vec::new(),
            n_visits: 0,
            n_all_visits: 0,
            stop,
        }
    }

    /// What a link means.
    pub(crate) fn resolve(&mut self, link: &LinkRow) -> Result<Resolution, StoreError> {
        let Some(reached) = link.reached.as_ref().filter(|_| link.kind != LinkKind::Import) else {
            return Ok(Resolution::ByName);
        };
        let file = self.file(link.file, link.parse, &link.path, &link.language)?;
        if file.lexical.is_none() {
            return Ok(Resolution::ByName);
        }
        let path = if reached.is_empty() || reached.ends_with('.') {
            format!("{reached}{}", link.name)
        } else {
            reached.clone()
        };
        let holder = link
            .from_symbol
            .and_then(|idx| file.symbols.get(idx as usize).cloned());
        // The types that a type inherits from are looked up from the place of the type.
        let holder = match link.kind {
            LinkKind::Inherit => holder.and_then(|holder| file.around(&holder)),
            _ => holder,
        };
        let site = Site {
            file,
            holder,
            this: None,
        };
        let mut by = CertainBy::Scope;
        self.open.clear();
        self.n_visits = 0;
        let value = self.eval(&path, &site, link.kind != LinkKind::Reference, &mut by, 0)?;
        Ok(match value {
            _ if !self.may_visit() => Resolution::ByName,
            Value::Items(items, _) if is_one(&items) => Resolution::Certain(by, items),
            Value::Outside | Value::ForeignMember => Resolution::Outside,
            _ => Resolution::ByName,
        })
    }

    /// Follows a path. `calls`: its end is called.
    fn eval(
        &mut self,
        path: &str,
        site: &Site,
        calls: bool,
        by: &mut CertainBy,
        depth: usize,
    ) -> Result<Value, StoreError> {
        let Some((root, steps)) = path::parse(path).filter(|_| depth < MAX_DEPTH) else {
            return Ok(Value::Unknown);
        };
        // For a call or the type of an object, prefer a type to a variable of the same name.
        let is_called = |at: usize| {
            steps
                .get(at)
                .map_or(calls, |step| matches!(step, Step::Call | Step::Object))
        };
        let mut value = match &root {
            Root::Name(name) => self.bare(name, site, is_called(0), by, depth + 1)?,
            Root::Import(module, form) => {
                *by = CertainBy::Import;
                self.imported(&site.file, module, form, depth + 1)?.unless_loop()
            }
            Root::This => self.this(site).map_or(Value::Unknown, Value::Object),
            Root::ThisType => self.this(site).map_or(Value::Unknown, Value::Type),
            Root::Super => self.this(site).map_or(Value::Unknown, Value::Super),
            Root::Outside => Value::Foreign,
        };
        for (at, step) in steps.iter().enumerate() {
            // If each step needs many others, the time grows exponentially with the depth.
            if !self.may_visit() {
                return Ok(Value::Unknown);
            }
            let nth = match steps.get(at + 1) {
                Some(Step::Nth(nth)) => Some(*nth),
                _ => None,
            };
            value = match step {
                Step::Member(name) => {
                    let own = at == 0 && matches!(root, Root::This | Root::ThisType);
                    self.member_of(value, name, (is_called(at + 1), own), by, depth + 1)?
                }
                Step::Call => self.called(value, nth, depth + 1)?,
                Step::Object => match self.read(value, depth + 1)? {
                    Value::Type(symbol) => Value::Object(symbol),
                    Value::Outside => Value::Foreign,
                    _ => Value::Unknown,
                },
                // A call has chosen the result already; of other values only the first is understood (`value, ok`).
                Step::Nth(nth) => match at.checked_sub(1).map(|before| &steps[before]) {
                    Some(Step::Call) => value,
                    _ if *nth == 0 => value,
                    _ => Value::Unknown,
                },
            };
        }
        Ok(value)
    }

    /// The type of the object that the code at a site runs on.
    fn this(&mut self, site: &Site) -> Option<Rc<SymbolRow>> {
        if site.this.is_some() {
            return site.this.clone();
        }
        let mut at = site.holder.clone();
        while let Some(symbol) = at {
            if is_type(&symbol) {
                return Some(symbol);
            }
            at = site.file.around(&symbol);
        }
        None
    }

    /// The meaning of a bare name: in the definitions around it, at the top of the file, in its imports, in its package.
    fn bare(
        &mut self,
        name: &str,
        site: &Site,
        calls: bool,
        by: &mut CertainBy,
        depth: usize,
    ) -> Result<Value, StoreError> {
        let Some(lexical) = site.file.lexical.filter(|_| depth < MAX_DEPTH) else {
            return Ok(Value::Unknown);
        };
        let mut holder = site.holder.clone();
        let mut is_direct = true;
        let mut may_be_inherited = false;
        while let Some(symbol) = holder {
            *by = CertainBy::Scope;
            if !is_type(&symbol) {
                let inside = site.file.items(&symbol.qualified(), name);
                if site.file.is_reassigned(&inside) {
                    return Ok(Value::Unknown);
                }
                if let Some(found) = fitting(inside, calls) {
                    return Ok(Value::Items(found, None));
                }
                is_direct &= !matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
            } else if lexical.bare_members || (is_direct && lexical.members_in_body) {
                match self.member(&symbol, name, calls, by, depth)? {
                    // Its bases are not all known, or it has the name in a way that is not understood.
                    Value::Unknown => {
                        let ancestors = self.ancestors(&symbol, depth)?;
                        may_be_inherited |= ancestors.iter().any(|one| matches!(one, Ancestor::Unknown));
                        may_be_inherited |= !site.file.items(&symbol.qualified(), name).is_empty();
                        for ancestor in ancestors.iter() {
                            if let Ancestor::Type(base) = ancestor {
                                let file = self.file_of(base)?;
                                may_be_inherited |= !file.items(&base.qualified(), name).is_empty();
                            }
                        }
                    }
                    Value::Outside | Value::ForeignMember => {}
                    found => {
                        if *by == CertainBy::Type {
                            *by = CertainBy::Scope;
                        }
                        return Ok(found);
                    }
                }
                is_direct = false;
            }
            holder = site.file.around(&symbol);
        }
        *by = CertainBy::Scope;
        match self.top(&site.file, name, calls, by, depth)? {
            Some(found) => Ok(found.unless_loop()),
            None if may_be_inherited && calls => Ok(Value::Unknown),
            // A type inside another one may be inherited, or come with an object before it (`outer.new Inner()`).
            None if lexical.bare_members && self.is_nested_type(name)? => Ok(Value::Unknown),
            // All names of the project are known, so this one belongs to the language or a library.
            None => Ok(Value::Outside),
        }
    }

    fn is_nested_type(&mut self, name: &str) -> Result<bool, StoreError> {
        let is_nested = |symbol: &Rc<SymbolRow>| is_type(symbol) && !symbol.container.is_empty();
        Ok(self.named(name)?.iter().any(is_nested))
    }

    /// The meaning of a name at the top of a file, in its imports and in its package. `None` if nothing there has it.
    fn top(
        &mut self,
        file: &Rc<File>,
        name: &str,
        calls: bool,
        by: &mut CertainBy,
        depth: usize,
    ) -> Result<Option<Value>, StoreError> {
        if depth >= MAX_DEPTH || !self.may_visit() {
            return Ok(Some(Value::Unknown));
        }
        if self.open.iter().any(|(id, open)| *id == file.id && open == name) {
            return Ok(Some(Value::Loop));
        }
        self.open.push((file.id, name.to_owned()));
        let found = self.top_or_starred(file, name, calls, by, depth);
        self.open.pop();
        found
    }

    fn top_or_starred(
        &mut self,
        file: &Rc<File>,
        name: &str,
        calls: bool,
        by: &mut CertainBy,
        depth: usize,
    ) -> Result<Option<Value>, StoreError> {
        match self.own_top(file, name, calls, by, depth)? {
            None => self.starred(file, name, calls, by, depth),
            Some(Value::Loop) => {
                let found = self.starred(file, name, calls, by, depth)?;
                Ok(Some(found.unwrap_or(Value::Loop)))
            }
            found => Ok(found),
        }
    }

    /// Counts a visit of a file or a step. Returns false if there were too many, or if nobody waits for the answer.
    fn may_visit(&mut self) -> bool {
        self.n_visits += 1;
        self.n_all_visits += 1;
        self.n_visits <= MAX_VISITS && self.n_all_visits <= MAX_ALL_VISITS && !self.stop.is_stopped()
    }

    /// What a file itself defines or imports under a name, or what its package has.
    fn own_top(
        &mut self,
        file: &Rc<File>,
        name: &str,
        calls: bool,
        by: &mut CertainBy,
        depth: usize,
    ) -> Result<Option<Value>, StoreError> {
        let defined = file.items("", name);
        if file.is_reassigned(&defined) {
            return Ok(Some(Value::Unknown));
        }
        let defined = fitting(defined, calls);
        let mut found: Vec<Value> = Vec::new();
        let mut is_loop = false;
        for import in file.imports.iter().filter(|import| import.local == name) {
            match self.imported(file, &import.module, &import.form, depth + 1)? {
                Value::Loop => is_loop = true,
                value => found.push(value),
            }
        }
        if found.iter().any(|value| !matches!(value, Value::Outside)) {
            found.retain(|value| !matches!(value, Value::Outside));
        }
        match (defined, found.len()) {
            (Some(items), 0) => {
                return Ok(Some(Value::Items(items, None)));
            }
            // A definition for the case that an import fails: which one is used is decided at run time.
            (Some(_), _) => return Ok(Some(Value::Unknown)),
            (None, 0) => {}
            (None, 1) => {
                *by = CertainBy::Import;
                return Ok(found.pop());
            }
            (None, _) => {
                *by = CertainBy::Import;
                let first = found.swap_remove(0);
                let agree = found.iter().all(|other| same(&first, other));
                return Ok(Some(if agree { first } else { Value::Unknown }));
            }
        }
        if let Some(found) = self.in_package(file, name, calls)? {
            *by = CertainBy::Package;
            return Ok(Some(found));
        }
        Ok(is_loop.then_some(Value::Loop))
    }

    /// What a file imports under a name without naming it (`from x import *`, `export * from`), through all files that re-export in
    /// this way, each once. It is certain only if all files are known and all that have the name mean the same.
    fn starred(
        &mut self,
        file: &Rc<File>,
        name: &str,
        calls: bool,
        by: &mut CertainBy,
        depth: usize,
    ) -> Result<Option<Value>, StoreError> {
        let mut seen = BTreeSet::from([file.id]);
        let mut rest = vec![Rc::clone(file)];
        let mut hits: Vec<(CertainBy, Value)> = Vec::new();
        // The files of a package are its members, if nothing else has the name.
        let mut submodules: Vec<(CertainBy, Value)> = Vec::new();
        let mut is_hidden = false;
        let mut is_loop = false;
        while let Some(at) = rest.pop() {
            let stars = at.imports.iter().filter(|import| import.form == Form::Everything);
            for import in stars {
                *by = CertainBy::Import;
                let id = match self.imported(&at, &import.module, &Form::Itself, depth + 1)? {
                    Value::Outside => continue,
                    Value::Unknown => {
                        is_hidden = true;
                        continue;
                    }
                    Value::Module(Module::File(id)) => id,
                    module => {
                        match self.member_of(module, name, (calls, false), by, depth + 1)? {
                            Value::Unknown | Value::Outside => {}
                            found => hits.push((*by, found)),
                        }
                        continue;
                    }
                };
                let Some(next) = self.files.get(&id).cloned().filter(|_| seen.insert(id)) else {
                    continue;
                };
                if !self.may_visit() {
                    return Ok(Some(Value::Unknown));
                }
                match self.own_top(&next, name, calls, &mut CertainBy::Import, depth + 1)? {
                    Some(Value::Unknown) => is_hidden = true,
                    Some(Value::Loop) => {
                        is_loop = true;
                        rest.push(next);
                    }
                    Some(found) => hits.push((CertainBy::Import, found)),
                    None => {
                        if let found @ Value::Module(_) = self.submodule(&next, name)? {
                            submodules.push((CertainBy::Import, found));
                        }
                        rest.push(next);
                    }
                }
            }
        }
        if hits.is_empty() {
            hits = submodules;
        }
        // Python leaves out what begins so, unless the module lists it in `__all__`, which is not read.
        let is_private = name.starts_with('_')
            && file
                .lexical
                .is_some_and(|lexical| lexical.modules == ModuleRule::Dotted);
        Ok(match (agreed(hits), is_hidden) {
            (None, true) => Some(Value::Unknown),
            (None, false) => is_loop.then_some(Value::Loop),
            (Some((_, Value::Outside)), false) => None,
            (Some((first_by, found)), false) if !is_private => {
                *by = first_by;
                Some(found)
            }
            (Some(_), _) => Some(Value::Unknown),
        })
    }

    /// A member of a value. `calls`: the member is called. `own`: the value is the object itself (`self`).
    fn member_of(
        &mut self,
        value: Value,
        name: &str,
        (calls, own): (bool, bool),
        by: &mut CertainBy,
        depth: usize,
    ) -> Result<Value, StoreError> {
        if depth >= MAX_DEPTH {
            return Ok(Value::Unknown);
        }
        match self.read(value, depth)? {
            Value::Module(module) => {
                *by = CertainBy::Import;
                Ok(self.in_module(&module, name, calls, depth)?.unless_loop())
            }
            Value::Type(symbol) | Value::Object(symbol) => {
                let found = self.member(&symbol, name, calls, by, depth)?;
                if own && *by == CertainBy::Type {
                    *by = CertainBy::This;
                }
                Ok(found)
            }
            Value::Super(symbol) => {
                *by = CertainBy::Inherited;
                self.inherited(&symbol, name, calls, depth)
            }
            Value::Outside => Ok(Value::Outside),
            Value::Foreign => Ok(Value::ForeignMember),
            Value::ForeignMember | Value::Items(..) | Value::Loop | Value::Unknown => Ok(Value::Unknown),
        }
    }

    /// The value of reading a name: a type itself, the value of a variable or property; functions stay functions.
    fn read(&mut self, value: Value, depth: usize) -> Result<Value, StoreError> {
        let Value::Items(items, this) = &value else {
            return Ok(value);
        };
        let Some(first) = items.first().filter(|_| is_one(items) && depth < MAX_DEPTH) else {
            return Ok(Value::Unknown);
        };
        if is_type(first) {
            return Ok(Value::Type(Rc::clone(first)));
        }
        if is_callable(first) {
            let property = items.iter().find_map(|item| item.declared.strip_prefix('='));
            return match property {
                Some(path) => self.declared(first, path, this.clone(), depth),
                None => Ok(value),
            };
        }
        if first.declared.is_empty() && first.kind == SymbolKind::Constant {
            // The case of an enumeration is one of its objects.
            let file = self.file_of(first)?;
            let around = file
                .around(first)
                .filter(|around| around.kind == SymbolKind::Enum);
            return Ok(around.map_or(Value::Unknown, Value::Object));
        }
        self.declared(first, &first.declared, this.clone(), depth)
    }

    /// The result of a call; `nth`: one of several results.
    fn called(&mut self, value: Value, nth: Option<usize>, depth: usize) -> Result<Value, StoreError> {
        if let Value::Items(items, this) = &value
            && let Some(first) = items.first().filter(|first| is_callable(first))
        {
            let agree = items.iter().all(|item| item.declared == first.declared);
            let is_property = first.declared.starts_with('=');
            let result = match nth {
                Some(nth) if first.declared.contains('|') => {
                    first.declared.split('|').nth(nth).unwrap_or_default()
                }
                None if !first.declared.contains('|') => first.declared.as_str(),
                _ => "",
            };
            return match agree && !is_property && is_one(items) {
                true => self.declared(first, result, this.clone(), depth),
                false => Ok(Value::Unknown),
            };
        }
        Ok(match self.read(value, depth)? {
            Value::Type(symbol) => Value::Object(symbol),
            // A function from outside may return an object of the project.
            _ => Value::Unknown,
        })
    }

    /// The declared type or result of a definition.
    fn declared(
        &mut self,
        symbol: &Rc<SymbolRow>,
        path: &str,
        this: Option<Rc<SymbolRow>>,
        depth: usize,
    ) -> Result<Value, StoreError> {
        let site = Site {
            file: self.file_of(symbol)?,
            holder: Some(Rc::clone(symbol)),
            this,
        };
        let value = self.eval(path, &site, false, &mut CertainBy::Scope, depth + 1)?;
        self.read(value, depth + 1)
    }

    /// The definitions of a name in the whole project.
    fn named(&mut self, name: &str) -> Result<Definitions, StoreError> {
        if let Some(known) = self.named.get(name) {
            return Ok(Rc::clone(known));
        }
        let found = self.snapshot.symbols_named(&fold(name))?.into_iter();
        let found: Definitions = Rc::new(found.filter(|symbol| symbol.name == name).map(Rc::new).collect());
        self.named.insert(name.to_owned(), Rc::clone(&found));
        Ok(found)
    }

    fn file_of(&mut self, symbol: &SymbolRow) -> Result<Rc<File>, StoreError> {
        self.file(symbol.file, symbol.parse, &symbol.path, &symbol.language)
    }

    pub(crate) fn file(
        &mut self,
        id: i64,
        parse: ParseId,
        path: &RepoPath,
        language: &str,
    ) -> Result<Rc<File>, StoreError> {
        if let Some(known) = self.files.get(&id) {
            return Ok(Rc::clone(known));
        }
        let file = Rc::new(File::load(self.snapshot, id, parse, path, language)?);
        self.files.insert(id, Rc::clone(&file));
        Ok(file)
    }
}

/// The fitting definitions of one name: for a call, functions and types if there are any; for a read, the others if there are
/// any.
fn fitting(mut found: Vec<Rc<SymbolRow>>, calls: bool) -> Option<Vec<Rc<SymbolRow>>> {
    let fits = |symbol: &Rc<SymbolRow>| (is_callable(symbol) || is_type(symbol)) == calls;
    if found.iter().any(fits) {
        found.retain(fits);
    }
    (!found.is_empty()).then_some(found)
}

/// Whether definitions count as one: overloads in one place.
fn is_one(items: &[Rc<SymbolRow>]) -> bool {
    items.first().is_some_and(|first| {
        items
            .iter()
            .all(|item| item.file == first.file && item.container == first.container)
    })
}

/// The common meaning of a name in several modules; unknown if they differ; `None` if none has it.
fn agreed(hits: Vec<(CertainBy, Value)>) -> Option<(CertainBy, Value)> {
    let mut hits = hits.into_iter();
    let (by, first) = hits.next()?;
    let is_same = |other: &Value| {
        let is_outside = matches!(
            (&first, other),
            (Value::Outside, Value::Outside) | (Value::ForeignMember, Value::ForeignMember)
        );
        is_outside || same(&first, other)
    };
    let agree = hits.all(|(_, other)| is_same(&other));
    Some((by, if agree { first } else { Value::Unknown }))
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Items(a, _), Value::Items(b, _)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a.file, a.idx) == (b.file, b.idx))
        }
        (Value::Module(a), Value::Module(b)) => a == b,
        _ => false,
    }
}

fn is_type(symbol: &SymbolRow) -> bool {
    matches!(
        symbol.kind,
        SymbolKind::Class | SymbolKind::Interface | SymbolKind::Enum | SymbolKind::Type
    )
}

fn is_callable(symbol: &SymbolRow) -> bool {
    matches!(
        symbol.kind,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro
    )
}
