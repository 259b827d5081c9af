//! The table of paths, the table of operations and docs/serve.md agree.

use super::ROUTES;
use crate::Set;
use crate::operations::{OPERATIONS, find};

const DOCUMENT: &str = include_str!("../../../../../docs/serve.md");

#[test]
fn http_1_every_route_is_an_operation() {
    let unknown: Vec<&str> = ROUTES.iter().map(|route| route.operation).collect();
    let unknown: Vec<&str> = unknown.into_iter().filter(|name| find(name).is_none()).collect();
    assert_eq!(unknown, [""; 0]);
}

#[test]
fn http_1_the_document_names_every_path() {
    let paths = ROUTES.iter().map(|route| route.path);
    let missing: Vec<&str> = paths
        .filter(|path| !DOCUMENT.contains(&format!("{path}`")))
        .collect();
    assert_eq!(missing, [""; 0], "docs/serve.md, the table of paths");
}

#[test]
fn mcp_2_the_document_names_every_tool() {
    let tools = OPERATIONS
        .iter()
        .filter(|operation| operation.set != Set::Program);
    let missing: Vec<&str> = tools
        .map(|operation| operation.name)
        .filter(|name| !DOCUMENT.contains(&format!("`{name}`")))
        .collect();
    assert_eq!(missing, [""; 0], "docs/serve.md, the table of tools");
}
