//! Routes that are calls on a router (`app.get("/x", show)`) or decorators of functions (`@router.get("/x")`, `#[get("/x")]`), by the rows of
//! `table.rs`. A call that only looks like one is left out: its receiver must be a router, or the file must use the framework, the
//! path must look like one and something must handle it.

use kitbag_types::{FactKind, Value};

use super::handlers::{class_methods, definition, handler_of, name_of};
use super::prefixes::{Base, Routers, is_module};
use super::repeated::{is_varied, times};
use super::rocket;
use super::table::{ROUTES, Receiver, Routes, Verb};
use super::{EntryKind, EntryPoint, EntryPoints, Hidden, entry, join};
use crate::code::{At, Code, first_name, keyword, positional, words};

/// What one call or decorator says.
struct Said {
    methods: Vec<String>,
    path: String,
    /// What handles it: a value at the call, or the function below the decorator.
    handler: Option<Value>,
}

pub(super) fn find(code: &Code<'_>, found: &mut EntryPoints) {
    for row in ROUTES {
        let used = |at: &crate::code::SourceFacts| row.languages.contains(&at.language.as_str());
        if !code.files.iter().any(used) {
            continue;
        }
        let routers = Routers::new(code, row);
        let is_used = (0..code.files.len())
            .any(|file| row.languages.contains(&code.files[file].language.as_str()) && routers.imports(file));
        if !is_used && !row.modules.is_empty() {
            continue;
        }
        let reader = Reader { code, row, routers };
        for (name, verb) in row.calls {
            for at in code.calls_named(name) {
                if reader.is_ours(*at) {
                    reader.call(*at, *verb, found);
                }
            }
        }
        if !row.marks.is_empty() {
            for at in code.all(FactKind::Mark).filter(|at| reader.is_ours(*at)) {
                reader.mark(at, found);
            }
        }
    }
}

struct Reader<'r, 'c> {
    code: &'r Code<'c>,
    row: &'r Routes,
    routers: Routers<'r, 'c>,
}

impl Reader<'_, '_> {
    fn is_ours(&self, at: At) -> bool {
        let source = self.code.source(at);
        !source.is_test && self.row.languages.contains(&source.language.as_str())
    }

    fn call(&self, at: At, verb: Verb, found: &mut EntryPoints) {
        let fact = self.code.fact(at);
        let bases = match (self.row.receiver, &fact.receiver) {
            (Receiver::Around, None) => self.routers.around(at, 0),
            (Receiver::Around, Some(_)) | (Receiver::Value, None) => return,
            (Receiver::Value, Some(receiver)) => {
                if self.row.framework == "actix-web" && fact.name == "to" && !self.is_resource(at) {
                    return;
                }
                let known = self.routers.bases(at, receiver, 0);
                match known {
                    None if self.is_plausible(at, receiver, verb) => Some(vec![Base::default()]),
                    known => known,
                }
            }
        };
        let Some(bases) = bases else { return };
        // Said by `route('/x')` before the verb, which is part of the base then.
        let is_varied = self
            .path_value(at)
            .is_some_and(|value| is_varied(self.code, at, value));
        let said = self.read(at, verb).filter(|_| !is_varied);
        let Some(said) = said else {
            found.hidden.extend(self.made_at_run_time(at, verb));
            return;
        };
        self.tell(at, &bases, said, found);
    }

    /// `web::resource("/x").to(handler)`, not `web::get().to(handler)`, which is read with the route around it.
    fn is_resource(&self, at: At) -> bool {
        matches!(self.code.fact(at).receiver, Some(Value::Fact(inner))
            if self.code.files[at.file].facts[inner as usize].name == "resource")
    }

