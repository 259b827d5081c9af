//! The graph as text, as Mermaid and as DOT (PKG-9). Pure: packages and edges in, a string out.
//!
//! Packages are named by their names, with the path where two share one. The text is a tree from the packages that nobody depends
//! on; what was drawn above is not drawn again but marked, so a cycle ends and the length is that of the graph.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::graph::{Edge, Graph};
use super::manifest::DependencyKind;
use super::package::Packages;

/// Deeper parts of the text are drawn at the left edge again.
const MAX_INDENT: usize = 40;

pub fn text(packages: &Packages, graph: &Graph) -> String {
    let labels = labels(packages);
    let mut out = String::new();
    let mut drawn = vec![false; packages.list().len()];
    let roots = (0..drawn.len()).filter(|at| graph.dependents(*at).is_empty());
    // Cycles that nobody depends on have no root; their first package stands in for it.
    for start in roots.chain(0..drawn.len()) {
        if drawn[start] {
            continue;
        }
        let mut open = vec![(start, 0, String::new())];
        while let Some((at, indent, kind)) = open.pop() {
            let package = &packages.list()[at];
            let again = drawn[at] && !graph.direct(at).is_empty();
            let place = match (indent, package.path.as_str()) {
                (0, "") => format!(" [{}] .", package.manager),
                (0, path) => format!(" [{}] {path}", package.manager),
                _ => String::new(),
            };
            let mark = if again { " (above)" } else { "" };
            let _ = writeln!(
                out,
                "{}{}{place}{kind}{mark}",
                "  ".repeat(indent.min(MAX_INDENT)),
                labels[at]
            );
            if std::mem::replace(&mut drawn[at], true) {
                continue;
            }
            for edge in edges_of(graph, at).iter().rev() {
                open.push((edge.to, indent + 1, suffix(edge)));
            }
        }
    }
    out
}

pub fn mermaid(packages: &Packages, graph: &Graph) -> String {
    let mut out = String::from("graph LR\n");
    for (at, label) in labels(packages).iter().enumerate() {
        let _ = writeln!(out, "  p{at}[\"{}\"]", mermaid_text(label));
    }
    for edge in graph.edges() {
        let (from, to) = (edge.from, edge.to);
        let _ = match kind_name(edge) {
            None => writeln!(out, "  p{from} --> p{to}"),
            Some(kind) => writeln!(out, "  p{from} -. {kind} .-> p{to}"),
        };
    }
    out
}

pub fn dot(packages: &Packages, graph: &Graph) -> String {
    let mut out = String::from("digraph packages {\n  rankdir=LR;\n  node [shape=box];\n");
    for (at, label) in labels(packages).iter().enumerate() {
        let _ = writeln!(out, "  p{at} [label={}];", quoted(label));
    }
    for edge in graph.edges() {
        let (from, to) = (edge.from, edge.to);
        let _ = match kind_name(edge) {
            None => writeln!(out, "  p{from} -> p{to};"),
            Some(kind) => writeln!(out, "  p{from} -> p{to} [style=dashed, label={}];", quoted(kind)),
        };
    }
    out.push_str("}\n");
    out
}

/// Names, with what tells packages of one name apart: the manager, or the path.
fn labels(packages: &Packages) -> Vec<String> {
    let mut n_named: BTreeMap<&str, usize> = BTreeMap::new();
    for package in packages.list() {
        *n_named.entry(package.name.as_str()).or_default() += 1;
    }
    let label = |at: usize| {
        let package = &packages.list()[at];
        let name = one_line(&package.name);
        let path = if package.path.is_empty() {
            "."
        } else {
            package.path.as_str()
        };
        match n_named.get(package.name.as_str()) {
            Some(n) if *n > 1 => format!("{name} ({}, {})", package.manager, one_line(path)),
            _ => name,
        }
    };
    (0..packages.list().len()).map(label).collect()
}

fn edges_of(graph: &Graph, at: usize) -> &[Edge] {
    let edges = graph.edges();
    let start = edges.partition_point(|edge| edge.from < at);
    let end = edges.partition_point(|edge| edge.from <= at);
    &edges[start..end]
}

/// What is not an ordinary declared dependency is named.
fn kind_name(edge: &Edge) -> Option<&'static str> {
    match &edge.declared {
        Some((DependencyKind::Direct, _)) => None,
        Some((kind, _)) => Some(kind.name()),
        None => Some("import"),
    }
}

fn suffix(edge: &Edge) -> String {
    kind_name(edge).map_or_else(String::new, |kind| format!(" ({kind})"))
}

fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

fn mermaid_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("#quot;"),
            '#' => out.push_str("#35;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            c => out.push(c),
        }
    }
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
