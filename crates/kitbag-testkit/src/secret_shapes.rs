//! The ways in which secrets stand in files (SEC-1, SEC-7), and what looks like one and is none.
//!
//! `shapes/secrets.txt` holds the ways, with a mark where the secret goes; the secrets are made here at run time, from a
//! seed, in many alphabets. So no file of this repository holds anything that a scanner would take for a credential.
//! `shapes/harmless.txt` holds texts that must stay as they are.

use crate::random::Random;

const SECRETS: &str = include_str!("../shapes/secrets.txt");
const HARMLESS: &str = include_str!("../shapes/harmless.txt");
const MARK: char = '§';

/// A text with its secrets.
pub struct Shape {
    pub name: &'static str,
    /// A file where such a text would be found.
    pub file: &'static str,
    pub text: String,
    /// What must not survive.
    pub secrets: Vec<String>,
}

/// A text without any.
pub struct Harmless {
    pub name: &'static str,
    pub file: &'static str,
    pub text: &'static str,
}

/// Every shape once, with values of this seed. The same seed, the same values.
pub fn shapes(seed: u64) -> Vec<Shape> {
    let mut random = Random::new(seed);
    entries(SECRETS)
        .into_iter()
        .enumerate()
        .map(|(idx, ([name, file, kind], body))| {
            let turn = idx + seed as usize;
            let mut text = String::new();
            let mut secrets = Vec::new();
            for (n, part) in body.split(MARK).enumerate() {
                if n > 0 {
                    let secret = value(kind, turn, &mut random);
                    text.push_str(&secret);
                    secrets.push(secret);
                }
                text.push_str(part);
            }
            Shape {
                name,
                file,
                text,
                secrets,
            }
        })
        .collect()
}

pub fn harmless() -> Vec<Harmless> {
    entries(HARMLESS)
        .into_iter()
        .map(|([name, file, _], text)| Harmless { name, file, text })
        .collect()
}

/// `== name | file | value`, and the lines below it.
fn entries(table: &'static str) -> Vec<([&'static str; 3], &'static str)> {
    let mut found = Vec::new();
    for entry in table.split("\n== ").skip(1) {
        let (head, body) = entry
            .split_once('\n')
            .expect("an entry has a line below its head");
        let mut fields = head.split(" | ").map(str::trim);
        let mut field = || fields.next().unwrap_or_default();
        found.push(([field(), field(), field()], body.trim_end_matches('\n')));
    }
    found
}

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGIT: &str = "0123456789";
const HEX: &str = "0123456789abcdef";
const WORDS: &[&str] = &[
    "battery", "candle", "copper", "garden", "horse", "marble", "meadow", "pepper", "river", "rocket",
    "saddle", "staple", "thunder", "tiger", "violin", "window",
];

