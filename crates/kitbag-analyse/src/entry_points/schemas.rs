//! Requests that a schema declares: methods of gRPC services in `.proto` files, fields of the root types of GraphQL.

use kitbag_types::RepoPath;

use super::{EntryKind, EntryPoint, EntryPoints};
use crate::code::Code;

/// A line that is longer is not part of a schema that somebody wrote.
const MAX_LINE: usize = 4_000;

pub(super) fn is_schema(path: &RepoPath) -> bool {
    matches!(path.extension(), Some("proto" | "graphql" | "graphqls" | "gql"))
}

pub(super) fn find(_code: &Code<'_>, texts: &[(RepoPath, String)], found: &mut EntryPoints) {
    for (path, text) in texts {
        match path.extension() {
            Some("proto") => proto(path, text, found),
            Some("graphql" | "graphqls" | "gql") => graphql(path, text, found),
            _ => {}
        }
    }
}

fn one(path: &RepoPath, line: usize, framework: &'static str, name: String, route: String) -> EntryPoint {
    EntryPoint {
        kind: EntryKind::Api,
        framework,
        method: "RPC".to_owned(),
        route,
        name,
        path: path.clone(),
        line: line as u32 + 1,
        handler: None,
        guards: Vec::new(),
    }
}

fn word_after<'t>(line: &'t str, keyword: &str) -> Option<&'t str> {
    let rest = line
        .trim_start()
        .strip_prefix(keyword)?
        .strip_prefix([' ', '\t'])?;
    let word = rest
        .trim_start()
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next()?;
    (!word.is_empty()).then_some(word)
}

fn proto(path: &RepoPath, text: &str, found: &mut EntryPoints) {
    let mut package = String::new();
    let mut service: Option<String> = None;
    let mut in_comment = false;
    for (number, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.len() <= MAX_LINE)
    {
        let bare = line.split("//").next().unwrap_or_default();
        in_comment |= bare.trim_start().starts_with("/*");
        if in_comment {
            in_comment = !bare.contains("*/");
            continue;
        }
        if let Some(rest) = bare.trim_start().strip_prefix("package ") {
            package = rest.trim().trim_end_matches(';').to_owned();
        } else if let Some(name) = word_after(bare, "service") {
            service = Some(name.to_owned());
        } else if let (Some(service), Some(name)) = (&service, word_after(bare, "rpc")) {
            let whole = if package.is_empty() {
                service.clone()
            } else {
                format!("{package}.{service}")
            };
            let route = format!("/{whole}/{name}");
            found
                .list
                .push(one(path, number, "grpc", format!("{service}.{name}"), route));
        }
    }
}

fn graphql(path: &RepoPath, text: &str, found: &mut EntryPoints) {
    let mut root: Option<&str> = None;
    let mut depth = 0_i32;
    let mut in_text = false;
    for (number, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.len() <= MAX_LINE)
    {
        let bare = line.split('#').next().unwrap_or_default();
        let n_quotes = bare.matches("\"\"\"").count();
        if in_text || n_quotes > 0 {
            in_text ^= n_quotes % 2 == 1;
            continue;
        }
        let head = bare.trim_start().strip_prefix("extend ").unwrap_or(bare);
        if depth == 0 {
            root = word_after(head, "type")
                .filter(|name| matches!(*name, "Query" | "Mutation" | "Subscription"));
        } else if depth == 1
            && let Some(root) = root
        {
            let word = bare
                .trim()
                .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .next()
                .unwrap_or_default();
            if !word.is_empty() && bare.contains([':', '(']) {
                found.list.push(one(
                    path,
                    number,
                    "graphql",
                    format!("{root}.{word}"),
                    format!("{root}.{word}"),
                ));
            }
        }
        for c in bare.chars() {
            match c {
                '{' | '(' => depth += 1,
                '}' | ')' => depth -= 1,
                _ => {}
            }
        }
    }
}
