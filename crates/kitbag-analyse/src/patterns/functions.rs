//! Functions, methods and tests, with what they are called, carry, give, take, call and raise.

use kitbag_types::{Fact, FactKind, SymbolKind, Value};

use super::names::{Case, head, is_telling, prefix, suffix, words};
use super::reading::{Reading, marked};
use super::tuning::MAX_FEATURES;
use super::units::{NewUnit, UnitKind, Units};
use crate::code::{last_name, words as texts};

pub(super) fn add(units: &mut Units, file: &Reading<'_>) {
    for (idx, fact) in file.facts(FactKind::Function) {
        one(units, file, idx, fact, idx);
    }
    // `const name = () => …` is a function too.
    if file.is_script() {
        for (idx, fact) in file.facts(FactKind::Bind) {
            let block = match fact.arguments.first() {
                Some(Value::Fact(block)) if fact.parent.is_none() => *block,
                _ => continue,
            };
            if file.fact(block).kind == FactKind::Block && is_name(&fact.name) && fact.name != "default" {
                one(units, file, idx, fact, block);
            }
        }
    }
    if file.source.facts.is_empty() {
        from_definitions(units, file);
    }
    calls(units, file);
    handlers(units, file);
    constants(units, file);
}

/// Of languages without facts: what the index knows of their functions.
fn from_definitions(units: &mut Units, file: &Reading<'_>) {
    for one in file.source.definitions {
        let place = match one.kind {
            SymbolKind::Function => "top",
            SymbolKind::Method => "method",
            _ => continue,
        };
        if !is_name(&one.name) {
            continue;
        }
        let mut features = vec!["ordinary".to_owned(), place.to_owned()];
        cases(&one.name, &mut features);
        features.extend(prefix(&one.name).map(|word| format!("prefix={}", word.to_lowercase())));
        features.extend(suffix(&one.name).map(|word| format!("suffix={}", word.to_lowercase())));
        features.push(if one.is_public { "public" } else { "private" }.to_owned());
        if !one.doc.trim().is_empty() {
            features.push("doc".to_owned());
        }
        let is_test = file.is(&["swift"]) && file.is_test() && one.name.starts_with("test");
        if is_test {
            units.add(file.unit(UnitKind::Test, one.line, &one.name, features.clone()));
        }
        units.add(file.unit(UnitKind::Function, one.line, &one.name, features));
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '?' | '!'))
}

fn one(units: &mut Units, file: &Reading<'_>, idx: u32, fact: &Fact, body: u32) {
    if !is_name(&fact.name) {
        return;
    }
    let mut features = Vec::new();
    shape(file, idx, fact, &mut features);
    owner(file, idx, &mut features);
    inside(file, idx, body, &mut features);
    features.truncate(MAX_FEATURES);
    let is_test = is_test(file, idx, fact);
    let unit = file.unit(UnitKind::Function, fact.line, &fact.name, features.clone());
    units.add(unit);
    if is_test {
        units.add(test(file, idx, fact, features));
    }
}

