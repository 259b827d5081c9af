//! When files last changed (PACK-12), kept with the index so that no question waits for git.
//!
//! An index run asks git when another commit is checked out (only for the commits since, where that can be told), and which of
//! the files that changed differ from it. A pack reads what was stored and starts no program. Outside git the time stamps of
//! the files count. What git did not say is unknown, and the pack says so.

use std::time::Duration;

use kitbag_repo::{Scan, Touches, WorkingCopy, checked_out};
use kitbag_store::{NewAges, Snapshot, StoreError, Writer};
use kitbag_types::{RepoPath, Timestamp};

use crate::{Engine, EngineError};

/// How far back recency looks: after two months it is only 0.002.
const WINDOW_MS: i64 = 60 * 86_400_000;
/// Git may take this long, once for the history and once for the working copy.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// Most files that git is asked about by name; with more, it is asked about all files.
const MOST_NAMED: usize = 200;
/// Prefix of the stamp if git did not answer.
const FAILED: &str = "failed ";

/// A stamp of what is checked out and what is tracked. `None` outside git.
fn stamp(engine: &Engine, scan: &Scan) -> Option<String> {
    let checked_out = checked_out(engine.root())?;
    let around = scan
        .repositories
        .iter()
        .find(|repository| repository.path.is_empty());
    let tracked = around.map_or_else(String::new, |around| {
        blake3::Hash::from_bytes(around.tracked).to_hex()[..16].to_owned()
    });
    Some(format!("{tracked} {checked_out}"))
}

/// True if [`catch_up`] has nothing to do. If git did not answer before, it is asked again only with `retry`.
pub(crate) fn is_current(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    scan: &Scan,
    retry: bool,
) -> Result<bool, StoreError> {
    let Some(stamp) = stamp(engine, scan) else {
        return Ok(true);
    };
    Ok(snapshot.ages()?.is_some_and(|stored| {
        let failed = stored.stamp.strip_prefix(FAILED) == Some(stamp.as_str());
        (stored.stamp == stamp && stored.seq == snapshot.state().seq) || (failed && !retry)
    }))
}

/// Asks git again if another commit is checked out or files have changed. Returns a warning if git does not answer.
pub(crate) fn catch_up(
    engine: &Engine,
    writer: &mut Writer<'_>,
    scan: &Scan,
    retry: bool,
    now: Timestamp,
) -> Result<Option<String>, EngineError> {
    let Some(stamp) = stamp(engine, scan) else {
        return Ok(None);
    };
    let stored = writer.ages()?;
    if !retry
        && stored
            .as_ref()
            .is_some_and(|stored| stored.stamp.strip_prefix(FAILED) == Some(&stamp))
    {
        return Ok(None);
    }
    let stored = stored.filter(|stored| !stored.stamp.starts_with(FAILED));
    let same = stored.as_ref().filter(|stored| stored.stamp == stamp);
    let since = now.0.saturating_sub(WINDOW_MS);
    let touches = match same {
        Some(stored) => Some(Touches {
            head: stored.head.clone(),
            paths: Default::default(),
            on_top: true,
        }),
        None => {
            let known = stored.as_ref().map(|stored| stored.head.as_str());
            Touches::read(engine.root(), Timestamp(since), known, TIME_LIMIT)
        }
    };
    // If the commit is the same, the answer for files that did not change is still right.
    let mut compared = match same {
        Some(stored) => Some(writer.paths_since(Some(stored.seq))?),
        None => None,
    };
    compared = compared.filter(|paths| paths.len() <= MOST_NAMED);
    let paths = match &compared {
        Some(paths) => paths.clone(),
        None => writer.paths_since(None)?,
    };
    let copy = if paths.is_empty() {
        Some(Vec::new())
    } else {
        let copy = WorkingCopy::read(engine.root(), compared.as_deref(), TIME_LIMIT);
        copy.map(|copy| paths.into_iter().filter(|path| copy.differs(path)).collect())
    };
    let (Some(touches), Some(differing)) = (touches, copy) else {
        writer.set_ages(&NewAges {
            stamp: format!("{FAILED}{stamp}"),
            ..NewAges::default()
        })?;
        return Ok(Some("git did not say when files last changed".to_owned()));
    };
    writer.set_ages(&NewAges {
        stamp,
        head: touches.head,
        since,
        touches: touches.paths.into_iter().map(|(path, at)| (path, at.0)).collect(),
        on_top: touches.on_top,
        compared,
        differing,
    })?;
    Ok(None)
}

