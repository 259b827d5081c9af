//! The full-text index of one tree: tantivy as a store of postings, nothing more.
//!
//! Scores are not tantivy's. It keeps document counts a segment at a time and counts deleted documents until a merge,
//! so its scores depend on how an index came to be. Here a term's postings of all segments are read through, deleted
//! ones left out, and handed to the caller as (document, weighted frequency); whoever ranks them sees the same numbers
//! after one run or ten increments. Reading every posting costs more than block-max pruning and less than it sounds: a
//! hundred thousand chunks and eight terms are about a millisecond.
//!
//! Segments are opened directly, without tantivy's reader and its lock file, so that a store on a read-only disk can be
//! searched. What the index has seen of the database is in the payload of its last commit.

mod terms;
mod writer;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use kitbag_types::TextField;
use tantivy::columnar::Column;
use tantivy::directory::MmapDirectory;
use tantivy::postings::Postings;
use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{DocSet, Index, IndexMeta, SegmentReader, TERMINATED, Term};

pub(crate) use writer::{TextDoc, TextWriter};

use crate::rows::{ChunkRef, ParseId, TreeId};
use crate::{StoreError, TEXT_VERSION};

/// Where a tree's text index lies.
pub(crate) fn folder(store: &Path, tree: TreeId) -> PathBuf {
    store.join("text").join(tree.0.to_string())
}

fn schema() -> Schema {
    let mut schema = Schema::builder();
    for field in TextField::ALL {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(terms::NAME)
            .set_index_option(IndexRecordOption::WithFreqs);
        schema.add_text_field(
            field.as_str(),
            TextOptions::default().set_indexing_options(indexing),
        );
    }
    schema.add_u64_field("file", INDEXED | FAST);
    schema.add_u64_field("chunk", FAST);
    schema.add_u64_field("order", FAST);
    schema.build()
}

/// Chunks of one product, counted within it: enough for a 5 MB file of empty functions.
const CHUNK_BITS: u32 = 20;

fn chunk_value(parse: ParseId, idx: u32) -> u64 {
    ((parse.0 as u64) << CHUNK_BITS) | u64::from(idx)
}

fn order_value(path: &str, idx: u32) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(path.as_bytes()).update(&idx.to_le_bytes());
    let hash = hasher.finalize();
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("a hash has 32 bytes"))
}

/// The last change that an index has seen, from its commit payload; `None` if it is of another make.
fn applied_seq(meta: &IndexMeta) -> Option<i64> {
    let (version, seq) = meta.payload.as_deref()?.split_once(':')?;
    if version.parse() != Ok(TEXT_VERSION) {
        return None;
    }
    seq.parse().ok()
}

fn payload(seq: i64) -> String {
    format!("{TEXT_VERSION}:{seq}")
}

/// A consistent view of the index for reading.
pub struct TextIndex {
    segments: Vec<Segment>,
    n_docs: u64,
    seq: i64,
    files: OnceLock<Vec<u32>>,
}

struct Segment {
    reader: SegmentReader,
    /// Number of documents, deleted ones included, in the segments before this one.
    base: u32,
    file: Column<u64>,
    chunk: Column<u64>,
    order: Column<u64>,
    fields: Vec<Field>,
}

impl TextIndex {
    /// An index with nothing in it, for a tree that has none yet.
    pub(crate) fn empty() -> Self {
        Self {
            segments: Vec::new(),
            n_docs: 0,
            seq: 0,
            files: OnceLock::new(),
        }
    }

    /// Opens what is there. `None`: missing, damaged or of another make, to be rebuilt by the next writer.
    pub(crate) fn open(dir: &Path) -> Option<Self> {
        // A writer may merge segments away between our reading of the list and opening its files; then the list has
        // changed, and reading it again helps. A damaged index fails every time.
        (0..5).find_map(|_| guarded(|| Self::try_open(dir)).ok().flatten())
    }

    fn try_open(dir: &Path) -> tantivy::Result<Option<Self>> {
        if !dir.join("meta.json").exists() {
            return Ok(None);
        }
        let index = Index::open(MmapDirectory::open(dir)?)?;
        let meta = index.load_metas()?;
        let Some(seq) = applied_seq(&meta) else {
            return Ok(None);
        };
        if index.schema() != schema() {
            return Ok(None);
        }
        let mut segments = Vec::new();
        let (mut base, mut n_docs) = (0, 0);
        for segment in index.searchable_segments()? {
            let reader = SegmentReader::open(&segment)?;
            let fields = TextField::ALL
                .iter()
                .map(|field| index.schema().get_field(field.as_str()));
            let fields = fields.collect::<tantivy::Result<Vec<Field>>>()?;
            let file = reader.fast_fields().u64("file")?;
            let chunk = reader.fast_fields().u64("chunk")?;
            let order = reader.fast_fields().u64("order")?;
            n_docs += u64::from(reader.num_docs());
            let max_doc = reader.max_doc();
            segments.push(Segment {
                reader,
                base,
                file,
                chunk,
                order,
                fields,
            });
            base += max_doc;
        }
        Ok(Some(Self {
            segments,
            n_docs,
            seq,
            files: OnceLock::new(),
        }))
    }

