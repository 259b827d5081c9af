//! Rules in plain words, and their ids.

use super::units::{Rule, UnitKind};

/// `php/types/in-app-http-controllers/suffix-controller`: the rule itself, so that it stays while the rule does.
pub(super) fn id(rule: &Rule) -> String {
    let mut parts = vec![
        value(rule, "lang").unwrap_or("any").to_owned(),
        rule.unit.name().to_owned(),
    ];
    let rest = rule.given.iter().filter(|one| !one.starts_with("lang="));
    parts.extend(rest.map(|one| slug(one)));
    parts.push(slug(&rule.then));
    parts.join("/")
}

fn slug(feature: &str) -> String {
    let mut out = String::new();
    for c in feature.chars() {
        match c {
            '=' => out.push(':'),
            '/' | ' ' => out.push('-'),
            c => out.push(c),
        }
    }
    out
}

/// A few words.
pub(super) fn name(rule: &Rule) -> String {
    format!("{}: {}", subject(rule), predicate(rule))
}

pub(super) fn statement(rule: &Rule) -> String {
    let said = format!("{} {}", subject(rule), predicate(rule));
    let mut chars = said.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().collect::<String>() + chars.as_str(),
        None => said,
    }
}

fn value<'r>(rule: &'r Rule, family: &str) -> Option<&'r str> {
    rule.given
        .iter()
        .find_map(|one| one.strip_prefix(family).and_then(|rest| rest.strip_prefix('=')))
}

fn language(name: &str) -> &str {
    match name {
        "csharp" => "C#",
        "cpp" => "C++",
        "c" => "C",
        "elixir" => "Elixir",
        "go" => "Go",
        "haskell" => "Haskell",
        "java" => "Java",
        "javascript" => "JavaScript",
        "kotlin" => "Kotlin",
        "lua" => "Lua",
        "php" => "PHP",
        "python" => "Python",
        "ruby" => "Ruby",
        "rust" => "Rust",
        "scala" => "Scala",
        "swift" => "Swift",
        "typescript" => "TypeScript",
        "zig" => "Zig",
        other => other,
    }
}

fn subject(rule: &Rule) -> String {
    let has = |feature: &str| rule.given.iter().any(|one| one == feature);
    let language = value(rule, "lang").map_or("", language);
    let public = if has("public") { "public " } else { "" };
    let top = match (has("top"), has("method")) {
        (true, _) => "top-level ",
        (_, true) => "method ",
        _ => "",
    };
    let test = if has("role=test") { "test " } else { "" };
    let noun = match rule.unit {
        UnitKind::File => format!("{test}files"),
        UnitKind::Type => match value(rule, "kind") {
            Some("interface") => format!("{test}interfaces"),
            Some("enum") => format!("{test}enums"),
            _ => format!("{test}types"),
        },
        UnitKind::Function if has("method") => format!("{test}methods"),
        UnitKind::Function => format!("{test}functions"),
        UnitKind::Test => "tests".to_owned(),
        UnitKind::Import if has("internal") => "imports of own modules".to_owned(),
        UnitKind::Import if has("relative") => "relative imports".to_owned(),
        UnitKind::Import if has("node") => "imports of Node's modules".to_owned(),
        UnitKind::Import => "from-imports".to_owned(),
        UnitKind::Catch => "error handlers".to_owned(),
        UnitKind::Call if has("assertion") => "assertions".to_owned(),
        UnitKind::Call if has("log") => "log messages".to_owned(),
        UnitKind::Call if has("case-call") => "tests".to_owned(),
        UnitKind::Call if has("wraps-error") => "fmt.Errorf calls with an error".to_owned(),
        UnitKind::Call => "calls".to_owned(),
        UnitKind::Constant => "constants".to_owned(),
        UnitKind::Line if has("quoted-import") => "imports".to_owned(),
        UnitKind::Line => "lines".to_owned(),
    };
    let top = if has("method") { "" } else { top };
    format!("{public}{top}{language} {noun}{}", qualifiers(rule))
}

fn qualifiers(rule: &Rule) -> String {
    let mut out = String::new();
    for one in &rule.given {
        let (family, value) = one.split_once('=').unwrap_or((one.as_str(), ""));
        out.push_str(&match family {
            "in" if value == "." => " at the top".to_owned(),
            "in" => format!(" in {value}"),
            "under" => format!(" below {value}"),
            "folder" => format!(" in folders named {value}"),
            "within" => format!(" within folders named {value}"),
            "mark" | "marked" => format!(" marked {value}"),
            "base" => format!(" that inherit {value}"),
            "type-base" => format!(" of types that inherit {value}"),
            "type-mark" => format!(" of types marked {value}"),
            "type-suffix" => format!(" of types named …{value}"),
            "suffix" => format!(" named …{value}"),
            "prefix" => format!(" named {value}…"),
            "ends" => format!(" named …{value}"),
            "begins" => format!(" named {value}…"),
            "is" => format!(" named {value}"),
            "has-tests" if rule.unit == UnitKind::File => " with tests".to_owned(),
            "has-functions" => " with functions".to_owned(),
            "doc" => " with documentation".to_owned(),
            "made-by-container" => " that a container makes".to_owned(),
            "receiver" => " with a receiver".to_owned(),
            "constructor-with-parameters" => " that construct".to_owned(),
            "test-suffix" => " named after a source".to_owned(),
            _ => String::new(),
        });
    }
    out
}

