//! The full-text index of one tree: tantivy as a store of postings, nothing more.
//!
//! Scores are not tantivy's. It counts documents per segment, and counts deleted documents until a merge,
//! so its scores depend on the history of an index. Here a term's postings of all segments are read through, deleted
//! ones left out, and handed to the caller as (document, weighted frequency); whoever ranks them sees the same numbers
//! after one run or ten increments. Reading every posting costs more than block-max pruning and less than it sounds: a
//! hundred thousand chunks and eight terms are about a millisecond.
//!
//! Segments are opened directly, without tantivy's reader and its lock file, so that a store on a read-only disk can be
//! searched. Reader and writer open an index by one function, so what one of them calls damaged the other does too. What the
//! index has seen of the database is in the payload of its last commit.

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
use tantivy::{DocSet, Index, IndexMeta, SegmentReader, TERMINATED, TantivyError, Term};

pub(crate) use writer::{TextDoc, TextWriter};

use crate::database::file_id;
use crate::path_kind::{PathKind, kind_at, may_be_file};
use crate::rows::{ChunkRef, ParseId, TreeId};
use crate::runs::{Fault, SeenUpTo};
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

/// The last change that an index has, from its commit payload; `None` if it is of another version. Nothing else guards `meta.json`, so the
/// payload has a checksum of its own.
fn seen_by(meta: &IndexMeta) -> tantivy::Result<Option<SeenUpTo>> {
    let Some(payload) = meta.payload.as_deref() else {
        // A new index without a commit.
        return Ok(meta.segments.is_empty().then(SeenUpTo::default));
    };
    let odd = || TantivyError::InternalError("the last commit does not say what it holds".into());
    let (version, rest) = payload.split_once(':').ok_or_else(odd)?;
    if version.parse() != Ok(TEXT_VERSION) {
        return Ok(None);
    }
    let mut numbers = rest.split(':').map(str::parse);
    let (Some(Ok(seq)), Some(Ok(mark))) = (numbers.next(), numbers.next()) else {
        return Err(odd());
    };
    let seen = SeenUpTo { seq, mark };
    if payload == self::payload(seen) {
        Ok(Some(seen))
    } else {
        Err(odd())
    }
}

fn payload(seen: SeenUpTo) -> String {
    let payload = format!("{TEXT_VERSION}:{}:{}", seen.seq, seen.mark);
    let check = crc32fast::hash(payload.as_bytes());
    format!("{payload}:{check}")
}

/// An index that can be relied on.
struct Opened {
    index: Index,
    seen: SeenUpTo,
    segments: Vec<Segment>,
}

/// Opens an index, for readers and writers alike. `None` if it is of another version. Fast fields, lengths and deletions are
/// read without any check later, so their checksums are compared here; `whole` compares those of the postings too.
fn open(dir: &Path, whole: bool) -> Result<Option<Opened>, Fault> {
    let list = dir.join("meta.json");
    if kind_at(&list) == PathKind::Nothing {
        return Err(Fault::Missing);
    }
    let damaged = |what: String| Fault::Damaged { what };
    for _ in 0..5 {
        let before = file_id(&list, true);
        match regular(dir).and_then(|()| guarded(|| try_open(dir, whole))) {
            Ok(opened) => return Ok(opened),
            // A writer merged segments away between our reading of the list and opening its files.
            Err(_) if before != file_id(&list, true) => {}
            Err(error) => return Err(damaged(said(&error))),
        }
    }
    Err(damaged("its list of files changes all the time".into()))
}

/// Accepts only files: opening anything else could wait for ever.
fn regular(dir: &Path) -> tantivy::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        // A file may be removed by a merge while we look.
        if !may_be_file(&entry.path()) {
            let what = format!("{} is not a file", entry.file_name().to_string_lossy());
            return Err(TantivyError::InternalError(what));
        }
    }
    Ok(())
}