/// Its name, words and documentation.
fn shape(file: &Reading<'_>, idx: u32, fact: &Fact, features: &mut Vec<String>) {
    cases(&fact.name, features);
    if let Some(word) = prefix(&fact.name) {
        features.push(format!("prefix={}", word.to_lowercase()));
    }
    if let Some(word) = suffix(&fact.name) {
        features.push(format!("suffix={}", word.to_lowercase()));
    }
    let is_constructor = file.is(&["php"]) && fact.name.starts_with("__");
    if !is_constructor {
        features.push("ordinary".to_owned());
    } else if fact.name == "__construct" {
        constructor(file, idx, features);
    }
    let described = file.described(fact.line, &fact.name);
    let is_public = match file.source.language {
        "java" | "php" | "csharp" => fact.words.split(' ').any(|word| word == "public"),
        "rust" => fact.words.split(' ').any(|word| word == "pub") && !in_test_module(file, idx),
        _ => described.is_some_and(|one| one.is_public),
    };
    features.push(if is_public { "public" } else { "private" }.to_owned());
    let words: Vec<&str> = fact.words.split(' ').collect();
    for word in [
        "async", "static", "abstract", "override", "suspend", "final", "const", "default",
    ] {
        if words.contains(&word) {
            features.push(format!("word={word}"));
        }
    }
    let is_typed = match file.is_script() {
        true => described.is_some_and(|one| gives_type(&one.signature)),
        false => !fact.annotation.is_empty(),
    };
    if is_typed {
        features.push("typed".to_owned());
    }
    let head = head(&fact.annotation);
    if is_name(head) {
        features.push(format!("returns={head}"));
    }
    if let Some(doc) = described.map(|one| one.doc.trim()).filter(|doc| !doc.is_empty()) {
        features.push("doc".to_owned());
        if doc
            .trim_start_matches(['/', '*', ' '])
            .starts_with(fact.name.as_str())
        {
            features.push("doc-names-it".to_owned());
        }
    }
    match file
        .around(idx)
        .find(|(_, above)| matches!(above.kind, FactKind::Function | FactKind::Type | FactKind::Block))
    {
        // In Python a function below `if` or `try` has no holder either.
        None if fact.receiver.is_none() && !file.line(fact.line).starts_with([' ', '\t']) => {
            features.push("top".to_owned());
        }
        Some((_, above)) if above.kind != FactKind::Type => features.push("nested".to_owned()),
        _ => features.push("method".to_owned()),
    }
    if file.is(&["go"]) {
        receiver(file, fact, features);
    }
}

/// Whether its parameters are properties at the same time.
fn constructor(file: &Reading<'_>, idx: u32, features: &mut Vec<String>) {
    let mut parameters = file
        .held(idx)
        .filter(|(_, held)| held.kind == FactKind::Parameter)
        .peekable();
    if parameters.peek().is_some() {
        features.push("constructor-with-parameters".to_owned());
    }
    let is_property = |word: &str| matches!(word, "public" | "private" | "protected");
    if parameters.any(|(_, held)| held.words.split(' ').any(is_property)) {
        features.push("promotes".to_owned());
    }
}

/// Whether it stands in a module that is only compiled for tests.
fn in_test_module(file: &Reading<'_>, idx: u32) -> bool {
    let is_test = |at: u32| file.marks(at).any(|mark| mark.name == "cfg");
    file.around(idx).any(|(at, above)| {
        above.kind == FactKind::Type && matches!(above.name.as_str(), "tests" | "test") && is_test(at)
    })
}

/// `function f(a): string`: the type stands behind the last parenthesis.
fn gives_type(signature: &str) -> bool {
    let tail = signature.rsplit_once(')').map_or("", |(_, tail)| tail);
    tail.trim_start().starts_with(':')
}

pub(super) fn cases(name: &str, features: &mut Vec<String>) {
    for case in Case::ALL.iter().filter(|case| case.fits(name)) {
        features.push(format!("case={}", case.name()));
    }
    if is_telling(name) {
        features.push("telling".to_owned());
    }
}

/// `func (c *Context) Next()`: how long `c` is.
fn receiver(file: &Reading<'_>, fact: &Fact, features: &mut Vec<String>) {
    let head = file.line(fact.line).trim_start().strip_prefix("func (");
    let Some(name) = head.and_then(|head| head.split([' ', ')']).next()) else {
        return;
    };
    // `func (binding) Name()` does not name it.
    let is_named = head.is_some_and(|head| head[name.len()..].starts_with(' '));
    if is_named && !name.starts_with('*') {
        features.push("receiver".to_owned());
        if name.len() <= 3 {
            features.push("short-receiver".to_owned());
        }
    }
}

/// The type around it, and what that is.
fn owner(file: &Reading<'_>, idx: u32, features: &mut Vec<String>) {
    let Some((at, holder)) = file.holder(idx, FactKind::Type) else {
        if let Some(Value::Name(of)) = &file.fact(idx).receiver
            && let Some(word) = suffix(of.trim_start_matches('*'))
        {
            features.push(format!("type-suffix={word}"));
        }
        return;
    };
    for base in &holder.arguments {
        if let Value::Name(base) = base {
            features.push(format!("type-base={}", head(base)));
        }
    }
    for mark in file.marks(at) {
        features.push(format!("type-mark={}", marked(mark)));
    }
    if let Some(word) = suffix(last_name(&holder.name)) {
        features.push(format!("type-suffix={word}"));
    }
}