    /// A route whose path is computed.
    fn made_at_run_time(&self, at: At, verb: Verb) -> Option<Hidden> {
        let fact = self.code.fact(at);
        let first = positional(&fact.arguments, 0)?;
        let computed =
            matches!(first, Value::Name(_) | Value::Other | Value::Joined(_)) && fact.arguments.len() >= 2;
        let is_direct = matches!(verb, Verb::Is(_) | Verb::Option(_) | Verb::Nested);
        let count = times(self.code, at);
        let name = self.row.framework;
        let what = match count {
            Some(1) => format!("1 {name} route is built at run time"),
            Some(n) => format!("{n} {name} routes are built at run time"),
            None => format!("an unknown number of {name} routes is built at run time"),
        };
        (computed && is_direct).then(|| Hidden {
            path: self.code.source(at).path.clone(),
            line: fact.line,
            what,
            count,
        })
    }

    /// A receiver of which nothing is known may be a router if everything else fits.
    fn is_plausible(&self, at: At, receiver: &Value, verb: Verb) -> bool {
        let fact = self.code.fact(at);
        let Value::Name(name) = receiver else { return false };
        let first = first_name(name);
        let known = self.code.lookup(at, first);
        let is_free = match known.map(|known| self.code.fact(known)) {
            None => self.row.languages != ["go"] && self.row.languages != ["rust"],
            Some(known) => match known.kind {
                FactKind::Parameter => known.annotation.is_empty() && self.is_scripts(),
                FactKind::Bind => matches!(known.arguments.first(), Some(Value::Fact(call))
                    if self.is_foreign_router(at, *call)),
                FactKind::Import => is_module(&known.annotation, &["."]) && self.is_scripts(),
                _ => false,
            },
        };
        let has_path = match positional(&fact.arguments, 0) {
            Some(Value::Text(path)) => path.starts_with(['/', '*']),
            _ => verb == Verb::Object,
        };
        let is_router_name = [
            "app", "router", "server", "api", "route", "fastify", "web", "instance",
        ]
        .iter()
        .any(|word| name.to_lowercase().contains(word));
        let has_handler = fact.arguments.len() >= 2 || verb == Verb::Object;
        is_free && has_path && has_handler && is_router_name && self.is_framework_of(at)
    }

    fn is_scripts(&self) -> bool {
        self.row.languages.contains(&"typescript")
    }

    /// `const router = makeRouter()`: a function of this project gives it.
    fn is_foreign_router(&self, at: At, call: u32) -> bool {
        let inner = At {
            file: at.file,
            fact: call as usize,
        };
        let fact = self.code.fact(inner);
        fact.kind == FactKind::Call && self.code.meaning(inner, &fact.name).is_some()
    }

    /// Of several frameworks, an unknown router belongs to the one that its file imports, or else to the first that the project uses.
    fn is_framework_of(&self, at: At) -> bool {
        if self.routers.imports(at.file) {
            return true;
        }
        let others = ROUTES
            .iter()
            .filter(|row| row.languages == self.row.languages && row.receiver == Receiver::Value);
        let used = |row: &&Routes| {
            self.code.files.iter().any(|source| {
                !source.is_test
                    && source.facts.iter().any(|fact| match fact.kind {
                        FactKind::Import => is_module(&fact.annotation, row.modules),
                        FactKind::Call if fact.name == "require" => {
                            matches!(fact.arguments.first(), Some(Value::Text(module)) if is_module(module, row.modules))
                        }
                        _ => false,
                    })
            })
        };
        let mut others = others.filter(used);
        others
            .next()
            .is_some_and(|first| first.framework == self.row.framework)
    }

