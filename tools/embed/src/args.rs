//! `verb --key value …`, and nothing cleverer.

use std::collections::BTreeMap;
use std::path::PathBuf;

pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

pub struct Args {
    pub verb: String,
    values: BTreeMap<String, String>,
}

impl Args {
    pub fn read(words: Vec<String>) -> Args {
        let mut words = words.into_iter();
        let verb = words.next().unwrap_or_default();
        let mut values = BTreeMap::new();
        while let Some(key) = words.next() {
            values.insert(
                key.trim_start_matches("--").to_owned(),
                words.next().unwrap_or_default(),
            );
        }
        Args { verb, values }
    }

    pub fn path(&self, key: &str) -> Result<PathBuf> {
        let value = self
            .values
            .get(key)
            .ok_or_else(|| format!("--{key} is missing"))?;
        Ok(PathBuf::from(value))
    }

    pub fn text(&self, key: &str, otherwise: &str) -> String {
        self.values.get(key).map_or(otherwise, String::as_str).to_owned()
    }

    pub fn number(&self, key: &str, otherwise: f64) -> Result<f64> {
        match self.values.get(key) {
            Some(text) => Ok(text
                .parse()
                .map_err(|_| format!("--{key} {text}: not a number"))?),
            None => Ok(otherwise),
        }
    }

    pub fn count(&self, key: &str, otherwise: usize) -> Result<usize> {
        Ok(self.number(key, otherwise as f64)? as usize)
    }
}
