//! Facts about a project, found in its files: today its packages and how they depend on each other.
//!
//! A pure room: paths and texts come in, plain data goes out. It reads no disk and runs nothing; a manifest is data, also
//! where it is written as a program (`build.gradle`, `Package.swift`, `setup.py`). Broken and hostile manifests give a
//! [`kitbag_types::Note`] beside what could be read.
//!
//! How the engine uses it: for each file with [`packages::is_manifest`], hand the text to [`packages::read`] and keep the
//! [`packages::Manifest`] under the hash of file name and text (it depends on nothing else, so a branch switch or a moved folder finds it
//! again). Then [`packages::assemble`] makes the [`packages::Packages`] of a tree from the list of its files and the
//! manifests; it is quick enough to run whenever a manifest, a lockfile or a folder came or went. [`packages::Graph`] answers what depends on what.
//!
//! Start reading with `packages.rs`; a package manager is one file and one row there.

pub mod packages;
