use super::super::tests::{files, packages_of};
use super::*;

/// Packages `a`, `b` … in folders of their names, each with what it depends on.
fn packages(edges: &[(&str, &[&str])]) -> Packages {
    let tree = edges.iter().map(|(name, to)| {
        let list: Vec<String> = to.iter().map(|to| format!("\"{to}\":\"*\"")).collect();
        format!(
            "//- {name}/package.json\n{{\"name\":\"{name}\",\"dependencies\":{{{}}}}}\n",
            list.join(",")
        )
    });
    packages_of(&files(&tree.collect::<String>())).0
}

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

#[test]
fn pkg_6_direct_transitive_and_affected() {
    let packages = packages(&[("a", &["b"]), ("b", &["c"]), ("c", &[]), ("d", &["c"])]);
    let graph = Graph::new(&packages, &[]);
    assert_eq!(graph.direct(0), [1]);
    assert_eq!(graph.dependents(2), [1, 3]);
    assert_eq!(graph.transitive(0), [(1, 1), (2, 2)]);
    assert_eq!(graph.affected(&[2]), [(2, 0), (1, 1), (3, 1), (0, 2)]);
    assert_eq!(
        graph.affected_by_files(&packages, &[path("b/x.js"), path("outside.js")]),
        [(1, 0), (0, 1)]
    );
    assert_eq!(graph.distances(0), [Some(0), Some(1), Some(2), None]);
    assert_eq!(graph.depths(), [0, 1, 2, 0]);
    assert!(graph.cycles().is_empty());
    assert_eq!([weight(0), weight(1), weight(3)], [1.0, 0.5, 0.25]);
}

#[test]
fn pkg_6_cycles_are_reported_and_survived() {
    let packages = packages(&[
        ("a", &["b"]),
        ("b", &["c"]),
        ("c", &["b", "d"]),
        ("d", &[]),
        ("e", &["e"]),
    ]);
    let graph = Graph::new(&packages, &[]);
    assert_eq!(graph.cycles(), [vec![1, 2]]);
    assert_eq!(graph.depths(), [0, 1, 1, 2, 0]);
    assert_eq!(graph.transitive(1), [(2, 1), (3, 2)]);
    assert_eq!(graph.affected(&[3]), [(3, 0), (2, 1), (1, 2), (0, 3)]);
}

#[test]
fn pkg_6_imports_are_told_apart_from_what_is_declared() {
    let packages = packages(&[("a", &["b"]), ("b", &[]), ("c", &[])]);
    let import = |line: u32, to: usize| Import {
        from: path("a/x.js"),
        line,
        name: "x".to_owned(),
        to,
    };
    let imports = [import(1, 1), import(2, 0), import(4, 2), import(3, 2)];
    let graph = Graph::new(&packages, &imports);
    let shown: Vec<(usize, usize, bool, u64)> = graph
        .edges()
        .iter()
        .map(|edge| (edge.from, edge.to, edge.declared.is_some(), edge.n_imports))
        .collect();
    assert_eq!(shown, [(0, 1, true, 1), (0, 2, false, 2)]);
    let undeclared: Vec<_> = graph.undeclared().collect();
    assert_eq!(undeclared.len(), 1);
    assert_eq!(undeclared[0].import, &import(3, 2));
    assert_eq!(graph.affected(&[2]), [(2, 0), (0, 1)]);
}

#[test]
fn pkg_6_a_long_chain_needs_no_deep_stack() {
    let n = 3_000;
    let names: Vec<String> = (0..n).map(|at| format!("p{at:05}")).collect();
    let edges: Vec<(&str, Vec<&str>)> = (0..n)
        .map(|at| {
            (
                names[at].as_str(),
                names.get(at + 1).map(String::as_str).into_iter().collect(),
            )
        })
        .collect();
    let edges: Vec<(&str, &[&str])> = edges.iter().map(|(name, to)| (*name, to.as_slice())).collect();
    let graph = Graph::new(&packages(&edges), &[]);
    assert_eq!(graph.depths()[n - 1] as usize, n - 1);
    assert_eq!(graph.transitive(0).len(), n - 1);
}
