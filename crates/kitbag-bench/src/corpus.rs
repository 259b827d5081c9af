//! Copies of real source, cut to a size.

use std::path::{Path, PathBuf};

use kitbag_engine::api;

use crate::setup::{engine, now};

/// A temporary project and a place for its store.
pub(crate) struct Corpus {
    _dir: tempfile::TempDir,
    pub root: PathBuf,
    pub store: PathBuf,
}

impl Corpus {
    fn empty() -> Self {
        let dir = tempfile::tempdir().expect("the temporary folder is writable");
        let root = dir.path().join("project");
        std::fs::create_dir(&root).expect("the folder is new");
        let store = dir.path().join("store");
        Self {
            _dir: dir,
            root,
            store,
        }
    }

    fn copy(&self, source: &Path, file: &Path) {
        let to = self
            .root
            .join(file.strip_prefix(source).expect("it was found below the source"));
        std::fs::create_dir_all(to.parent().expect("a file stands in a folder")).expect("the copy has room");
        std::fs::copy(file, to).expect("the copy has room");
    }
}

/// The first `n_files` source files of a folder.
pub(crate) fn with_files(source: &Path, n_files: usize) -> Corpus {
    let corpus = Corpus::empty();
    for file in files(source).iter().take(n_files) {
        corpus.copy(source, file);
    }
    corpus
}

/// Files of a folder until there are about `n_chunks` chunks. Leaves them indexed.
pub(crate) fn with_chunks(source: &Path, n_chunks: u64) -> Corpus {
    let corpus = Corpus::empty();
    let files = files(source);
    let mut n_copied = 0;
    let mut have = 0;
    while have < n_chunks && n_copied < files.len() {
        // What there is tells how many files are still needed.
        let a_file = if n_copied == 0 {
            8
        } else {
            (have / n_copied as u64).max(1)
        };
        let more = ((n_chunks - have) / a_file).max(1) as usize;
        for file in files.iter().skip(n_copied).take(more) {
            corpus.copy(source, file);
        }
        n_copied = (n_copied + more).min(files.len());
        let request = api::IndexRequest {
            wait: true,
            thorough: false,
            stop: None,
        };
        let reply = api::index(&engine(&corpus.root, &corpus.store), request, &mut |_| {}, now());
        have = reply.expect("the corpus can be indexed").chunks;
    }
    corpus
}

/// Files of a known language, by path. Others would only measure the disk.
fn files(source: &Path) -> Vec<PathBuf> {
    let engine = engine(source, &std::env::temp_dir().join("kitbag-bench-unused"));
    let list = api::list_indexable(&engine, now()).expect("the corpus can be listed");
    list.files
        .iter()
        .filter(|file| {
            kitbag_engine::RepoPath::new(file.path.clone())
                .is_ok_and(|path| kitbag_syntax::language_of(&path, "").is_some())
        })
        .map(|file| source.join(&file.path))
        .collect()
}
