//! The laws of a pack, each over thousands of made-up worlds, and the tables of its rules. Tokens are counted by a tokenizer
//! that is not ours, texts are read by parsers that are not ours.

mod markdown;
mod markup;
mod read;
mod world;
