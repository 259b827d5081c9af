//! Who depends on whom, and what a change reaches (PKG-6). Packages and imports in, distances and cycles out.
//!
//! Two kinds of edges, told apart: those that manifests declare, and those that imports between files show. Both are followed, since
//! a change travels along either. Every walk is breadth first over sorted edges and ends with the packages, so a cycle is just visited once.

#[cfg(test)]
mod tests;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

use kitbag_types::RepoPath;

use super::imports::Import;
use super::manifest::DependencyKind;
use super::package::{Packages, Place};

/// `from` depends on `to`; positions in the list of packages.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// Where a manifest declares it, and as what.
    pub declared: Option<(DependencyKind, Place)>,
    /// How many imports show it.
    pub n_imports: u64,
    /// The first of them.
    pub import: Option<Import>,
}

/// An import from a package that the importing one does not declare.
#[derive(Clone, Debug, PartialEq)]
pub struct Undeclared<'a> {
    pub from: usize,
    pub to: usize,
    pub n_imports: u64,
    pub import: &'a Import,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// Ordered by `from`, then by `to`.
    edges: Vec<Edge>,
    out: Vec<Vec<usize>>,
    back: Vec<Vec<usize>>,
}

/// How much a result counts that is this many steps away: 1, 1/2, 1/3 …
pub fn weight(distance: u32) -> f64 {
    1.0 / (1.0 + f64::from(distance))
}

impl Graph {
    /// `imports` as [`super::imports()`] gives them; none are needed.
    pub fn new(packages: &Packages, imports: &[Import]) -> Self {
        let mut edges: BTreeMap<(usize, usize), Edge> = BTreeMap::new();
        let empty = |from: usize, to: usize| Edge {
            from,
            to,
            declared: None,
            n_imports: 0,
            import: None,
        };
        for (from, package) in packages.list().iter().enumerate() {
            for (to, dependency) in package.internal() {
                let edge = edges.entry((from, to)).or_insert_with(|| empty(from, to));
                edge.declared = Some((dependency.kind, dependency.place.clone()));
            }
        }
        for import in imports {
            let to = import.to;
            let Some(from) = packages.of_file(&import.from).filter(|from| *from != to) else {
                continue;
            };
            let known = edges.entry((from, to));
            if matches!(known, Entry::Vacant(_)) && !packages.list()[from].may_import_undeclared() {
                continue;
            }
            let edge = known.or_insert_with(|| empty(from, to));
            edge.n_imports += 1;
            if edge.import.as_ref().is_none_or(|known| import < known) {
                edge.import = Some(import.clone());
            }
        }
        let n = packages.list().len();
        let (mut out, mut back) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for (from, to) in edges.keys() {
            out[*from].push(*to);
            back[*to].push(*from);
        }
        Self {
            edges: edges.into_values().collect(),
            out,
            back,
        }
    }

    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// What a package depends on itself.
    pub fn direct(&self, at: usize) -> &[usize] {
        &self.out[at]
    }

    /// Who depends on a package itself.
    pub fn dependents(&self, at: usize) -> &[usize] {
        &self.back[at]
    }

    /// All that a package depends on with the number of steps, the nearest first.
    pub fn transitive(&self, at: usize) -> Vec<(usize, u32)> {
        reached(&self.out, &[at])
            .into_iter()
            .filter(|(found, _)| *found != at)
            .collect()
    }

    /// What changes to some packages reach: themselves, at distance 0, and all that depend on them, the nearest first.
    pub fn affected(&self, changed: &[usize]) -> Vec<(usize, u32)> {
        reached(&self.back, changed)
    }

    /// The same for files. A file of no package reaches nothing.
    pub fn affected_by_files(&self, packages: &Packages, changed: &[RepoPath]) -> Vec<(usize, u32)> {
        let changed: Vec<usize> = changed.iter().filter_map(|path| packages.of_file(path)).collect();
        self.affected(&changed)
    }

