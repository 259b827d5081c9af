//! Members of types: their own, the attributes that their methods assign, then what they inherit, in the order in which Python
//! looks (C3; for single inheritance and interfaces it is the order everybody expects). Go looks level by level.
//!
//! A base that is not understood hides what comes after it: it may have the member too.

use std::collections::BTreeSet;
use std::rc::Rc;

use kitbag_store::{StoreError, SymbolRow};
use kitbag_syntax::{Lexical, ModuleRule};

use super::{CertainBy, File, MAX_DEPTH, Resolver, Site, Value, fitting, is_callable, is_type};

/// What is null wherever it is assigned.
const NULL: &str = "-";

/// A type that another one inherits from.
#[derive(Clone, Debug)]
pub(super) enum Ancestor {
    Type(Rc<SymbolRow>),
    Outside,
    Unknown,
}

impl Ancestor {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Type(a), Self::Type(b)) => (a.file, a.idx) == (b.file, b.idx),
            _ => false,
        }
    }
}

impl Resolver<'_, '_> {
    /// A member of a type or of one of its objects.
    pub(super) fn member(
        &mut self,
        symbol: &Rc<SymbolRow>,
        name: &str,
        calls: bool,
        by: &mut CertainBy,
        depth: usize,
    ) -> Result<Value, StoreError> {
        *by = CertainBy::Type;
        if let Some(found) = self.own_member(symbol, symbol, name, calls, depth)? {
            let ancestors = self.ancestors(symbol, depth)?;
            return self.unless_overloaded(found, &ancestors);
        }
        *by = CertainBy::Inherited;
        self.inherited(symbol, name, calls, depth)
    }

    /// A member of what a type inherits from.
    pub(super) fn inherited(
        &mut self,
        symbol: &Rc<SymbolRow>,
        name: &str,
        calls: bool,
        depth: usize,
    ) -> Result<Value, StoreError> {
        if self.file_of(symbol)?.has_rule(ModuleRule::Folders) {
            return self.promoted(symbol, name, calls, depth);
        }
        let ancestors = self.ancestors(symbol, depth)?;
        let mut is_outside = false;
        for (idx, ancestor) in ancestors.iter().enumerate() {
            match ancestor {
                Ancestor::Unknown => return Ok(Value::Unknown),
                Ancestor::Outside => is_outside = true,
                Ancestor::Type(base) => {
                    if let Some(found) = self.own_member(base, symbol, name, calls, depth)? {
                        if is_outside {
                            return Ok(Value::Unknown);
                        }
                        return self.unless_overloaded(found, &ancestors[idx + 1..]);
                    }
                }
            }
        }
        Ok(if is_outside {
            Value::ForeignMember
        } else {
            Value::Unknown
        })
    }

    /// A member of what a type of Go embeds: level by level, and one at a level, or the name is ambiguous there.
    fn promoted(
        &mut self,
        symbol: &Rc<SymbolRow>,
        name: &str,
        calls: bool,
        depth: usize,
    ) -> Result<Value, StoreError> {
        let mut seen = BTreeSet::from([(symbol.file, symbol.idx)]);
        let mut level = vec![Rc::clone(symbol)];
        let mut is_outside = false;
        while !level.is_empty() {
            let mut bases = Vec::new();
            for holder in &level {
                bases.extend(self.bases(holder, depth)?);
            }
            let mut hits = Vec::new();
            let mut next = Vec::new();
            let was_outside = is_outside;
            let mut is_unknown = false;
            for base in bases {
                match base {
                    Ancestor::Unknown => is_unknown = true,
                    Ancestor::Outside => is_outside = true,
                    Ancestor::Type(base) => {
                        if seen.insert((base.file, base.idx)) {
                            hits.extend(self.own_member(&base, symbol, name, calls, depth)?);
                            next.push(base);
                        }
                    }
                }
            }
            match (hits.pop(), hits.is_empty()) {
                // A type from outside that is embedded further out may have the name.
                (Some(found), true) if !was_outside => return Ok(found),
                (None, _) if !is_unknown => {}
                _ => return Ok(Value::Unknown),
            }
            level = next;
        }
        Ok(if is_outside {
            Value::ForeignMember
        } else {
            Value::Unknown
        })
    }

