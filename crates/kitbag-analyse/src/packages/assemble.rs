//! The manifests of a tree become its packages: membership, inheritance, dependencies. One family of managers after the other.
//!
//! Which manifests count (PKG-2): what a workspace lists; the root of a workspace; and below no workspace everything that does
//! not look like material of tests. Below a workspace a manifest that is not listed counts only if it stands on its own, with a
//! workspace or a lockfile beside it, and is not a sample. A workspace among the fixtures of another project is itself a fixture, unless it is listed.

use std::collections::{BTreeMap, BTreeSet};

use kitbag_types::RepoPath;

use super::manifest::{Dependency, Manifest, Project, Standing, Stated};
use super::package::{Fact, Package, Packages, Place, PlacedNote};
use super::places::{self, Effort, Members};
use super::{Family, MANAGERS, PackageManager, ROOT, fixture, row_of};
use dependencies::Names;
use inherit::Sources;

mod dependencies;
mod files;
mod inherit;

use files::Files;

/// The packages of a tree, from all of its files and what its manifests say. The order of both does not matter. `root_name` is for
/// packages at the root that nothing names: the name of the folder that the repository stands in.
pub fn assemble(
    files: &[RepoPath],
    manifests: &[(&RepoPath, &Manifest)],
    root_name: &str,
) -> (Packages, Vec<PlacedNote>) {
    let files = Files::new(files);
    let mut manifests: Vec<Source<'_>> = manifests
        .iter()
        .filter_map(|(path, manifest)| {
            let (manager, rank) = row_of(path.file_name())?;
            let home = (manager.family.home)(path).to_owned();
            Some(Source {
                path,
                manifest,
                manager,
                rank,
                home,
                shared_dependencies: by_name(&manifest.shared_dependencies),
                redirects: by_name(&manifest.redirects),
            })
        })
        .collect();
    manifests.sort_by(|a, b| (&a.home, a.rank, a.path).cmp(&(&b.home, b.rank, b.path)));
    let mut notes = Vec::new();
    for source in manifests
        .iter()
        .filter(|source| !fixture::is_fixture(&source.home))
    {
        let path = source.path;
        notes.extend(source.manifest.notes.iter().map(|note| PlacedNote {
            path: path.clone(),
            note: note.clone(),
        }));
    }

    let mut found: Vec<Drafts<'_>> = Vec::new();
    for manager in MANAGERS {
        if found
            .iter()
            .all(|drafts| drafts.family.name != manager.family.name)
        {
            let sources: Vec<&Source<'_>> = manifests
                .iter()
                .filter(|source| source.manager.family.name == manager.family.name)
                .collect();
            found.push(Drafts::new(manager.family, sources, &files, &mut notes));
        }
    }
    drop_hosted(&mut found);
    let mut packages = list(&found, &files, root_name, &mut notes);
    count_files(&mut packages, &files);
    notes.sort_by(|a, b| {
        (&a.path, a.note.lines, &a.note.message).cmp(&(&b.path, b.note.lines, &b.note.message))
    });
    notes.dedup();
    (packages, notes)
}

/// Takes out what stands in a folder that a package of another family keeps for its own builds.
fn drop_hosted(found: &mut [Drafts<'_>]) {
    let mut hosts: BTreeMap<String, &str> = BTreeMap::new();
    for drafts in found.iter() {
        for draft in drafts.list.iter().filter(|draft| draft.kept) {
            let names = drafts.family.hosts.iter();
            let folders = names.filter_map(|name| places::join(&draft.folder, name));
            hosts.extend(folders.map(|folder| (folder, drafts.family.name)));
        }
    }
    for drafts in found.iter_mut().filter(|_| !hosts.is_empty()) {
        let family = drafts.family.name;
        for draft in &mut drafts.list {
            let is_hosted = |folder: &str| hosts.get(folder).is_some_and(|host| *host != family);
            draft.kept &= !places::upwards(&draft.folder).any(is_hosted);
        }
    }
}

/// A manifest, where it stands and who reads it.
struct Source<'a> {
    path: &'a RepoPath,
    manifest: &'a Manifest,
    manager: &'static PackageManager,
    /// Which of the manager's manifests it is; a lower one knows better.
    rank: usize,
    /// The folder that it speaks about.
    home: String,
    /// What the manifest has of both, by name, the first of each: either list may be as long as the file.
    shared_dependencies: BTreeMap<&'a str, &'a Dependency>,
    redirects: BTreeMap<&'a str, &'a Dependency>,
}

