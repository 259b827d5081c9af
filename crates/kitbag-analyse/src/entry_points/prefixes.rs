//! The paths that a router stands below: how it was made, which router it is a group of, and where it is mounted, also in other files and by
//! functions that are handed a router. A router that is mounted twice has two paths.
//!
//! Followed are names, parameters and results of functions. What is not found this way has the path that is written at the route.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::{FactKind, Value};

use super::join;
use super::table::{Receiver, Routes, Where};
use crate::code::{At, Code, first_name, keyword, last_name, modules, positional};

/// Steps from a route to the program's own router.
const MAX_STEPS: u32 = 24;
/// Paths of one router.
const MAX_BASES: usize = 40;

/// A path that a router stands below, with what is asked before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Base {
    pub(super) path: String,
    pub(super) guards: Vec<String>,
}

impl Base {
    pub(super) fn below(&self, prefix: &str) -> Self {
        let mut below = self.clone();
        if !prefix.is_empty() {
            below.path = join(&self.path, prefix);
        }
        below
    }
}

struct Mount {
    call: At,
    prefix: Option<String>,
}

/// The routers of one framework in a project.
pub(super) struct Routers<'r, 'c> {
    code: &'r Code<'c>,
    row: &'r Routes,
    /// Calls in a chain: what each is the receiver of.
    outer: BTreeMap<At, At>,
    /// The binding that a call or block is the value of.
    bound: BTreeMap<At, At>,
    mounts: BTreeMap<At, Vec<Mount>>,
    /// Classes of the project that are routers because they inherit from one.
    derived: BTreeMap<&'c str, Where>,
    /// Folders whose files are mounted by their paths, with a prefix.
    folders: Vec<(String, String)>,
    busy: RefCell<BTreeSet<At>>,
}

impl<'r, 'c> Routers<'r, 'c> {
    pub(super) fn new(code: &'r Code<'c>, row: &'r Routes) -> Self {
        let mut routers = Self {
            code,
            row,
            outer: BTreeMap::new(),
            bound: BTreeMap::new(),
            mounts: BTreeMap::new(),
            derived: BTreeMap::new(),
            folders: Vec::new(),
            busy: RefCell::default(),
        };
        for (file, source) in code.files.iter().enumerate() {
            if !row.languages.contains(&source.language.as_str()) {
                continue;
            }
            for (idx, fact) in source.facts.iter().enumerate() {
                let at = At { file, fact: idx };
                let inner = |fact: &u32| At {
                    file,
                    fact: *fact as usize,
                };
                match (fact.kind, &fact.receiver, fact.arguments.first()) {
                    (FactKind::Call, Some(Value::Fact(receiver)), _) => {
                        routers.outer.insert(inner(receiver), at);
                    }
                    (FactKind::Bind, _, Some(Value::Fact(value))) => {
                        routers.bound.insert(inner(value), at);
                    }
                    _ => {}
                }
            }
        }
        routers.find_derived();
        routers.find_mounts();
        routers
    }

    fn find_derived(&mut self) {
        let own = self.code.all(FactKind::Type).filter(|at| self.is_ours(*at));
        let own: Vec<At> = own.collect();
        for _ in 0..3 {
            for at in own.iter().copied() {
                let fact = self.code.fact(at);
                let place = fact.arguments.iter().find_map(|base| {
                    let Value::Name(name) = base else { return None };
                    let name = last_name(name.split(['(', '<']).next().unwrap_or(name));
                    let known = self.row.makers.iter().find(|(maker, _)| *maker == name);
                    known
                        .map(|(_, place)| *place)
                        .or_else(|| self.derived.get(name).copied())
                });
                if let Some(place) = place {
                    self.derived.insert(&fact.name, place);
                }
            }
        }
    }

