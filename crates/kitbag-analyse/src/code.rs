//! The facts of all files of a project, put together so that questions can be asked across files: what a name means where it is used, who
//! calls a function, what text a value is.
//!
//! Answers are certain or none: a name that has two meanings has none here. What is made at run time is not followed.

pub mod modules;

use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::{Fact, FactKind, RepoPath, Value};

/// One file with what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFacts {
    pub path: RepoPath,
    pub language: String,
    /// It is a test by its path.
    pub is_test: bool,
    pub facts: Vec<Fact>,
}

/// A fact of a project: the index of its file, and its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    pub file: usize,
    pub fact: usize,
}

/// Names are followed at most this far.
const MAX_STEPS: u32 = 12;
/// … and looked for anywhere in the project only so far.
const MAX_FREE_STEPS: u32 = 8;
/// A name that has more meanings is too common to ask about.
const MAX_MEANINGS: usize = 200;

/// See the module.
pub struct Code<'c> {
    pub files: &'c [SourceFacts],
    by_path: BTreeMap<&'c str, usize>,
    by_folder: BTreeMap<&'c str, Vec<usize>>,
    by_stem: BTreeMap<&'c str, Vec<usize>>,
    functions: BTreeMap<&'c str, Vec<At>>,
    types: BTreeMap<&'c str, Vec<At>>,
    binds: BTreeMap<&'c str, Vec<At>>,
    calls: BTreeMap<&'c str, Vec<At>>,
    children: Vec<BTreeMap<usize, Vec<usize>>>,
}

impl<'c> Code<'c> {
    /// Files in the order of their paths.
    pub fn new(files: &'c [SourceFacts]) -> Self {
        let mut code = Self {
            files,
            by_path: BTreeMap::new(),
            by_folder: BTreeMap::new(),
            by_stem: BTreeMap::new(),
            functions: BTreeMap::new(),
            types: BTreeMap::new(),
            binds: BTreeMap::new(),
            calls: BTreeMap::new(),
            children: Vec::with_capacity(files.len()),
        };
        for (file, source) in files.iter().enumerate() {
            let path = source.path.as_str();
            code.by_path.insert(path, file);
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            code.by_folder.entry(folder).or_default().push(file);
            let stem = name.split('.').next().unwrap_or(name);
            code.by_stem.entry(stem).or_default().push(file);
            let mut children: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (idx, fact) in source.facts.iter().enumerate() {
                let at = At { file, fact: idx };
                children
                    .entry(fact.parent.map_or(usize::MAX, |parent| parent as usize))
                    .or_default()
                    .push(idx);
                let names = match fact.kind {
                    FactKind::Function => &mut code.functions,
                    FactKind::Type => &mut code.types,
                    FactKind::Bind => &mut code.binds,
                    FactKind::Call => &mut code.calls,
                    _ => continue,
                };
                let name = match fact.kind {
                    FactKind::Type => last_name(&fact.name),
                    _ => fact.name.as_str(),
                };
                names.entry(name).or_default().push(at);
            }
            code.children.push(children);
        }
        code
    }

