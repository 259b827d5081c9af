//! The code as memories see it: files with their tokens, and where names are defined. The working tree is one such view, a commit of
//! the past is another.

use std::cell::OnceCell;
use std::rc::Rc;
use std::time::Duration;

use kitbag_syntax::{Sense, SenseDefinition};
use kitbag_types::RepoPath;

use crate::cut::content_hash;

/// A file, taken apart.
pub(crate) struct CodeFile {
    pub path: String,
    /// Of its bytes.
    pub hash: String,
    pub text: String,
    pub sense: Sense,
    /// What each definition means, with and without its name; made when somebody asks.
    meanings: OnceCell<Vec<[String; 2]>>,
}

/// See the module.
pub(crate) trait Code {
    /// `None`: there is no such file, or nobody may read it.
    fn file(&self, path: &str) -> Option<Rc<CodeFile>>;
    /// The hash of a file's bytes, if that is quicker to have than the file.
    fn hash(&self, path: &str) -> Option<String>;
    /// Files that define something of this name, in order. `None`: too many to look at.
    fn defining(&self, name: &str) -> Option<Vec<String>>;
    /// Files with these bytes, in order.
    fn with_hash(&self, hash: &str) -> Vec<String>;
    /// What is checked out.
    fn commit(&self) -> String;
}

impl CodeFile {
    pub(crate) fn new(path: &str, text: String, hash: String, clock: kitbag_syntax::Clock) -> Self {
        let language = RepoPath::new(path).ok().and_then(|path| {
            let first_line = text.lines().next().unwrap_or_default();
            kitbag_syntax::language_of(&path, first_line)
        });
        let sense = kitbag_syntax::sense(&text, language, clock, Duration::MAX);
        Self {
            path: path.to_owned(),
            hash,
            text,
            sense,
            meanings: OnceCell::new(),
        }
    }

    /// What each definition means, and the same whatever it is called, in their order.
    pub(crate) fn meanings(&self) -> impl Iterator<Item = (&SenseDefinition, &str, &str)> {
        let of = |definition: &SenseDefinition| {
            let said = |name| digest(&self.sense.said(definition.tokens.clone(), name));
            [said(None), said(Some(definition.name.as_str()))]
        };
        let all = self
            .meanings
            .get_or_init(|| self.sense.definitions.iter().map(of).collect());
        let both = self.sense.definitions.iter().zip(all);
        both.map(|(definition, [named, nameless])| (definition, named.as_str(), nameless.as_str()))
    }

    pub(crate) fn whole_meaning(&self) -> String {
        digest(&self.sense.said(0..self.sense.n_tokens(), None))
    }
}

/// Hexadecimal digits that stand for a text.
pub(crate) fn digest(text: &str) -> String {
    hex(&content_hash(text))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
