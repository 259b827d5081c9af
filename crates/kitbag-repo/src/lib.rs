//! The working tree: which files belong to the project, what is in them, and what changed.
//!
//! A directory goes in; sorted, decoded source files without secrets come out. This is the only room that reads the user's files
//! and the only one that starts `git`; it never parses source. Reading order: [`Tree`] (the API), `judge` (the filter, IDX-7),
//! `walk` and `rescan` (the filter over a whole tree, in full and incrementally), `read` (one file, safely), `secrets` (what is cut
//! out of every text). For packs: `denied` (files that they must not contain), `ages` (when files changed), `commits` (messages and
//! files), `past` (changes of a place), `older` (texts in older commits), `diff` (current changes).
//!
//! Ignore patterns are matched by our own matcher (`pattern`): git's rules differ from globs in braces, classes and `**`, the
//! results must equal git's, and `check-file` names the line that decided.
#![expect(
    clippy::disallowed_methods,
    reason = "this room reads the working tree and runs git"
)]

mod ages;
mod boundary;
mod builtin;
mod checked_out;
mod commits;
mod decode;
mod denied;
mod diff;
mod error;
mod explore;
mod folder;
mod git;
mod judge;
mod links;
mod look;
mod older;
mod open;
mod past;
mod pattern;
mod places;
mod read;
mod rescan;
mod root;
mod rules;
mod scan;
pub mod secrets;
mod skip;
mod stamp;
mod tracked;
mod tree;
mod walk;
mod watch;
mod written;

pub use ages::{Ages, Touches, WorkingCopy};
pub use boundary::BoundaryOptions;
pub use checked_out::checked_out;
pub use commits::{Commit, NoHistory, commits};
pub use diff::{Diff, DiffError};
pub use error::RepoError;
pub use git::head;
pub use older::{OlderChange, OlderCommit, commits_touching, files_at, older_commits, text_at};
pub use open::open_named;
pub use past::{BlamedLines, PastChange, PastFile, PastHunk};
pub use read::{FailureKind, ReadFailure};
pub use root::{RootKind, default_store, find_root, git_common_dir, global_ignore_path};
pub use scan::{ConsultedFile, Repository, Scan, ScannedFile, ScannedFolder};
pub use skip::{Skip, SkipReason, Verdict};
pub use stamp::{FolderStamp, is_settled};
pub use tree::Tree;
pub use watch::{Alarm, Patience, WakeReason, Watch};
pub use written::Written;
