use super::super::tests::{files, packages_of};
use super::*;

fn drawn(draw: fn(&Packages, &Graph) -> String, tree: &str) -> String {
    let (packages, _) = packages_of(&files(tree));
    draw(&packages, &Graph::new(&packages, &[]))
}

const TREE: &str = "//- a/package.json
{\"name\":\"@x/a\",\"dependencies\":{\"b\":\"*\",\"c\":\"*\"}}
//- b/package.json
{\"name\":\"b\",\"devDependencies\":{\"c\":\"*\"}}
//- c/package.json
{\"name\":\"c\",\"dependencies\":{\"b\":\"*\"}}
";

#[test]
fn pkg_9_the_text_is_a_tree_from_the_roots_and_ends_in_cycles() {
    let expected = "@x/a [npm] a\n  b\n    c (dev)\n      b (above)\n  c (above)\n";
    assert_eq!(drawn(text, TREE), expected);
}

#[test]
fn pkg_9_mermaid_and_dot_escape_names() {
    let tree = "//- a/package.json\n{\"name\":\"q\\\"<b>#\\\\\",\"devDependencies\":{\"z\":\"*\"}}\n//- z/package.json\n{\"name\":\"z\"}\n";
    assert_eq!(
        drawn(mermaid, tree),
        "graph LR\n  p0[\"q#quot;#lt;b#gt;#35;\\\"]\n  p1[\"z\"]\n  p0 -. dev .-> p1\n"
    );
    assert_eq!(
        drawn(dot, tree),
        "digraph packages {\n  rankdir=LR;\n  node [shape=box];\n  p0 [label=\"q\\\"<b>#\\\\\"];\n  p1 [label=\"z\"];\n  \
         p0 -> p1 [style=dashed, label=\"dev\"];\n}\n"
    );
}

#[test]
fn pkg_9_packages_of_one_name_are_told_apart() {
    let tree = "//- x/go.mod\nmodule same\n//- y/package.json\n{\"name\":\"same\"}\n";
    assert_eq!(drawn(text, tree), "same (go, x) [go] x\nsame (npm, y) [npm] y\n");
}