fn by_name(list: &[Dependency]) -> BTreeMap<&str, &Dependency> {
    let mut by_name = BTreeMap::new();
    for dependency in list {
        by_name.entry(dependency.name.as_str()).or_insert(dependency);
    }
    by_name
}

/// A folder (or a manifest) that may be a package.
struct Draft<'a> {
    folder: String,
    standing: Standing,
    /// What speaks about it, the best first.
    parts: Vec<(&'a Source<'a>, &'a Project)>,
    /// The outermost workspace that it is a member of.
    group: Option<usize>,
    is_root: bool,
    kept: bool,
}

struct Workspace<'a> {
    source: &'a Source<'a>,
    members: Members,
    /// The outermost workspace that lists it, itself if none does. `None`: it does not count.
    group: Option<usize>,
}

/// All that may be a package in one family.
struct Drafts<'a> {
    family: &'static Family,
    sources: Vec<&'a Source<'a>>,
    workspaces: Vec<Workspace<'a>>,
    list: Vec<Draft<'a>>,
    /// Positions in the list by folder and by the path of the main manifest.
    places: BTreeMap<String, usize>,
    /// Positions of workspaces by the folder that they stand in.
    at_home: BTreeMap<String, Vec<usize>>,
    /// Workspaces with members outside their folder.
    outward: Vec<usize>,
    /// Folders of the workspaces that count.
    live_roots: BTreeSet<String>,
    /// What is left for the patterns of all workspaces.
    effort: Effort,
}

impl<'a> Drafts<'a> {
    fn new(
        family: &'static Family,
        sources: Vec<&'a Source<'a>>,
        files: &Files<'_>,
        notes: &mut Vec<PlacedNote>,
    ) -> Self {
        let mut drafts = Self {
            family,
            sources,
            workspaces: Vec::new(),
            list: Vec::new(),
            places: BTreeMap::new(),
            at_home: BTreeMap::new(),
            outward: Vec::new(),
            live_roots: BTreeSet::new(),
            effort: Effort::default(),
        };
        drafts.gather(files);
        drafts.find_workspaces(notes);
        drafts.find_members();
        if drafts.effort.is_over()
            && let Some(workspace) = drafts.workspaces.first()
        {
            notes.push(PlacedNote {
                path: workspace.source.path.clone(),
                note: drafts.effort.note(),
            });
        }
        drafts.keep(files);
        drafts.add_parts();
        drafts
    }