    pub fn fact(&self, at: At) -> &'c Fact {
        &self.files[at.file].facts[at.fact]
    }

    pub fn source(&self, at: At) -> &'c SourceFacts {
        &self.files[at.file]
    }

    pub fn file_at(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The files of a folder, not of those below.
    pub fn files_in(&self, folder: &str) -> &[usize] {
        self.by_folder.get(folder).map_or(&[], Vec::as_slice)
    }

    /// Files whose name is this before its first dot.
    pub(crate) fn files_called(&self, stem: &str) -> &[usize] {
        self.by_stem.get(stem).map_or(&[], Vec::as_slice)
    }

    pub fn parent(&self, at: At) -> Option<At> {
        let parent = self.fact(at).parent? as usize;
        // A mark's parent stands after it; others stand before, so that a walk upwards ends.
        (parent != at.fact).then_some(At {
            file: at.file,
            fact: parent,
        })
    }

    /// What holds a fact, from the inside out.
    pub fn ancestors(&self, at: At) -> impl Iterator<Item = At> + '_ {
        let mut next = self.parent(at);
        let mut left = 200;
        std::iter::from_fn(move || {
            let found = next.filter(|_| left > 0)?;
            left -= 1;
            next = self.parent(found);
            Some(found)
        })
    }

    /// What a fact holds directly; `None`: what nothing holds.
    pub fn children(&self, file: usize, of: Option<usize>) -> impl Iterator<Item = At> + '_ {
        let list = self.children[file].get(&of.unwrap_or(usize::MAX));
        list.into_iter()
            .flatten()
            .map(move |fact| At { file, fact: *fact })
    }

    /// The decorators, annotations and attributes of a definition.
    pub fn marks(&self, of: At) -> impl Iterator<Item = At> + '_ {
        self.children(of.file, Some(of.fact))
            .filter(|at| self.fact(*at).kind == FactKind::Mark)
    }

    pub fn functions_named(&self, name: &str) -> &[At] {
        few(&self.functions, name)
    }

    /// Also of a name that is too common to look up.
    pub fn functions_named_all(&self, name: &str) -> Vec<At> {
        self.functions.get(name).cloned().unwrap_or_default()
    }

    pub fn binds_named_all(&self, name: &str) -> Vec<At> {
        self.binds.get(name).cloned().unwrap_or_default()
    }

    pub fn types_named(&self, name: &str) -> &[At] {
        few(&self.types, name)
    }

    pub fn binds_named(&self, name: &str) -> &[At] {
        few(&self.binds, name)
    }

    pub fn calls_named(&self, name: &str) -> &[At] {
        self.calls.get(name).map_or(&[], Vec::as_slice)
    }

    /// Every fact of a kind, by path and place.
    pub fn all(&self, kind: FactKind) -> impl Iterator<Item = At> + '_ {
        self.files.iter().enumerate().flat_map(move |(file, source)| {
            let facts = source.facts.iter().enumerate();
            facts
                .filter(move |(_, fact)| fact.kind == kind)
                .map(move |(fact, _)| At { file, fact })
        })
    }

    /// The innermost function or type around a fact.
    pub fn holder(&self, at: At, kind: FactKind) -> Option<At> {
        self.ancestors(at).find(|holder| self.fact(*holder).kind == kind)
    }

    /// The type that a function belongs to, around it or before its name.
    pub fn type_of(&self, function: At) -> Option<String> {
        if let Some(Value::Name(name)) = &self.fact(function).receiver {
            return Some(name.trim_start_matches(['*', '&']).to_owned());
        }
        let holder = self.holder(function, FactKind::Type)?;
        Some(last_name(&self.fact(holder).name).to_owned())
    }

    /// Methods of a type, wherever they are written.
    pub fn methods_of(&self, at: At) -> Vec<At> {
        let inside = self.children(at.file, Some(at.fact));
        inside
            .filter(|child| self.fact(*child).kind == FactKind::Function)
            .collect()
    }

    /// What a name means where it is used: the nearest binding, parameter, function, type or import. The last binding before the place
    /// counts.
    pub fn lookup(&self, from: At, name: &str) -> Option<At> {
        let line = self.fact(from).line;
        let name = name.trim_start_matches('$');
        let holders = self.ancestors(from).map(|at| Some(at.fact)).chain([None]);
        for holder in holders {
            let mut best: Option<At> = None;
            for child in self.children(from.file, holder) {
                let fact = self.fact(child);
                let is_definition = matches!(
                    fact.kind,
                    FactKind::Bind
                        | FactKind::Parameter
                        | FactKind::Function
                        | FactKind::Type
                        | FactKind::Loop
                );
                let own = fact.name.trim_start_matches('$');
                let is_named = own == name || fact.name.starts_with('{') && unpacks(&fact.name, name);
                if !is_definition || !is_named || child == from {
                    continue;
                }
                if best.is_none() || fact.line <= line {
                    best = Some(child);
                }
            }
            if best.is_some() {
                return best;
            }
        }
        let imports = self.files[from.file].facts.iter().enumerate();
        let mut own = imports.filter(|(_, fact)| fact.kind == FactKind::Import && fact.name == name);
        own.next().map(|(fact, _)| At {
            file: from.file,
            fact,
        })
    }

    /// A definition by its name at the top of a file.
    pub fn top_of(&self, file: usize, name: &str) -> Option<At> {
        let defines = |at: &At| {
            let fact = self.fact(*at);
            fact.name == name
                && matches!(
                    fact.kind,
                    FactKind::Bind | FactKind::Function | FactKind::Type | FactKind::Import
                )
        };
        self.children(file, None).filter(defines).last()
    }

    /// Follows imports to the definition that they name.
    pub fn settled(&self, at: At) -> Option<At> {
        let mut at = at;
        for _ in 0..MAX_STEPS {
            let fact = self.fact(at);
            if fact.kind != FactKind::Import {
                return Some(at);
            }
            let (files, item) = modules::named_by(self, at);
            let item = item?;
            let mut found = files.iter().filter_map(|file| {
                let default = (item == "default").then(|| modules::default_export(self, *file));
                let own = default.flatten().or_else(|| self.top_of(*file, &item));
                own.or_else(|| modules::through_star(self, *file, &item, &mut BTreeSet::new()))
            });
            let next = found.next()?;
            if next == at {
                return None;
            }
            at = next;
        }
        None
    }

    /// What `require('./x')` gives.
    pub fn required(&self, call: At) -> Option<At> {
        let fact = self.fact(call);
        let Some(Value::Text(module)) = fact.arguments.first().filter(|_| fact.name == "require") else {
            return None;
        };
        let file = modules::script(self, self.source(call).path.as_str(), module)?;
        modules::default_export(self, file)
    }

    /// What a path of names means: `users.router`, `this.router`, `crate::http::router`.
    pub fn meaning(&self, from: At, path: &str) -> Option<At> {
        let path = path.trim_start_matches(['&', '*']).replace("->", ".");
        let path = path.as_str();
        if let Some(at) = self.lookup(from, path) {
            return self.settled(at).map(|at| self.required_by(at, None));
        }
        let names: Vec<&str> = path
            .split(['.', ':', '\\'])
            .filter(|name| !name.is_empty())
            .collect();
        let (first, last) = (names.first()?, names.last()?);
        if names.len() == 1 {
            return self.neighbour(from, first);
        }
        if matches!(*first, "self" | "this" | "$this" | "cls") {
            return self.member(from, last);
        }
        let head = self.lookup(from, first);
        if let Some(bind) = head.filter(|at| self.fact(*at).kind == FactKind::Bind) {
            let found = self.required_by(bind, Some(last));
            if found != bind {
                return Some(found);
            }
        }
        if let Some(import) = head.filter(|at| self.fact(*at).kind == FactKind::Import) {
            let (files, item) = modules::named_by(self, import);
            let inner = files.iter().filter_map(|file| {
                self.top_of(*file, last)
                    .or_else(|| modules::member_of(self, *file, item.as_deref(), last))
            });
            if let Some(found) = inner.into_iter().next() {
                return self.settled(found);
            }
        }
        modules::by_path(self, from, &names).and_then(|at| self.settled(at))
    }

    /// A binding of `require('./x')`: what it names there, or the member of that.
    fn required_by(&self, bind: At, member: Option<&str>) -> At {
        let fact = self.fact(bind);
        let Some(Value::Fact(call)) = fact.arguments.first().filter(|_| fact.kind == FactKind::Bind) else {
            return bind;
        };
        let call = At {
            file: bind.file,
            fact: *call as usize,
        };
        let Some(exported) = self.required(call) else {
            return bind;
        };
        match member {
            None => exported,
            Some(name) => modules::member_of(self, exported.file, Some(name), name)
                .or_else(|| self.top_of(exported.file, name))
                .unwrap_or(bind),
        }
    }

    /// A definition of another file that needs no import.
    fn neighbour(&self, from: At, name: &str) -> Option<At> {
        let source = self.source(from);
        if !matches!(
            source.language.as_str(),
            "go" | "kotlin" | "csharp" | "java" | "ruby" | "php" | "elixir"
        ) {
            return None;
        }
        let folder = folder_of(source.path.as_str());
        let here = self
            .files_in(folder)
            .iter()
            .find_map(|file| self.top_of(*file, name));
        here.or_else(|| {
            let all = self.functions_named(name).iter().chain(self.types_named(name));
            let mut same = all.filter(|at| self.source(**at).language == source.language);
            let only = same.next()?;
            (source.language != "go" && same.next().is_none()).then_some(*only)
        })
    }

    /// A member of the type around a place: its field or method, or the binding of it anywhere in the type.
    fn member(&self, from: At, name: &str) -> Option<At> {
        let holder = self.holder(from, FactKind::Type)?;
        let is_it = |fact: &Fact| {
            matches!(
                fact.kind,
                FactKind::Bind | FactKind::Function | FactKind::Parameter
            ) && (fact.name == name || fact.name.rsplit('.').next() == Some(name) && fact.name.contains('.'))
        };
        let facts = self.files[from.file].facts.iter().enumerate();
        let mut inside = facts.filter(|(fact, _)| {
            let at = At {
                file: from.file,
                fact: *fact,
            };
            is_it(self.fact(at)) && self.ancestors(at).any(|above| above == holder)
        });
        let found: Vec<usize> = inside.by_ref().map(|(fact, _)| fact).collect();
        let with_value = found
            .iter()
            .find(|fact| !self.files[from.file].facts[**fact].arguments.is_empty());
        with_value.or(found.first()).map(|fact| At {
            file: from.file,
            fact: *fact,
        })
    }

    /// The text of a value, as far as it is one: constants are looked up, parts that are not known become `{name}`.
    pub fn text(&self, from: At, value: &Value) -> Option<String> {
        self.text_within(from, value, 0)
    }

    fn text_within(&self, from: At, value: &Value, steps: u32) -> Option<String> {
        if steps > MAX_STEPS {
            return None;
        }
        match value {
            Value::Text(text) => Some(text.clone()),
            Value::Joined(parts) => {
                let mut out = String::new();
                let mut known = 0;
                for part in parts {
                    match self.text_within(from, part, steps + 1) {
                        Some(text) => {
                            out.push_str(&text);
                            known += 1;
                        }
                        None => {
                            let Value::Name(name) = part else { return None };
                            out.push_str(&format!("{{{}}}", last_name(name)));
                        }
                    }
                }
                (known > 0).then_some(out)
            }
            Value::Name(name) => self.constant(from, name, steps),
            Value::Fact(fact) => {
                // A setting with a default: `os.getenv("X", "/api")`, `config("X", default="/api")`.
                let at = At {
                    file: from.file,
                    fact: *fact as usize,
                };
                let call = self.fact(at);
                let is_setting = call.kind == FactKind::Call
                    && matches!(call.name.as_str(), "getenv" | "get" | "env" | "config" | "Field")
                    && call.arguments.len() >= 2;
                let default = keyword(&call.arguments, "default").or_else(|| positional(&call.arguments, 1));
                default
                    .filter(|_| is_setting)
                    .and_then(|value| self.text_within(at, value, steps + 1))
            }
            _ => None,
        }
    }

    fn constant(&self, from: At, name: &str, steps: u32) -> Option<String> {
        let bound = |at: At, steps: u32| -> Option<String> {
            let fact = self.fact(at);
            let value = fact.arguments.first().filter(|_| fact.kind == FactKind::Bind)?;
            // `prefix = ""`, which a condition may change later: what is written down is the default.
            let plain = || {
                let holder = fact.parent.map(|parent| parent as usize);
                let mut binds = self.children(at.file, holder).map(|other| self.fact(other));
                binds.find_map(|other| match other.arguments.first() {
                    Some(text @ Value::Text(_))
                        if other.kind == FactKind::Bind && other.name == fact.name =>
                    {
                        Some(text)
                    }
                    _ => None,
                })
            };
            let value = match value {
                Value::Joined(_) => plain().unwrap_or(value),
                value => value,
            };
            self.text_within(at, value, steps + 1)
        };
        if let Some(at) = self.meaning(from, name) {
            return bound(at, steps);
        }
        // An attribute of an object that is made elsewhere (`settings.PREFIX`): if the project has one constant of the name, it is that.
        let last = last_name(name);
        if last == name || last.len() < 3 || steps > MAX_FREE_STEPS {
            return None;
        }
        // Other names are not looked for in the whole project again: each could have as many meanings.
        let is_written = |at: &&At| !matches!(self.fact(**at).arguments.first(), None | Some(Value::Name(_)));
        let mut texts: Vec<String> = self
            .binds_named(last)
            .iter()
            .filter(is_written)
            .filter_map(|at| bound(*at, MAX_FREE_STEPS + 1))
            .collect();
        texts.dedup();
        match texts.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        }
    }
}

