//! Facts about a project, found in its files: its packages and how they depend on each other, what it demands of its code, and what its
//! documents say that can be checked.
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
//! Start reading with `packages.rs`; a package manager is one file and one row there. [`constraints`] and [`documents`] read one file at a time, when
//! somebody asks.

pub mod code;
pub mod constraints;
pub mod data_access;
pub mod documents;
pub mod entry_points;
mod formats;
mod markdown;
pub mod packages;
pub mod patterns;
