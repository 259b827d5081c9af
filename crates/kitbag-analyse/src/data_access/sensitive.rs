//! What is sensitive by the names of tables and fields, and why.

use std::collections::BTreeSet;

use super::models::Models;

/// Words in the names of fields, by what they are about.
const FIELDS: &[(&str, &[&str])] = &[
    (
        "credentials",
        &[
            "password",
            "passwd",
            "passphrase",
            "secret",
            "api_key",
            "apikey",
            "access_token",
            "refresh_token",
            "private_key",
            "otp",
            "credential",
        ],
    ),
    (
        "personal data",
        &[
            "email",
            "phone",
            "ssn",
            "birth",
            "passport",
            "first_name",
            "firstname",
            "last_name",
            "lastname",
            "national_id",
            "street",
            "postcode",
            "zip_code",
        ],
    ),
    (
        "payment data",
        &[
            "card_number",
            "credit_card",
            "creditcard",
            "cvv",
            "cvc",
            "iban",
            "account_number",
            "routing_number",
        ],
    ),
    (
        "health data",
        &["diagnosis", "medical", "prescription", "blood_type", "allergy"],
    ),
];
/// Words that are the name of a table, singular.
const TABLES: &[(&str, &[&str])] = &[
    (
        "personal data",
        &[
            "user", "person", "people", "customer", "employee", "member", "contact", "account",
        ],
    ),
    (
        "credentials",
        &["credential", "api_key", "access_token", "password", "secret"],
    ),
    (
        "payment data",
        &["payment", "credit_card", "bank_account", "payment_method"],
    ),
    (
        "health data",
        &["patient", "medical_record", "prescription", "diagnosis"],
    ),
];

/// One sentence per sensitive table.
pub(super) fn reasons(models: &Models<'_>, tables: &BTreeSet<String>) -> Vec<String> {
    tables.iter().filter_map(|table| reason(models, table)).collect()
}

fn reason(models: &Models<'_>, table: &str) -> Option<String> {
    for (what, words) in FIELDS {
        let field = models.fields_of(table).into_iter().find(|field| {
            let snake = snake(field);
            words
                .iter()
                .any(|word| snake.contains(word) || snake.replace('_', "") == *word)
        });
        if let Some(field) = field {
            return Some(format!("{what}: {table}.{field}"));
        }
    }
    let name = singular(&snake(table));
    let name = name.trim_end_matches("_model").trim_end_matches("_entity");
    let about = TABLES.iter().find(|(_, words)| words.contains(&name));
    about.map(|(what, _)| format!("{what}: the table {table}"))
}

fn singular(name: &str) -> String {
    match name.strip_suffix('s') {
        Some(stem) if !name.ends_with("ss") => stem.to_owned(),
        _ => name.to_owned(),
    }
}

/// `passwordHash` → `password_hash`.
pub(super) fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut before_upper = true;
    for c in name.chars() {
        if c.is_uppercase() && !before_upper {
            out.push('_');
        }
        before_upper = c.is_uppercase() || c == '_';
        out.extend(c.to_lowercase());
    }
    out
}
