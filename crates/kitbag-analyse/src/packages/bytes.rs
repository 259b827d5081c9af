//! Manifests and packages as bytes, for the engine, which keeps them with the index (PKG-8). What a manifest says is kept under its file
//! name and text, the packages under the state of the tree; both also under [`super::VERSION`], which says how they were read.
//!
//! Anything odd gives `None`: then the manifest is read again. Words that stand for themselves here (managers, languages, codes of notes) are
//! looked up in their tables, so bytes of another make do not pass.

#[cfg(test)]
mod tests;

use kitbag_types::bytes::{ByteReader, ByteWriter};
use kitbag_types::{LineRange, Note, RepoPath};

use super::MANAGERS;
use super::manifest::{Dependency, DependencyKind, Manifest, Member, Project, Standing, Stated, Target};
use super::package::{Fact, Package, PackageDependency, Packages, Place, PlacedNote};

/// The codes that notes have here.
const CODES: &[&str] = &[
    "manifest_broken",
    "manifest_incomplete",
    "manifest_too_large",
    "member_refused",
    "parent_circle",
];
const STANDINGS: &[Standing] = &[Standing::Declared, Standing::Likely, Standing::Part];

impl Manifest {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = ByteWriter::default();
        out.list(self.projects.iter(), put_project);
        out.maybe(self.members.as_ref(), |out, members| {
            out.list(members.iter(), |out, member| {
                out.text(&member.pattern);
                out.number(member.line.into());
                out.number(member.excludes.into());
            });
        });
        out.list(self.shared.iter(), |out, (key, stated)| {
            out.text(key);
            put_stated(out, stated);
        });
        out.list(self.shared_dependencies.iter(), put_dependency);
        out.list(self.redirects.iter(), put_dependency);
        out.maybe(self.parent.as_ref(), put_stated);
        out.maybe(self.manager, ByteWriter::text);
        out.maybe(self.built_by, ByteWriter::text);
        out.list(self.notes.iter(), put_note);
        out.0
    }

    /// `None`: not such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut read = ByteReader(bytes);
        let manifest = Self {
            projects: read.list(project)?,
            members: read.maybe(|read| {
                read.list(|read| {
                    Some(Member {
                        pattern: read.text()?,
                        line: small(read)?,
                        excludes: flag(read)?,
                    })
                })
            })?,
            shared: read
                .list(|read| Some((read.text()?, stated(read)?)))?
                .into_iter()
                .collect(),
            shared_dependencies: read.list(dependency)?,
            redirects: read.list(dependency)?,
            parent: read.maybe(stated)?,
            manager: read.maybe(manager)?,
            built_by: read.maybe(manager)?,
            notes: read.list(note)?,
        };
        read.0.is_empty().then_some(manifest)
    }
}

impl Packages {
    /// With the notes that [`super::assemble()`] gave beside them.
    pub fn to_bytes(&self, notes: &[PlacedNote]) -> Vec<u8> {
        let mut out = ByteWriter::default();
        out.list(self.list().iter(), put_package);
        out.list(notes.iter(), |out, placed| {
            out.text(placed.path.as_str());
            put_note(out, &placed.note);
        });
        out.0
    }

    /// `None`: not such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<(Self, Vec<PlacedNote>)> {
        let mut read = ByteReader(bytes);
        let list = read.list(package)?;
        let notes = read.list(|read| {
            Some(PlacedNote {
                path: RepoPath::new(read.text()?).ok()?,
                note: note(read)?,
            })
        })?;
        let leads = |dependency: &PackageDependency| dependency.package.is_none_or(|to| to < list.len());
        let is_whole = list.iter().all(|package| package.dependencies.iter().all(leads));
        (is_whole && read.0.is_empty()).then(|| (Self::new(list), notes))
    }
}

fn put_project(out: &mut ByteWriter, project: &Project) {
    out.text(&project.folder);
    out.maybe(project.name.as_ref(), put_stated);
    out.maybe(project.version.as_ref(), put_stated);
    out.maybe(project.description.as_ref(), put_stated);
    out.number(project.line.into());
    out.list(project.aliases.iter(), |out, alias| out.text(alias));
    out.list(project.dependencies.iter(), put_dependency);
    out.maybe(project.language, ByteWriter::text);
    out.number(place_in(STANDINGS, &project.standing));
}

fn project(read: &mut ByteReader<'_>) -> Option<Project> {
    Some(Project {
        folder: read.text()?,
        name: read.maybe(stated)?,
        version: read.maybe(stated)?,
        description: read.maybe(stated)?,
        line: small(read)?,
        aliases: read.list(ByteReader::text)?,
        dependencies: read.list(dependency)?,
        language: read.maybe(language)?,
        standing: one_of(STANDINGS, read)?,
    })
}

fn put_dependency(out: &mut ByteWriter, dependency: &Dependency) {
    out.text(&dependency.name);
    out.number(place_in(&DependencyKind::ALL, &dependency.kind));
    out.number(dependency.line.into());
    out.maybe(dependency.requirement.as_deref(), ByteWriter::text);
    match &dependency.target {
        Target::Name => out.number(0),
        Target::Path(path) => {
            out.number(1);
            out.text(path);
        }
        Target::Inherited => out.number(2),
        Target::Outside => out.number(3),
    }
}