    fn find_mounts(&mut self) {
        for (name, prefix, target) in self.row.mounts {
            for at in self.code.calls_named(name) {
                if !self.is_ours(*at) {
                    continue;
                }
                let arguments = &self.code.fact(*at).arguments;
                let said = self.said(*at, *prefix);
                let values: Vec<&Value> = match target {
                    Where::First => arguments.iter().collect(),
                    Where::Key(key) => keyword(arguments, key).into_iter().collect(),
                    Where::Arg(n) => positional(arguments, *n).into_iter().collect(),
                    Where::No => Vec::new(),
                };
                for value in values {
                    for target in self.targets(*at, value, 0) {
                        self.mounts.entry(target).or_default().push(Mount {
                            call: *at,
                            prefix: said.clone(),
                        });
                    }
                }
                self.find_folder(*at, said);
            }
        }
    }

    /// `register(autoLoad, { dir: join(__dirname, 'routes') })`: the files of a folder are mounted by their paths.
    fn find_folder(&mut self, at: At, prefix: Option<String>) {
        let arguments = &self.code.fact(at).arguments;
        let is_loader =
            matches!(arguments.first(), Some(Value::Name(name)) if name.to_lowercase().contains("autoload"));
        let Some(dir) = keyword(arguments, "dir").filter(|_| is_loader) else {
            return;
        };
        let last = match dir {
            Value::Fact(call) => {
                let call = &self.code.files[at.file].facts[*call as usize];
                call.arguments.iter().rev().find_map(|value| match value {
                    Value::Text(text) => Some(text.clone()),
                    _ => None,
                })
            }
            value => self.code.text(at, value),
        };
        let inner = keyword(arguments, "options").map(std::slice::from_ref);
        let inner = inner.and_then(|options| keyword(options, "prefix"));
        let inner = inner.and_then(|value| self.code.text(at, value));
        if let Some(last) = last {
            let folder = crate::code::folder_of(self.code.source(at).path.as_str());
            let last = last.trim_start_matches("./").trim_matches('/');
            self.folders.push((
                modules::joined(folder, last),
                prefix.or(inner).unwrap_or_default(),
            ));
        }
    }

    fn is_ours(&self, at: At) -> bool {
        let source = self.code.source(at);
        !source.is_test && self.row.languages.contains(&source.language.as_str())
    }

    /// The prefix that a call says.
    fn said(&self, at: At, place: Where) -> Option<String> {
        let arguments = &self.code.fact(at).arguments;
        let value = match place {
            Where::No => None,
            Where::Arg(n) => positional(arguments, n),
            Where::Key(key) => keyword(arguments, key),
            Where::First => arguments.first().filter(|value| {
                matches!(
                    value,
                    Value::Text(_) | Value::Joined(_) | Value::Name(_) | Value::List(_)
                )
            }),
        }?;
        let value = match value {
            Value::List(items) if place == Where::First => keyword(items, "prefix").unwrap_or(value),
            value => value,
        };
        self.code.text(at, value)
    }

