//! Asks git about a bare repository: commits with the files they change, patches, texts of blobs.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::args::Result;

/// A commit that is no merge, newest first.
pub struct Commit {
    pub id: String,
    pub author: String,
    pub message: String,
    pub files: Vec<FileChange>,
}

pub struct FileChange {
    /// `M` changed, `A` added, `D` removed.
    pub how: char,
    pub old_blob: String,
    pub path: String,
}

pub struct Git<'a>(pub &'a Path);

impl Git<'_> {
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .arg("--git-dir")
            .arg(self.0)
            .args(args)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// What git prints when `input` is written to it.
    fn answer(&self, args: &[&str], input: &str) -> Result<Vec<u8>> {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut stdin = child.stdin.take().ok_or("git has no input")?;
        let input = input.to_owned();
        // In a thread of its own: git writes while it reads.
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output()?;
        writer.join().map_err(|_| "a thread panicked")??;
        Ok(output.stdout)
    }

    pub fn commits(&self, most: usize) -> Result<Vec<Commit>> {
        let most = format!("--max-count={most}");
        let args = [
            "log",
            "--no-merges",
            "--raw",
            "--no-renames",
            "--no-abbrev",
            "-z",
            "--encoding=UTF-8",
            &most,
            "--format=%x01%H%x02%an%x02%B%x03",
            "HEAD",
        ];
        let output = self.command(&args).stdout(Stdio::piped()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(text.split('\x01').skip(1).filter_map(commit).collect())
    }

    /// Whether a commit's tree has a file.
    pub fn has(&self, commit: &str, path: &str) -> bool {
        let status = self
            .command(&["cat-file", "-e", &format!("{commit}:{path}")])
            .stdout(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    }

    /// Patches without context lines.
    pub fn patches(&self, commits: &[&str]) -> Result<String> {
        let args = [
            "-c",
            "core.quotePath=false",
            "diff-tree",
            "--stdin",
            "-r",
            "-p",
            "-U0",
            "--no-renames",
            "--diff-filter=M",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
        ];
        let input = commits.iter().map(|id| format!("{id}\n")).collect::<String>();
        Ok(String::from_utf8_lossy(&self.answer(&args, &input)?).into_owned())
    }

    /// The texts of blobs, without those that are large, gone or no text.
    pub fn texts(&self, blobs: &[&str], max_bytes: usize) -> Result<HashMap<String, String>> {
        let input = blobs.iter().map(|id| format!("{id}\n")).collect::<String>();
        let bytes = self.answer(&["cat-file", "--batch"], &input)?;
        let mut texts = HashMap::new();
        let mut rest = bytes.as_slice();
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let head = String::from_utf8_lossy(&rest[..end]).into_owned();
            rest = &rest[end + 1..];
            let mut words = head.split(' ');
            let (id, kind, size) = (words.next(), words.next(), words.next());
            let (Some(id), Some("blob"), Some(size)) =
                (id, kind, size.and_then(|size| size.parse::<usize>().ok()))
            else {
                continue;
            };
            if rest.len() < size + 1 {
                break;
            }
            if size <= max_bytes
                && let Ok(text) = std::str::from_utf8(&rest[..size])
            {
                texts.insert(id.to_owned(), text.to_owned());
            }
            rest = &rest[size + 1..];
        }
        Ok(texts)
    }

    /// Paths and blobs of the newest tree.
    pub fn tree(&self) -> Result<Vec<(String, String)>> {
        let output = self
            .command(&["ls-tree", "-r", "-z", "HEAD"])
            .stdout(Stdio::piped())
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let row = |line: &str| {
            let (head, path) = line.split_once('\t')?;
            let mut words = head.split(' ').skip(1);
            (words.next() == Some("blob")).then(|| Some((path.to_owned(), words.next()?.to_owned())))?
        };
        Ok(text.split('\0').filter_map(row).collect())
    }
}

fn commit(text: &str) -> Option<Commit> {
    let (head, raw) = text.split_once('\x03')?;
    let mut parts = head.splitn(3, '\x02');
    let (id, author, message) = (parts.next()?, parts.next()?, parts.next()?);
    // `:100644 100644 <old> <new> M\0path\0…`
    let mut fields = raw.split('\0').map(|field| field.trim_start_matches('\n'));
    let mut files = Vec::new();
    while let Some(field) = fields.next() {
        let Some(row) = field.strip_prefix(':') else {
            continue;
        };
        let mut words = row.split(' ').skip(2);
        let (old, _, how) = (words.next()?, words.next()?, words.next()?);
        files.push(FileChange {
            how: how.chars().next()?,
            old_blob: old.to_owned(),
            path: fields.next()?.to_owned(),
        });
    }
    Some(Commit {
        id: id.to_owned(),
        author: author.to_owned(),
        message: message.to_owned(),
        files,
    })
}