fn dependency(read: &mut ByteReader<'_>) -> Option<Dependency> {
    Some(Dependency {
        name: read.text()?,
        kind: one_of(&DependencyKind::ALL, read)?,
        line: small(read)?,
        requirement: read.maybe(ByteReader::text)?,
        target: match read.number()? {
            0 => Target::Name,
            1 => Target::Path(read.text()?),
            2 => Target::Inherited,
            3 => Target::Outside,
            _ => return None,
        },
    })
}

fn put_package(out: &mut ByteWriter, package: &Package) {
    out.text(&package.name);
    out.text(&package.path);
    out.text(package.manager);
    out.maybe(package.language, ByteWriter::text);
    out.maybe(package.place.as_ref(), put_place);
    out.maybe(package.version.as_ref(), put_fact);
    out.maybe(package.description.as_ref(), put_fact);
    out.number(package.is_root.into());
    out.list(package.dependencies.iter(), |out, dependency| {
        out.text(&dependency.name);
        out.number(place_in(&DependencyKind::ALL, &dependency.kind));
        out.maybe(dependency.requirement.as_deref(), ByteWriter::text);
        put_place(out, &dependency.place);
        out.maybe(dependency.package, |out, at| out.number(at as u64));
    });
    out.number(package.n_files);
}

fn package(read: &mut ByteReader<'_>) -> Option<Package> {
    Some(Package {
        name: read.text()?,
        path: read.text()?,
        manager: manager(read)?,
        language: read.maybe(language)?,
        place: read.maybe(place)?,
        version: read.maybe(fact)?,
        description: read.maybe(fact)?,
        is_root: flag(read)?,
        dependencies: read.list(|read| {
            Some(PackageDependency {
                name: read.text()?,
                kind: one_of(&DependencyKind::ALL, read)?,
                requirement: read.maybe(ByteReader::text)?,
                place: place(read)?,
                package: read.maybe(|read| usize::try_from(read.number()?).ok())?,
            })
        })?,
        n_files: read.number()?,
    })
}

fn put_stated(out: &mut ByteWriter, stated: &Stated) {
    out.text(&stated.text);
    out.number(stated.line.into());
}

fn stated(read: &mut ByteReader<'_>) -> Option<Stated> {
    Some(Stated {
        text: read.text()?,
        line: small(read)?,
    })
}

fn put_fact(out: &mut ByteWriter, fact: &Fact) {
    out.text(&fact.text);
    put_place(out, &fact.place);
}

fn fact(read: &mut ByteReader<'_>) -> Option<Fact> {
    Some(Fact {
        text: read.text()?,
        place: place(read)?,
    })
}

fn put_place(out: &mut ByteWriter, place: &Place) {
    out.text(place.path.as_str());
    out.number(place.line.into());
}

fn place(read: &mut ByteReader<'_>) -> Option<Place> {
    Some(Place {
        path: RepoPath::new(read.text()?).ok()?,
        line: small(read)?,
    })
}

fn put_note(out: &mut ByteWriter, note: &Note) {
    out.text(note.code);
    out.maybe(note.lines, |out, lines| {
        out.number(lines.start().into());
        out.number(lines.end().into());
    });
    out.text(&note.message);
}

fn note(read: &mut ByteReader<'_>) -> Option<Note> {
    let code = read.text()?;
    Some(Note {
        code: CODES.iter().find(|known| **known == code)?,
        lines: read.maybe(|read| {
            let (start, end) = (small(read)?, small(read)?);
            (1 <= start && start <= end).then(|| LineRange::new(start, end))
        })?,
        message: read.text()?,
    })
}

fn manager(read: &mut ByteReader<'_>) -> Option<&'static str> {
    let name = read.text()?;
    let names = MANAGERS.iter().map(|row| row.name).chain([super::ROOT]);
    names.into_iter().find(|known| *known == name)
}

fn language(read: &mut ByteReader<'_>) -> Option<&'static str> {
    let name = read.text()?;
    let mut names = MANAGERS.iter().flat_map(|row| {
        let spoken = row.family.languages.iter().map(|(language, _)| *language);
        spoken.chain(row.family.language_files.iter().map(|(language, _)| *language))
    });
    names.find(|known| *known == name)
}

fn small(read: &mut ByteReader<'_>) -> Option<u32> {
    u32::try_from(read.number()?).ok()
}

fn flag(read: &mut ByteReader<'_>) -> Option<bool> {
    match read.number()? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

fn place_in<T: PartialEq>(all: &[T], one: &T) -> u64 {
    all.iter().position(|known| known == one).unwrap_or(all.len()) as u64
}

fn one_of<T: Copy>(all: &[T], read: &mut ByteReader<'_>) -> Option<T> {
    all.get(usize::try_from(read.number()?).ok()?).copied()
}
