//! What people decided about conventions: a small file beside the code that a team can commit (INS-2).

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The name of the file, at the root of the project.
pub const DECISIONS_FILE: &str = "kitbag.patterns.toml";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    Discovered,
    Approved,
    Ignored,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Self::Discovered => "discovered",
            Self::Approved => "approved",
            Self::Ignored => "ignored",
        }
    }
}

/// Ids by what was decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    pub approved: BTreeSet<String>,
    pub ignored: BTreeSet<String>,
}

impl Decisions {
    /// From the text of the file; the error says what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| error.message().to_owned())?;
        if let Some(key) = table
            .keys()
            .find(|key| !matches!(key.as_str(), "approved" | "ignored"))
        {
            return Err(format!("unknown key `{key}`; known are approved, ignored"));
        }
        let ids = |key: &str| -> Result<BTreeSet<String>, String> {
            let Some(value) = table.get(key) else {
                return Ok(BTreeSet::new());
            };
            let list = value.as_array().ok_or_else(|| format!("`{key}` is not a list"))?;
            let id = |item: &toml::Value| item.as_str().map(str::to_owned);
            list.iter()
                .map(|item| id(item).ok_or_else(|| format!("`{key}` holds something that is not a text")))
                .collect()
        };
        Ok(Self {
            approved: ids("approved")?,
            ignored: ids("ignored")?,
        })
    }

    pub fn status(&self, id: &str) -> Status {
        if self.ignored.contains(id) {
            Status::Ignored
        } else if self.approved.contains(id) {
            Status::Approved
        } else {
            Status::Discovered
        }
    }

    /// The last decision about an id counts; `Discovered` takes it back.
    pub fn decide(&mut self, id: &str, status: Status) {
        self.approved.remove(id);
        self.ignored.remove(id);
        match status {
            Status::Approved => self.approved.insert(id.to_owned()),
            Status::Ignored => self.ignored.insert(id.to_owned()),
            Status::Discovered => false,
        };
    }

    /// The text of the file: an id a line, sorted, so that two people's changes merge.
    pub fn text(&self) -> String {
        let mut out =
            "# What the team decided about conventions (`kitbag patterns approve|ignore ID`).\n".to_owned();
        for (key, ids) in [("approved", &self.approved), ("ignored", &self.ignored)] {
            let _ = writeln!(out, "{key} = [");
            for id in ids {
                let _ = writeln!(out, "    {},", toml::Value::String(id.clone()));
            }
            out.push_str("]\n");
        }
        out
    }
}
