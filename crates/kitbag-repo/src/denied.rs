//! The deny-list (PACK-2, SEC-7): files that are never indexed and never shown, even when a caller names them.
//!
//! Secrets are redacted in all files. A file that contains *nothing but* a secret (a key, a keystore, a login) is refused as a
//! whole, because no redaction is perfect and nobody needs its text. The filter uses this list, so such a file is not in the index;
//! `Tree::read` checks it again, so no door can read one by its name. Names are compared without regard to case, as half of all
//! file systems do. The setting `denied_paths` adds to the list, and its `!exceptions` revoke a built-in rule for a path
//! (`!tests/certs/ca.pem`); git's own folder and `*.private` always stay denied.
//!
//! `.env.example` and similar files are documentation: they can be read, and are redacted like any text. The word must be the last
//! of the name: `.env.sample.local` is private.

use crate::builtin;
use crate::pattern::IgnoreFile;
use crate::tree::Tree;
use kitbag_types::RepoPath;

/// Whole names.
const NAMES: &[&str] = &[
    ".bash_history",
    ".boto",
    ".dockercfg",
    ".dockerconfigjson",
    ".git-credentials",
    ".htpasswd",
    ".my.cnf",
    ".mysql_history",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".psql_history",
    ".pypirc",
    ".python_history",
    ".s3cfg",
    ".terraformrc",
    ".vault-token",
    ".zsh_history",
    "_netrc",
    "application_default_credentials.json",
    "credentials.json",
    "credentials.tfrc.json",
    "credentials.xml",
    "htpasswd",
    "kubeconfig",
    "wallet.dat",
];

/// Keys, keystores and state files that contain keys. Certificates (`.crt`, `.cer`) are public and allowed.
const EXTENSIONS: &[&str] = &[
    "agekey",
    "bks",
    "env",
    "gpg",
    "jceks",
    "jks",
    "kdb",
    "kdbx",
    "key",
    "keychain",
    "keychain-db",
    "keystore",
    "kubeconfig",
    "ovpn",
    "p12",
    "p8",
    "pem",
    "pfx",
    "pgp",
    "pkcs12",
    "ppk",
    "tfstate",
    "tfvars",
];

/// Endings that are longer than an extension.
const ENDINGS: &[&str] = &[".tfvars.json", "credentials.json"];

/// How a name begins and ends.
const BEGINNINGS: &[(&str, &str)] = &[
    (".env", ""),
    (".vault-pass", ""),
    (".vault_pass", ""),
    ("client_secret", ".json"),
    ("id_dsa", ""),
    ("id_ecdsa", ""),
    ("id_ed25519", ""),
    ("id_rsa", ""),
    ("service-account", ".json"),
    ("service_account", ".json"),
    ("serviceaccount", ".json"),
];

/// The ends of paths.
const FILES: &[&str] = &[
    ".aws/config",
    ".aws/credentials",
    ".azure/accesstokens.json",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".config/gh/hosts.yml",
    ".docker/config.json",
    ".kube/config",
];

/// Folders at any depth, with everything in them.
const FOLDERS: &[&str] = &[".config/gcloud", ".gnupg", ".password-store", ".ssh"];

/// The folders of version control: configuration with logins, hooks, and the history itself.
const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".svn"];

/// The last word in the name of a file of variables that has no real values. Not `default`: the values in such a file are used.
const EXAMPLE_WORDS: &[&str] = &["dist", "example", "sample", "schema", "template", "tmpl", "tpl"];

/// Extensions that may follow that word.
const EXAMPLE_ENDINGS: &[&str] = &[
    ".env", ".erb", ".hbs", ".j2", ".json", ".md", ".tfvars", ".toml", ".txt", ".yaml", ".yml",
];

/// A backup of a file counts as the file.
const BACKUP_ENDINGS: &[&str] = &[".bak", ".backup", ".old", ".orig", ".save", ".swp", "~"];

/// `kubeconfig.go` reads such a file, but is not one.
const CODE_EXTENSIONS: &[&str] = &[
    "adoc", "bash", "c", "cc", "cpp", "cs", "go", "h", "hpp", "html", "java", "js", "jsx", "kt", "lua", "md",
    "mjs", "php", "ps1", "py", "rb", "rs", "rst", "scala", "sh", "swift", "tf", "ts", "tsx", "vue",
];

impl Tree {
    /// The rule by which this file must not be indexed or shown, as text.
    pub fn denied(&self, path: &RepoPath) -> Option<String> {
        self.denied_file(path.as_str())
    }