fn value(kind: &str, turn: usize, random: &mut Random) -> String {
    let (kind, n) = kind.split_once(' ').unwrap_or((kind, "0"));
    let n: usize = n.parse().expect("a length is a number");
    let alnum = format!("{LOWER}{UPPER}{DIGIT}");
    match kind {
        "pass" => {
            const CLASSES: &[&str] = &[
                "mixed", "brackets", "cyrillic", "test", "phrase", "wordy", "digits", "company", "ending",
                "accents", "lowers",
            ];
            let class = CLASSES[turn % CLASSES.len()];
            match class {
                "phrase" => value("phrase 4", turn, random),
                "digits" => value("digits 9", turn, random),
                class => value(class, turn, random),
            }
        }
        "plain" => {
            const CLASSES: &[&str] = &[
                "signed",
                "test_plain",
                "cyrillic",
                "wordy",
                "lowers",
                "ending_plain",
            ];
            value(CLASSES[turn % CLASSES.len()], turn, random)
        }
        "plainurl" => format!("{}-{}", made(&alnum, 6, random), made(&alnum, 6, random)),
        "csv" => value("mixed", turn, random),
        "human" => {
            const CLASSES: &[&str] = &["phrase 3", "lowers", "dashed", "wordy", "mixed"];
            value(CLASSES[turn % CLASSES.len()], turn, random)
        }
        "alnum" => made(&alnum, n, random),
        "word" => made(&format!("{alnum}_-"), n, random),
        "hex" => made(HEX, n, random),
        "upper" => made(&format!("{UPPER}{DIGIT}"), n, random),
        "lower" => made(&format!("{LOWER}234567"), n, random),
        "base64" => made(&format!("{alnum}+/"), n, random),
        "digits" => digits(n, random),
        "uuid" => format!(
            "{}-{}-4{}-8{}-{}",
            made(HEX, 8, random),
            random.text(HEX, 4),
            random.text(HEX, 3),
            random.text(HEX, 3),
            made(HEX, 12, random)
        ),
        "bytes" => {
            let bytes: Vec<String> = (0..n).map(|_| format!("0x{}", random.text(HEX, 2))).collect();
            bytes.join(", ")
        }
        "phrase" => words(n, " ", random),
        "dashed" => words(3, "-", random),
        "phrase_digits" => format!("{} {}", words(2, " ", random), digits(4, random)),
        "lowers" => format!("{}{}", random.pick(WORDS), digits(3, random)),
        "split" => made(&alnum, 8, random),
        "mixed" => format!(
            "{}!{}#{}",
            made(&alnum, 5, random),
            random.text(UPPER, 2),
            digits(3, random)
        ),
        "signed" => format!(
            "{}!{}%{}",
            made(&alnum, 5, random),
            random.text(LOWER, 3),
            digits(3, random)
        ),
        "brackets" => format!(
            "{}({})[{}]",
            random.text(LOWER, 3),
            digits(3, random),
            random.text(UPPER, 3)
        ),
        "cyrillic" => format!(
            "{}{}",
            random.text("абвгдежзиклмнопрстуфхцчшщыэюя", 6),
            digits(4, random)
        ),
        "greek" => format!(
            "{}{}!",
            random.text("αβγδεζηθικλμνξοπρστυφχψω", 6),
            digits(3, random)
        ),
        "chinese" => format!(
            "{}{}",
            random.text("山水火木金土日月天地人心手足", 4),
            digits(5, random)
        ),
        "accents" => format!("{}{}", random.text("éèêüöäñçøåßœ", 6), digits(4, random)),
        "emoji" => format!("{}🔑{}", random.text(LOWER, 4), digits(4, random)),
        "test" => format!("test{}!{}", random.text(UPPER, 3), digits(3, random)),
        "test_plain" => format!("test-{}{}", random.text(LOWER, 4), digits(4, random)),
        "sample" => format!("sample_{}{}", made(&alnum, 6, random), digits(3, random)),
        "wordy" => format!("{}_secret_{}", random.pick(WORDS), digits(3, random)),
        "company" => format!("{}Corp-Prod-2{}", capital(random.pick(WORDS)), digits(3, random)),
        "ending" => format!("{}$mQ2!pass{}", made(&alnum, 4, random), digits(1, random)),
        "ending_plain" => format!("{}%mQ2!pass{}", made(&alnum, 4, random), digits(1, random)),
        "dollar" => format!("{}$x{}", random.text(LOWER, 4), digits(4, random)),
        "percent" => format!("{}%x{}", random.text(LOWER, 4), digits(4, random)),
        "hash" => format!("{}#{}", random.text(LOWER, 4), digits(4, random)),
        "apr1" => format!("{}${}", made(&alnum, 8, random), made(&alnum, 22, random)),
        "bcrypt" => made(&alnum, 53, random),
        "basic" => crate::secrets::encode_base64(format!("kit:{}", made(&alnum, 12, random)).as_bytes()),
        "django" => random.text(&format!("{LOWER}{DIGIT}!@#$%^&*(-_=+)"), 50),
        "signs" => format!(
            "{}{}",
            made(&alnum, 4, random),
            random.text(&format!("{LOWER}{DIGIT}!@#$%^&*(-_=+)"), n - 4)
        ),
        "salt" => format!(
            "{}{}",
            made(&alnum, 6, random),
            random.text(&format!("{alnum}!@#$%^&*()-_ []<>~+=,.;:/?|"), n - 6)
        ),
        other => panic!("no value is called {other}"),
    }
}

/// Letters and digits whatever the draw, and no sign at an end: so are tokens that machines make.
fn made(alphabet: &str, n: usize, random: &mut Random) -> String {
    loop {
        let text = random.text(alphabet, n);
        let ends = |c: char| c.is_ascii_alphanumeric();
        let n_digits = text.bytes().filter(u8::is_ascii_digit).count();
        let n_letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
        let least = usize::from(n >= 4) + 2 * usize::from(n >= 12);
        if text.starts_with(ends) && text.ends_with(ends) && n_digits >= least && n_letters >= least {
            return text;
        }
    }
}

/// Digits that do not count up.
fn digits(n: usize, random: &mut Random) -> String {
    loop {
        let text = random.text(DIGIT, n);
        if n == 1 || !"01234567890".contains(&text) {
            return text;
        }
    }
}

fn words(n: usize, between: &str, random: &mut Random) -> String {
    let picked: Vec<&str> = (0..n).map(|_| random.pick(WORDS)).collect();
    picked.join(between)
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    format!("{}{rest}", first.to_uppercase())
}
