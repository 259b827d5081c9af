//! One sample, or a few, of every kind of secret that must never reach a store (SEC-1).
//!
//! Made up at run time from a seeded generator: no text of this repository looks like a credential to a scanner, and
//! nothing here has ever opened anything.

use crate::random::Random;

/// A secret and the line it stands in.
pub struct Sample {
    pub kind: &'static str,
    /// A file where such a line would be found.
    pub file: &'static str,
    /// May hold several lines (a private key block).
    pub text: String,
    /// What must not survive.
    pub secret: String,
}

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGIT: &str = "0123456789";
const HEX: &str = "0123456789abcdef";

/// The same samples on every call. The kinds are distinct.
pub fn samples() -> Vec<Sample> {
    let mut made = tokens();
    made.extend(assignments());
    made.extend(blocks());
    made
}

/// Tokens with a shape of their own, recognised wherever they stand.
fn tokens() -> Vec<Sample> {
    let alnum = format!("{LOWER}{UPPER}{DIGIT}");
    let alnum = alnum.as_str();
    let word = format!("{alnum}_-");
    let word = word.as_str();
    let base32 = format!("{UPPER}234567");
    let base32 = base32.as_str();
    let lower_digit = format!("{LOWER}{DIGIT}");
    let lower_digit = lower_digit.as_str();
    // (kind, prefix in two halves so that no scanner sees it whole, alphabet, length)
    let table: &[(&'static str, [&str; 2], &str, usize)] = &[
        ("aws access key id", ["AK", "IA"], base32, 16),
        ("aws session key id", ["AS", "IA"], base32, 16),
        ("github personal token", ["gh", "p_"], alnum, 36),
        ("github oauth token", ["gh", "o_"], alnum, 36),
        ("github user token", ["gh", "u_"], alnum, 36),
        ("github server token", ["gh", "s_"], alnum, 36),
        ("github refresh token", ["gh", "r_"], alnum, 36),
        ("github fine-grained token", ["github_", "pat_"], alnum, 82),
        ("gitlab personal token", ["gl", "pat-"], word, 20),
        ("gitlab trigger token", ["gl", "ptt-"], HEX, 40),
        ("gitlab deploy token", ["gl", "dt-"], word, 20),
        ("gitlab runner token", ["gl", "rt-"], word, 20),
        ("slack app token", ["xa", "pp-1-"], alnum, 60),
        ("stripe live key", ["sk_", "live_"], alnum, 24),
        ("stripe test key", ["sk_", "test_"], alnum, 24),
        ("stripe restricted key", ["rk_", "live_"], alnum, 24),
        ("stripe webhook secret", ["wh", "sec_"], alnum, 32),
        ("google api key", ["AI", "za"], word, 35),
        ("google oauth secret", ["GOC", "SPX-"], word, 28),
        ("google access token", ["ya", "29."], word, 60),
        ("openai project key", ["sk-", "proj-"], word, 60),
        ("openai key", ["s", "k-"], alnum, 48),
        ("anthropic key", ["sk-", "ant-api03-"], word, 90),
        ("openrouter key", ["sk-", "or-v1-"], HEX, 64),
        ("groq key", ["gs", "k_"], alnum, 52),
        ("xai key", ["xa", "i-"], alnum, 80),
        ("perplexity key", ["pp", "lx-"], alnum, 48),
        ("replicate token", ["r", "8_"], alnum, 37),
        ("hugging face token", ["h", "f_"], alnum, 34),
        ("npm token", ["np", "m_"], alnum, 36),
        ("pypi token", ["pyp", "i-AgEIcHlwaS5vcmc"], word, 100),
        ("rubygems key", ["ruby", "gems_"], HEX, 48),
        ("nuget key", ["oy", "2"], lower_digit, 43),
        ("docker hub token", ["dckr_", "pat_"], word, 27),
        ("twilio key", ["S", "K"], HEX, 32),
        ("shopify access token", ["shp", "at_"], HEX, 32),
        ("shopify shared secret", ["shp", "ss_"], HEX, 32),
        ("square access token", ["sq0", "atp-"], word, 22),
        ("square oauth secret", ["sq0", "csp-"], word, 43),
        ("mailgun key", ["ke", "y-"], HEX, 32),
        ("digitalocean token", ["dop_", "v1_"], HEX, 64),
        ("heroku key", ["HRKU", "-AA"], word, 58),
        ("databricks token", ["da", "pi"], HEX, 32),
        ("age secret key", ["AGE-SECRET", "-KEY-1"], base32, 58),
        ("doppler token", ["dp", ".pt."], alnum, 43),
        ("figma token", ["fig", "d_"], word, 40),
        ("linear key", ["lin_", "api_"], alnum, 40),
        ("notion token", ["nt", "n_"], alnum, 46),
        ("postman key", ["PM", "AK-"], HEX, 59),
        ("planetscale password", ["pscale_", "pw_"], word, 43),
        ("pulumi token", ["pu", "l-"], HEX, 40),
        ("grafana service token", ["gl", "sa_"], alnum, 41),
        ("new relic key", ["NR", "AK-"], base32, 27),
        ("sentry token", ["sntr", "yu_"], HEX, 64),
        ("vault token", ["hv", "s."], word, 90),
        ("alibaba key id", ["LT", "AI"], alnum, 20),
        ("atlassian token", ["ATATT3", "xFfGF0"], word, 180),
        ("bitbucket app password", ["AT", "BB"], alnum, 32),
        ("brevo key", ["xkey", "sib-"], HEX, 64),
        ("typeform token", ["tf", "p_"], word, 44),
        ("supabase token", ["sb", "p_"], HEX, 40),
        ("netlify token", ["nf", "p_"], alnum, 36),
        ("tailscale key", ["tskey", "-auth-"], alnum, 30),
        ("buildkite token", ["bk", "ua_"], HEX, 40),
        ("contentful token", ["CFP", "AT-"], word, 43),
    ];
    let mut random = Random::new(1);
    let mut made = Vec::new();
    for (idx, (kind, [a, b], alphabet, n)) in table.iter().enumerate() {
        let body = body(&mut random, alphabet, *n);
        let secret = format!("{a}{b}{body}");
        // The places a token turns up in, in turn: code, a comment, a header, a shell line.
        let (file, text) = match idx % 4 {
            0 => ("src/client.py", format!("client = connect(\"{secret}\")")),
            1 => ("src/notes.rs", format!("// works with {secret} on staging")),
            2 => (
                "deploy.sh",
                format!("curl -H 'X-Key: {secret}' https://api.test/v1"),
            ),
            _ => ("README.md", format!("Set it to `{secret}` first.")),
        };
        made.push(Sample {
            kind,
            file,
            text,
            secret,
        });
    }
    let numbers = random.text("123456789", 12);
    let tail = body(&mut random, alnum, 24);
    made.push(sample(
        "slack bot token",
        "src/bot.js",
        |s| format!("new WebClient('{s}')"),
        format!("{}{}-{numbers}-{tail}", "xo", "xb-1234567890"),
    ));
    let hook = format!(
        "T{}/B{}/{}",
        body(&mut random, base32, 9),
        body(&mut random, base32, 9),
        tail
    );
    made.push(sample(
        "slack webhook",
        "ci/notify.sh",
        |s| format!("post https://hooks.{}.com/services/{s}", "slack"),
        hook,
    ));
    let hook = format!("{}/{}", random.text("123456789", 18), body(&mut random, word, 68));
    made.push(sample(
        "discord webhook",
        "ci/notify.sh",
        |s| format!("post https://{}.com/api/webhooks/{s}", "discord"),
        hook,
    ));
    let token = format!(
        "M{}.{}.{}",
        body(&mut random, alnum, 23),
        body(&mut random, alnum, 6),
        body(&mut random, word, 27)
    );
    made.push(sample(
        "discord bot token",
        "bot.py",
        |s| format!("bot.run(\"{s}\")"),
        token,
    ));
    let token = format!(
        "{}:A{}{}",
        random.text("123456789", 9),
        "A",
        body(&mut random, word, 33)
    );
    made.push(sample(
        "telegram bot token",
        "bot.py",
        |s| format!("Updater('{s}')"),
        token,
    ));
    let token = format!(
        "S{}{}.{}",
        "G.",
        body(&mut random, word, 22),
        body(&mut random, word, 43)
    );
    made.push(sample(
        "sendgrid key",
        "mail.rb",
        |s| format!("mailer.use '{s}'"),
        token,
    ));
    let token = format!("{}-us{}", body(&mut random, HEX, 32), 14);
    made.push(sample(
        "mailchimp key",
        "mail.rb",
        |s| format!("list.open('{s}')"),
        token,
    ));
    let token = format!(
        "e{}{}.e{}{}.{}",
        "yJ",
        body(&mut random, alnum, 34),
        "yJ",
        body(&mut random, alnum, 80),
        body(&mut random, word, 43)
    );
    made.push(sample(
        "json web token",
        "test/http.txt",
        |s| format!("cookie: session={s}"),
        token,
    ));
    let token = format!(
        "{}.atl{}.{}",
        body(&mut random, alnum, 14),
        "asv1",
        body(&mut random, word, 67)
    );
    made.push(sample(
        "terraform cloud token",
        "main.tf",
        |s| format!("remote(\"{s}\")"),
        token,
    ));
    made
}

/// Secrets that are told by where they stand.
fn assignments() -> Vec<Sample> {
    let alnum = format!("{LOWER}{UPPER}{DIGIT}");
    let alnum = alnum.as_str();
    let base64 = format!("{alnum}+/");
    let base64 = base64.as_str();
    let mut random = Random::new(2);
    let mut pass = || {
        format!(
            "{}{}!{}",
            random.text(LOWER, 4),
            random.text(UPPER, 3),
            random.text(DIGIT, 4)
        )
    };
    let mut made = vec![
        sample(
            "password in python",
            "settings.py",
            |s| format!("DB_PASSWORD = \"{s}\""),
            pass(),
        ),
        sample(
            "password in javascript",
            "config.js",
            |s| format!("  password: '{s}',"),
            pass(),
        ),
        sample(
            "password in json",
            "config.json",
            |s| format!("  \"password\": \"{s}\","),
            pass(),
        ),
        sample(
            "password in yaml",
            "values.yaml",
            |s| format!("  password: {s}"),
            pass(),
        ),
        sample(
            "password in toml",
            "app.toml",
            |s| format!("password = \"{s}\""),
            pass(),
        ),
        sample(
            "password in ini",
            "app.ini",
            |s| format!("password = {s}"),
            pass(),
        ),
        sample(
            "password in properties",
            "app.properties",
            |s| format!("spring.datasource.password={s}"),
            pass(),
        ),
        sample("password in .env", ".env", |s| format!("DB_PASSWORD={s}"), pass()),
        sample(
            "password in xml element",
            "pom.xml",
            |s| format!("<password>{s}</password>"),
            pass(),
        ),
        sample(
            "password in xml attribute",
            "web.config",
            |s| format!("<add user=\"sa\" password=\"{s}\" />"),
            pass(),
        ),
        sample(
            "password in shell",
            "run.sh",
            |s| format!("export PGPASSWORD='{s}'"),
            pass(),
        ),
        sample(
            "password as flag",
            "run.sh",
            |s| format!("mysql --user=root --password={s} shop"),
            pass(),
        ),
        sample(
            "password as spaced flag",
            "run.sh",
            |s| format!("tool login --password {s} --yes"),
            pass(),
        ),
        sample(
            "password in go",
            "main.go",
            |s| format!("dbPassword := \"{s}\""),
            pass(),
        ),
        sample(
            "password in rust",
            "main.rs",
            |s| format!("let password: &str = \"{s}\";"),
            pass(),
        ),
        sample(
            "password in java",
            "A.java",
            |s| format!("private static final String PASSWORD = \"{s}\";"),
            pass(),
        ),
        sample(
            "password in php",
            "config.php",
            |s| format!("define('DB_PASSWORD', '{s}');"),
            pass(),
        ),
        sample(
            "password in ruby",
            "db.rb",
            |s| format!(":password => '{s}',"),
            pass(),
        ),
        sample(
            "password by setter",
            "A.kt",
            |s| format!("ds.setPassword(\"{s}\")"),
            pass(),
        ),
        sample(
            "password in c#",
            "A.cs",
            |s| format!("var c = \"Server=db;User Id=sa;Password={s};\";"),
            pass(),
        ),
        sample("passphrase", "key.py", |s| format!("passphrase = '{s}'"), pass()),
        sample(
            "password in url",
            "db.py",
            |s| format!("url = \"postgres://app:{s}@db.internal/shop\""),
            pass(),
        ),
        sample(
            "password in redis url",
            ".env",
            |s| format!("REDIS_URL=redis://:{s}@cache:6379/0"),
            pass(),
        ),
        sample(
            "password in dockerfile",
            "Dockerfile",
            |s| format!("ENV MYSQL_ROOT_PASSWORD={s}"),
            pass(),
        ),
        sample(
            "password as shell default",
            "run.sh",
            |s| format!("PW=${{DB_PASSWORD:-{s}}}"),
            pass(),
        ),
        sample(
            "password in escaped json",
            "a.c",
            |s| format!("\"{{\\\"password\\\": \\\"{s}\\\"}}\""),
            pass(),
        ),
        sample(
            "curl user",
            "run.sh",
            |s| format!("curl -u admin:{s} https://db.test/"),
            pass(),
        ),
        sample(
            "netrc",
            ".netrc",
            |s| format!("machine api.test login kit password {s}"),
            pass(),
        ),
        sample(
            "comparison",
            "auth.php",
            |s| format!("if ($password == \"{s}\") {{"),
            pass(),
        ),
    ];
    let mut key = |n| body(&mut random, alnum, n);
    made.extend([
        sample(
            "generic api key",
            "client.ts",
            |s| format!("const apiKey = \"{s}\";"),
            key(32),
        ),
        sample(
            "generic secret",
            "settings.py",
            |s| format!("SECRET_KEY = '{s}'"),
            key(50),
        ),
        sample(
            "client secret",
            "oauth.json",
            |s| format!("\"client_secret\": \"{s}\""),
            key(40),
        ),
        sample(
            "aws secret key",
            "credentials",
            |s| format!("aws_secret_access_key = {s}"),
            key(40),
        ),
        sample(
            "access token",
            "app.yml",
            |s| format!("access_token: {s}"),
            key(40),
        ),
        sample(
            "encryption key",
            "crypto.go",
            |s| format!("encryptionKey := []byte(\"{s}\")"),
            key(32),
        ),
        sample(
            "npmrc token",
            ".npmrc",
            |s| format!("//registry.test/:_authToken={s}"),
            key(36),
        ),
        sample(
            "bearer header",
            "api.http",
            |s| format!("Authorization: Bearer {s}"),
            key(40),
        ),
        sample(
            "token header",
            "api.py",
            |s| format!("headers = {{\"X-Auth-Token\": \"{s}\"}}"),
            key(32),
        ),
        sample(
            "query token",
            "api.py",
            |s| format!("get('https://api.test/v1?access_token={s}')"),
            key(32),
        ),
        sample(
            "terraform variable",
            "main.tf",
            |s| format!("  api_token = \"{s}\""),
            key(40),
        ),
        sample(
            "swift constant",
            "A.swift",
            |s| format!("static let clientSecret = \"{s}\""),
            key(32),
        ),
        sample(
            "github action env",
            "ci.yml",
            |s| format!("      DEPLOY_TOKEN: {s}"),
            key(32),
        ),
    ]);
    let key = format!("{}==", body(&mut random, base64, 86));
    made.push(sample(
        "azure account key",
        "app.config",
        |s| format!("AccountName=kit;AccountKey={s};"),
        key,
    ));
    let key = format!("{}%3D", body(&mut random, alnum, 43));
    made.push(sample(
        "azure sas",
        "a.py",
        |s| format!("url = 'https://kit.blob.test/c?sv=2022-11-02&sig={s}'"),
        key,
    ));
    let key = encode_base64(format!("kit:{}", body(&mut random, alnum, 12)).as_bytes());
    made.push(sample(
        "basic header",
        "api.http",
        |s| format!("Authorization: Basic {s}"),
        key,
    ));
    let uuid = format!(
        "{}-{}-4{}-8{}-{}",
        body(&mut random, HEX, 8),
        random.text(HEX, 4),
        random.text(HEX, 3),
        random.text(HEX, 3),
        body(&mut random, HEX, 12)
    );
    made.push(sample(
        "uuid api key",
        "app.py",
        |s| format!("HEROKU_API_KEY = \"{s}\""),
        uuid,
    ));
    made
}

/// Secrets of several lines.
fn blocks() -> Vec<Sample> {
    let alnum = format!("{LOWER}{UPPER}{DIGIT}");
    let mut random = Random::new(3);
    let mut made = Vec::new();
    for kind in [
        "RSA PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "EC PRIVATE KEY",
        "PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ] {
        let lines: Vec<String> = (0..6).map(|_| body(&mut random, &alnum, 64)).collect();
        let dashes = "-".repeat(5);
        let text = format!(
            "{dashes}BEGIN {kind}{dashes}\n{}\n{dashes}END {kind}{dashes}",
            lines.join("\n")
        );
        made.push(Sample {
            kind,
            file: "deploy/key.txt",
            text,
            secret: lines[3].clone(),
        });
    }
    let key = body(&mut random, &alnum, 200);
    let dashes = "-".repeat(5);
    let text = format!(
        "\"private_key\": \"{dashes}BEGIN PRIVATE KEY{dashes}\\n{key}\\n{dashes}END PRIVATE KEY{dashes}\\n\","
    );
    made.push(Sample {
        kind: "private key in json",
        file: "service-account.json",
        text,
        secret: key,
    });
    made
}

fn sample(kind: &'static str, file: &'static str, line: impl Fn(&str) -> String, secret: String) -> Sample {
    Sample {
        kind,
        file,
        text: line(&secret),
        secret,
    }
}

/// Random text that has letters and digits whatever the draw: real tokens do, and rules may ask for it.
fn body(random: &mut Random, alphabet: &str, n: usize) -> String {
    loop {
        let text = random.text(alphabet, n);
        let clean = |c: char| c.is_ascii_alphanumeric();
        let ends = text.starts_with(clean) && text.ends_with(clean);
        let n_digits = text.bytes().filter(u8::is_ascii_digit).count();
        let n_letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
        if ends && (n < 10 || (n_digits >= 2 && n_letters >= 4)) {
            return text;
        }
    }
}

pub(crate) fn encode_base64(bytes: &[u8]) -> String {
    let alphabet = format!("{UPPER}{LOWER}{DIGIT}+/").into_bytes();
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group
            .iter()
            .fold(0u32, |bits, byte| (bits << 8) | u32::from(*byte))
            << (8 * (3 - group.len()));
        for place in 0..4 {
            let sextet = (bits >> (18 - 6 * place)) & 63;
            text.push(if place <= group.len() {
                alphabet[sextet as usize] as char
            } else {
                '='
            });
        }
    }
    text
}
