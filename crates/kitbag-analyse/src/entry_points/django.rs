//! Django: `urlpatterns` of the root module, with what they include, and the routers of REST framework. The root is the module that
//! no other includes.

use std::collections::BTreeSet;

use kitbag_types::{FactKind, Value};

use super::handlers::{class_methods, definition, handler_of};
use super::{EntryKind, EntryPoints, entry, join};
use crate::code::{At, Code, keyword, last_name, positional, words};

const MAX_DEPTH: u32 = 12;

pub(super) fn find(code: &Code<'_>, found: &mut EntryPoints) {
    let mut included: BTreeSet<usize> = BTreeSet::new();
    for at in code.calls_named("include") {
        if code.source(*at).language == "python" {
            included.extend(included_file(code, *at));
        }
    }
    for file in 0..code.files.len() {
        let source = &code.files[file];
        let is_root = source.language == "python" && !source.is_test && !included.contains(&file);
        if !is_root || !imports_django(code, file) {
            continue;
        }
        read_file(code, file, "", 0, found);
    }
}

fn imports_django(code: &Code<'_>, file: usize) -> bool {
    let facts = &code.files[file].facts;
    facts.iter().any(|fact| {
        fact.kind == FactKind::Import
            && (fact.annotation.starts_with("django") || fact.annotation.starts_with("rest_framework"))
    })
}

fn read_file(code: &Code<'_>, file: usize, prefix: &str, depth: u32, found: &mut EntryPoints) {
    if depth > MAX_DEPTH {
        return;
    }
    let facts = code.files[file].facts.iter().enumerate();
    let patterns =
        facts.filter(|(_, fact)| fact.kind == FactKind::Bind && last_name(&fact.name) == "urlpatterns");
    for (fact, bind) in patterns {
        let at = At { file, fact };
        for value in &bind.arguments {
            read(code, at, value, prefix, depth, found);
        }
    }
    // `urlpatterns += [...]` is not a binding in every grammar; calls at the top that nothing holds are patterns too.
    for at in code.children(file, None) {
        let fact = code.fact(at);
        if fact.kind == FactKind::Call && is_pattern(&fact.name) {
            read_pattern(code, at, prefix, depth, found);
        }
    }
}

fn is_pattern(name: &str) -> bool {
    matches!(name, "path" | "re_path" | "url")
}

fn read(code: &Code<'_>, from: At, value: &Value, prefix: &str, depth: u32, found: &mut EntryPoints) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::List(items) | Value::Joined(items) => {
            for item in items {
                read(code, from, item, prefix, depth + 1, found);
            }
        }
        Value::Name(name) if name.ends_with(".urls") => {
            read_router(code, from, name.trim_end_matches(".urls"), prefix, found);
        }
        Value::Name(name) => {
            let Some(at) = code.meaning(from, name) else {
                return;
            };
            for value in &code.fact(at).arguments {
                read(code, at, value, prefix, depth + 1, found);
            }
        }
        Value::Fact(fact) => {
            let at = At {
                file: from.file,
                fact: *fact as usize,
            };
            let call = code.fact(at);
            if is_pattern(&call.name) {
                read_pattern(code, at, prefix, depth, found);
            } else if call.name == "include" {
                include(code, at, prefix, depth, found);
            } else {
                // `i18n_patterns(path(…), …)`, `format_suffix_patterns([…])`.
                for value in &call.arguments {
                    read(code, at, value, prefix, depth + 1, found);
                }
            }
        }
        _ => {}
    }
}

fn read_pattern(code: &Code<'_>, at: At, prefix: &str, depth: u32, found: &mut EntryPoints) {
    let call = code.fact(at);
    let Some(own) = positional(&call.arguments, 0).and_then(|value| code.text(at, value)) else {
        return;
    };
    let own = own.trim_start_matches('^').trim_end_matches('$');
    let route = format!("{prefix}{own}");
    let Some(view) = positional(&call.arguments, 1).or_else(|| keyword(&call.arguments, "view")) else {
        return;
    };
    match view {
        Value::Fact(fact) if code.files[at.file].facts[*fact as usize].name == "include" => {
            let inner = At {
                file: at.file,
                fact: *fact as usize,
            };
            include(code, inner, &route, depth, found);
        }
        Value::List(items) if !items.is_empty() => {
            for item in items {
                read(code, at, item, &route, depth + 1, found);
            }
        }
        // `admin.site.urls` are pages of the framework.
        Value::Name(name) if name.ends_with(".urls") => {
            read_router(code, at, name.trim_end_matches(".urls"), &route, found)
        }
        view => tell(code, at, view, &route, found),
    }
}

