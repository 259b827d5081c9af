//! The bridge from `kitbag_types::terms` to tantivy: the same words on both sides, no second tokenizer.

use kitbag_types::terms::each_term;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// The name the schema knows the tokenizer by.
pub(super) const NAME: &str = "kitbag";

/// Cuts the whole text at once into one reused buffer, then hands the terms out one by one.
#[derive(Clone, Default)]
pub(super) struct Terms {
    buffer: String,
    ends: Vec<usize>,
    token: Token,
}

pub(super) struct TermStream<'a> {
    terms: &'a mut Terms,
    next: usize,
}

impl Tokenizer for Terms {
    type TokenStream<'a> = TermStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermStream<'a> {
        self.buffer.clear();
        self.ends.clear();
        let (buffer, ends) = (&mut self.buffer, &mut self.ends);
        each_term(text, &mut |term| {
            buffer.push_str(term);
            ends.push(buffer.len());
        });
        self.token.reset();
        TermStream { terms: self, next: 0 }
    }
}

impl TokenStream for TermStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(end) = self.terms.ends.get(self.next) else {
            return false;
        };
        let start = if self.next == 0 {
            0
        } else {
            self.terms.ends[self.next - 1]
        };
        self.terms.token.text.clear();
        self.terms.token.text.push_str(&self.terms.buffer[start..*end]);
        self.terms.token.position = self.next;
        self.next += 1;
        true
    }

    fn token(&self) -> &Token {
        &self.terms.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.terms.token
    }
}