    /// What a mounted value is: a binding, a function that gives or fills a router, or the call that makes it.
    fn targets(&self, from: At, value: &Value, steps: u32) -> Vec<At> {
        if steps > MAX_STEPS {
            return Vec::new();
        }
        match value {
            Value::Name(name) => {
                let meaning = self.code.meaning(from, name);
                let meaning = meaning.or_else(|| {
                    let first = first_name(name);
                    (first != name.as_str())
                        .then(|| self.code.meaning(from, first))
                        .flatten()
                });
                let Some(at) = meaning else { return Vec::new() };
                match (self.code.fact(at).kind, self.code.fact(at).arguments.first()) {
                    (FactKind::Bind, Some(value @ Value::Name(_))) => {
                        let mut all = self.targets(at, value, steps + 1);
                        all.push(at);
                        all
                    }
                    (FactKind::Bind, Some(value @ Value::Fact(_))) => {
                        let mut all = self.targets(at, value, steps + 1);
                        all.push(at);
                        all
                    }
                    _ => vec![at],
                }
            }
            Value::Fact(fact) => {
                let at = At {
                    file: from.file,
                    fact: *fact as usize,
                };
                let call = self.code.fact(at);
                if call.kind != FactKind::Call {
                    return Vec::new();
                }
                let mut found = vec![self.root_of(at)];
                if matches!(
                    call.name.as_str(),
                    "routes" | "middleware" | "callback" | "default"
                ) && let Some(receiver) = &call.receiver
                {
                    found.extend(self.targets(at, receiver, steps + 1));
                    return found;
                }
                if matches!(call.name.as_str(), "routes" | "catchers" | "require") && call.receiver.is_none()
                {
                    for argument in &call.arguments {
                        found.extend(self.targets(at, argument, steps + 1));
                    }
                    found.extend(self.required_file(at));
                    return found;
                }
                let path = match &call.receiver {
                    Some(Value::Name(before)) => format!("{before}.{}", call.name),
                    None => call.name.clone(),
                    // A method of an object that is made on the spot: `Users{}.Routes()`.
                    Some(Value::Fact(made)) => {
                        let made = &self.code.files[at.file].facts[*made as usize];
                        format!("{}.{}", last_name(&made.name), call.name)
                    }
                    _ => return found,
                };
                found.extend(self.code.meaning(at, &path));
                // A wrapper: `StripPrefix("/x", router)`, `fp(plugin)`.
                let is_chain = matches!(call.receiver, Some(Value::Fact(_)))
                    || self.row.mounts.iter().any(|(name, _, _)| *name == call.name);
                if is_chain {
                    return found;
                }
                for argument in call
                    .arguments
                    .iter()
                    .filter(|value| matches!(value, Value::Name(_)))
                {
                    found.extend(self.targets(at, argument, steps + 1));
                }
                found
            }
            Value::List(items) | Value::Joined(items) => items
                .iter()
                .flat_map(|item| self.targets(from, item, steps + 1))
                .collect(),
            Value::Pair(_, value) => self.targets(from, value, steps + 1),
            _ => Vec::new(),
        }
    }

    fn required_file(&self, call: At) -> Option<At> {
        self.code.required(call)
    }

    /// The first call of a chain.
    fn root_of(&self, at: At) -> At {
        let mut root = at;
        for _ in 0..200 {
            match self.code.fact(root).receiver {
                Some(Value::Fact(inner)) => {
                    root = At {
                        file: at.file,
                        fact: inner as usize,
                    };
                }
                _ => break,
            }
        }
        root
    }

    /// Whether a call is one of these names.
    pub(super) fn named<T: Copy>(&self, at: At, names: &[(&str, T)]) -> Option<T> {
        let fact = self.code.fact(at);
        let before = match &fact.receiver {
            Some(Value::Name(name)) => Some(last_name(name)),
            _ => None,
        };
        let fits = |name: &str| match name.split_once('.') {
            Some((first, last)) => last == fact.name && before == Some(first),
            None => last_name(&fact.name) == name,
        };
        names.iter().find(|(name, _)| fits(name)).map(|(_, place)| *place)
    }

    /// Where the router of a value stands. `None`: it is not known to be one of this framework.
    pub(super) fn bases(&self, from: At, value: &Value, steps: u32) -> Option<Vec<Base>> {
        if steps > MAX_STEPS {
            return None;
        }
        let mut found = match value {
            Value::Fact(fact) => self.of_call(
                At {
                    file: from.file,
                    fact: *fact as usize,
                },
                steps,
            ),
            Value::Name(name) => self.of_name(from, name, steps),
            _ => None,
        }?;
        found.sort();
        found.dedup();
        found.truncate(MAX_BASES);
        Some(found)
    }