    fn gather(&mut self, files: &Files<'_>) {
        let mut at_folder: BTreeMap<String, usize> = BTreeMap::new();
        for source in &self.sources {
            for project in &source.manifest.projects {
                // A project that is declared from elsewhere may not be here at all.
                let Some(folder) =
                    places::join(&source.home, &project.folder).filter(|folder| files.has_folder(folder))
                else {
                    continue;
                };
                // A script is the folder's build file if it has the folder's name; others are applied by somebody else.
                let is_script = project.standing == Standing::Part && source.manifest.members.is_none();
                if is_script
                    && project
                        .name
                        .as_ref()
                        .is_some_and(|name| name.text != places::last_part(&folder))
                {
                    continue;
                }
                let named = |project: &Project| project.name.as_ref().map(|name| name.text.clone());
                let known = at_folder.get(&folder).copied();
                // Two files of one kind that name two packages (two gemspecs) are two packages; what else lies in the folder
                // belongs to the one that is called like it.
                let is_twin = known.is_some_and(|at| {
                    self.list[at].parts.iter().any(|(other, twin)| {
                        other.rank == source.rank
                            && other.path != source.path
                            && twin.standing == Standing::Declared
                            && project.standing == Standing::Declared
                            && named(twin) != named(project)
                    })
                });
                let is_main = known.is_none()
                    || is_twin && named(project).as_deref() == Some(places::last_part(&folder));
                match known.filter(|_| self.family.one_per_folder && !is_twin) {
                    Some(at) => {
                        let draft: &mut Draft<'_> = &mut self.list[at];
                        draft.standing = draft.standing.min(project.standing);
                        draft.parts.push((source, project));
                    }
                    None => {
                        if is_main {
                            at_folder.insert(folder.clone(), self.list.len());
                        }
                        self.list.push(Draft {
                            folder,
                            standing: project.standing,
                            parts: vec![(source, project)],
                            group: None,
                            is_root: false,
                            kept: false,
                        });
                    }
                }
            }
        }
        for (at, draft) in self.list.iter_mut().enumerate() {
            draft.parts.sort_by_key(|(source, _)| source.rank);
            if at_folder.get(&draft.folder) == Some(&at) {
                self.places.insert(draft.folder.clone(), at);
            }
            if let Some((source, _)) = draft.parts.first() {
                self.places.entry(source.path.as_str().to_owned()).or_insert(at);
            }
        }
    }

    /// Outermost first, so that it is known of each whether another one lists it.
    fn find_workspaces(&mut self, notes: &mut Vec<PlacedNote>) {
        let mut sources: Vec<&Source<'_>> = self
            .sources
            .iter()
            .filter(|source| source.manifest.members.is_some())
            .copied()
            .collect();
        sources.sort_by_key(|source| source.home.split('/').filter(|part| !part.is_empty()).count());
        for source in sources {
            let members = source.manifest.members.as_deref().unwrap_or_default();
            let (members, refused) = Members::new(&source.home, members, &mut self.effort);
            let listed = self.listing(&source.home, source.path.as_str());
            let beside = self.at_home.get(&source.home).and_then(|known| known.first());
            let beside = beside.map(|at| self.workspaces[*at].group);
            // What no workspace lists is left out below one if it looks like a sample, everywhere if like a fixture.
            let is_below = places::upwards(&source.home).any(|folder| self.live_roots.contains(folder));
            let counts = !(fixture::is_fixture(&source.home) || is_below && fixture::is_sample(&source.home));
            let own = self.workspaces.len();
            let group = match (listed, beside) {
                (Some(group), _) => Some(group),
                (None, Some(beside)) if self.family.one_per_folder => beside,
                _ => counts.then_some(own),
            };
            if group.is_some() {
                self.live_roots.insert(source.home.clone());
                let path = source.path;
                notes.extend(refused.into_iter().map(|note| PlacedNote {
                    path: path.clone(),
                    note,
                }));
            }
            self.at_home.entry(source.home.clone()).or_default().push(own);
            if members.leave(&source.home) {
                self.outward.push(own);
            }
            self.workspaces.push(Workspace {
                source,
                members,
                group,
            });
        }
    }

    /// The group of the workspace that lists a folder or manifest, the outermost first. Only those above it and those with
    /// members outside their own folder are asked, so that thousands of builds in one repository stay quick.
    fn listing(&mut self, folder: &str, manifest: &str) -> Option<usize> {
        if self.effort.is_over() {
            return None;
        }
        let above = places::upwards(folder)
            .filter_map(|folder| self.at_home.get(folder))
            .flatten();
        let mut candidates: Vec<usize> = above.chain(&self.outward).copied().collect();
        candidates.sort_unstable();
        let effort = &mut self.effort;
        candidates.into_iter().find_map(|at| {
            let workspace = &self.workspaces[at];
            let group = workspace.group?;
            let mut lists = |path: &str| effort.spend(&workspace.members) && workspace.members.contain(path);
            (lists(folder) || lists(manifest)).then_some(group)
        })
    }