/// Marks, parameters, calls and errors.
fn inside(file: &Reading<'_>, idx: u32, body: u32, features: &mut Vec<String>) {
    for mark in file.marks(idx) {
        let name = marked(mark);
        if name == "derive" {
            continue;
        }
        // The last part makes groups: `app.get` and `router.get` are both `get`.
        features.push(format!("marked={}", last_name(&name)));
        features.push(format!("mark={name}"));
    }
    let mut parts = file.inside(idx);
    if body != idx {
        parts.extend(file.inside(body));
    }
    let mut n_parameters = 0;
    for (_, fact) in parts {
        match fact.kind {
            FactKind::Parameter => {
                if n_parameters == 0 && is_name(&fact.name) {
                    features.push(format!("first={}", fact.name));
                }
                n_parameters += 1;
                let head = head(&fact.annotation);
                if is_name(head) && head.starts_with(char::is_uppercase) {
                    features.push(format!("takes={head}"));
                }
            }
            FactKind::Call if is_name(last_name(&fact.name)) => features.push(called(fact)),
            FactKind::Raise if !fact.name.is_empty() => {
                features.push(format!("raises={}", last_name(&fact.name)));
            }
            FactKind::Catch => features.push("catches".to_owned()),
            _ => {}
        }
    }
}

/// `calls=DB::table` where what stands before is a type or module, else `calls=table`.
fn called(fact: &Fact) -> String {
    let name = last_name(&fact.name);
    match &fact.receiver {
        Some(Value::Name(receiver)) => {
            let owner = last_name(receiver);
            match owner.starts_with(char::is_uppercase) {
                true => format!("calls={owner}.{name}"),
                false => format!("calls={name}"),
            }
        }
        _ => format!("calls={name}"),
    }
}

fn has_mark(file: &Reading<'_>, idx: u32, names: &[&str]) -> bool {
    file.marks(idx).any(|mark| names.contains(&last_name(&mark.name)))
}

/// Whether a runner would run it.
fn is_test(file: &Reading<'_>, idx: u32, fact: &Fact) -> bool {
    match file.source.language {
        "python" | "ruby" => file.is_test() && fact.name.starts_with("test"),
        "go" => file.is_test() && fact.name.starts_with("Test") && fact.name != "TestMain",
        "rust" => file
            .marks(idx)
            .any(|mark| mark.name == "test" || mark.name.ends_with("::test")),
        "java" | "kotlin" | "csharp" | "scala" => has_mark(file, idx, TEST_MARKS),
        "php" => {
            let by_name = fact.name.starts_with("test") && fact.name.len() > 4;
            file.is_test() && (by_name || has_mark(file, idx, &["Test"]))
        }
        "swift" => file.is_test() && fact.name.starts_with("test"),
        _ => false,
    }
}

const TEST_MARKS: &[&str] = &[
    "Test",
    "ParameterizedTest",
    "RepeatedTest",
    "Fact",
    "Theory",
    "TestMethod",
    "TestCase",
];

fn test(file: &Reading<'_>, idx: u32, fact: &Fact, mut features: Vec<String>) -> NewUnit {
    if fact.name.starts_with("test_") {
        features.push("named=test_*".to_owned());
    }
    if fact.name.starts_with("Test") {
        features.push("named=Test*".to_owned());
    }
    if fact.name.starts_with("test") {
        features.push("named=test*".to_owned());
    }
    let takes = |kind: &str| {
        file.held(idx)
            .any(|(_, held)| held.kind == FactKind::Parameter && held.annotation.ends_with(kind))
    };
    if file.is(&["go"]) && takes("testing.T") {
        features.push("takes-testing".to_owned());
    }
    let in_type = file.holder(idx, FactKind::Type);
    if in_type.is_none() {
        features.push("without-type".to_owned());
    }
    if has_mark(file, idx, &["Test"]) {
        features.push("marked-test".to_owned());
    }
    if !features.iter().any(|one| one == "public") {
        features.push("not-public".to_owned());
    }
    if words(&fact.name).len() >= 4 {
        features.push("long-name".to_owned());
    }
    file.unit(UnitKind::Test, fact.line, &fact.name, features)
}

