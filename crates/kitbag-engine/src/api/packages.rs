//! `packages`: what a project is made of, who depends on whom, and what a change reaches (PKG-3, PKG-5, PKG-6, PKG-9).
//!
//! One request covers all of it: every package or one, a drawing of the graph, the packages that a change of files or a diff affects. With an index the
//! answer has sizes and imports; without one it is read from the manifests alone, and says so.

use std::borrow::Cow;

use kitbag_analyse::packages::{self as analyse, Graph, Packages, draw};
use kitbag_store::{Snapshot, StoreError};
use kitbag_types::{RepoPath, Scope, Stop, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::packages::{KnownPackages, graph, live, said, stored};
use crate::scope::find;
use crate::{Engine, EngineError, Progress};

/// The forms of [`PackagesReply::graph`].
pub const GRAPH_FORMS: [&str; 3] = ["text", "mermaid", "dot"];

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PackagesRequest {
    /// One package, by its name, its path, the end or the start of its path, or a part of either. Without it: all.
    pub package: Option<String>,
    /// Draw the graph: `text`, `mermaid` or `dot`.
    pub graph: Option<String>,
    /// Files or folders; the reply lists the packages that a change of these affects.
    pub affected_by: Vec<String>,
    /// The same for what differs between the working tree and a commit, or between two (`a..b`).
    pub diff: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PackagesReply {
    /// By path, then by manager, then by name.
    pub packages: Vec<Package>,
    /// The drawing that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
    /// The packages that the change affects, the nearest first; null if no change was asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub affected: Option<Vec<AffectedPackage>>,
    /// Packages that depend on each other in a circle, by their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycles: Vec<Vec<String>>,
    /// Imports between packages that no manifest declares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undeclared: Vec<UndeclaredImport>,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Package {
    pub name: String,
    /// The folder, relative to the root; `.` for the root itself.
    pub path: String,
    /// `npm`, `cargo`, `uv`, `go` …; `root` for a project without any.
    pub manager: Cow<'static, str>,
    pub language: Option<Cow<'static, str>>,
    pub version: Option<String>,
    pub description: Option<String>,
    /// It is at the root of the repository or of its workspace.
    pub is_root: bool,
    /// Files that belong to it and to no package below it; with an index, those that are indexed.
    pub files: u64,
    /// Their lines; null without an index.
    pub lines: Option<u64>,
    /// The longest way from a package that nobody depends on, in steps.
    pub depth: u32,
    /// Where it is declared; null if nothing declares it.
    pub manifest: Option<FactPlace>,
    /// Names of packages of this repository that its manifest declares.
    pub internal_dependencies: Vec<String>,
    /// Names of packages from outside that its manifest declares.
    pub external_dependencies: Vec<String>,
    /// Both, with what the manifest says about them.
    pub dependencies: Vec<PackageDependency>,
    /// Packages of this repository that it imports, declared or not; empty without an index.
    pub imports: Vec<ImportedPackage>,
    /// Paths of the packages that depend on it, by manifest or import.
    pub dependents: Vec<String>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactPlace {
    pub path: String,
    /// From 1.
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PackageDependency {
    pub name: String,
    /// `direct`, `peer`, `optional`, `build`, `dev` or `indirect`.
    pub kind: Cow<'static, str>,
    pub requirement: Option<String>,
    /// The folder, if it is a package of this repository.
    pub package: Option<String>,
    pub at: FactPlace,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedPackage {
    pub name: String,
    /// Its folder.
    pub path: String,
    /// How many imports there are, and the place of the first.
    pub imports: u64,
    pub first: FactPlace,
    /// A manifest declares the dependency.
    pub declared: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AffectedPackage {
    pub name: String,
    pub path: String,
    /// 0: it has a changed file itself; 1: it depends on one that has; and so on.
    pub distance: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UndeclaredImport {
    /// Names of the importing and the imported package.
    pub from: String,
    pub to: String,
    pub imports: u64,
    pub first: FactPlace,
}

/// The scope that a word means: `package`, `cross_package` or `repo` (ENG-20).
pub fn scope(word: &str) -> Result<Scope, EngineError> {
    crate::scope::parse(word)
}

/// Answers from the index, after bringing it up to date if `update`; before there is one, from the files themselves.
pub fn packages(
    engine: &Engine,
    request: &PackagesRequest,
    update: bool,
    progress: &mut dyn FnMut(Progress<'_>),
    now: Timestamp,
) -> Result<PackagesReply, EngineError> {
    if let Some(form) = request
        .graph
        .as_deref()
        .filter(|form| !GRAPH_FORMS.contains(form))
    {
        return Err(EngineError::Invalid {
            code: "INVALID_GRAPH",
            message: format!("unknown form `{form}`; known are {}", GRAPH_FORMS.join(", ")),
        });
    }
    let (mut reply, repaired) = engine.repairing(|again| {
        let mut warnings = Vec::new();
        if again || update && is_indexed(engine) {
            super::search::update(engine, Stop::never(), progress, now, &mut warnings)?;
        }
        let mut reply = answer(engine, request, now)?;
        reply.warnings.extend(warnings);
        Ok(reply)
    })?;
    reply.warnings.extend(repaired);
    // Warnings of a run about manifests are also in the notes.
    let mut said = std::collections::BTreeSet::new();
    reply.warnings.retain(|warning| said.insert(warning.clone()));
    Ok(reply)
}

/// Whether a run is complete. Nobody should wait for the first run just for packages.
fn is_indexed(engine: &Engine) -> bool {
    let complete = || -> Result<bool, StoreError> {
        let store = engine.read_store()?;
        let snapshot = Snapshot::open(&store, engine.root())?;
        Ok(snapshot.is_some_and(|snapshot| snapshot.state().complete))
    };
    complete().unwrap_or(false)
}

fn answer(engine: &Engine, request: &PackagesRequest, now: Timestamp) -> Result<PackagesReply, EngineError> {
    let read = match engine.read_store() {
        Ok(store) => of_index(engine, &store)?,
        Err(error @ StoreError::Corrupt { .. }) => return Err(error.into()),
        Err(_) => None,
    };
    let (known, graph, sizes) = match read {
        Some((known, graph, sizes)) => (known, graph, Some(sizes)),
        None => {
            let known = live(engine, now)?;
            let graph = Graph::new(&known.packages, &[]);
            (known, graph, None)
        }
    };
    let mut warnings = said(&known.notes);
    if sizes.is_none() && known.packages.list().len() > 1 {
        warnings.push(
            "the project is not indexed: imports between packages are not known; run `kitbag index` first"
                .to_owned(),
        );
    }
    let all = &known.packages;
    let affected = affected(engine, request, all, &graph)?;
    let one = request.package.as_deref().map(|wanted| find(all, wanted));
    let one = one.transpose()?;
    let depths = graph.depths();
    let shown = (0..all.list().len()).filter(|at| one.is_none_or(|one| one == *at));
    let packages = shown.map(|at| package(all, &graph, at, depths[at], sizes.as_deref()));
    let drawn = request.graph.as_deref().map(|form| match form {
        "mermaid" => draw::mermaid(all, &graph),
        "dot" => draw::dot(all, &graph),
        _ => draw::text(all, &graph),
    });
    let name = |at: usize| all.list()[at].name.clone();
    let concerns = |members: &[usize]| one.is_none_or(|one| members.contains(&one));
    Ok(PackagesReply {
        packages: packages.collect(),
        graph: drawn,
        affected,
        cycles: graph
            .cycles()
            .into_iter()
            .filter(|members| concerns(members))
            .map(|members| members.into_iter().map(name).collect())
            .collect(),
        undeclared: graph
            .undeclared()
            .filter(|import| concerns(&[import.from, import.to]))
            .map(|import| UndeclaredImport {
                from: name(import.from),
                to: name(import.to),
                imports: import.n_imports,
                first: import_place(import.import),
            })
            .collect(),
        warnings,
    })
}

type PackagesRead = (KnownPackages, Graph, Vec<analyse::Size>);

/// Answers from the index; `None` if no run is complete, or if the stored packages are damaged.
fn of_index(engine: &Engine, store: &kitbag_store::Store) -> Result<Option<PackagesRead>, EngineError> {
    let Some(snapshot) = Snapshot::open(store, engine.root())?.filter(|snapshot| snapshot.state().complete)
    else {
        return Ok(None);
    };
    let Some(known) = stored(&snapshot)? else {
        return Ok(None);
    };
    let graph = graph(&snapshot, &known.packages)?;
    let sizes = known.packages.sizes(&snapshot.line_counts()?);
    Ok(Some((known, graph, sizes)))
}

fn affected(
    engine: &Engine,
    request: &PackagesRequest,
    packages: &Packages,
    graph: &Graph,
) -> Result<Option<Vec<AffectedPackage>>, EngineError> {
    if request.affected_by.is_empty() && request.diff.is_none() {
        return Ok(None);
    }
    let mut changed: Vec<usize> = Vec::new();
    for text in &request.affected_by {
        changed.extend(of_path(packages, text)?);
    }
    if let Some(revision) = &request.diff {
        let revision = Some(revision.as_str()).filter(|revision| !revision.is_empty());
        let paths = engine.tree.changed(revision)?;
        changed.extend(paths.iter().filter_map(|path| packages.of_file(path)));
    }
    let reached = graph.affected(&changed).into_iter();
    let reached = reached.map(|(at, distance)| AffectedPackage {
        name: packages.list()[at].name.clone(),
        path: shown_path(&packages.list()[at].path),
        distance,
    });
    Ok(Some(reached.collect()))
}

/// The package of a file, or all packages at and below a folder. The path need not exist: a file may have been deleted.
fn of_path(packages: &Packages, text: &str) -> Result<Vec<usize>, EngineError> {
    let trimmed = text.trim_start_matches("./").trim_end_matches('/');
    if trimmed.is_empty() || trimmed == "." {
        return Ok((0..packages.list().len()).collect());
    }
    let path = RepoPath::new(trimmed).map_err(|error| EngineError::Invalid {
        code: "PATH_DENIED",
        message: format!("`{text}`: {error}; give paths relative to the root of the project"),
    })?;
    let below = format!("{path}/");
    let inside = packages.list().iter().enumerate();
    let mut found: Vec<usize> = inside
        .filter(|(_, package)| package.path == path.as_str() || package.path.starts_with(&below))
        .map(|(at, _)| at)
        .collect();
    if found.is_empty() {
        found.extend(packages.of_file(&path));
    }
    Ok(found)
}

fn package(all: &Packages, graph: &Graph, at: usize, depth: u32, sizes: Option<&[analyse::Size]>) -> Package {
    let package = &all.list()[at];
    let size = sizes.map(|sizes| sizes[at]);
    let edges = graph.edges().iter().filter(|edge| edge.from == at);
    let imports = edges.filter_map(|edge| {
        let to = &all.list()[edge.to];
        Some(ImportedPackage {
            name: to.name.clone(),
            path: shown_path(&to.path),
            imports: edge.n_imports,
            first: import_place(edge.import.as_ref()?),
            declared: edge.declared.is_some(),
        })
    });
    let dependencies = package.dependencies.iter().map(|dependency| PackageDependency {
        name: dependency.name.clone(),
        kind: dependency.kind.name().into(),
        requirement: dependency.requirement.clone(),
        package: dependency.package.map(|to| shown_path(&all.list()[to].path)),
        at: place(&dependency.place),
    });
    let internal = package.internal();
    let external = package.external();
    let dependents = graph.dependents(at).iter();
    Package {
        name: package.name.clone(),
        path: shown_path(&package.path),
        manager: package.manager.into(),
        language: package.language.map(Cow::from),
        version: package.version.as_ref().map(|fact| fact.text.clone()),
        description: package.description.as_ref().map(|fact| fact.text.clone()),
        is_root: package.is_root,
        files: size.map_or(package.n_files, |size| size.n_files),
        lines: size.map(|size| size.n_lines),
        depth,
        manifest: package.place.as_ref().map(place),
        internal_dependencies: internal.map(|(_, dependency)| dependency.name.clone()).collect(),
        external_dependencies: external.map(|dependency| dependency.name.clone()).collect(),
        dependencies: dependencies.collect(),
        imports: imports.collect(),
        dependents: dependents
            .map(|from| shown_path(&all.list()[*from].path))
            .collect(),
    }
}

fn shown_path(path: &str) -> String {
    if path.is_empty() {
        ".".to_owned()
    } else {
        path.to_owned()
    }
}

fn place(place: &analyse::Place) -> FactPlace {
    FactPlace {
        path: place.path.to_string(),
        line: place.line,
    }
}

fn import_place(import: &analyse::Import) -> FactPlace {
    FactPlace {
        path: import.from.to_string(),
        line: import.line,
    }
}