    /// Steps from a package to each of the others along what it depends on. `None`: it does not.
    pub fn distances(&self, from: usize) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.out.len()];
        for (at, distance) in reached(&self.out, &[from]) {
            distances[at] = Some(distance);
        }
        distances
    }

    /// How deep each package lies below those that nobody depends on: 0 for these, else one more than the deepest of its
    /// dependents. The packages of a cycle have one depth.
    pub fn depths(&self) -> Vec<u32> {
        // Components come with what they depend on first, so the other way round every dependent is done before.
        let components = self.components();
        let mut component_of = vec![0; self.out.len()];
        for (component, members) in components.iter().enumerate() {
            for at in members {
                component_of[*at] = component;
            }
        }
        let mut depths = vec![0; components.len()];
        for (component, members) in components.iter().enumerate().rev() {
            for to in members.iter().flat_map(|at| &self.out[*at]) {
                let below = component_of[*to];
                if below != component {
                    depths[below] = depths[below].max(depths[component] + 1);
                }
            }
        }
        component_of
            .into_iter()
            .map(|component| depths[component])
            .collect()
    }

    /// Groups of packages that depend on each other in a circle, each in the order of the list.
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        let mut cycles: Vec<Vec<usize>> = self
            .components()
            .into_iter()
            .filter(|members| members.len() > 1)
            .collect();
        cycles.sort();
        cycles
    }

    /// Imports between packages that no manifest declares.
    pub fn undeclared(&self) -> impl Iterator<Item = Undeclared<'_>> {
        self.edges
            .iter()
            .filter(|edge| edge.declared.is_none())
            .filter_map(|edge| {
                let import = edge.import.as_ref()?;
                Some(Undeclared {
                    from: edge.from,
                    to: edge.to,
                    n_imports: edge.n_imports,
                    import,
                })
            })
    }

    /// Strongly connected components (Tarjan, without recursion: a chain of packages may be as long as a repository is
    /// large). Those that others depend on come first.
    fn components(&self) -> Vec<Vec<usize>> {
        const NEW: usize = usize::MAX;
        let n = self.out.len();
        let (mut index, mut low) = (vec![NEW; n], vec![0; n]);
        let mut on_stack = vec![false; n];
        let (mut stack, mut found) = (Vec::new(), Vec::new());
        let mut next = 0;
        for start in 0..n {
            if index[start] != NEW {
                continue;
            }
            // The package and how many of its edges are done.
            let mut calls: Vec<(usize, usize)> = vec![(start, 0)];
            while let Some((at, n_done)) = calls.pop() {
                if n_done == 0 {
                    index[at] = next;
                    low[at] = next;
                    next += 1;
                    stack.push(at);
                    on_stack[at] = true;
                }
                if let Some(to) = self.out[at].get(n_done).copied() {
                    calls.push((at, n_done + 1));
                    if index[to] == NEW {
                        calls.push((to, 0));
                    } else if on_stack[to] {
                        low[at] = low[at].min(index[to]);
                    }
                    continue;
                }
                if low[at] == index[at] {
                    let mut members = Vec::new();
                    while let Some(member) = stack.pop() {
                        on_stack[member] = false;
                        members.push(member);
                        if member == at {
                            break;
                        }
                    }
                    members.sort_unstable();
                    found.push(members);
                }
                if let Some((caller, _)) = calls.last() {
                    low[*caller] = low[*caller].min(low[at]);
                }
            }
        }
        found
    }
}

/// Breadth first, the starts at distance 0; ordered by distance, then by position.
fn reached(edges: &[Vec<usize>], starts: &[usize]) -> Vec<(usize, u32)> {
    let mut distances: Vec<Option<u32>> = vec![None; edges.len()];
    let mut open: VecDeque<usize> = VecDeque::new();
    for start in starts {
        if distances[*start].is_none() {
            distances[*start] = Some(0);
            open.push_back(*start);
        }
    }
    while let Some(at) = open.pop_front() {
        let next = distances[at].map(|distance| distance + 1);
        for to in &edges[at] {
            if distances[*to].is_none() {
                distances[*to] = next;
                open.push_back(*to);
            }
        }
    }
    let found = distances.into_iter().enumerate();
    let mut found: Vec<(usize, u32)> = found.filter_map(|(at, distance)| Some((at, distance?))).collect();
    found.sort_by_key(|(at, distance)| (*distance, *at));
    found
}