/// Calls that follow one of several habits: assertions, logging, errors that wrap others.
fn calls(units: &mut Units, file: &Reading<'_>) {
    for (_, fact) in file.facts(FactKind::Call) {
        let receiver = match &fact.receiver {
            Some(Value::Name(receiver)) => receiver.as_str(),
            _ => "",
        };
        let mut features = Vec::new();
        if file.is(&["go"]) && file.is_test() && matches!(receiver, "assert" | "require") {
            features.push("assertion".to_owned());
            features.push(format!("by={receiver}"));
        }
        let ends_in_err = matches!(fact.arguments.last(), Some(Value::Name(last)) if last == "err");
        if file.is(&["go"]) && receiver == "fmt" && fact.name == "Errorf" && ends_in_err {
            features.push("wraps-error".to_owned());
            if fact
                .arguments
                .first()
                .is_some_and(|format| texts(format).join("").contains("%w"))
            {
                features.push("by=%w".to_owned());
            }
        }
        if let Some(how) = logged(file, receiver, &fact.name) {
            features.push("log".to_owned());
            features.push(format!("by={how}"));
        }
        if file.is_script()
            && file.is_test()
            && receiver.is_empty()
            && matches!(fact.name.as_str(), "it" | "test")
            && matches!(fact.arguments.first(), Some(Value::Text(_)))
        {
            features.push("case-call".to_owned());
            features.push(format!("by={}", fact.name));
        }
        if !features.is_empty() {
            units.add(file.unit(UnitKind::Call, fact.line, &fact.name, features));
        }
    }
}

const LEVELS: &[&str] = &[
    "trace",
    "debug",
    "info",
    "warn",
    "warning",
    "error",
    "critical",
    "fatal",
    "exception",
    "Debugf",
    "Infof",
    "Warnf",
    "Errorf",
    "Debug",
    "Info",
    "Warn",
    "Error",
    "LogInformation",
    "LogError",
    "LogWarning",
    "LogDebug",
];

/// By what a message is logged, if it is.
fn logged(file: &Reading<'_>, receiver: &str, name: &str) -> Option<String> {
    let last = last_name(receiver);
    let lower = last.trim_matches('_').to_lowercase();
    if lower == "console" && file.is_script() {
        return Some("console".to_owned());
    }
    let is_logger = matches!(
        lower.as_str(),
        "log" | "logger" | "logging" | "slog" | "zap" | "logrus" | "timber"
    );
    (is_logger && LEVELS.contains(&name)).then(|| last.trim_start_matches('$').to_owned())
}

/// Where errors are handled.
fn handlers(units: &mut Units, file: &Reading<'_>) {
    for (idx, fact) in file.facts(FactKind::Catch) {
        let mut features = Vec::new();
        // In Python the block of a bare `except:` stands where the error would.
        let is_bare = file.line(fact.line).trim_start().starts_with("except:");
        let kind = if is_bare { "" } else { fact.annotation.trim() };
        if !kind.is_empty() {
            features.push("named-error".to_owned());
        }
        if !matches!(
            head(kind),
            "" | "Exception" | "BaseException" | "Throwable" | "Error"
        ) {
            features.push("narrow".to_owned());
        }
        let inside = file.inside(idx);
        if inside.iter().any(|(_, fact)| fact.kind == FactKind::Raise) {
            features.push("raises-again".to_owned());
        }
        let logs = |fact: &Fact| {
            let receiver = match &fact.receiver {
                Some(Value::Name(receiver)) => receiver.as_str(),
                _ => "",
            };
            fact.kind == FactKind::Call && logged(file, receiver, &fact.name).is_some()
        };
        if inside.iter().any(|(_, fact)| logs(fact)) {
            features.push("logs".to_owned());
        }
        units.add(file.unit(UnitKind::Catch, fact.line, kind, features));
    }
}

fn constants(units: &mut Units, file: &Reading<'_>) {
    for one in file.source.definitions {
        // Variants of enums are constants too, in the index, and have rules of their own.
        let line = file.line(one.line);
        let is_variant = file.is(&["rust"]) && !line.contains("const ") && !line.contains("static ");
        if one.kind == SymbolKind::Constant && is_name(&one.name) && one.name.len() > 1 && !is_variant {
            let mut features = Vec::new();
            cases(&one.name, &mut features);
            units.add(file.unit(UnitKind::Constant, one.line, &one.name, features));
        }
    }
}