    /// `found`, unless a type further up has the name with another number of parameters: then the arguments decide, and
    /// those are not known here.
    fn unless_overloaded(&mut self, found: Value, further: &[Ancestor]) -> Result<Value, StoreError> {
        let Value::Items(items, _) = &found else {
            return Ok(found);
        };
        let Some(first) = items.first().filter(|first| is_callable(first)) else {
            return Ok(found);
        };
        let file = self.file_of(first)?;
        if !file.lexical.is_some_and(Lexical::has_overloads) {
            return Ok(found);
        }
        let known: BTreeSet<usize> = items.iter().map(|item| n_parameters(item)).collect();
        for ancestor in further {
            let Ancestor::Type(base) = ancestor else { continue };
            let file = self.file_of(base)?;
            let mut others = file.items(&base.qualified(), &first.name).into_iter();
            if others.any(|other| is_callable(&other) && !known.contains(&n_parameters(&other))) {
                return Ok(Value::Unknown);
            }
        }
        Ok(found)
    }

    /// What a type itself has, for an object of type `this`.
    fn own_member(
        &mut self,
        symbol: &Rc<SymbolRow>,
        this: &Rc<SymbolRow>,
        name: &str,
        calls: bool,
        depth: usize,
    ) -> Result<Option<Value>, StoreError> {
        let file = self.file_of(symbol)?;
        // A constructor is called by the name of its type, never as a member.
        let own = match symbol.name == name {
            true => Vec::new(),
            false => self.members_of(&file, symbol, name)?,
        };
        let assigned = attribute(&symbol.declared, name);
        if file.is_reassigned(&own) || assigned.is_some_and(|path| replaces(&file, &own, name, path)) {
            return Ok(Some(Value::Unknown));
        }
        if let Some(found) = fitting(own, calls) {
            let declared = found.first().map_or("", |first| first.declared.as_str());
            let is_data = |item: &Rc<SymbolRow>| !is_callable(item) && !is_type(item);
            // Where the type declares its members, assigning to them changes nothing about that. JavaScript writes no types:
            // what a field begins with is a value like any other.
            let is_script = file.is_dynamic && file.has_rule(ModuleRule::Scripts);
            let is_declared = file.lexical.is_some_and(|lexical| !lexical.members_in_body);
            let is_written = !is_script && (declared.ends_with('@') || is_declared);
            match assigned {
                Some(path)
                    if !is_written && found.iter().all(is_data) && path != declared && path != NULL =>
                {
                    // A method assigns something else than the body of the type does.
                    if declared != NULL {
                        return Ok(Some(Value::Unknown));
                    }
                }
                _ => return Ok(Some(Value::Items(found, Some(Rc::clone(this))))),
            }
        }
        if let Some(found) = self.embedded(&file, symbol, name, depth)? {
            return Ok(Some(found));
        }
        if let Some(path) = assigned {
            if path.is_empty() {
                return Ok(Some(Value::Unknown));
            }
            let site = Site {
                file,
                holder: Some(Rc::clone(symbol)),
                this: Some(Rc::clone(this)),
            };
            let value = self.eval(path, &site, false, &mut CertainBy::Type, depth + 1)?;
            // A function in an attribute is called through a variable: which one it is, is decided when it runs.
            return Ok(Some(match self.read(value, depth + 1)? {
                Value::Items(..) => Value::Unknown,
                value => value,
            }));
        }
        Ok(None)
    }

    /// What a type inherits from, nearest first, without itself.
    pub(super) fn ancestors(
        &mut self,
        symbol: &Rc<SymbolRow>,
        depth: usize,
    ) -> Result<Rc<Vec<Ancestor>>, StoreError> {
        let key = (symbol.file, symbol.idx);
        if let Some(known) = self.ancestors.get(&key) {
            return Ok(Rc::clone(known));
        }
        if depth >= MAX_DEPTH {
            return Ok(Rc::new(vec![Ancestor::Unknown]));
        }
        // What asks for itself on the way gets no answer.
        self.ancestors.insert(key, Rc::new(vec![Ancestor::Unknown]));
        // The answer is kept: it must not stand on what the question at hand has visited and looks up already.
        let open = std::mem::take(&mut self.open);
        let n_visits = std::mem::take(&mut self.n_visits);
        let bases = self.bases(symbol, depth);
        self.open = open;
        self.n_visits = n_visits;
        let bases = bases?;
        let mut lists = Vec::new();
        for base in &bases {
            let mut list = vec![base.clone()];
            if let Ancestor::Type(base) = base {
                list.extend(self.ancestors(base, depth + 1)?.iter().cloned());
            }
            lists.push(list);
        }
        lists.push(bases);
        let merged = Rc::new(merge(lists));
        self.ancestors.insert(key, Rc::clone(&merged));
        Ok(merged)
    }