    fn mark(&self, at: At, found: &mut EntryPoints) {
        let fact = self.code.fact(at);
        let Some((_, verb)) = self.row.marks.iter().find(|(name, _)| *name == fact.name) else {
            return;
        };
        let Some(target) = self.code.parent(at) else {
            return;
        };
        if !matches!(
            self.code.fact(target).kind,
            FactKind::Function | FactKind::Type | FactKind::Bind
        ) {
            return;
        }
        let bases = match &fact.receiver {
            None if self.row.languages == ["rust"] && self.routers.imports(at.file) => {
                Some(self.mounted(target))
            }
            Some(Value::Name(name))
                if self.row.languages == ["rust"] && is_module(name, self.row.modules) =>
            {
                Some(self.mounted(target))
            }
            Some(receiver) if self.row.languages != ["rust"] => self.routers.bases(at, receiver, 0),
            _ => None,
        };
        let (Some(bases), Some(mut said)) = (bases, self.read(at, *verb)) else {
            return;
        };
        if said.methods == ["GET"]
            && *verb == Verb::Option("GET")
            && self.code.fact(target).kind == FactKind::Type
        {
            said.methods = class_methods(self.code, target);
        }
        said.handler = None;
        let mut one = EntryPoints::default();
        self.tell(at, &bases, said, &mut one);
        for mut entry in one.list {
            entry.handler = handler_of(self.code, target);
            entry.name = name_of(self.code, target);
            entry.line = self.code.fact(at).line;
            let marks = self.code.marks(target).filter(|mark| *mark != at);
            let other = marks.map(|mark| self.code.fact(mark).name.clone());
            entry
                .guards
                .extend(other.filter(|name| !self.row.marks.iter().any(|(known, _)| known == name)));
            entry.guards.sort();
            entry.guards.dedup();
            found.list.push(entry);
        }
    }

    fn mounted(&self, function: At) -> Vec<Base> {
        let mut found = self.routers.mounted(function, "", 0);
        if found.is_empty() && self.row.framework == "rocket" {
            let prefixes = rocket::prefixes(self.code, function);
            found.extend(prefixes.iter().map(|prefix| Base::default().below(prefix)));
        }
        if found.is_empty() {
            found.push(Base::default());
        }
        found
    }

    fn read(&self, at: At, verb: Verb) -> Option<Said> {
        match verb {
            Verb::Is(method) => self.plain(at, method),
            Verb::Option(default) => self.with_option(at, default),
            Verb::First => self.method_first(at),
            Verb::Nested => self.nested(at),
            Verb::Object => self.object(at),
            Verb::Pattern => self.pattern(at),
            Verb::Class => self.class(at),
        }
    }

    /// The last argument without a name, from the n-th on.
    fn handler(&self, at: At, from: usize) -> Option<Value> {
        let arguments = self.code.fact(at).arguments.iter();
        let unnamed: Vec<&Value> = arguments
            .filter(|value| !matches!(value, Value::Pair(..)))
            .collect();
        unnamed.get(from..)?.last().map(|value| (*value).clone())
    }

    fn path_value(&self, at: At) -> Option<&Value> {
        let arguments = &self.code.fact(at).arguments;
        let named = || {
            ["path", "rule", "to"]
                .iter()
                .find_map(|key| keyword(arguments, key))
        };
        positional(arguments, 0).or_else(named)
    }

    fn plain(&self, at: At, method: &str) -> Option<Said> {
        let arguments = &self.code.fact(at).arguments;
        let path = match self.path_value(at) {
            Some(value @ (Value::Text(_) | Value::Joined(_) | Value::Name(_))) => self.code.text(at, value),
            // Several paths for one handler.
            Some(Value::List(items)) => items.first().and_then(|item| self.code.text(at, item)),
            _ => None,
        };
        // What is got from a context or a cache is called like a route, but its name is not a path.
        let is_path = |path: &String| path.is_empty() || path.starts_with(['/', '*', '(', ':', '{']);
        let path = path.filter(|path| !self.is_scripts() || is_path(path));
        if path.is_none() && self.is_scripts() && matches!(positional(arguments, 0), Some(Value::Text(_))) {
            return None;
        }
        let chained = self.is_chained(at);
        let around = self.row.receiver == Receiver::Around && self.row.languages == ["kotlin"];
        let is_bare = chained
            || around && matches!(arguments.first(), Some(Value::Fact(_)))
            || self.row.framework == "grape" && !arguments.is_empty();
        let methods = vec![method.to_owned()];
        match path {
            Some(path) if !(chained && arguments.len() == 1 && !path.starts_with('/')) => Some(Said {
                methods,
                path,
                handler: self.handler(at, 1),
            }),
            None if is_bare => Some(Said {
                methods,
                path: String::new(),
                handler: self.handler(at, 0),
            }),
            _ => None,
        }
    }

