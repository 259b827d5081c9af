//! What a process that dies leaves, and what the next one makes of it. A death is a copy of the file, put back after the run.

use kitbag_testkit::fuzz::{Material, fuzz};

use super::*;

const INNOCENT: ParseKey = [1; 32];
const CULPRIT: ParseKey = [2; 32];

/// A run that dies while these are parsed at the same time.
fn die(dir: &Path, keys: &[ParseKey]) {
    let parsing = Parsing::begin(dir);
    let copy = within(&parsing, keys, &|| fs::read(dir.join("parsing")).unwrap());
    drop(parsing);
    assert!(!dir.join("parsing").exists(), "a run that ends leaves nothing");
    fs::write(dir.join("parsing"), copy).unwrap();
}

/// What `look` sees while all keys are being parsed.
fn within(parsing: &Parsing, keys: &[ParseKey], look: &dyn Fn() -> Vec<u8>) -> Vec<u8> {
    match keys {
        [] => look(),
        [first, rest @ ..] => parsing.run(first, || within(parsing, rest, look)),
    }
}

#[test]
fn idx_15_a_text_that_kills_is_blamed_when_it_was_alone_twice() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    die(dir, &[INNOCENT, CULPRIT]);
    let second = Parsing::begin(dir);
    assert!(
        !second.has_crashed(&CULPRIT),
        "it may have been the other, or kill -9"
    );
    assert_eq!(second.n_found(), 0);
    drop(second);

    die(dir, &[INNOCENT, CULPRIT]);
    // The next run parses them alone and dies of one, and so does the run after it.
    for _ in 0..2 {
        let next = Parsing::begin(dir);
        assert!(
            !next.has_crashed(&CULPRIT),
            "kill -9 may have come in that moment"
        );
        next.run(&INNOCENT, || ());
        let copy = next.run(&CULPRIT, || fs::read(dir.join("parsing")).unwrap());
        drop(next);
        fs::write(dir.join("parsing"), copy).unwrap();
    }

    let last = Parsing::begin(dir);
    assert_eq!(last.n_found(), 1);
    assert!(last.has_crashed(&CULPRIT) && !last.has_crashed(&INNOCENT));
    drop(last);
    assert!(has_crashed(dir, &CULPRIT) && !has_crashed(dir, &INNOCENT));
    assert_eq!(Parsing::begin(dir).n_found(), 0, "it is told once");
}

#[test]
fn idx_15_a_suspect_is_parsed_alone() {
    let dir = tempfile::tempdir().unwrap();
    die(dir.path(), &[CULPRIT]);
    let parsing = Parsing::begin(dir.path());
    let others = Mutex::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for n in 0..50_u8 {
                    parsing.run(&[n; 32], || *others.lock().unwrap() += 1);
                }
            });
        }
        for _ in 0..20 {
            parsing.run(&CULPRIT, || {
                let before = *others.lock().unwrap();
                std::thread::yield_now();
                assert_eq!(before, *others.lock().unwrap());
                let left = rows(&dir.path().join("parsing"));
                assert_eq!(left, [(ALONE, CULPRIT)]);
            });
        }
    });
}

#[test]
fn idx_15_what_is_not_ours_is_not_believed() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for left in ["", "!", "nonsense\n", &"!zz".repeat(22), &"x".repeat(5_000)] {
        fs::write(dir.join("parsing"), left).unwrap();
        fs::write(dir.join("crashes"), left).unwrap();
        let parsing = Parsing::begin(dir);
        assert_eq!((parsing.n_found(), parsing.suspects.len()), (0, 0), "{left:?}");
    }
    fs::create_dir(dir.join("parsing")).unwrap();
    assert_eq!(Parsing::begin(dir).run(&CULPRIT, || 7), 7);
    let gone = Parsing::begin(&dir.join("nowhere"));
    assert_eq!(gone.run(&CULPRIT, || 7), 7);
}

#[test]
fn idx_15_a_panic_frees_its_row() {
    let dir = tempfile::tempdir().unwrap();
    let parsing = Parsing::begin(dir.path());
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        parsing.run(&CULPRIT, || panic!("as a parser may"));
    }));
    assert!(panicked.is_err());
    assert_eq!(rows(&dir.path().join("parsing")), []);
    parsing.run(&INNOCENT, || {
        assert_eq!(rows(&dir.path().join("parsing")), [(AMONG_OTHERS, INNOCENT)]);
    });
}

#[test]
fn sec_4_only_so_many_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let key = |n: u32| {
        let mut key = ParseKey::default();
        key[..4].copy_from_slice(&n.to_le_bytes());
        key
    };
    let many: String = (0..MOST_CRASHES as u32 + 5)
        .map(|n| row(ALONE_AGAIN, &key(n)))
        .collect();
    fs::write(dir.path().join("parsing"), many).unwrap();
    Parsing::begin(dir.path());
    assert!(!has_crashed(dir.path(), &key(0)));
    assert!(has_crashed(dir.path(), &key(MOST_CRASHES as u32)));
}

#[test]
fn sec_6_fuzz_marks_of_parsing() {
    let dir = tempfile::tempdir().unwrap();
    let sample = [row(AMONG_OTHERS, &[7; 32]), row(ALONE, &[9; 32])].concat();
    let material = Material::new(
        &[sample],
        &[
            "+",
            "!",
            "-",
            "\n",
            "0a",
            "zz",
            "00000000000000000000000000000000",
        ],
    );
    fuzz("marks of parsing", &material, |input| {
        fs::write(dir.path().join("parsing"), input).unwrap();
        fs::write(dir.path().join("crashes"), input).unwrap();
        let parsing = Parsing::begin(dir.path());
        parsing.run(&[7; 32], || ());
        drop(parsing);
        assert!(!dir.path().join("parsing").exists());
    });
}