    /// What a type names as what it inherits from, in the order in which it is written.
    fn bases(&mut self, symbol: &Rc<SymbolRow>, depth: usize) -> Result<Vec<Ancestor>, StoreError> {
        let file = self.file_of(symbol)?;
        let mut bases = Vec::new();
        for path in file.bases.get(&symbol.idx).into_iter().flatten() {
            let site = Site {
                file: Rc::clone(&file),
                holder: file.around(symbol),
                this: None,
            };
            let value = match path {
                Some(path) => self.eval(path, &site, true, &mut CertainBy::Scope, depth + 1)?,
                None => Value::Unknown,
            };
            bases.push(match self.read(value, depth + 1)? {
                Value::Type(base) => Ancestor::Type(base),
                Value::Outside => Ancestor::Outside,
                _ => Ancestor::Unknown,
            });
        }
        Ok(bases)
    }
}

impl File {
    fn has_rule(&self, rule: ModuleRule) -> bool {
        self.lexical.is_some_and(|lexical| lexical.modules == rule)
    }
}

/// Whether assigning `path` to the attribute `name` may replace the methods that a type has by that name.
fn replaces(file: &File, own: &[Rc<SymbolRow>], name: &str, path: &str) -> bool {
    // Assigning to a property calls it; `this.f = function …` is itself the definition.
    let is_replaced = |item: &Rc<SymbolRow>| {
        is_callable(item) && !item.declared.starts_with('=') && !item.signature.starts_with("this.")
    };
    let is_property = own.iter().any(|item| item.declared.starts_with('='));
    // `this.f = this.f.bind(this)` is still the method.
    let is_itself = path == format!("&.{name}.bind()") || path == format!("&.{name}");
    file.is_dynamic && !is_property && !is_itself && own.iter().any(is_replaced)
}

/// How many parameters the head of a definition shows.
fn n_parameters(symbol: &SymbolRow) -> usize {
    let after_name = symbol.signature.find(&format!("{}(", symbol.name));
    let Some(start) = after_name.map(|at| at + symbol.name.len() + 1) else {
        return 0;
    };
    let mut depth = 0_usize;
    let mut n_commas = 0;
    let mut is_empty = true;
    for c in symbol.signature[start..].chars() {
        match c {
            ')' if depth == 0 => break,
            '(' | '<' | '[' | '{' => depth += 1,
            ')' | '>' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => n_commas += 1,
            _ => {}
        }
        is_empty &= c.is_whitespace();
    }
    if is_empty { 0 } else { n_commas + 1 }
}

/// What the methods of a type assign to an attribute, of its `name path` lines.
fn attribute<'d>(declared: &'d str, name: &str) -> Option<&'d str> {
    let mut lines = declared
        .lines()
        .map(|line| line.split_once(' ').unwrap_or((line, "")));
    lines
        .find(|(attribute, _)| *attribute == name)
        .map(|(_, path)| path)
}

/// One order out of several: the first head that no other list has further down.
fn merge(mut lists: Vec<Vec<Ancestor>>) -> Vec<Ancestor> {
    let mut merged = Vec::new();
    loop {
        lists.retain(|list| !list.is_empty());
        let is_free = |head: &Ancestor| {
            let is_later = |list: &Vec<Ancestor>| list.iter().skip(1).any(|other| other.is(head));
            !lists.iter().any(is_later)
        };
        let Some(next) = lists
            .iter()
            .map(|list| &list[0])
            .find(|head| is_free(head))
            .cloned()
        else {
            if !lists.is_empty() {
                merged.push(Ancestor::Unknown);
            }
            return merged;
        };
        let mut is_taken = false;
        for list in &mut lists {
            // Bases that are not types of the project have no identity: each is taken once.
            let takes = match &next {
                Ancestor::Type(_) => list[0].is(&next),
                _ => !is_taken && !matches!(list[0], Ancestor::Type(_)),
            };
            if takes {
                list.remove(0);
                is_taken = true;
            }
        }
        merged.push(next);
    }
}