    fn with_option(&self, at: At, default: &str) -> Option<Said> {
        let arguments = &self.code.fact(at).arguments;
        let path = self.code.text(at, self.path_value(at)?)?;
        let methods = keyword(arguments, "methods").or_else(|| keyword(arguments, "method"));
        let methods = methods.map(words).filter(|methods| !methods.is_empty());
        let view = keyword(arguments, "view_func").or_else(|| keyword(arguments, "endpoint"));
        let handler = view.cloned().or_else(|| self.handler(at, 1));
        let of_class = handler
            .as_ref()
            .and_then(|value| definition(self.code, at, value))
            .filter(|at| self.code.fact(*at).kind == FactKind::Type)
            .map(|at| class_methods(self.code, at));
        Some(Said {
            methods: methods.or(of_class).unwrap_or_else(|| vec![default.to_owned()]),
            path,
            handler,
        })
    }

    fn method_first(&self, at: At) -> Option<Said> {
        let arguments = &self.code.fact(at).arguments;
        let methods = words(positional(arguments, 0)?);
        let methods: Vec<String> = methods.iter().map(|word| method_word(word)).collect();
        let path = self.code.text(at, positional(arguments, 1)?)?;
        let is_method = |word: &String| !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase());
        let all_known = !methods.is_empty() && methods.iter().all(is_method);
        (all_known && (path.starts_with('/') || path.is_empty())).then(|| Said {
            methods,
            path,
            handler: self.handler(at, 2),
        })
    }

    fn object(&self, at: At) -> Option<Said> {
        let arguments = &self.code.fact(at).arguments;
        let path = keyword(arguments, "url").or_else(|| keyword(arguments, "path"))?;
        let methods = keyword(arguments, "method")
            .map(words)
            .filter(|words| !words.is_empty())?;
        Some(Said {
            methods: methods.iter().map(|word| method_word(word)).collect(),
            path: self.code.text(at, path)?,
            handler: keyword(arguments, "handler")
                .cloned()
                .or_else(|| self.handler(at, 1)),
        })
    }

    fn pattern(&self, at: At) -> Option<Said> {
        let pattern = self
            .code
            .text(at, positional(&self.code.fact(at).arguments, 0)?)?;
        let (method, path) = match pattern.split_once(' ') {
            Some((method, path)) => (method.to_owned(), path.trim().to_owned()),
            None => (String::new(), pattern),
        };
        let limited = self.limited(at);
        let methods = match (method.is_empty(), limited.is_empty()) {
            (false, _) => vec![method],
            (true, false) => limited,
            (true, true) => vec!["ANY".to_owned()],
        };
        Some(Said {
            methods,
            path: path.trim_end_matches("{$}").to_owned(),
            handler: self.handler(at, 1),
        })
    }

    fn class(&self, at: At) -> Option<Said> {
        let arguments = &self.code.fact(at).arguments;
        let class = positional(arguments, 0)?;
        let path = self.code.text(at, positional(arguments, 1)?)?;
        let methods = class_methods(self.code, definition(self.code, at, class)?);
        Some(Said {
            methods,
            path,
            handler: Some(class.clone()),
        })
    }

    /// The receiver is `route('/x')`, perhaps with other verbs between.
    fn is_chained(&self, at: At) -> bool {
        let mut inner = self.code.fact(at).receiver.as_ref();
        for _ in 0..50 {
            let Some(Value::Fact(call)) = inner else {
                return false;
            };
            let call = &self.code.files[at.file].facts[*call as usize];
            if call.name == "route" && self.row.groups.iter().any(|(name, _)| *name == "route") {
                return true;
            }
            inner = call.receiver.as_ref();
        }
        false
    }

    /// `.Methods("GET", "PUT")` after the route.
    fn limited(&self, at: At) -> Vec<String> {
        let methods = self.code.calls_named("Methods").iter();
        let mut own = methods.filter(|call| {
            call.file == at.file && self.code.fact(**call).receiver == Some(Value::Fact(at.fact as u32))
        });
        let own = own.next().map(|call| &self.code.fact(*call).arguments);
        own.into_iter()
            .flatten()
            .flat_map(words)
            .map(|word| method_word(&word))
            .collect()
    }

    /// `route("/x", get(show).post(add))`, `route(web::get().to(show))`.
    fn nested(&self, at: At) -> Option<Said> {
        let arguments = &self.code.fact(at).arguments;
        let (path, rest) = match arguments.first()? {
            value @ (Value::Text(_) | Value::Name(_) | Value::Joined(_)) if arguments.len() >= 2 => {
                (self.code.text(at, value)?, &arguments[1..])
            }
            _ => (String::new(), &arguments[..]),
        };
        let mut methods = Vec::new();
        let mut handler = None;
        let mut next = rest.first();
        for _ in 0..50 {
            let Some(Value::Fact(call)) = next else { break };
            let call = &self.code.files[at.file].facts[*call as usize];
            let word = call.name.trim_end_matches("_service").trim_end_matches("_with");
            let word = method_word(word);
            if [
                "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "ANY", "CONNECT",
            ]
            .contains(&word.as_str())
            {
                methods.push(word);
                handler = call.arguments.first().cloned().or(handler);
            } else if call.name == "to" {
                handler = call.arguments.first().cloned();
            } else if call.name == "on" {
                methods.extend(call.arguments.first().into_iter().flat_map(words));
            }
            next = call.receiver.as_ref();
        }
        if methods.is_empty() {
            let is_handler = matches!(rest.first(), Some(Value::Name(_) | Value::Fact(_)));
            if !is_handler {
                return None;
            }
            handler = rest.first().cloned();
            methods.push("ANY".to_owned());
        }
        methods.reverse();
        Some(Said {
            methods,
            path,
            handler,
        })
    }

    fn tell(&self, at: At, bases: &[Base], said: Said, found: &mut EntryPoints) {
        let handler = said
            .handler
            .as_ref()
            .and_then(|value| definition(self.code, at, value));
        let arguments = &self.code.fact(at).arguments;
        let between = arguments.len().saturating_sub(2);
        let guards: Vec<String> = arguments
            .iter()
            .skip(1)
            .take(between)
            .filter_map(guard_name)
            .collect();
        for base in bases {
            for method in &said.methods {
                let mut one: EntryPoint = entry(self.code, at, EntryKind::Api, self.row.framework);
                one.method = method_word(method);
                one.route = join(&base.path, &said.path);
                one.handler = handler.and_then(|at| handler_of(self.code, at));
                one.name = match (&one.handler, &said.handler) {
                    (Some(handler), _) => handler.name.clone(),
                    (None, Some(Value::Name(name))) => name.clone(),
                    _ => String::new(),
                };
                one.guards = base.guards.iter().chain(&guards).cloned().collect();
                found.list.push(one);
            }
        }
    }
}

fn guard_name(value: &Value) -> Option<String> {
    match value {
        Value::Name(name) => Some(name.clone()),
        _ => None,
    }
}

/// `http.MethodGet`, `HttpMethod.Get`, `del`, `Method::GET` → `GET` …
pub(super) fn method_word(word: &str) -> String {
    let last = crate::code::last_name(word).to_uppercase();
    let last = last.strip_prefix("METHOD").unwrap_or(&last);
    match last {
        "DEL" => "DELETE".to_owned(),
        "ALL" | "*" => "ANY".to_owned(),
        other => other.to_owned(),
    }
}