    /// Documents that are alive.
    pub fn n_docs(&self) -> u64 {
        self.n_docs
    }

    /// Document numbers are below this.
    pub fn n_slots(&self) -> usize {
        self.segments
            .last()
            .map_or(0, |segment| (segment.base + segment.reader.max_doc()) as usize)
    }

    /// The last change of the tree that is in here.
    pub fn seq(&self) -> i64 {
        self.seq
    }

    /// For every term, the documents that hold it, each once, with the sum over the fields of `weigh(field, frequency,
    /// field length)`, which must not be negative. The order of documents within a term has no meaning.
    pub fn postings(
        &self,
        terms: &[String],
        weigh: &dyn Fn(TextField, u32, u32) -> f32,
    ) -> Result<Vec<Vec<(u32, f32)>>, StoreError> {
        let mut lists = Vec::with_capacity(terms.len());
        let mut sums = vec![0f32; self.n_slots()];
        for term in terms {
            let mut list = Vec::new();
            for segment in &self.segments {
                guarded(|| segment.postings_of(term, weigh, &mut sums, &mut list)).map_err(damaged)?;
            }
            // `sums` is all zero again after this: it is used for every term.
            for (doc, weight) in &mut list {
                *weight = std::mem::take(&mut sums[*doc as usize]);
            }
            lists.push(list);
        }
        Ok(lists)
    }

    /// A number that tells documents apart by path and place only: what ties are broken by, so that the order never
    /// depends on segments.
    pub fn order(&self, doc: u32) -> u64 {
        let (segment, local) = self.locate(doc);
        segment.order.first(local).unwrap_or(0)
    }

    fn locate(&self, doc: u32) -> (&Segment, u32) {
        let segment = &self.segments[self.segments.partition_point(|segment| segment.base <= doc) - 1];
        (segment, doc - segment.base)
    }

    /// For every document number, the row of the file it stands in: read once, because scoring asks it of every posting.
    pub fn files(&self) -> &[u32] {
        self.files.get_or_init(|| {
            let mut files = Vec::with_capacity(self.n_slots());
            for segment in &self.segments {
                let of = |doc| segment.file.first(doc).map_or(0, |file| file as u32);
                files.extend((0..segment.reader.max_doc()).map(of));
            }
            files
        })
    }

    /// The chunk that a document stands for.
    pub fn chunk(&self, doc: u32) -> ChunkRef {
        let (segment, local) = self.locate(doc);
        let value = segment.chunk.first(local).unwrap_or(0);
        ChunkRef {
            file: segment.file.first(local).unwrap_or(0) as i64,
            parse: ParseId((value >> CHUNK_BITS) as i64),
            idx: (value & ((1 << CHUNK_BITS) - 1)) as u32,
        }
    }
}

impl Segment {
    /// Adds each alive document's weight to `sums` and, on its first visit, the document to `list`.
    fn postings_of(
        &self,
        term: &str,
        weigh: &dyn Fn(TextField, u32, u32) -> f32,
        sums: &mut [f32],
        list: &mut Vec<(u32, f32)>,
    ) -> tantivy::Result<()> {
        let alive = self.reader.alive_bitset();
        for (which, field) in TextField::ALL.into_iter().zip(&self.fields) {
            let index = self.reader.inverted_index(*field)?;
            let term = Term::from_field_text(*field, term);
            let Some(mut postings) = index.read_postings(&term, IndexRecordOption::WithFreqs)? else {
                continue;
            };
            let lengths = self.reader.get_fieldnorms_reader(*field)?;
            let mut doc = postings.doc();
            while doc != TERMINATED {
                if alive.is_none_or(|alive| alive.is_alive(doc)) {
                    let weight = weigh(which, postings.term_freq(), lengths.fieldnorm(doc));
                    let slot = (self.base + doc) as usize;
                    if sums[slot] == 0.0 && weight > 0.0 {
                        list.push((self.base + doc, 0.0));
                    }
                    sums[slot] += weight;
                }
                doc = postings.advance();
            }
        }
        Ok(())
    }
}

/// tantivy believes its files, and may panic on ones that lie. The index can be made again, so that is no reason to die.
fn guarded<T>(work: impl FnOnce() -> tantivy::Result<T>) -> tantivy::Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(tantivy::TantivyError::InternalError(
            "a file of the index makes no sense".into(),
        ))
    })
}

fn damaged(error: tantivy::TantivyError) -> StoreError {
    StoreError::TextDamaged {
        what: error.to_string(),
    }
}

#[cfg(test)]
mod tests;