fn try_open(dir: &Path, whole: bool) -> tantivy::Result<Option<Opened>> {
    let index = Index::open(MmapDirectory::open(dir)?)?;
    let Some(seen) = seen_by(&index.load_metas()?)? else {
        return Ok(None);
    };
    if index.schema() != schema() {
        return Ok(None);
    }
    let mut segments = Vec::new();
    let mut base = 0;
    for segment in index.searchable_segments()? {
        check(&index, &segment, whole)?;
        let segment = Segment::open(&index, &segment, base)?;
        base += segment.reader.max_doc();
        segments.push(segment);
    }
    Ok(Some(Opened {
        index,
        seen,
        segments,
    }))
}

fn check(index: &Index, segment: &tantivy::Segment, whole: bool) -> tantivy::Result<()> {
    use tantivy::index::SegmentComponent as Part;
    let mut parts = vec![Part::FastFields, Part::FieldNorms];
    if segment.meta().has_deletes() {
        parts.push(Part::Delete);
    }
    if whole {
        parts.extend([Part::Postings, Part::Terms, Part::Positions, Part::Store]);
    }
    for part in parts {
        let path = segment.relative_path(part);
        if !index.directory().validate_checksum(&path)? {
            let what = format!("the checksum of {} is wrong", path.display());
            return Err(TantivyError::InternalError(what));
        }
    }
    Ok(())
}

/// What is wrong with an index, after checking every byte.
pub(crate) fn fault(dir: &Path) -> Option<Fault> {
    open(dir, true).err()
}

/// A consistent view of the index for reading.
pub struct TextIndex {
    segments: Vec<Segment>,
    n_docs: u64,
    seen: SeenUpTo,
    fault: Option<Fault>,
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
    /// An empty index.
    pub(crate) fn empty(fault: Option<Fault>) -> Self {
        Self {
            segments: Vec::new(),
            n_docs: 0,
            seen: SeenUpTo::default(),
            fault,
            files: OnceLock::new(),
        }
    }

    /// Opens an index. One that cannot be used becomes an empty one that says why.
    pub(crate) fn open(dir: &Path) -> Self {
        match open(dir, false) {
            Ok(Some(Opened { seen, segments, .. })) => Self {
                n_docs: segments
                    .iter()
                    .map(|segment| u64::from(segment.reader.num_docs()))
                    .sum(),
                segments,
                seen,
                fault: None,
                files: OnceLock::new(),
            },
            Ok(None) => Self::empty(None),
            Err(fault) => Self::empty(Some(fault)),
        }
    }

    /// Number of documents that are not deleted.
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
        self.seen.seq
    }

    pub(crate) fn seen(&self) -> SeenUpTo {
        self.seen
    }

    /// Why it is empty, if it should not be.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
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
    fn open(index: &Index, segment: &tantivy::Segment, base: u32) -> tantivy::Result<Self> {
        let reader = SegmentReader::open(segment)?;
        let fields = TextField::ALL
            .iter()
            .map(|field| index.schema().get_field(field.as_str()));
        let fields = fields.collect::<tantivy::Result<Vec<Field>>>()?;
        let columns = reader.fast_fields();
        let opened = Self {
            file: columns.u64("file")?,
            chunk: columns.u64("chunk")?,
            order: columns.u64("order")?,
            base,
            fields,
            reader,
        };
        // The list of segments says how many documents each has, and has no checksum.
        let n_alive = opened.reader.alive_bitset().map(|alive| alive.num_alive_docs());
        let max_doc = opened.reader.max_doc();
        if opened.file.num_docs() != max_doc
            || n_alive.is_some_and(|n| n != opened.reader.num_docs() as usize)
        {
            return Err(TantivyError::InternalError(
                "the list of segments and the segments disagree".into(),
            ));
        }
        Ok(opened)
    }

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

/// tantivy trusts its files and may panic if they are damaged. The index can be made again, so a panic becomes an error.
fn guarded<T>(work: impl FnOnce() -> tantivy::Result<T>) -> tantivy::Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(TantivyError::InternalError(
            "a file of the index makes no sense".into(),
        ))
    })
}

fn damaged(error: TantivyError) -> StoreError {
    StoreError::TextDamaged { what: said(&error) }
}

/// Our own messages are used as they are.
fn said(error: &TantivyError) -> String {
    match error {
        TantivyError::InternalError(what) => what.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