    fn find_members(&mut self) {
        for at in 0..self.list.len() {
            let draft = &self.list[at];
            let manifest = draft.parts.first().map_or("", |(source, _)| source.path.as_str());
            let folder = draft.folder.clone();
            let listed = self.listing(&folder, manifest);
            let own = self.at_home.get(&folder).filter(|_| self.family.one_per_folder);
            let own = own.and_then(|known| known.iter().find_map(|at| self.workspaces[*at].group));
            let draft = &mut self.list[at];
            draft.is_root = listed.is_none() && own.is_some();
            draft.group = listed.or(own);
        }
        if self.family.path_members {
            self.follow_paths();
        }
    }

    /// What a member reaches by a path is a member too (Cargo), if it is not excluded.
    fn follow_paths(&mut self) {
        let mut open: Vec<usize> = (0..self.list.len())
            .filter(|at| self.list[*at].group.is_some())
            .collect();
        while let Some(at) = open.pop() {
            let Some(group) = self.list[at].group else {
                continue;
            };
            let workspace = &self.workspaces[group];
            for reached in self.path_targets(at) {
                let draft = &self.list[reached];
                let is_inside = places::is_inside(&draft.folder, &workspace.source.home);
                if draft.group.is_none() && is_inside && !workspace.members.exclude(&draft.folder) {
                    self.list[reached].group = Some(group);
                    open.push(reached);
                }
            }
        }
    }

    fn keep(&mut self, files: &Files<'_>) {
        let rows = MANAGERS
            .iter()
            .filter(|manager| manager.family.name == self.family.name);
        let lockfiles: Vec<&str> = rows.flat_map(|manager| manager.lockfiles).copied().collect();
        let mut declared: Vec<String> = Vec::new();
        for draft in self
            .list
            .iter_mut()
            .filter(|draft| draft.standing == Standing::Declared)
        {
            let is_below = || places::upwards(&draft.folder).any(|folder| self.live_roots.contains(folder));
            let is_own = || {
                !fixture::is_sample(&draft.folder)
                    && lockfiles.iter().any(|name| files.has_beside(&draft.folder, name))
            };
            let is_copy = self.family.lists_vendored && fixture::is_vendored(&draft.folder);
            draft.kept = draft.group.is_some() && !is_copy
                || !fixture::is_fixture(&draft.folder)
                    && (!self.family.members_only || !is_below() || is_own());
            if draft.kept {
                declared.push(draft.folder.clone());
            }
        }
        declared.sort();
        let extensions: Vec<&str> = self
            .family
            .languages
            .iter()
            .flat_map(|(_, extensions)| *extensions)
            .copied()
            .collect();
        for draft in self
            .list
            .iter_mut()
            .filter(|draft| draft.standing == Standing::Likely)
        {
            let is_around = || {
                places::upwards(&draft.folder).any(|folder| {
                    declared
                        .binary_search_by(|known| known.as_str().cmp(folder))
                        .is_ok()
                })
            };
            let is_aside = || {
                let last = places::last_part(&draft.folder).to_lowercase();
                matches!(last.as_str(), "doc" | "docs" | "documentation")
                    || draft.folder.split('/').any(|part| part.starts_with('.'))
            };
            draft.kept = draft.group.is_some()
                || !fixture::is_fixture(&draft.folder)
                    && !is_aside()
                    && !is_around()
                    && (files.has_sources(&draft.folder, &extensions)
                        || files.has_beside(&draft.folder, "Dockerfile"));
        }
    }