/// What is known about the ages of files, for a pack.
pub(crate) struct Ages<'a, 's> {
    snapshot: &'a Snapshot<'s>,
    now: Timestamp,
    known: KnownAges,
}

enum KnownAges {
    /// For this commit, which is checked out; the files were compared with it up to this change of the tree.
    Git { head: String, seq: i64 },
    /// There is no git: time stamps of files are used.
    Stamps,
    /// For another commit than the one that is checked out now.
    Moved,
    /// Git did not answer, or was not asked yet.
    Nothing,
}

impl<'a, 's> Ages<'a, 's> {
    pub(crate) fn of(
        engine: &Engine,
        snapshot: &'a Snapshot<'s>,
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let known = match (checked_out(engine.root()), snapshot.ages()?) {
            (None, _) => KnownAges::Stamps,
            (Some(checked_out), Some(stored))
                if stored
                    .stamp
                    .split_once(' ')
                    .is_some_and(|(_, of)| of == checked_out) =>
            {
                KnownAges::Git {
                    head: stored.head,
                    seq: stored.seq,
                }
            }
            (Some(_), Some(stored)) if !stored.stamp.starts_with(FAILED) => KnownAges::Moved,
            _ => KnownAges::Nothing,
        };
        Ok(Self { snapshot, now, known })
    }

    /// What the reader of the pack should know.
    pub(crate) fn warning(&self) -> Option<String> {
        match self.known {
            KnownAges::Nothing => Some(
                "when files last changed is not known: git did not say at the last index run; recency is ignored"
                    .to_owned(),
            ),
            KnownAges::Moved => Some(
                "another commit is checked out since the last index run: the ages of files are from that run".to_owned(),
            ),
            KnownAges::Git { .. } | KnownAges::Stamps => None,
        }
    }

    /// The later of the last commit that touched the file and, where the working copy differs from that commit or is
    /// untracked, its own time. `None`: unknown, or before the window. Never after `now`: clocks are wrong more often than files
    /// come from the future.
    pub(crate) fn last_change(
        &self,
        path: &RepoPath,
        mtime_ns: i64,
        changed: bool,
    ) -> Result<Option<Timestamp>, StoreError> {
        let written = Timestamp(mtime_ns.div_euclid(1_000_000));
        let written = Some(written).filter(|written| written.0 >= self.now.0.saturating_sub(WINDOW_MS));
        let last = match &self.known {
            KnownAges::Nothing => None,
            KnownAges::Stamps => written,
            KnownAges::Git { .. } | KnownAges::Moved => {
                let committed = self.snapshot.touched_at(path)?.map(Timestamp);
                let differs = changed || self.differs(path)?;
                committed.max(written.filter(|_| differs))
            }
        };
        Ok(last.map(|last| last.min(self.now)))
    }

    /// The commit whose version of the file is in the working copy. `None` if the file differs, or if that is not known.
    pub(crate) fn commit_of(&self, path: &RepoPath) -> Result<Option<&str>, StoreError> {
        match &self.known {
            KnownAges::Git { head, .. } if !head.is_empty() && !self.differs(path)? => Ok(Some(head)),
            _ => Ok(None),
        }
    }

    fn differs(&self, path: &RepoPath) -> Result<bool, StoreError> {
        match &self.known {
            KnownAges::Git { seq, .. } => self.snapshot.differs(path, *seq),
            KnownAges::Stamps | KnownAges::Moved | KnownAges::Nothing => Ok(false),
        }
    }
}