    pub(crate) fn denied_file(&self, path: &str) -> Option<String> {
        let denied_paths = self.rules().denied_paths();
        let lower = path.to_ascii_lowercase();
        if let Some(rule) = unshakeable_rule(&lower) {
            return Some(format!("deny-list: {rule}"));
        }
        match configured(denied_paths, path) {
            Some(Configured::Denied(rule)) => Some(rule),
            Some(Configured::Excepted) => None,
            None => built_in_rule(&lower).map(|rule| format!("deny-list: {rule}")),
        }
    }

    /// The rule by which nothing in this folder can be read, so that the walk need not enter it. An exception may be for a file
    /// inside, so only a list without exceptions denies a whole folder.
    pub(crate) fn denied_folder(&self, path: &str) -> Option<String> {
        let denied_paths = self.rules().denied_paths();
        if denied_paths.has_negated() {
            return None;
        }
        let pattern = denied_paths.matched(path, true)?;
        Some(denied_paths.explain(pattern))
    }
}

enum Configured {
    Denied(String),
    Excepted,
}

/// Checks the path itself, then the folders around it, innermost first: the nearest rule decides.
fn configured(patterns: &IgnoreFile, path: &str) -> Option<Configured> {
    let mut at = path;
    let mut is_folder = false;
    loop {
        if let Some(pattern) = patterns.matched(at, is_folder) {
            return Some(match pattern.negated {
                true => Configured::Excepted,
                false => Configured::Denied(patterns.explain(pattern)),
            });
        }
        at = at.rsplit_once('/')?.0;
        is_folder = true;
    }
}

fn unshakeable_rule(path: &str) -> Option<String> {
    if let Some(folder) = path.split('/').find(|part| VERSION_CONTROL.contains(part)) {
        return Some(format!("{folder}/"));
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    builtin::never_rule(name).map(str::to_owned)
}

/// The rule that matches a path in lower case.
fn built_in_rule(path: &str) -> Option<String> {
    let path = without_backup_endings(path);
    let name = path.rsplit('/').next().unwrap_or(path);
    named_rule(name).or_else(|| placed_rule(path))
}

/// `.pgpass.bak.1` is `.pgpass`, `server.key.bak2` is `server.key`.
fn without_backup_endings(path: &str) -> &str {
    let mut path = path;
    loop {
        let unnumbered = path.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_numbered = unnumbered.len() < path.len();
        let ending = BACKUP_ENDINGS
            .iter()
            .find_map(|ending| unnumbered.strip_suffix(ending));
        let number = unnumbered.strip_suffix('.').filter(|_| is_numbered);
        let Some(shorter) = ending.or(number) else {
            return path;
        };
        path = shorter;
    }
}

fn named_rule(name: &str) -> Option<String> {
    if let Some(name) = NAMES.iter().find(|denied| **denied == name) {
        return Some((*name).to_owned());
    }
    if is_example(name) {
        return None;
    }
    let begins = |(start, end): &&(&str, &str)| name.starts_with(start) && name.ends_with(end);
    if let Some((start, end)) = BEGINNINGS.iter().find(begins) {
        return Some(format!("{start}*{end}"));
    }
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let is_code = extension.is_some_and(|extension| CODE_EXTENSIONS.contains(&extension));
    if name.starts_with("kubeconfig") && !is_code {
        return Some("kubeconfig*".to_owned());
    }
    if let Some(extension) = extension.filter(|extension| EXTENSIONS.contains(extension)) {
        return Some(format!("*.{extension}"));
    }
    let ending = ENDINGS.iter().find(|ending| name.ends_with(**ending))?;
    Some(format!("*{ending}"))
}

/// Whether the last word of its name says that it has no real values.
fn is_example(name: &str) -> bool {
    let holds_variables = name.starts_with(".env") || name.ends_with(".env") || name.ends_with(".tfvars");
    let stem = EXAMPLE_ENDINGS
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name);
    let last = stem.rsplit(['.', '-', '_']).next().unwrap_or(stem);
    holds_variables && EXAMPLE_WORDS.contains(&last)
}

fn placed_rule(path: &str) -> Option<String> {
    // The slash marks the beginning of a name inside the path.
    let rooted = format!("/{path}");
    if let Some(file) = FILES.iter().find(|file| rooted.ends_with(&format!("/{file}"))) {
        return Some((*file).to_owned());
    }
    let folder = FOLDERS
        .iter()
        .find(|folder| rooted.contains(&format!("/{folder}/")))?;
    Some(format!("{folder}/"))
}

#[cfg(test)]
mod tests;