fn include(code: &Code<'_>, at: At, prefix: &str, depth: u32, found: &mut EntryPoints) {
    if let Some(file) = included_file(code, at) {
        read_file(code, file, prefix, depth + 1, found);
        return;
    }
    if let Some(value) = positional(&code.fact(at).arguments, 0) {
        // `include((patterns, "namespace"))`.
        let value = match value {
            Value::List(items) if matches!(items.get(1), Some(Value::Text(_))) => {
                items.first().unwrap_or(value)
            }
            value => value,
        };
        if let Value::Text(_) = value {
            return;
        }
        read(code, at, value, prefix, depth + 1, found);
    }
}

/// The file of `include("app.urls")` or `include(module)`.
fn included_file(code: &Code<'_>, at: At) -> Option<usize> {
    let value = positional(&code.fact(at).arguments, 0)?;
    let value = match value {
        Value::List(items) => items.first()?,
        value => value,
    };
    let Value::Text(module) = value else { return None };
    let path = format!("{}.py", module.replace('.', "/"));
    let last = last_name(module);
    let whole = code.file_at(&path);
    whole.or_else(|| {
        let below = format!("/{path}");
        let mut found = code
            .files_called(last)
            .iter()
            .filter(|file| code.files[**file].path.as_str().ends_with(&below));
        let only = found.next()?;
        found.next().is_none().then_some(*only)
    })
}

fn tell(code: &Code<'_>, at: At, view: &Value, route: &str, found: &mut EntryPoints) {
    let target = definition(code, at, view);
    let is_class = target.is_some_and(|target| code.fact(target).kind == FactKind::Type);
    let methods = match (target, view) {
        (Some(class), Value::Fact(call)) if is_class => view_methods(code, at, *call, class),
        (Some(class), _) if is_class => class_methods(code, class),
        (Some(function), _) => function_methods(code, function),
        _ => vec!["ANY".to_owned()],
    };
    for method in methods {
        let mut one = entry(code, at, EntryKind::Api, "django");
        one.method = method;
        one.route = join("", route);
        one.handler = target.and_then(|target| handler_of(code, target));
        one.name = one
            .handler
            .as_ref()
            .map_or_else(|| name_of(view), |handler| handler.name.clone());
        found.list.push(one);
    }
}

fn name_of(view: &Value) -> String {
    match view {
        Value::Name(name) => name.clone(),
        _ => String::new(),
    }
}

/// `as_view({'get': 'list'})` says its methods.
fn view_methods(code: &Code<'_>, at: At, call: u32, class: At) -> Vec<String> {
    let call = &code.files[at.file].facts[call as usize];
    if let Some(Value::List(items)) = call.arguments.first() {
        let said: Vec<String> = items
            .iter()
            .filter_map(|item| match item {
                Value::Pair(method, _) => Some(method.to_uppercase()),
                _ => None,
            })
            .collect();
        if !said.is_empty() {
            return said;
        }
    }
    let generic = generic_methods(code, class);
    if generic.is_empty() {
        class_methods(code, class)
    } else {
        generic
    }
}

/// What the generic views of Django and of REST framework handle.
const GENERIC: &[(&str, &[&str])] = &[
    ("ListCreateAPIView", &["GET", "POST"]),
    ("RetrieveUpdateDestroyAPIView", &["GET", "PUT", "PATCH", "DELETE"]),
    ("RetrieveUpdateAPIView", &["GET", "PUT", "PATCH"]),
    ("RetrieveDestroyAPIView", &["GET", "DELETE"]),
    ("ListAPIView", &["GET"]),
    ("RetrieveAPIView", &["GET"]),
    ("CreateAPIView", &["POST"]),
    ("UpdateAPIView", &["PUT", "PATCH"]),
    ("DestroyAPIView", &["DELETE"]),
    ("CreateView", &["GET", "POST"]),
    ("UpdateView", &["GET", "POST"]),
    ("DeleteView", &["GET", "POST"]),
    ("FormView", &["GET", "POST"]),
    ("LoginView", &["GET", "POST"]),
    ("LogoutView", &["POST"]),
];

fn bases_of(code: &Code<'_>, class: At) -> Vec<String> {
    let mut names = Vec::new();
    let mut left = vec![class];
    while let Some(class) = left.pop() {
        for base in &code.fact(class).arguments {
            let Value::Name(name) = base else { continue };
            let last = last_name(name).to_owned();
            if names.len() > 40 {
                return names;
            }
            if let Some(next) = code.meaning(class, name)
                && code.fact(next).kind == FactKind::Type
                && !names.contains(&last)
            {
                left.push(next);
            }
            names.push(last);
        }
    }
    names
}

