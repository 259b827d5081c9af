//! Readers of the formats in which projects state facts about themselves: JSON, TOML and YAML as one tree, XML, and build
//! scripts as words. Each value knows its line. Texts come in, trees or a note come out; what a key means is not known here.

pub(crate) mod script;
pub(crate) mod tree;
pub(crate) mod xml;