    fn of_name(&self, from: At, name: &str, steps: u32) -> Option<Vec<Base>> {
        if self.row.fixed.contains(&name) && self.imports(from.file) {
            return Some(vec![Base::default()]);
        }
        let meaning = self.code.meaning(from, name).or_else(|| {
            let first = first_name(name);
            let is_self = matches!(first, "self" | "this" | "$this");
            (first != name && !is_self)
                .then(|| self.code.meaning(from, first))
                .flatten()
        })?;
        if !self.busy.borrow_mut().insert(meaning) {
            return None;
        }
        let fact = self.code.fact(meaning);
        let found = match fact.kind {
            FactKind::Parameter => self.of_parameter(meaning, steps),
            FactKind::Bind => match fact.arguments.first() {
                Some(value) => self
                    .bases(meaning, value, steps + 1)
                    .or_else(|| self.by_type(meaning)),
                None => self.by_type(meaning),
            },
            _ => None,
        };
        self.busy.borrow_mut().remove(&meaning);
        found
    }

    /// A parameter or field whose type says that it is a router.
    fn by_type(&self, at: At) -> Option<Vec<Base>> {
        let annotation = self
            .code
            .fact(at)
            .annotation
            .trim_start_matches(['*', '&'])
            .replace("mut ", "");
        let bare = annotation
            .split(['<', '?', ' '])
            .next()
            .unwrap_or_default()
            .replace("::", ".");
        let is_router = self.row.types.contains(&bare.as_str()) || self.row.types.contains(&last_name(&bare));
        is_router.then(|| vec![Base::default()])
    }

    fn of_parameter(&self, at: At, steps: u32) -> Option<Vec<Base>> {
        let holder = self.code.parent(at)?;
        match self.code.fact(holder).kind {
            FactKind::Block => {
                let call = self.code.parent(holder)?;
                if self.code.fact(call).kind == FactKind::Call {
                    if let Some(place) = self.named(call, self.row.groups) {
                        return self.below(call, self.said(call, place), steps);
                    }
                    let mounts: Vec<(&str, Where)> = self
                        .row
                        .mounts
                        .iter()
                        .map(|(name, prefix, _)| (*name, *prefix))
                        .collect();
                    if let Some(place) = self.named(call, &mounts) {
                        return self.below(call, self.said(call, place), steps);
                    }
                }
                // The value of a binding or of an export is a function with a name.
                let target = self.bound_around(holder);
                let position = self.position(holder, at);
                target
                    .and_then(|target| self.of_function(target, position, steps))
                    .or_else(|| self.by_folder(at))
                    .or_else(|| self.by_type(at))
            }
            FactKind::Function => {
                let position = self.position(holder, at);
                self.of_function(holder, position, steps)
                    .or_else(|| self.by_folder(at))
                    .or_else(|| self.by_type(at))
            }
            _ => self.by_type(at),
        }
    }

    /// The binding that a block is the value of, perhaps inside of a wrapper; not if it handles a route.
    fn bound_around(&self, block: At) -> Option<At> {
        let mut at = block;
        for _ in 0..4 {
            at = self.code.parent(at)?;
            let fact = self.code.fact(at);
            match fact.kind {
                FactKind::Bind => return Some(at),
                FactKind::Call if fact.receiver.is_none() => {}
                _ => return None,
            }
        }
        None
    }

    fn position(&self, holder: At, parameter: At) -> usize {
        let parameters = self.code.children(holder.file, Some(holder.fact));
        let mut parameters = parameters.filter(|at| self.code.fact(*at).kind == FactKind::Parameter);
        let is_method = matches!(self.code.fact(holder).receiver, Some(Value::Name(_)))
            && self.code.source(holder).language == "go";
        let position = parameters.position(|at| at == parameter).unwrap_or(0);
        position.saturating_sub(usize::from(is_method))
    }

