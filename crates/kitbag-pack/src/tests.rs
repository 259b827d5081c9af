//! The laws of a pack, each over thousands of made-up worlds, and the tables of its rules. Tokens are counted by a tokenizer
//! that is not ours, texts are read by parsers that are not ours.

mod account;
mod any_bytes;
mod briefing;
mod budget;
mod cite;
mod dedup;
mod listing;
mod markdown;
mod markup;
mod order;
mod overlap;
mod read;
mod sample;
mod score;
mod session;
mod text;
mod world;
