//! The writing half of the text index. Takes documents and deletions, commits with the number of the last change.

use std::path::{Path, PathBuf};

use kitbag_types::TextField;
use tantivy::directory::MmapDirectory;
use tantivy::indexer::{IndexWriterOptions, LogMergePolicy};
use tantivy::schema::Field;
use tantivy::store::Compressor;
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{Index, IndexSettings, IndexWriter, TantivyDocument, Term};

use super::{chunk_value, guarded, order_value, payload, schema, terms};
use crate::rows::{ParseId, TreeId};
use crate::runs::{Fault, SeenUpTo};
use crate::{StoreError, path_kind};

/// Memory for documents that are not yet on disk: the smallest that keeps 100,000 chunks in a handful of segments.
const WRITER_BYTES: usize = 48 << 20;

/// One chunk's searchable text.
pub(crate) struct TextDoc<'a> {
    pub file: i64,
    pub parse: ParseId,
    pub idx: u32,
    pub body: &'a str,
    pub names: &'a str,
    pub path: &'a str,
    pub docs: &'a str,
    pub capsule: &'a str,
}

pub(crate) struct TextWriter {
    dir: PathBuf,
    index: Index,
    /// Made at the first change: most runs have none, and its threads and buffers are not free.
    writer: Option<IndexWriter>,
    fields: Vec<Field>,
    file: Field,
    chunk: Field,
    order: Field,
    seen: SeenUpTo,
}

impl TextWriter {
    /// Opens the index in `dir`, or makes an empty one in its place if it is missing, damaged, of another make, or of a state
    /// that the database does not have (`holds`). The second value says what was wrong with it. `whole` compares all checksums.
    pub(crate) fn open(
        store: &Path,
        tree: TreeId,
        whole: bool,
        holds: &dyn Fn(SeenUpTo) -> Result<bool, StoreError>,
    ) -> Result<(Self, Option<Fault>), StoreError> {
        let dir = super::folder(store, tree);
        let fault = match super::open(&dir, whole) {
            Ok(Some(opened)) => {
                if holds(opened.seen)? {
                    return Ok((Self::over(&dir, opened.index, opened.seen), None));
                }
                Some(Fault::Astray)
            }
            Ok(None) => None,
            Err(fault) => Some(fault),
        };
        Ok((Self::recreate(store, tree)?, fault))
    }

    /// An empty index in the place of whatever is there.
    pub(crate) fn recreate(store: &Path, tree: TreeId) -> Result<Self, StoreError> {
        let dir = super::folder(store, tree);
        path_kind::remove(&dir)
            .and_then(|()| path_kind::make_folder(store, &dir))
            .map_err(|source| StoreError::io(&dir, source))?;
        let mmap = MmapDirectory::open(&dir).map_err(|error| failed(&dir, error.into()))?;
        // Nothing is stored in documents, so there is nothing to compress.
        let settings = IndexSettings {
            docstore_compression: Compressor::None,
            ..IndexSettings::default()
        };
        let index = Index::create(mmap, schema(), settings).map_err(|error| failed(&dir, error))?;
        Ok(Self::over(&dir, index, SeenUpTo::default()))
    }

    fn over(dir: &Path, index: Index, seen: SeenUpTo) -> Self {
        index
            .tokenizers()
            .register(terms::NAME, TextAnalyzer::from(terms::Terms::default()));
        let field = |name: &str| {
            index
                .schema()
                .get_field(name)
                .expect("the schema was compared on opening")
        };
        let fields = TextField::ALL.iter().map(|which| field(which.as_str())).collect();
        let (file, chunk, order) = (field("file"), field("chunk"), field("order"));
        Self {
            dir: dir.to_owned(),
            index,
            writer: None,
            fields,
            file,
            chunk,
            order,
            seen,
        }
    }

    /// What is committed here.
    pub(crate) fn seen(&self) -> SeenUpTo {
        self.seen
    }

    /// How many documents are committed here, without deleted ones.
    pub(crate) fn n_documents(&self) -> Result<u64, StoreError> {
        let metas = guarded(|| self.index.searchable_segment_metas());
        let metas = metas.map_err(|error| failed(&self.dir, error))?;
        Ok(metas.iter().map(|meta| u64::from(meta.num_docs())).sum())
    }

    fn writer(&mut self) -> Result<&mut IndexWriter, StoreError> {
        if self.writer.is_none() {
            let options = IndexWriterOptions::builder()
                .memory_budget_per_thread(WRITER_BYTES)
                .num_merge_threads(1)
                .build();
            let writer: IndexWriter = self
                .index
                .writer_with_options(options)
                .map_err(|error| failed(&self.dir, error))?;
            let mut merges = LogMergePolicy::default();
            // Deleted documents cost time in every search: fold a segment away when a third of it is gone.
            merges.set_del_docs_ratio_before_merge(0.33);
            writer.set_merge_policy(Box::new(merges));
            self.writer = Some(writer);
        }
        Ok(self.writer.as_mut().expect("made above"))
    }

    /// Forgets every document of a file.
    pub(crate) fn delete_file(&mut self, file: i64) -> Result<(), StoreError> {
        let term = Term::from_field_u64(self.file, file as u64);
        self.writer()?.delete_term(term);
        Ok(())
    }

    pub(crate) fn add(&mut self, doc: &TextDoc<'_>) -> Result<(), StoreError> {
        let mut document = TantivyDocument::new();
        for (field, text) in self
            .fields
            .iter()
            .zip([doc.body, doc.names, doc.path, doc.docs, doc.capsule])
        {
            if !text.is_empty() {
                document.add_text(*field, text);
            }
        }
        document.add_u64(self.file, doc.file as u64);
        document.add_u64(self.chunk, chunk_value(doc.parse, doc.idx));
        document.add_u64(self.order, order_value(doc.path, doc.idx));
        let dir = self.dir.clone();
        self.writer()?
            .add_document(document)
            .map_err(|error| failed(&dir, error))?;
        Ok(())
    }

    /// Makes everything so far searchable.
    pub(crate) fn commit(&mut self, seen: SeenUpTo) -> Result<(), StoreError> {
        let dir = self.dir.clone();
        let writer = self.writer()?;
        // Committing reads what is there, to mark deleted documents.
        guarded(|| {
            let mut prepared = writer.prepare_commit()?;
            prepared.set_payload(&payload(seen));
            prepared.commit()
        })
        .map_err(|error| failed(&dir, error))?;
        self.seen = seen;
        Ok(())
    }

    /// Waits for merges under way. Without this they are dropped, which harms nobody but wastes their work.
    pub(crate) fn close(self) -> Result<(), StoreError> {
        match self.writer {
            Some(writer) => writer
                .wait_merging_threads()
                .map_err(|error| failed(&self.dir, error)),
            None => Ok(()),
        }
    }
}

fn failed(dir: &Path, error: tantivy::TantivyError) -> StoreError {
    match error {
        tantivy::TantivyError::IoError(source) => {
            StoreError::io(dir, std::io::Error::new(source.kind(), source.to_string()))
        }
        tantivy::TantivyError::LockFailure(..) => StoreError::Busy { path: dir.to_owned() },
        other => StoreError::TextDamaged {
            what: other.to_string(),
        },
    }
}
