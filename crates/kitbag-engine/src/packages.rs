//! The packages of a project (PKG-1 … PKG-8): what `kitbag-analyse` makes of its manifests, kept with the index.
//!
//! A run reads the manifests that are new or changed, and makes the packages again if a manifest, a lockfile or the list of files
//! has changed; otherwise it only notes that the packages are still right. Before there is an index they are read
//! from the files themselves (`live`), by the same functions. Imports between packages are looked up when somebody asks
//! for the graph: they change with every edit, and reading all of them takes less time than updating them would.

use std::collections::BTreeMap;

use kitbag_analyse::packages::{self as analyse, Graph, Manifest, Packages, PlacedNote, VERSION};
use kitbag_repo::{Scan, SkipReason};
use kitbag_store::{NewManifest, Snapshot, StoreError, Writer};
use kitbag_types::{RepoPath, Timestamp};

use crate::parallel::side_by_side;
use crate::{Engine, EngineError};

/// Packages, and what was odd about their manifests.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KnownPackages {
    pub packages: Packages,
    pub notes: Vec<PlacedNote>,
}

/// The packages that the last run stored. `None` if no run has stored any, or if they are damaged.
pub(crate) fn stored(snapshot: &Snapshot<'_>) -> Result<Option<KnownPackages>, StoreError> {
    let row = snapshot.packages()?.filter(|row| is_of_this_make(&row.stamp));
    Ok(row.and_then(|row| known(&row.content)))
}

fn known(content: &[u8]) -> Option<KnownPackages> {
    Packages::from_bytes(content).map(|(packages, notes)| KnownPackages { packages, notes })
}

/// The same, read from the files themselves: no index is needed.
pub(crate) fn live(engine: &Engine, now: Timestamp) -> Result<KnownPackages, EngineError> {
    let scan = engine.tree.scan(now)?;
    let files = files(&scan);
    let paths: Vec<&RepoPath> = files.iter().filter(|path| analyse::is_manifest(path)).collect();
    let manifests = side_by_side(engine.n_workers(), &paths, &|path| {
        let source = engine.tree.read(path).ok()?;
        analyse::read(path, &source.text)
    });
    let read = paths.into_iter().zip(&manifests);
    let read: Vec<(&RepoPath, &Manifest)> = read
        .filter_map(|(path, manifest)| Some((path, manifest.as_ref()?)))
        .collect();
    let (packages, notes) = analyse::assemble(&files, &read, &root_name(engine));
    Ok(KnownPackages { packages, notes })
}

/// Who depends on whom, by manifests and by imports.
pub(crate) fn graph(snapshot: &Snapshot<'_>, packages: &Packages) -> Result<Graph, StoreError> {
    if packages.list().len() < 2 {
        return Ok(Graph::new(packages, &[]));
    }
    let files: Vec<RepoPath> = snapshot.files()?.into_iter().map(|file| file.path).collect();
    let imports = snapshot.imports()?;
    let imports = imports
        .iter()
        .map(|import| (&import.path, import.line, import.name.as_str()));
    Ok(Graph::new(packages, &analyse::imports(packages, &files, imports)))
}

/// Notes as sentences with their places.
pub(crate) fn said(notes: &[PlacedNote]) -> Vec<String> {
    let say = |placed: &PlacedNote| match placed.note.lines {
        Some(lines) => format!("{}:{}: {}", placed.path, lines.start(), placed.note.message),
        None => format!("{}: {}", placed.path, placed.note.message),
    };
    notes.iter().map(say).collect()
}

/// True if [`catch_up`] has nothing to do.
pub(crate) fn is_current(engine: &Engine, snapshot: &Snapshot<'_>, scan: &Scan) -> Result<bool, StoreError> {
    let row = snapshot.packages()?;
    let ground = ground(engine, scan);
    Ok(row.is_some_and(|row| row.seq == snapshot.state().seq && row.stamp.starts_with(&ground)))
}

