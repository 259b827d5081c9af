//! What a memory cites, as it is kept: one line of text per citation in the memory's own row, because nobody ever looks for one
//! without its memory. Fields stand between tabs; a line that is not one of ours is passed over.

#[cfg(test)]
mod tests;

/// A place in the code that a memory is about, with what it meant then (MEM-3), and what the last look at it found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CitationRow {
    /// Where it was when it was cited.
    pub path: String,
    /// `container::name`; empty: the file, or lines of it.
    pub symbol: String,
    pub symbol_kind: String,
    /// Zero: not lines.
    pub line_start: u32,
    pub line_end: u32,
    /// Of what the code means, in hexadecimal digits.
    pub hash: String,
    /// The same without the definition's own name.
    pub nameless: String,
    pub signature: String,
    /// What was checked out.
    pub commit: String,
    /// Definitions of this name and meaning in the file, itself among them.
    pub n_same: u32,
    /// Others in the file that are the same but for their names.
    pub n_twins: u32,
    /// Others of this name and meaning in other files.
    pub n_copies: u32,
    /// Of lines: how many tokens they are, and a hash of the first.
    pub n_tokens: u32,
    pub first_token: String,
    /// The file that the verdict holds for: its path, and the hash of its bytes. Empty: never looked.
    pub seen_path: String,
    pub seen_hash: String,
    /// `fresh`, `drifted` or `orphaned`.
    pub state: String,
    /// Where it is now, if that is elsewhere.
    pub now_symbol: String,
    pub now_line: u32,
    /// What changed, in words.
    pub what: String,
    /// The first commit in which it meant something else.
    pub since: String,
}

pub(super) fn encoded(citations: &[CitationRow]) -> String {
    let lines: Vec<String> = citations.iter().map(CitationRow::encoded).collect();
    lines.join("\n")
}

impl CitationRow {
    fn texts(&self) -> [&String; 14] {
        [
            &self.path,
            &self.symbol,
            &self.symbol_kind,
            &self.hash,
            &self.nameless,
            &self.signature,
            &self.commit,
            &self.first_token,
            &self.seen_path,
            &self.seen_hash,
            &self.state,
            &self.now_symbol,
            &self.what,
            &self.since,
        ]
    }

    fn numbers(&self) -> [u32; 7] {
        [
            self.line_start,
            self.line_end,
            self.n_same,
            self.n_twins,
            self.n_copies,
            self.n_tokens,
            self.now_line,
        ]
    }

    fn encoded(&self) -> String {
        let texts = self.texts().map(|text| escaped(text));
        let numbers = self.numbers().map(|number| number.to_string());
        [&texts[..], &numbers[..]].concat().join("\t")
    }

    pub(super) fn decoded(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let (texts, numbers) = fields.split_at_checked(14)?;
        let mut texts = texts.iter().map(|text| plain(text));
        let mut text = || texts.next().unwrap_or_default();
        let (path, symbol, symbol_kind) = (text(), text(), text());
        let (hash, nameless, signature, commit) = (text(), text(), text(), text());
        let (first_token, seen_path, seen_hash) = (text(), text(), text());
        let (state, now_symbol, what, since) = (text(), text(), text(), text());
        let numbers: Vec<u32> = numbers
            .iter()
            .map(|number| number.parse().ok())
            .collect::<Option<_>>()?;
        let &[
            line_start,
            line_end,
            n_same,
            n_twins,
            n_copies,
            n_tokens,
            now_line,
        ] = numbers.as_slice()
        else {
            return None;
        };
        Some(Self {
            path,
            symbol,
            symbol_kind,
            line_start,
            line_end,
            hash,
            nameless,
            signature,
            commit,
            n_same,
            n_twins,
            n_copies,
            n_tokens,
            first_token,
            seen_path,
            seen_hash,
            state,
            now_symbol,
            now_line,
            what,
            since,
        })
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\t', "\\t")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
}

fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('t') => out.push('\t'),
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                other => out.extend(other),
            },
            c => out.push(c),
        }
    }
    out
}