    /// What is not a package itself adds to the one around it.
    fn add_parts(&mut self) {
        let kept: BTreeMap<String, usize> = (0..self.list.len())
            .filter(|at| self.list[*at].kept)
            .map(|at| (self.list[at].folder.clone(), at))
            .collect();
        for at in 0..self.list.len() {
            if self.list[at].standing == Standing::Part && !fixture::is_fixture(&self.list[at].folder) {
                let around = places::upwards(&self.list[at].folder).find_map(|folder| kept.get(folder));
                if let Some(around) = around.copied() {
                    let parts = std::mem::take(&mut self.list[at].parts);
                    self.list[around].parts.extend(parts);
                }
            }
        }
    }

    /// The manager of a package: what the manifests of its workspace or its own say, else the nearest lockfile.
    fn manager(&self, draft: &Draft<'_>, files: &Files<'_>) -> &'static str {
        let rows: Vec<&PackageManager> = MANAGERS
            .iter()
            .filter(|manager| manager.family.name == self.family.name)
            .copied()
            .collect();
        if let [only] = rows.as_slice() {
            return only.name;
        }
        let root = draft
            .group
            .map(|group| self.workspaces[group].source.home.as_str());
        let of_folder = |folder: &str| {
            // In the order of their folders.
            let start = self
                .sources
                .partition_point(|source| source.home.as_str() < folder);
            let here = self.sources[start..]
                .iter()
                .take_while(|source| source.home == folder);
            // A file of the manager's own knows better than a field.
            here.filter_map(|source| source.manifest.manager).next()
        };
        let by_lockfile = |folder: &str| {
            let mut rows = rows.iter().rev();
            rows.find(|row| row.lockfiles.iter().any(|name| files.has_beside(folder, name)))
                .map(|row| row.name)
        };
        let stated = root.and_then(|root| of_folder(root).or_else(|| by_lockfile(root)));
        let own = || draft.parts.iter().find_map(|(source, _)| source.manifest.manager);
        let above = || places::upwards(&draft.folder).find_map(&by_lockfile);
        let built_by = || {
            draft
                .parts
                .iter()
                .find_map(|(source, _)| source.manifest.built_by)
        };
        stated
            .or_else(own)
            .or_else(above)
            .or_else(built_by)
            .unwrap_or(rows[0].name)
    }
}