    /// The routers that a function is handed as its n-th argument, or is mounted with.
    fn of_function(&self, function: At, position: usize, steps: u32) -> Option<Vec<Base>> {
        let name = &self.code.fact(function).name;
        let mut found: Vec<Base> = Vec::new();
        let calls = self.code.calls_named(last_name(name));
        for call in calls.iter().take(60) {
            if !self.is_ours(*call) || !self.calls_it(*call, function) {
                continue;
            }
            let fact = self.code.fact(*call);
            // An extension is called on what it is handed first.
            let first = self.code.children(function.file, Some(function.fact));
            let first = first
                .into_iter()
                .find(|at| self.code.fact(*at).kind == FactKind::Parameter);
            let extends =
                first.is_some_and(|at| self.code.fact(at).words.split(' ').any(|word| word == "this"));
            let value = match (extends, position) {
                (true, 0) => fact.receiver.as_ref(),
                (true, n) => positional(&fact.arguments, n - 1),
                (false, n) => positional(&fact.arguments, n),
            };
            if let Some(bases) = value.and_then(|value| self.bases(*call, value, steps + 1)) {
                found.extend(bases);
            }
        }
        found.extend(self.mounted(function, "", steps));
        (!found.is_empty()).then_some(found)
    }

    fn calls_it(&self, call: At, function: At) -> bool {
        let fact = self.code.fact(call);
        let path = match &fact.receiver {
            Some(Value::Name(before)) => format!("{before}.{}", fact.name),
            _ => fact.name.clone(),
        };
        match self.code.meaning(call, &path) {
            Some(meaning) => meaning == function,
            None => self.code.functions_named(&fact.name).len() == 1,
        }
    }

    fn of_call(&self, at: At, steps: u32) -> Option<Vec<Base>> {
        let fact = self.code.fact(at);
        if fact.kind != FactKind::Call {
            return None;
        }
        let made = self
            .named(at, self.row.makers)
            .filter(|_| self.imports(at.file) || self.row.modules.is_empty());
        if let Some(place) = made.or_else(|| self.derived.get(last_name(&fact.name)).copied()) {
            let own = self.said(at, place).unwrap_or_default();
            let own = join_prefix(&own, &self.told(at));
            return Some(self.of_made(at, &own, steps));
        }
        if let Some(place) = self.named(at, self.row.groups) {
            return self.below(at, self.said(at, place), steps);
        }
        match &fact.receiver {
            Some(receiver) => self.bases(at, receiver, steps + 1),
            None => None,
        }
    }

    /// `router.prefix('/x')` after it was made.
    fn told(&self, made: At) -> String {
        let Some(bind) = self.bound.get(&made) else {
            return String::new();
        };
        let name = &self.code.fact(*bind).name;
        let calls = self.code.calls_named("prefix").iter();
        let mut own = calls.filter(|call| {
            let fact = self.code.fact(**call);
            call.file == made.file
                && matches!(&fact.receiver, Some(Value::Name(receiver)) if receiver == name)
        });
        own.next()
            .and_then(|call| self.said(*call, Where::Arg(0)))
            .unwrap_or_default()
    }

    fn below(&self, call: At, prefix: Option<String>, steps: u32) -> Option<Vec<Base>> {
        let prefix = prefix.unwrap_or_default();
        let fact = self.code.fact(call);
        let above = match (&fact.receiver, self.row.receiver) {
            (Some(receiver), Receiver::Value) => self.bases(call, receiver, steps + 1)?,
            _ => self.around(call, steps + 1)?,
        };
        let named = |value: &Value| match value {
            Value::Name(name) => Some(name.clone()),
            _ => None,
        };
        let guards: Vec<String> = fact.arguments.iter().skip(1).filter_map(named).collect();
        Some(
            above
                .iter()
                .map(|base| {
                    let mut below = base.below(&prefix);
                    below.guards.extend(guards.clone());
                    below
                })
                .collect(),
        )
    }