/// Brings the packages up to date with the stored files. Returns warnings about the manifests that were read now; with `all`, about
/// all manifests.
pub(crate) fn catch_up(
    engine: &Engine,
    writer: &mut Writer<'_>,
    scan: &Scan,
    all: bool,
) -> Result<Vec<String>, EngineError> {
    let files = files(scan);
    let stamp = format!("{}{}", ground(engine, scan), short_hash(files.iter()));
    let row = writer.packages()?.filter(|row| row.stamp == stamp);
    if let Some(row) = row
        && let Some(known) = known(&row.content)
        && !writer
            .paths_since(Some(row.seq))?
            .iter()
            .any(analyse::is_manifest)
    {
        writer.set_packages(&stamp, &row.content, &[], VERSION)?;
        return Ok(if all { said(&known.notes) } else { Vec::new() });
    }
    let mut read: Vec<(&RepoPath, Manifest)> = Vec::new();
    let mut new: BTreeMap<&RepoPath, NewManifest> = BTreeMap::new();
    for path in files.iter().filter(|path| analyse::is_manifest(path)) {
        let Some(row) = writer.manifest(path, VERSION)? else {
            continue;
        };
        if let Some(manifest) = row.content.as_deref().and_then(Manifest::from_bytes) {
            read.push((path, manifest));
        } else if let Some(manifest) = analyse::read(path, &writer.text_of(row.parse)?) {
            let one = NewManifest {
                parse: row.parse,
                file_name: path.file_name().to_owned(),
                content: manifest.to_bytes(),
            };
            new.insert(path, one);
            read.push((path, manifest));
        }
    }
    let manifests: Vec<(&RepoPath, &Manifest)> =
        read.iter().map(|(path, manifest)| (*path, manifest)).collect();
    let (packages, mut notes) = analyse::assemble(&files, &manifests, &root_name(engine));
    let content = packages.to_bytes(&notes);
    notes.retain(|placed| all || new.contains_key(&placed.path));
    let new: Vec<NewManifest> = new.into_values().collect();
    writer.set_packages(&stamp, &content, &new, VERSION)?;
    Ok(said(&notes))
}

/// The files that say something about packages: those that are indexed, and lockfiles, which are not.
fn files(scan: &Scan) -> Vec<RepoPath> {
    let mut files: Vec<RepoPath> = scan.files.iter().map(|file| file.path.clone()).collect();
    files.extend(lockfiles(scan));
    files.sort();
    files
}

/// Lockfiles say which manager is used. A built-in rule keeps them out of the index, because nobody wants to search them.
fn lockfiles(scan: &Scan) -> impl Iterator<Item = RepoPath> {
    scan.skipped.iter().filter_map(|(path, skip)| {
        let is_ours = matches!(
            skip.reason,
            SkipReason::BuiltIn | SkipReason::TooLarge | SkipReason::Extension | SkipReason::Binary
        );
        let path = RepoPath::new(path.as_str()).ok().filter(|_| is_ours)?;
        analyse::is_lockfile(&path).then_some(path)
    })
}

/// What packages depend on besides the indexed files; the first part of their stamp.
fn ground(engine: &Engine, scan: &Scan) -> String {
    let lockfiles: Vec<RepoPath> = lockfiles(scan).collect();
    let name = root_name(engine);
    let hash = short_hash(lockfiles.iter());
    format!(
        "{VERSION} {} {hash} ",
        blake3::hash(name.as_bytes()).to_hex().split_at(16).0
    )
}

fn is_of_this_make(stamp: &str) -> bool {
    stamp.split(' ').next() == Some(VERSION.to_string().as_str())
}

fn short_hash<'p>(paths: impl Iterator<Item = &'p RepoPath>) -> String {
    let mut hasher = blake3::Hasher::new();
    for path in paths {
        hasher.update(path.as_str().as_bytes()).update(&[0]);
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

/// The name of a package at the root that has no name of its own.
fn root_name(engine: &Engine) -> String {
    let name = engine.root().file_name();
    name.map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned())
}
