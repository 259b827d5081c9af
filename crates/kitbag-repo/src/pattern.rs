//! Ignore patterns with exactly git's meaning; the tests compare with `git check-ignore`.
//!
//! The common forms (a name, `*.ext`) are compared as bytes. The rest is matched token by token over all positions of the path at
//! once (`pattern/positions.rs`), so that no pattern of a hostile repository takes long.

mod positions;

use positions::{Positions, Reached};

/// The lines of one ignore file, and the folder they apply to.
#[derive(Debug)]
pub(crate) struct IgnoreFile {
    /// The name of the file in explanations.
    pub source: String,
    /// The folder that its patterns are relative to, without a slash at the end, `""` for the outermost.
    base: String,
    patterns: Vec<Pattern>,
}

#[derive(Debug)]
pub(crate) struct Pattern {
    line_number: u32,
    text: String,
    pub negated: bool,
    folders_only: bool,
    /// Whether it has no slash: then it is compared with the last component of the path.
    by_name: bool,
    form: Form,
}

#[derive(Debug)]
enum Form {
    Literal(Vec<u8>),
    /// `*` and then a literal.
    Suffix(Vec<u8>),
    /// A literal up to the first special character, then tokens.
    Glob(Vec<u8>, Tokens),
    Never(&'static str),
}

#[derive(Debug)]
struct Tokens {
    tokens: Vec<Token>,
    /// The length of the shortest match: a shorter text cannot match.
    least: usize,
}

#[derive(Debug)]
enum Token {
    Byte(u8),
    /// `?`
    One,
    Class(Box<[bool; 256]>),
    /// `*`: any run without a slash.
    Star,
    /// `**`: any run.
    StarStar,
    /// `**/`: nothing, or any run that ends with a slash.
    Folders,
}

impl IgnoreFile {
    pub(crate) fn parse(source: String, base: String, bytes: &[u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let lines = bytes.split(|byte| *byte == b'\n').zip(1u32..);
        let patterns = lines
            .filter_map(|(line, line_number)| Pattern::parse(line, line_number))
            .collect();
        Self {
            source,
            base,
            patterns,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    pub(crate) fn has_negated(&self) -> bool {
        self.patterns.iter().any(|pattern| pattern.negated)
    }

    /// The last pattern that matches `path`, a path from the same folder as `base`.
    pub(crate) fn matched(&self, path: &str, is_folder: bool) -> Option<&Pattern> {
        let path = self.relative(path)?.as_bytes();
        let name = path
            .iter()
            .rposition(|byte| *byte == b'/')
            .map_or(path, |slash| &path[slash + 1..]);
        self.patterns
            .iter()
            .rev()
            .find(|pattern| pattern.matches(path, name, is_folder))
    }

    /// Whether a negated line names something below this folder by its path: `!build/keep.rs` does for `build`, `!keep.rs` does
    /// not.
    pub(crate) fn brings_below(&self, folder: &str) -> bool {
        let Some(folder) = self.relative(folder) else {
            return false;
        };
        let inside = [folder.as_bytes(), b"/"].concat();
        let names = |pattern: &Pattern| match &pattern.form {
            Form::Literal(literal) => literal.starts_with(&inside),
            Form::Glob(start, _) => {
                !start.is_empty() && (start.starts_with(&inside) || inside.starts_with(start))
            }
            Form::Suffix(_) | Form::Never(_) => false,
        };
        self.patterns
            .iter()
            .any(|pattern| pattern.negated && !pattern.by_name && names(pattern))
    }

    /// The path relative to `base`; `None` if the patterns do not apply to it.
    fn relative<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.base.len() {
            0 => Some(path),
            n => path
                .strip_prefix(self.base.as_str())
                .filter(|rest| rest.starts_with('/'))
                .map(|_| &path[n + 1..]),
        }
    }

    /// `.gitignore:3: *.log`.
    pub(crate) fn explain(&self, pattern: &Pattern) -> String {
        format!("{}:{}: {}", self.source, pattern.line_number, pattern.text)
    }
}

impl Pattern {
    /// `None` for a blank line or a comment.
    fn parse(line: &[u8], line_number: u32) -> Option<Self> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() || line[0] == b'#' {
            return None;
        }
        let line = without_trailing_spaces(line);
        let text = String::from_utf8_lossy(line).into_owned();
        let (negated, line) = line.strip_prefix(b"!").map_or((false, line), |rest| (true, rest));
        let (folders_only, line) = line.strip_suffix(b"/").map_or((false, line), |rest| (true, rest));
        if line.is_empty() {
            return None;
        }
        let by_name = !line.contains(&b'/');
        let form = if by_name {
            name_form(line)
        } else {
            path_form(line.strip_prefix(b"/").unwrap_or(line))
        };
        Some(Self {
            line_number,
            text,
            negated,
            folders_only,
            by_name,
            form,
        })
    }

    /// Why a pattern of the user's configuration can never match; `None` if it can.
    pub(crate) fn why_never(text: &str) -> Option<&'static str> {
        match Self::parse(text.as_bytes(), 1) {
            Some(Self {
                form: Form::Never(reason),
                ..
            }) => Some(reason),
            Some(_) => None,
            None => Some("it is empty or a comment"),
        }
    }

