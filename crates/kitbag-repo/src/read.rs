//! Reads one file: safely, completely, decoded, and without its secrets.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use kitbag_types::{LineRange, Note, RepoPath, SourceFile};

use crate::open::{OpenFailure, open_regular};
use crate::secrets::Finding;
use crate::stamp::file_stamp;
use crate::tree::Tree;
use crate::{Skip, SkipReason, builtin, decode};

/// A file is read again if it changed meanwhile, but only a few times: it may be a growing log.
const MAX_ATTEMPTS: usize = 3;
/// The most findings per file that are listed one by one.
const MAX_NOTES: usize = 100;

/// Why a file has no text. It never ends an indexing run.
#[derive(Debug)]
pub enum ReadFailure {
    /// It is not indexed: binary, too large, a link.
    Skipped(Skip),
    /// The system failed; a later attempt may succeed.
    Failed { kind: FailureKind, message: String },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    Vanished,
    Permission,
    /// It has become a folder, a pipe or a device.
    NotAFile,
    Io,
}

impl FailureKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Vanished => "vanished",
            Self::Permission => "permission",
            Self::NotAFile => "not_a_file",
            Self::Io => "io",
        }
    }
}

impl Tree {
    /// Whether [`Tree::read`] would give a text, judged by the first bytes. The content decides only by these (IDX-4), so counting
    /// files need not read them whole (IDX-7).
    pub fn sniff(&self, path: &RepoPath) -> Result<(), ReadFailure> {
        never(path)?;
        self.deny(path)?;
        let follow = self.options().follow_symlinks;
        self.stays_inside(path, follow)?;
        let (mut file, _) = open_regular(&self.disk(path.as_str()), follow).map_err(open_failure)?;
        let mut bytes = Vec::new();
        // One more than is checked: a character that the end of the sample cuts is not an error.
        (&mut file)
            .take(decode::SNIFF_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| failed(&error))?;
        text_only(&bytes)
    }

    /// Reads a file. Of the filter, only the deny-list is checked again: a path that a caller names may be ignored, but not denied.
    pub fn read(&self, path: &RepoPath) -> Result<SourceFile, ReadFailure> {
        never(path)?;
        self.deny(path)?;
        let (bytes, stamp) = self.read_bytes(path)?;
        let hash = *blake3::hash(&bytes).as_bytes();
        text_only(&bytes)?;
        let (text, replaced) = decode::decode(bytes);
        let mut notes = Vec::new();
        if replaced {
            let message = "not valid in its encoding; what could not be read is shown as \u{FFFD}".to_owned();
            notes.push(Note {
                code: "not_utf8",
                lines: None,
                message,
            });
        }
        let (clean, findings) = self.secrets().redact(&text);
        notes.extend(redaction_notes(&findings));
        let text = match clean {
            std::borrow::Cow::Borrowed(_) => text,
            std::borrow::Cow::Owned(clean) => clean,
        };
        Ok(SourceFile {
            path: path.clone(),
            stamp,
            hash,
            text,
            notes,
        })
    }

    /// Refuses files on the deny-list, whoever names them (SEC-7). Where links are followed, their targets are checked too.
    fn deny(&self, path: &RepoPath) -> Result<(), ReadFailure> {
        let denied = |path: &RepoPath| match self.denied(path) {
            Some(rule) => Err(ReadFailure::Skipped(Skip::new(SkipReason::Denied, rule))),
            None => Ok(()),
        };
        denied(path)?;
        if self.options().follow_symlinks {
            let real = self.resolve(Path::new(path.as_str()), self.root());
            denied(&real.map_err(|_| symlink("a link that leads out of the project, or nowhere"))?)?;
        }
        Ok(())
    }