fn predicate(rule: &Rule) -> String {
    let (family, value) = rule.then.split_once('=').unwrap_or((rule.then.as_str(), ""));
    match family {
        "case" => format!("are named in {value}"),
        "typed" => "declare the type they return".to_owned(),
        "doc" => "are documented".to_owned(),
        "doc-names-it" => "start with the name of the function".to_owned(),
        "named-as-file" => "are named like their file".to_owned(),
        "short-receiver" => "call it by at most three letters".to_owned(),
        "module-doc" => "start with documentation of the module".to_owned(),
        "header" => "start with a comment (licence header)".to_owned(),
        "named-error" => "name the error they handle".to_owned(),
        "narrow" => "handle narrow errors, not every exception".to_owned(),
        "raises-again" => "raise again".to_owned(),
        "logs" => "log the error".to_owned(),
        "avoids" => format!("do not use {value}"),
        "named" => format!("are named {value}"),
        "top" => "are top-level functions".to_owned(),
        "without-type" => "are functions outside of classes".to_owned(),
        "method" if value.is_empty() => "are methods of classes".to_owned(),
        "method" => format!("have a method {value}"),
        "takes-testing" => "are functions Test…(t *testing.T)".to_owned(),
        "marked-test" => "have the attribute Test".to_owned(),
        "not-public" => "are not public".to_owned(),
        "private" => "are not public".to_owned(),
        "public" => "are public".to_owned(),
        "begins" => format!("have names that begin with {value}"),
        "ends" | "stem-ends" => format!("have names that end in {value}"),
        "in-tests-folder" => "stand in a folder __tests__".to_owned(),
        "beside-source" => "stand beside their source".to_owned(),
        "test-module" => "hold their tests in a module of their own".to_owned(),
        "has-test" => "have a test file".to_owned(),
        "has-test-beside" => "have a test file beside them".to_owned(),
        "by" if rule.given.iter().any(|one| one == "case-call") => format!("are written with `{value}`"),
        "by" => format!("go through `{value}`"),
        "no-injected-fields" => "get what they need through the constructor".to_owned(),
        "promotes" => "promote their parameters to properties".to_owned(),
        "one-name" => "bring one name each".to_owned(),
        "relative" => "are relative".to_owned(),
        "absolute" => "are absolute".to_owned(),
        "alias" => format!("go through the alias {value}"),
        "with-extension" => "name the extension".to_owned(),
        "without-extension" => "leave out the extension".to_owned(),
        "node-prefix" => "have the prefix node:".to_owned(),
        "future-annotations" => "have `from __future__ import annotations`".to_owned(),
        "quotes" => format!("have {value} quotes"),
        "default-export" => "have a default export".to_owned(),
        "strict-types" => "declare strict types".to_owned(),
        "frozen-strings" => "freeze their strings".to_owned(),
        "use-client" => "start with \"use client\"".to_owned(),
        "file-scoped-namespace" => "have a file-scoped namespace".to_owned(),
        "indent" => format!("are indented by {value}"),
        "no-semicolon" => "do not end in a semicolon".to_owned(),
        "width" => format!("have at most {value} characters"),
        "word" => format!("are {value}"),
        "mark" => format!("are marked {value}"),
        "derives" => format!("derive {value}"),
        "base" => format!("inherit {value}"),
        "type-base" => format!("are methods of types that inherit {value}"),
        "type-mark" => format!("are methods of types marked {value}"),
        "suffix" => format!("are named …{value}"),
        "prefix" => format!("are named {value}…"),
        "returns" => format!("return {value}"),
        "takes" => format!("take a {value}"),
        "first" => format!("take `{value}` first"),
        "calls" => format!("call {value}"),
        "raises" => format!("raise {value}"),
        "catches" => "handle errors".to_owned(),
        "imports" => match value.split_once('#') {
            Some(("", item)) => format!("import {item}"),
            Some((module, item)) => format!("import {item} from {module}"),
            None => format!("import {value}"),
        },
        _ => rule.then.clone(),
    }
}