fn generic_methods(code: &Code<'_>, class: At) -> Vec<String> {
    let bases = bases_of(code, class);
    let generic = GENERIC
        .iter()
        .filter(|(name, _)| bases.iter().any(|base| base == name));
    let mut found: Vec<String> = generic
        .flat_map(|(_, methods)| methods.iter().map(|method| (*method).to_owned()))
        .collect();
    if !found.is_empty() {
        found.extend(
            class_methods(code, class)
                .into_iter()
                .filter(|method| method != "GET"),
        );
    }
    found.sort();
    found.dedup();
    found
}

/// `@api_view(["POST"])`, `@require_http_methods([…])`, `@require_POST`.
fn function_methods(code: &Code<'_>, function: At) -> Vec<String> {
    for at in code.marks(function) {
        let fact = code.fact(at);
        let said: Vec<String> = match fact.name.as_str() {
            "api_view" | "require_http_methods" => fact.arguments.iter().flat_map(words).collect(),
            "require_POST" => vec!["POST".to_owned()],
            "require_GET" | "require_safe" => vec!["GET".to_owned()],
            _ => continue,
        };
        return if said.is_empty() {
            vec!["GET".to_owned()]
        } else {
            said
        };
    }
    vec!["ANY".to_owned()]
}

/// The actions of a view set: method, path below its prefix, function.
const ACTIONS: &[(&str, &str, &str)] = &[
    ("GET", "", "list"),
    ("POST", "", "create"),
    ("GET", "{id}/", "retrieve"),
    ("PUT", "{id}/", "update"),
    ("PATCH", "{id}/", "partial_update"),
    ("DELETE", "{id}/", "destroy"),
];

/// `router.register("users", UserViewSet)` of REST framework.
fn read_router(code: &Code<'_>, from: At, name: &str, prefix: &str, found: &mut EntryPoints) {
    let Some(router) = code.meaning(from, name) else {
        return;
    };
    let local = &code.fact(router).name;
    for at in code.calls_named("register") {
        let call = code.fact(*at);
        let is_its =
            at.file == router.file && matches!(&call.receiver, Some(Value::Name(name)) if name == local);
        let path = positional(&call.arguments, 0).and_then(|value| code.text(*at, value));
        let (true, Some(path), Some(view)) = (is_its, path, positional(&call.arguments, 1)) else {
            continue;
        };
        let Some(class) = definition(code, *at, view) else {
            continue;
        };
        let base = format!("{}{}/", prefix, path.trim_matches('/'))
            .replace("^", "")
            .replace("//", "/");
        read_view_set(code, *at, class, &base, found);
    }
}

fn read_view_set(code: &Code<'_>, at: At, class: At, base: &str, found: &mut EntryPoints) {
    let bases = bases_of(code, class);
    let has = |name: &str| bases.iter().any(|base| base == name);
    let own = code.methods_of(class);
    let is_own = |name: &str| own.iter().any(|at| code.fact(*at).name == name);
    let offers = |action: &str| {
        let mixin = match action {
            "list" => has("ListModelMixin") || has("ReadOnlyModelViewSet"),
            "create" => has("CreateModelMixin"),
            "retrieve" => has("RetrieveModelMixin") || has("ReadOnlyModelViewSet"),
            "update" | "partial_update" => has("UpdateModelMixin"),
            _ => has("DestroyModelMixin"),
        };
        mixin || has("ModelViewSet") || is_own(action)
    };
    let mut tell = |method: &str, path: String, function: Option<At>| {
        let mut one = entry(code, at, EntryKind::Api, "django");
        one.method = method.to_owned();
        one.route = join("", &path);
        one.handler = handler_of(code, function.unwrap_or(class));
        one.name = one
            .handler
            .as_ref()
            .map(|handler| handler.name.clone())
            .unwrap_or_default();
        found.list.push(one);
    };
    for (method, path, action) in ACTIONS {
        if offers(action) {
            let function = own.iter().find(|at| code.fact(**at).name == *action);
            tell(method, format!("{base}{path}"), function.copied());
        }
    }
    for function in &own {
        let Some(action) = code.marks(*function).find(|at| code.fact(*at).name == "action") else {
            continue;
        };
        let arguments = &code.fact(action).arguments;
        let is_detail = matches!(keyword(arguments, "detail"), Some(Value::Name(word)) if word == "True");
        let path = keyword(arguments, "url_path").and_then(|value| code.text(action, value));
        let path = path.unwrap_or_else(|| code.fact(*function).name.clone());
        let methods = keyword(arguments, "methods").map(words).unwrap_or_default();
        let methods = if methods.is_empty() {
            vec!["GET".to_owned()]
        } else {
            methods
        };
        for method in methods {
            let middle = if is_detail { "{id}/" } else { "" };
            tell(
                &method.to_uppercase(),
                format!("{base}{middle}{path}/"),
                Some(*function),
            );
        }
    }
}