    fn matches(&self, path: &[u8], name: &[u8], is_folder: bool) -> bool {
        if self.folders_only && !is_folder {
            return false;
        }
        let text = if self.by_name { name } else { path };
        match &self.form {
            Form::Literal(literal) => text == literal,
            Form::Suffix(suffix) => text.ends_with(suffix),
            Form::Glob(prefix, tokens) => text
                .strip_prefix(prefix.as_slice())
                .is_some_and(|rest| matches(tokens, rest)),
            Form::Never(_) => false,
        }
    }
}

/// Trailing spaces are ignored unless a backslash is before them; tabs always count.
fn without_trailing_spaces(line: &[u8]) -> &[u8] {
    let mut end = 0;
    let mut at = 0;
    while at < line.len() {
        match line[at] {
            b' ' => at += 1,
            b'\\' => {
                at = (at + 2).min(line.len());
                end = at;
            }
            _ => {
                at += 1;
                end = at;
            }
        }
    }
    &line[..end]
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'*' | b'?' | b'[' | b'\\')
}

fn name_form(pattern: &[u8]) -> Form {
    if !pattern.iter().copied().any(is_special) {
        return Form::Literal(pattern.to_vec());
    }
    if pattern[0] == b'*' && !pattern[1..].iter().copied().any(is_special) {
        return Form::Suffix(pattern[1..].to_vec());
    }
    tokens(pattern).map_or_else(Form::Never, |tokens| Form::Glob(Vec::new(), tokens))
}

/// Git compares the literal beginning first and the rest as a pattern of its own, so the stars in `a**/b` are at the beginning of
/// that pattern and cross folders. We do the same, because people see git's results.
fn path_form(pattern: &[u8]) -> Form {
    let n = pattern
        .iter()
        .position(|byte| is_special(*byte))
        .unwrap_or(pattern.len());
    if n == pattern.len() {
        return Form::Literal(pattern.to_vec());
    }
    tokens(&pattern[n..]).map_or_else(Form::Never, |tokens| Form::Glob(pattern[..n].to_vec(), tokens))
}

fn tokens(pattern: &[u8]) -> Result<Tokens, &'static str> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < pattern.len() {
        match pattern[at] {
            b'\\' => {
                tokens.push(Token::Byte(*pattern.get(at + 1).ok_or("it ends in a backslash")?));
                at += 2;
            }
            b'?' => {
                tokens.push(Token::One);
                at += 1;
            }
            b'[' => {
                let (class, next) = class(pattern, at + 1)?;
                tokens.push(Token::Class(class));
                at = next;
            }
            b'*' => {
                let start = at;
                while pattern.get(at) == Some(&b'*') {
                    at += 1;
                }
                let rest = &pattern[at..];
                let at_start = start == 0 || pattern[start - 1] == b'/';
                let crosses = at - start > 1
                    && at_start
                    && (rest.is_empty() || rest[0] == b'/' || rest.starts_with(b"\\/"));
                if crosses && rest.first() == Some(&b'/') {
                    // `**/**/` means the same as `**/`.
                    if !matches!(tokens.last(), Some(Token::Folders)) {
                        tokens.push(Token::Folders);
                    }
                    at += 1;
                } else {
                    tokens.push(if crosses { Token::StarStar } else { Token::Star });
                }
            }
            byte => {
                tokens.push(Token::Byte(byte));
                at += 1;
            }
        }
    }
    let takes_one = |token: &&Token| matches!(token, Token::Byte(_) | Token::One | Token::Class(_));
    let least = tokens.iter().filter(takes_one).count();
    Ok(Tokens { tokens, least })
}

