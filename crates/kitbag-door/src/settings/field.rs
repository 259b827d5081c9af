//! How a row of the table accesses the field of its setting: `at!(s => s.options.boundary.hidden)`.
//!
//! A row can read and write its field, so defaults, `config show` and the search for a wrong setting (`blame.rs`) need no
//! second list. Values are checked against the kind of their row before they get here. A value of another type is a mistake
//! in the table, which the first test that loads settings finds.

use std::path::PathBuf;

use kitbag_engine::{ApiKey, Fusion};

use super::values::Value;
use super::{Mode, Settings};

/// How to read and write the field of a row.
#[derive(Clone, Copy, Debug)]
pub struct FieldValue {
    /// `None` if it is unset.
    pub get: fn(&Settings) -> Option<Value>,
    pub set: fn(&mut Settings, Value),
}

/// A field by its path; with a unit, a field that holds a duration.
macro_rules! at {
    ($settings:ident => $place:expr) => {
        $crate::settings::field::FieldValue {
            get: |$settings| $crate::settings::field::Field::value(&$place),
            set: |$settings, value| $crate::settings::field::Field::fill(&mut $place, value),
        }
    };
    ($settings:ident => $place:expr, $milliseconds:ident) => {
        $crate::settings::field::FieldValue {
            get: |$settings| {
                let units = $place.as_millis() / u128::from($milliseconds);
                Some(Value::Count(u64::try_from(units).unwrap_or(u64::MAX)))
            },
            set: |$settings, value| {
                $place = Duration::from_millis(value.count().saturating_mul($milliseconds))
            },
        }
    };
}
pub(crate) use at;

/// Units of durations, in milliseconds.
pub const MILLISECONDS: u64 = 1;
pub const MINUTES: u64 = 60_000;

/// A type that a setting can have.
pub trait Field {
    fn value(&self) -> Option<Value>;
    fn fill(&mut self, value: Value);
}

impl Field for bool {
    fn value(&self) -> Option<Value> {
        Some(Value::Bool(*self))
    }

    fn fill(&mut self, value: Value) {
        match value {
            Value::Bool(on) => *self = on,
            other => unlike(&other),
        }
    }
}

macro_rules! counts {
    ($($number:ty),+) => {
        $(impl Field for $number {
            fn value(&self) -> Option<Value> {
                Some(Value::Count(u64::try_from(*self).unwrap_or(u64::MAX)))
            }

            fn fill(&mut self, value: Value) {
                // The range of the row is within what the type can hold.
                *self = <$number>::try_from(value.count()).unwrap_or(<$number>::MAX);
            }
        })+
    };
}
counts!(u16, u32, u64, usize);

impl Field for f64 {
    fn value(&self) -> Option<Value> {
        Some(Value::Ratio(*self))
    }

    fn fill(&mut self, value: Value) {
        match value {
            Value::Ratio(ratio) => *self = ratio,
            other => unlike(&other),
        }
    }
}

impl Field for Vec<String> {
    fn value(&self) -> Option<Value> {
        Some(Value::List(self.clone()))
    }

    fn fill(&mut self, value: Value) {
        match value {
            Value::List(items) => *self = items,
            other => unlike(&other),
        }
    }
}

macro_rules! texts {
    ($($type:ty: $show:expr, $read:expr;)+) => {
        $(impl Field for $type {
            fn value(&self) -> Option<Value> {
                let show: fn(&$type) -> String = $show;
                Some(Value::Text(show(self)))
            }

            fn fill(&mut self, value: Value) {
                let read: fn(&str) -> Option<$type> = $read;
                match &value {
                    Value::Text(text) => *self = read(text).unwrap_or_else(|| unlike(&value)),
                    other => unlike(other),
                }
            }
        })+
    };
}
texts! {
    String: String::clone, |text| Some(text.to_owned());
    PathBuf: |path| path.display().to_string(), |text| Some(PathBuf::from(text));
    ApiKey: |key| key.reveal().to_owned(), |text| Some(ApiKey::new(text));
    Fusion: |fusion| fusion.as_str().to_owned(), Fusion::parse;
    Mode: |mode| mode.as_str().to_owned(), Mode::parse;
}

/// A field that may be unset.
macro_rules! options {
    ($($type:ty: $empty:expr;)+) => {
        $(impl Field for Option<$type> {
            fn value(&self) -> Option<Value> {
                self.as_ref().and_then(Field::value)
            }

            fn fill(&mut self, value: Value) {
                self.insert($empty).fill(value);
            }
        })+
    };
}
options! {
    u32: 0;
    usize: 0;
    f64: 0.0;
    String: String::new();
    PathBuf: PathBuf::new();
    ApiKey: ApiKey::new("");
}

impl Value {
    /// The number of a row that has a count.
    pub fn count(&self) -> u64 {
        match self {
            Value::Count(n) => *n,
            other => unlike(other),
        }
    }
}

fn unlike(value: &Value) -> ! {
    unreachable!("a row of the table fills a field of another type: {value:?}")
}
