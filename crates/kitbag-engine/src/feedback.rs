//! What was thought of earlier answers moves later ones, a little (MEM-5). By path and label, because chunks come and go and those stay.

use std::collections::BTreeMap;

use kitbag_rank::thread::feedback_factor;
use kitbag_store::FeedbackRow;

use crate::Engine;

/// How much more often each place was of use than not, for one user.
#[derive(Default)]
pub(crate) struct Feedback(BTreeMap<(String, String), i64>);

impl Feedback {
    /// Nothing if there is none or it cannot be read: an answer does not depend on it.
    pub(crate) fn of(engine: &Engine, user: &str) -> Self {
        let rows = engine.read_journal(|journal| journal.feedback(user));
        Self::new(&rows.ok().flatten().unwrap_or_default())
    }

    pub(crate) fn new(rows: &[FeedbackRow]) -> Self {
        let mut net = BTreeMap::new();
        for row in rows.iter().filter(|row| !row.path.is_empty()) {
            let place = (row.path.clone(), row.label.clone());
            *net.entry(place).or_insert(0) += if row.useful { 1 } else { -1 };
        }
        Self(net)
    }

    /// By path and label, in order.
    pub(crate) fn places(&self) -> impl Iterator<Item = (&str, &str, i64)> {
        let places = self.0.iter();
        places.map(|((path, label), net)| (path.as_str(), label.as_str(), *net))
    }

    /// 0.8 to 1.2; 1 if nobody said anything.
    pub(crate) fn factor(&self, path: &str, label: &str) -> f64 {
        if self.0.is_empty() {
            return 1.0;
        }
        let net = |label: &str| {
            self.0
                .get(&(path.to_owned(), label.to_owned()))
                .copied()
                .unwrap_or(0)
        };
        let all = if label.is_empty() {
            net("")
        } else {
            net(label) + net("")
        };
        feedback_factor(all)
    }
}