    /// A router that was made here: where the binding or the function that gives it is mounted.
    fn of_made(&self, made: At, own: &str, steps: u32) -> Vec<Base> {
        let mut last = made;
        for _ in 0..400 {
            match self.outer.get(&last) {
                Some(outer) => last = *outer,
                None => break,
            }
        }
        let mut found = self.mounted_at(made, own, steps);
        let target = self.bound.get(&last).copied();
        if let Some(bind) = target {
            found.extend(self.mounted_at(bind, own, steps));
        }
        if found.is_empty()
            && let Some(function) = self.code.holder(made, FactKind::Function)
        {
            found.extend(self.mounted_at(function, own, steps));
        }
        if found.is_empty()
            && let Some(block) = self.code.holder(made, FactKind::Block)
            && let Some(bind) = self.bound_around(block)
        {
            found.extend(self.mounted_at(bind, own, steps));
        }
        if found.is_empty() {
            found.push(Base::default().below(own));
        }
        found
    }

    fn mounted_at(&self, target: At, own: &str, steps: u32) -> Vec<Base> {
        if steps > MAX_STEPS || !self.mounts.contains_key(&target) {
            return Vec::new();
        }
        if !self.busy.borrow_mut().insert(target) && self.code.fact(target).kind != FactKind::Bind {
            return Vec::new();
        }
        let found = self.mounted(target, own, steps + 1);
        self.busy.borrow_mut().remove(&target);
        found
    }

    /// Where a target is mounted.
    pub(super) fn mounted(&self, target: At, own: &str, steps: u32) -> Vec<Base> {
        let mut found = Vec::new();
        if steps > MAX_STEPS {
            return found;
        }
        for mount in self.mounts.get(&target).into_iter().flatten() {
            let fact = self.code.fact(mount.call);
            let above = match &fact.receiver {
                Some(receiver) => self.bases(mount.call, receiver, steps + 1),
                None => self.around(mount.call, steps + 1),
            };
            let above = above.unwrap_or_else(|| vec![Base::default()]);
            // A prefix at the registration of a blueprint takes the place of its own.
            let replaces =
                matches!(fact.name.as_str(), "register_blueprint" | "blueprint") && mount.prefix.is_some();
            let own = if replaces { "" } else { own };
            for base in above {
                found.push(base.below(mount.prefix.as_deref().unwrap_or_default()).below(own));
            }
        }
        found.truncate(MAX_BASES);
        found
    }

    /// Where a call stands by the blocks around it. `None`: not in a router of this framework.
    pub(super) fn around(&self, at: At, steps: u32) -> Option<Vec<Base>> {
        if steps > MAX_STEPS {
            return None;
        }
        let mut prefixes: Vec<String> = Vec::new();
        let mut is_inside = false;
        let mut above: Option<Vec<Base>> = None;
        for holder in self.code.ancestors(at) {
            let fact = self.code.fact(holder);
            match fact.kind {
                FactKind::Call => {
                    if let Some(place) = self.named(holder, self.row.groups) {
                        is_inside = true;
                        prefixes.extend(self.said(holder, place));
                    } else if let Some(prefix) = self.mounts_around(holder) {
                        is_inside = true;
                        prefixes.push(prefix);
                    }
                }
                FactKind::Type => is_inside |= self.is_router_type(holder),
                FactKind::Bind => {
                    let mounted = self.mounted(holder, "", steps + 1);
                    if !mounted.is_empty() {
                        is_inside = true;
                        above = Some(mounted);
                        break;
                    }
                }
                FactKind::Function => {
                    let receiver = fact.receiver.as_ref();
                    let is_extension = matches!(receiver, Some(Value::Name(name)) if self.row.types.contains(&last_name(name)));
                    is_inside |= is_extension;
                    let takes = self.takes_router(holder);
                    if is_extension || takes || is_inside {
                        above = self.around_calls(holder, steps);
                        is_inside |= above.is_some();
                    }
                    break;
                }
                _ => {}
            }
        }
        let plain = self.code.source(at).language == "ruby"
            || self.row.groups.iter().all(|(name, _)| *name == "Mount");
        if !(is_inside || plain && self.imports(at.file)) {
            return None;
        }
        prefixes.reverse();
        let own = prefixes
            .iter()
            .fold(String::new(), |whole, prefix| join_prefix(&whole, prefix));
        let above = above.unwrap_or_else(|| vec![Base::default()]);
        Some(above.iter().map(|base| base.below(&own)).collect())
    }

