//! What one manifest says: a pure function of its file name and its text, so that it can be stored under their hash.
//!
//! Paths are kept as written, relative to the folder of the manifest; what they lead to is decided when the manifests of a
//! tree are put together (`assemble.rs`). A text may hold `${key}`: a fact that another manifest states, looked up there too.

use std::collections::BTreeMap;

use kitbag_types::{LineRange, Note};

use crate::formats::tree::Node;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Manifest {
    /// The packages it declares: mostly one, none in a file that only lists members, several in a `build.sbt`.
    pub projects: Vec<Project>,
    /// Which folders or manifests belong together with this one. `None`: it says nothing about that.
    pub members: Option<Vec<Member>>,
    /// Facts that other manifests take over, by key: properties, versions of a workspace.
    pub shared: BTreeMap<String, Stated>,
    /// Dependencies that other manifests take over by name.
    pub shared_dependencies: Vec<Dependency>,
    /// Names that are taken from a folder instead (`replace`, `[patch]`).
    pub redirects: Vec<Dependency>,
    /// The manifest that it inherits from, if it names one.
    pub parent: Option<Stated>,
    /// The manager, where the manifest itself says it.
    pub manager: Option<&'static str>,
    /// The manager, if neither a manifest nor a lockfile says it.
    pub built_by: Option<&'static str>,
    pub notes: Vec<Note>,
}

/// A text and the line that it stands on, from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stated {
    pub text: String,
    pub line: u32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Project {
    /// Relative to the folder of the manifest; empty for that folder.
    pub folder: String,
    pub name: Option<Stated>,
    pub version: Option<Stated>,
    pub description: Option<Stated>,
    /// The line to show when nothing more exact is known, from 1.
    pub line: u32,
    /// Other names that dependencies use for it.
    pub aliases: Vec<String>,
    pub dependencies: Vec<Dependency>,
    /// The manifest says it is written in this language.
    pub language: Option<&'static str>,
    pub standing: Standing,
}

/// How much of a package a manifest alone proves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The manifest declares a package.
    #[default]
    Declared,
    /// It is one if sources or a container file stand beside it and no declared package is around it: a list of
    /// requirements.
    Likely,
    /// It adds to the package around it and is none itself.
    Part,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// As the manager spells it.
    pub name: String,
    pub kind: DependencyKind,
    /// From 1.
    pub line: u32,
    /// The version that is asked for.
    pub requirement: Option<String>,
    pub target: Target,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DependencyKind {
    #[default]
    Direct,
    Peer,
    Optional,
    Build,
    Dev,
    /// Listed by the manifest, but needed only by what is needed (Go's `// indirect`).
    Indirect,
}

impl DependencyKind {
    pub const ALL: [Self; 6] = [
        Self::Direct,
        Self::Peer,
        Self::Optional,
        Self::Build,
        Self::Dev,
        Self::Indirect,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Peer => "peer",
            Self::Optional => "optional",
            Self::Build => "build",
            Self::Dev => "dev",
            Self::Indirect => "indirect",
        }
    }
}

/// How the package is found that a dependency means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The package of the tree that has the name, if there is one.
    Name,
    /// A folder or manifest, relative to the folder of the manifest.
    Path(String),
    /// As `shared_dependencies` of the workspace say.
    Inherited,
    /// From outside, whatever is called so in the tree.
    Outside,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// A folder, a manifest or a pattern, relative to the folder of the manifest that lists it.
    pub pattern: String,
    /// From 1.
    pub line: u32,
    pub excludes: bool,
}

impl Manifest {
    /// A manifest that could not be read.
    pub(super) fn unread(note: Note) -> Self {
        Self {
            notes: vec![note],
            ..Self::default()
        }
    }

    pub(super) fn of(project: Project) -> Self {
        Self {
            projects: vec![project],
            ..Self::default()
        }
    }

    pub(super) fn note(&mut self, code: &'static str, line: u32, message: String) {
        let lines = Some(LineRange::new(line.max(1), line.max(1)));
        self.notes.push(Note { code, lines, message });
    }
}

impl Project {
    /// A project with the name, version and description that are under these keys at the top of its manifest.
    pub(super) fn stated_in(root: &Node) -> Self {
        Self {
            name: Stated::under(root, "name"),
            version: Stated::under(root, "version"),
            description: Stated::under(root, "description"),
            line: root.get("name").map_or(root.line, |name| name.line),
            ..Self::default()
        }
    }
}

impl Stated {
    /// The text under a key.
    pub(super) fn under(root: &Node, key: &str) -> Option<Self> {
        let node = root.get(key)?;
        Some(Self::new(node.text()?, node.line))
    }

    pub(super) fn new(text: impl Into<String>, line: u32) -> Self {
        Self {
            text: text.into(),
            line: line.max(1),
        }
    }
}

impl Dependency {
    /// One that is found by its name.
    pub(super) fn named(name: impl Into<String>, kind: DependencyKind, line: u32) -> Self {
        Self {
            name: name.into(),
            kind,
            line: line.max(1),
            requirement: None,
            target: Target::Name,
        }
    }

    pub(super) fn version(mut self, requirement: Option<&str>) -> Self {
        self.requirement = requirement.filter(|text| !text.is_empty()).map(str::to_owned);
        self
    }

    pub(super) fn to(mut self, target: Target) -> Self {
        self.target = target;
        self
    }
}

impl Member {
    pub(super) fn new(pattern: impl Into<String>, line: u32, excludes: bool) -> Self {
        Self {
            pattern: pattern.into(),
            line: line.max(1),
            excludes,
        }
    }
}
