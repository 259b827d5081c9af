//! The bounds of conventions, in one place.

/// A named convention needs this many cases to be told at all.
pub(super) const LEAST_CASES: u64 = 5;
/// Below this share it is no convention and not even listed with `--all`.
pub(super) const LEAST_SHARE: f64 = 0.65;
/// A convention is shown if the lower end of what its share may be (Wilson, 90 %) reaches this.
pub(super) const SHOWN_BOUND: f64 = 0.88;
/// … and at least this many cases speak for it, in this many files.
pub(super) const SHOWN_CASES: u64 = 10;
/// … lines are many and change together.
pub(super) const SHOWN_LINES: u64 = 1_000;
pub(super) const SHOWN_FILES: usize = 3;

/// What functions call and take changes sooner than what they are called: such conventions must be surer.
pub(super) const SHOWN_BODY_BOUND: f64 = 0.92;

/// What the members of a folder have in common by chance is not followed by the next ones: 21 of 27 held, of others 49 of 52 (INS-11).
/// Mined conventions of these groups are only listed with `--all`.
pub(super) const FOLDER_GROUPS: &str = "folder in under";

/// A mined group has this many members in this many files.
pub(super) const MINED_MEMBERS: u64 = 6;
pub(super) const MINED_FILES: usize = 4;
/// The share of a mined group that must have the feature.
pub(super) const MINED_SHARE: f64 = 0.9;
/// What the group has must be this much rarer elsewhere.
pub(super) const MINED_LIFT: f64 = 2.0;
/// … and no more of the others than this may have it.
pub(super) const MINED_ELSEWHERE: f64 = 0.4;
/// Conventions told of one group, and in all.
pub(super) const MINED_PER_GROUP: usize = 2;
pub(super) const MINED_MOST: usize = 60;
/// A definition that calls more is not looked through further.
pub(super) const MAX_FEATURES: usize = 160;

/// The z of the lower bound.
pub(super) const BOUND_Z: f64 = 1.2816;
/// Files, outliers of a pattern that are named.
pub(super) const NAMED_FILES: usize = 5;
pub(super) const NAMED_OUTLIERS: usize = 20;
/// Conventions from code that count as constraints (INS-3).
pub(super) const CONSTRAINT_SHARE: f64 = 0.95;
pub(super) const CONSTRAINT_CASES: u64 = 20;
