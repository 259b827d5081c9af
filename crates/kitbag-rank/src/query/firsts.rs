//! Keeps the first distinct values up to a limit, and whether there were more. A question may contain a hundred thousand names;
//! each kept one is looked up later, and comparing each with all before it would take minutes.

use std::collections::BTreeSet;

pub(super) struct Firsts<T> {
    most: usize,
    found: Vec<T>,
    known: BTreeSet<T>,
    is_cut: bool,
}

impl<T: Ord + Clone> Firsts<T> {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            found: Vec::new(),
            known: BTreeSet::new(),
            is_cut: false,
        }
    }

    pub(super) fn push(&mut self, one: T) {
        if self.known.contains(&one) {
            return;
        }
        if self.found.len() == self.most {
            self.is_cut = true;
            return;
        }
        self.known.insert(one.clone());
        self.found.push(one);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    pub(super) fn into_found(self) -> Vec<T> {
        self.found
    }
}

impl Firsts<String> {
    pub(super) fn push_str(&mut self, one: &str) {
        if !self.known.contains(one) {
            self.push(one.to_owned());
        }
    }
}