/// Parses a bracket expression whose first byte is at `at`: the set of bytes, and where the pattern continues.
fn class(pattern: &[u8], mut at: usize) -> Result<(Box<[bool; 256]>, usize), &'static str> {
    const OPEN: &str = "a `[` is not closed";
    let byte_at = |at: usize| pattern.get(at).copied().ok_or(OPEN);
    let negated = matches!(byte_at(at)?, b'!' | b'^');
    at += usize::from(negated);
    let mut set = Box::new([false; 256]);
    let mut previous: Option<u8> = None;
    let mut first = true;
    loop {
        let byte = byte_at(at)?;
        if byte == b']' && !first {
            break;
        }
        first = false;
        if byte == b'\\' {
            at += 1;
            let escaped = byte_at(at)?;
            set[usize::from(escaped)] = true;
            previous = Some(escaped);
        } else if let (b'-', Some(low)) = (byte, previous)
            && pattern.get(at + 1).is_some_and(|next| *next != b']')
        {
            at += 1;
            if byte_at(at)? == b'\\' {
                at += 1;
            }
            for member in low..=byte_at(at)? {
                set[usize::from(member)] = true;
            }
            previous = None;
        } else if byte == b'[' && pattern.get(at + 1) == Some(&b':') {
            let close = pattern[at + 2..]
                .iter()
                .position(|byte| *byte == b']')
                .ok_or(OPEN)?
                + at
                + 2;
            if close > at + 2 && pattern[close - 1] == b':' {
                let holds = named_class(&pattern[at + 2..close - 1]).ok_or("an unknown `[:class:]`")?;
                (0..=255u8)
                    .filter(holds)
                    .for_each(|byte| set[usize::from(byte)] = true);
                at = close;
                previous = None;
            } else {
                set[usize::from(b'[')] = true;
                previous = Some(b'[');
            }
        } else {
            set[usize::from(byte)] = true;
            previous = Some(byte);
        }
        at += 1;
    }
    if negated {
        set.iter_mut().for_each(|member| *member = !*member);
    }
    set[usize::from(b'/')] = false;
    Ok((set, at + 1))
}

fn named_class(name: &[u8]) -> Option<fn(&u8) -> bool> {
    Some(match name {
        b"alnum" => u8::is_ascii_alphanumeric,
        b"alpha" => u8::is_ascii_alphabetic,
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"cntrl" => u8::is_ascii_control,
        b"digit" => u8::is_ascii_digit,
        b"graph" => u8::is_ascii_graphic,
        b"lower" => u8::is_ascii_lowercase,
        b"print" => |byte| byte.is_ascii_graphic() || *byte == b' ',
        b"punct" => u8::is_ascii_punctuation,
        b"space" => |byte| byte.is_ascii_whitespace() || *byte == 0x0B,
        b"upper" => u8::is_ascii_uppercase,
        b"xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    })
}

/// Whether the tokens match all of `text`.
fn matches(pattern: &Tokens, text: &[u8]) -> bool {
    if text.len() < pattern.least {
        return false;
    }
    let mut positions = Positions::new(text);
    let mut reached = Reached::start(text.len());
    for token in &pattern.tokens {
        match token {
            Token::Byte(byte) => reached.step(positions.of(*byte)),
            Token::One => reached.step(positions.inside_names()),
            Token::Class(set) => reached.step(&positions.of_any(set)),
            Token::Star => reached.run_to(positions.slashes()),
            Token::StarStar => reached.run_to(&[]),
            Token::Folders => reached.enter(positions.slashes()),
        }
        if reached.is_empty() {
            return false;
        }
    }
    reached.has_end()
}

#[cfg(test)]
mod tests;