    /// A call that mounts what is written in its arguments (`Mount("/x", routes=[…])`).
    fn mounts_around(&self, at: At) -> Option<String> {
        let mounts = self.row.mounts.iter().map(|(name, prefix, _)| (*name, *prefix));
        let mounts: Vec<(&str, Where)> = mounts.collect();
        let place = self.named(at, &mounts)?;
        Some(self.said(at, place).unwrap_or_default())
    }

    fn takes_router(&self, function: At) -> bool {
        let parameters = self.code.children(function.file, Some(function.fact));
        parameters
            .into_iter()
            .filter(|at| self.code.fact(*at).kind == FactKind::Parameter)
            .any(|at| self.by_type(at).is_some())
    }

    /// Where the calls of a function stand.
    fn around_calls(&self, function: At, steps: u32) -> Option<Vec<Base>> {
        if !self.busy.borrow_mut().insert(function) {
            return None;
        }
        let mut found = Vec::new();
        for call in self
            .code
            .calls_named(&self.code.fact(function).name)
            .iter()
            .take(40)
        {
            if self.is_ours(*call) && self.calls_it(*call, function) {
                found.extend(self.around(*call, steps + 1).into_iter().flatten());
            }
        }
        self.busy.borrow_mut().remove(&function);
        (!found.is_empty()).then_some(found)
    }

    fn is_router_type(&self, at: At) -> bool {
        let bases = &self.code.fact(at).arguments;
        bases
            .iter()
            .any(|base| matches!(base, Value::Name(name) if self.row.types.contains(&name.trim_start_matches("::"))))
    }

    /// A file of a folder that is mounted by paths.
    fn by_folder(&self, at: At) -> Option<Vec<Base>> {
        let path = self.code.source(at).path.as_str();
        let found = self.folders.iter().find_map(|(folder, prefix)| {
            let inner = path.strip_prefix(folder.as_str())?.strip_prefix('/')?;
            let parts: Vec<String> = crate::code::folder_of(inner)
                .split('/')
                .map(|part| {
                    part.strip_prefix('_')
                        .map_or(part.to_owned(), |name| format!(":{name}"))
                })
                .collect();
            Some(join(prefix, &parts.join("/")))
        })?;
        let path = if found == "/" { String::new() } else { found };
        Some(vec![Base {
            path,
            guards: Vec::new(),
        }])
    }

    /// The file imports a module of the framework.
    pub(super) fn imports(&self, file: usize) -> bool {
        self.code.files[file].facts.iter().any(|fact| match fact.kind {
            FactKind::Import => is_module(&fact.annotation, self.row.modules),
            FactKind::Call if fact.name == "require" || fact.name == "require_relative" => {
                matches!(fact.arguments.first(), Some(Value::Text(module)) if is_module(module, self.row.modules))
            }
            FactKind::Call | FactKind::Mark => {
                matches!(&fact.receiver, Some(Value::Name(name)) if self.row.languages == ["rust"] && is_module(name, self.row.modules))
            }
            FactKind::Type => fact.arguments.iter().any(|base| {
                matches!(base, Value::Name(name) if self.row.types.contains(&name.trim_start_matches("::")) && name.contains("::"))
            }),
            _ => false,
        })
    }
}

fn join_prefix(before: &str, after: &str) -> String {
    match (before.is_empty(), after.is_empty()) {
        (_, true) => before.to_owned(),
        (true, _) => after.to_owned(),
        _ => join(before, after),
    }
}

/// `a/b/v5` is a module of `a/b`, `a.b` and `a::b` of `a`.
pub(super) fn is_module(name: &str, modules: &[&str]) -> bool {
    modules.iter().any(|module| {
        name.strip_prefix(module)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.', ':', '\\']))
    })
}