fn few<'m>(names: &'m BTreeMap<&str, Vec<At>>, name: &str) -> &'m [At] {
    let found = names.get(name).map_or(&[][..], Vec::as_slice);
    if found.len() > MAX_MEANINGS { &[] } else { found }
}

/// `{ a, b: c }` binds `a` and `c`.
fn unpacks(pattern: &str, name: &str) -> bool {
    let mut words = pattern.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    words.any(|word| word == name)
}

/// The last part of `a.b.c`, `a::b`, `A\B`.
pub fn last_name(path: &str) -> &str {
    path.rsplit(['.', ':', '\\', '>']).next().unwrap_or(path)
}

/// The first part of `a.b.c`.
pub fn first_name(path: &str) -> &str {
    path.trim_start_matches(['&', '*'])
        .split(['.', ':', '-'])
        .next()
        .unwrap_or(path)
}

pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The value of a named argument, also in an object, hash or keyword list among the arguments.
pub fn keyword<'v>(arguments: &'v [Value], key: &str) -> Option<&'v Value> {
    arguments.iter().find_map(|argument| match argument {
        Value::Pair(name, value) if name == key => Some(&**value),
        Value::List(items) => items.iter().find_map(|item| match item {
            Value::Pair(name, value) if name == key => Some(&**value),
            _ => None,
        }),
        _ => None,
    })
}

/// The n-th argument that has no name.
pub fn positional(arguments: &[Value], n: usize) -> Option<&Value> {
    let unnamed = |value: &&Value| !matches!(value, Value::Pair(..));
    arguments.iter().filter(unnamed).nth(n)
}

/// The words of a text or of a list of texts and names.
pub fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Text(text) => vec![text.clone()],
        Value::Name(name) => vec![last_name(name).to_owned()],
        Value::List(items) => items.iter().flat_map(words).collect(),
        _ => Vec::new(),
    }
}