    fn read_bytes(&self, path: &RepoPath) -> Result<(Vec<u8>, kitbag_types::FileStamp), ReadFailure> {
        let disk = self.disk(path.as_str());
        let follow = self.options().follow_symlinks;
        self.stays_inside(path, follow)?;
        let limit = self.rules().size_limit(path.as_str());
        for attempt in 1.. {
            let (mut file, metadata) = open_regular(&disk, follow).map_err(open_failure)?;
            let stamp = file_stamp(&metadata);
            let mut bytes = Vec::with_capacity(usize::try_from(stamp.size.min(limit)).unwrap_or(0) + 1);
            (&mut file)
                .take(limit + 1)
                .read_to_end(&mut bytes)
                .map_err(|error| failed(&error))?;
            if bytes.len() as u64 > limit {
                let size = (bytes.len() as u64).max(stamp.size);
                let skip = self.rules().too_large(path.as_str(), size);
                return Err(ReadFailure::Skipped(
                    skip.unwrap_or_else(|| Skip::new(SkipReason::TooLarge, "over the limit")),
                ));
            }
            let after = file
                .metadata()
                .map(|metadata| file_stamp(&metadata))
                .map_err(|error| failed(&error))?;
            if after == stamp || attempt == MAX_ATTEMPTS {
                // With the stamp from before the reading, the next rescan sees that it changed since.
                return Ok((bytes, stamp));
            }
        }
        unreachable!("the loop returns at the last attempt")
    }

    /// A folder on the path may have become a link since the scan; it must not lead out of the root.
    fn stays_inside(&self, path: &RepoPath, follow: bool) -> Result<(), ReadFailure> {
        if follow {
            let real = self
                .disk(path.as_str())
                .canonicalize()
                .map_err(|error| failed(&error))?;
            return match real.starts_with(self.root()) {
                true => Ok(()),
                false => Err(symlink("a link that leads out of the project")),
            };
        }
        let text = path.as_str();
        for (slash, _) in text.match_indices('/') {
            let folder = fs::symlink_metadata(self.disk(&text[..slash])).map_err(|error| failed(&error))?;
            if folder.file_type().is_symlink() {
                return Err(symlink("a folder on the way is a symbolic link, not followed"));
            }
        }
        Ok(())
    }
}

/// Names that are never read.
fn never(path: &RepoPath) -> Result<(), ReadFailure> {
    match builtin::never_rule(path.file_name()) {
        Some(rule) => Err(ReadFailure::Skipped(Skip::new(
            SkipReason::Never,
            format!("never indexed: {rule}"),
        ))),
        None => Ok(()),
    }
}

fn text_only(bytes: &[u8]) -> Result<(), ReadFailure> {
    match decode::why_binary(bytes) {
        Some(detail) => Err(ReadFailure::Skipped(Skip::new(SkipReason::Binary, detail))),
        None => Ok(()),
    }
}

fn symlink(detail: &str) -> ReadFailure {
    ReadFailure::Skipped(Skip::new(SkipReason::Symlink, detail))
}

fn open_failure(failure: OpenFailure) -> ReadFailure {
    match failure {
        OpenFailure::Symlink => symlink("a symbolic link, not followed"),
        OpenFailure::NotAFile => ReadFailure::Failed {
            kind: FailureKind::NotAFile,
            message: "not a regular file".to_owned(),
        },
        OpenFailure::Io(error) => failed(&error),
    }
}

/// The message names only the kind of failure: the system's message may quote the file's name in an unknown encoding.
fn failed(error: &io::Error) -> ReadFailure {
    let kind = match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FailureKind::Vanished,
        io::ErrorKind::PermissionDenied => FailureKind::Permission,
        io::ErrorKind::IsADirectory => FailureKind::NotAFile,
        _ => FailureKind::Io,
    };
    ReadFailure::Failed {
        kind,
        message: error.kind().to_string(),
    }
}

/// The findings as notes, without their values (SEC-1).
fn redaction_notes(findings: &[Finding]) -> impl Iterator<Item = Note> {
    let rest = findings.len().saturating_sub(MAX_NOTES);
    let rest = (rest > 0).then(|| Note {
        code: "redacted",
        lines: None,
        message: format!("and {rest} more"),
    });
    let listed = findings.iter().take(MAX_NOTES).map(|finding| Note {
        code: "redacted",
        lines: Some(LineRange::new(finding.line, finding.line)),
        message: finding.rule.to_owned(),
    });
    listed.chain(rest).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests;