/// All that was kept, in the order of the list, with facts and dependencies filled in.
fn list(found: &[Drafts<'_>], files: &Files<'_>, root_name: &str, notes: &mut Vec<PlacedNote>) -> Packages {
    let mut order: Vec<(usize, usize)> = Vec::new();
    let mut sources: Vec<Sources<'_>> = Vec::new();
    let mut shells: BTreeMap<(usize, usize), Package> = BTreeMap::new();
    for (family_idx, drafts) in found.iter().enumerate() {
        let inherited = Sources::new(drafts, notes);
        for (at, draft) in drafts.list.iter().enumerate().filter(|(_, draft)| draft.kept) {
            order.push((family_idx, at));
            shells.insert(
                (family_idx, at),
                shell(drafts, draft, &inherited, files, root_name),
            );
        }
        sources.push(inherited);
    }
    order.sort_by_cached_key(|key| (shells[key].path.clone(), key.0, shells[key].name.clone(), key.1));
    let positions: BTreeMap<(usize, usize), usize> =
        order.iter().enumerate().map(|(at, key)| (*key, at)).collect();
    let names: Vec<Names> = found
        .iter()
        .zip(&sources)
        .map(|(drafts, inherited)| Names::new(drafts, inherited))
        .collect();
    let mut list: Vec<Package> = Vec::with_capacity(order.len());
    for key @ (family_idx, at) in &order {
        let mut package = shells.remove(key).expect("every key of the order has a shell");
        let drafts = &found[*family_idx];
        let position = |draft: usize| positions.get(&(*family_idx, draft)).copied();
        package.dependencies =
            dependencies::of(drafts, *at, &names[*family_idx], &sources[*family_idx], &position);
        list.push(package);
    }
    let names: Vec<String> = list.iter().map(|package| package.name.clone()).collect();
    for package in &mut list {
        for dependency in &mut package.dependencies {
            if let Some(to) = dependency.package {
                dependency.name.clone_from(&names[to]);
            }
        }
        package
            .dependencies
            .sort_by(|a, b| (&a.name, a.package).cmp(&(&b.name, b.package)));
    }
    if list.is_empty() {
        list.push(Package {
            name: root_name.to_owned(),
            path: String::new(),
            manager: ROOT,
            language: None,
            place: None,
            version: None,
            description: None,
            is_root: true,
            dependencies: Vec::new(),
            n_files: 0,
        });
    }
    Packages::new(list)
}

/// A package without its dependencies.
fn shell(
    drafts: &Drafts<'_>,
    draft: &Draft<'_>,
    inherited: &Sources<'_>,
    files: &Files<'_>,
    root_name: &str,
) -> Package {
    let chain = inherited.chain(draft);
    let fact = |of: &dyn Fn(&Project) -> Option<&Stated>| {
        draft.parts.iter().find_map(|(source, project)| {
            let stated = of(project)?;
            let text = chain.resolve(&stated.text)?;
            let place = Place {
                path: source.path.clone(),
                line: stated.line,
            };
            (!text.is_empty()).then_some(Fact { text, place })
        })
    };
    let name = fact(&|project| project.name.as_ref());
    let above = draft
        .group
        .map_or("", |group| drafts.workspaces[group].source.home.as_str());
    let below = draft
        .folder
        .strip_prefix(above)
        .unwrap_or(&draft.folder)
        .trim_start_matches('/');
    let by_folder = || match (draft.folder.as_str(), below) {
        ("", _) => root_name.to_owned(),
        (folder, "") => places::last_part(folder).to_owned(),
        (_, below) => (drafts.family.unnamed)(below),
    };
    let first = draft.parts.first().map(|(source, project)| Place {
        path: source.path.clone(),
        line: project.line,
    });
    let stated = draft.parts.iter().find_map(|(_, project)| project.language);
    let by_file = || {
        let rows = drafts.family.language_files.iter();
        rows.filter(|(_, file)| files.has_beside(&draft.folder, file))
            .map(|(language, _)| *language)
            .next()
    };
    Package {
        place: name.as_ref().map(|name| name.place.clone()).or(first),
        name: name.map_or_else(by_folder, |name| name.text),
        path: draft.folder.clone(),
        manager: drafts.manager(draft, files),
        language: stated.or_else(by_file),
        version: fact(&|project| project.version.as_ref()),
        description: fact(&|project| project.description.as_ref()),
        is_root: draft.folder.is_empty() || draft.is_root,
        dependencies: Vec::new(),
        n_files: 0,
    }
}

/// Counts the files of each package, and lets them say its language where the manifest does not.
fn count_files(packages: &mut Packages, files: &Files<'_>) {
    let mut counts: Vec<BTreeMap<&str, u64>> = vec![BTreeMap::new(); packages.list().len()];
    let mut last: Option<(&str, &str, Option<usize>)> = None;
    for (folder, extension) in files.folders_and_extensions() {
        let owner = match last {
            Some((known, ending, owner)) if known == folder && ending == extension => owner,
            _ => packages.of_folder(folder, extension),
        };
        last = Some((folder, extension, owner));
        if let Some(owner) = owner {
            *counts[owner].entry(extension).or_default() += 1;
        }
    }
    for (package, counts) in packages.list_mut().iter_mut().zip(counts) {
        package.n_files = counts.values().sum();
        let Some(row) = MANAGERS.iter().find(|row| row.name == package.manager) else {
            continue;
        };
        if package.language.is_none() {
            let n_files = |extensions: &[&str]| -> u64 {
                extensions.iter().filter_map(|ending| counts.get(ending)).sum()
            };
            let languages = row.family.languages.iter();
            // `max_by_key` takes the last of equals; the first of the row is the one that is meant.
            let most = languages.rev().max_by_key(|(_, extensions)| n_files(extensions));
            package.language = most.map(|(language, _)| *language);
        }
    }
}
