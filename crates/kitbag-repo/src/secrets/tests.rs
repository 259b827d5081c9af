//! What is cut out and, just as important, what stays (SEC-1).

use kitbag_testkit::fuzz::{Material, fuzz};
use kitbag_testkit::random::Random;
use kitbag_testkit::secret_shapes::{harmless, shapes};
use kitbag_testkit::secrets::samples;
use proptest::prelude::*;

use super::{Finding, SecretRules};

fn rules() -> SecretRules {
    SecretRules::new(&[]).unwrap()
}

fn redact(text: &str) -> String {
    rules().redact(text).0.into_owned()
}

#[test]
fn sec_1_every_sample_is_cut_out() {
    let rules = rules();
    let mut kinds = Vec::new();
    let mut missed = Vec::new();
    for sample in samples() {
        let text = format!("before\n{}\nafter\n", sample.text);
        let (clean, findings) = rules.redact(&text);
        if clean.contains(&sample.secret) || findings.is_empty() {
            missed.push((sample.kind, sample.text.clone()));
        }
        assert_eq!(clean.lines().count(), text.lines().count(), "{}", sample.kind);
        assert!(
            clean.starts_with("before\n") && clean.ends_with("\nafter\n"),
            "{}",
            sample.kind
        );
        let (again, _) = rules.redact(&clean);
        assert_eq!(again, clean, "{}: redacting twice changes nothing", sample.kind);
        kinds.push(sample.kind);
    }
    assert!(missed.is_empty(), "{missed:#?}");
    kinds.sort_unstable();
    kinds.dedup();
    assert!(kinds.len() >= 100, "{} kinds", kinds.len());
}

#[test]
fn sec_1_more_that_must_go() {
    // Values are assembled here so that no line of this file looks like a secret to a scanner.
    let word = format!("hunter{}", 2);
    let human = format!("Tr0ub4dor&{}", 3);
    let machine = Random::new(7).text("abcdefghijkmnpqrstuvwxyz23456789", 32);
    let mixed = Random::new(8).text("ABCDEFGHabcdefgh0123456789", 40);
    let table = [
        ("password = \"{}\"", &"swordfish".to_owned()),
        ("db_password: '{}'", &"supersecret".to_owned()),
        ("password = \"{}\"", &"correct-horse-battery-staple".to_owned()),
        ("DB_PASSWORD={}", &"hunter2-correct-horse".to_owned()),
        ("password = \"{}\"", &word),
        ("password: {}", &word),
        ("PASSWORD={}", &word),
        ("password = {}", &word),
        ("let password = '{}';", &human),
        ("const char *password = \"{}\";", &human),
        ("$password = '{}';", &human),
        ("db_pass: \"{}\"", &human),
        ("config[\"password\"] = \"{}\"", &human),
        ("os.environ['DB_PASSWORD'] = '{}'", &human),
        ("<property name=\"password\" value=\"{}\"/>", &human),
        ("password := `{}`", &human),
        ("@Value(\"x\") String password = \"{}\";", &human),
        ("pub const PASSWORD: &'static str = \"{}\";", &human),
        ("password: Optional[str] = \"{}\"", &human),
        (".password(\"{}\")", &human),
        ("user.setPassword('{}');", &human),
        ("IDENTIFIED BY PASSWORD='{}'", &human),
        ("jdbc:mysql://db/shop?user=kit&password={}&ssl=true", &human),
        ("mongodb+srv://kit:{}@cluster0.test/db", &human),
        ("amqp://kit:{}@queue:5672//", &human),
        ("https://kit:{}@git.test/kit/app.git", &machine),
        ("git clone https://oauth2:{}@git.test/kit/app.git", &machine),
        ("export API_TOKEN={}", &machine),
        ("api-key: {}", &machine),
        ("x-api-key: {}", &machine),
        ("-H 'X-Api-Key: {}'", &machine),
        ("secretKey = \"{}\"", &machine),
        ("secret: '{}'", &machine),
        ("\"accessToken\": \"{}\"", &mixed),
        ("'token' => '{}',", &machine),
        ("token=\"{}\"", &machine),
        ("--token={}", &machine),
        ("--api-key {}", &machine),
        ("-e SECRET_TOKEN={}", &machine),
        ("headers: { Authorization: `Bearer {}` }", &mixed),
        ("api_key = os.getenv('KEY') or api_key == '{}'", &machine),
        ("private static string ApiKey => \"{}\";", &machine),
        ("signingKey: \"{}\"", &machine),
        ("key = \"{}\"", &mixed),
        ("let s = \"line\\ntoken={}\";", &machine),
        ("AZURE_CLIENT_SECRET: \"{}\"", &mixed),
        ("stripe.api_key = \"{}\"", &machine),
    ];
    let missed: Vec<String> = table
        .iter()
        .map(|(line, secret)| (line.replace("{}", secret), secret))
        .filter(|(line, secret)| redact(line).contains(secret.as_str()))
        .map(|(line, _)| line)
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

/// Values that were once missed (issue 11). They are assembled here, so that no line of this file is one.
#[test]
fn sec_7_a_value_is_judged_whole() {
    let must_go = [
        ("password = \"{}\"", ["super_", "secret_", "123"].concat()),
        ("api_key = \"{}\"", ["X7#fq9", "Lmon", "key"].concat()),
        ("password = \"{}\"", ["Kx9$mQ2", "!pa", "ss1"].concat()),
        ("password = \"{}\"", ["MyCompany", "-Prod-", "2024"].concat()),
        ("password = \"{}\"", "correct horse battery staple".to_owned()),
        ("DB_PASSWORD={}", ["hunter2", "secret", "99"].concat()),
        ("JWT_SECRET={}", ["my_super_jwt", "_secret_", "2024"].concat()),
    ];
    for (line, secret) in &must_go {
        let clean = redact(&line.replace("{}", secret));
        assert_eq!(clean, line.replace("{}", "[REDACTED]"));
    }
    // Exactly a placeholder or a template is not a secret; with anything added it is.
    for value in [
        "changeme",
        "your-api-key",
        "secret",
        "password123",
        "${DB_PASSWORD}",
        "<password>",
        "********",
    ] {
        let line = format!("password = \"{value}\"");
        assert_eq!(redact(&line), line);
        let line = format!("password = \"{value}-{}\"", ["Zk", "93", "vq"].concat());
        if !value.contains(['$', '*']) {
            assert_ne!(redact(&line), line);
        }
    }
}

/// More that were once missed: connection strings, comparisons, decoded and joined literals, other languages.
#[test]
fn sec_7_other_ways_to_write_a_secret() {
    let chosen = ["kV8m", "Pm2x"].concat();
    let made = Random::new(11).text("abcdefghijkmnpqrstuvwxyz23456789", 26);
    let mixed = Random::new(12).text("ABCDEFGHJKLMNPQRabcdefghijkmnpqr23456789", 43);
    let encoded = format!("{}==", Random::new(13).text("ABCDEFabcdef0123456789", 14));
    let table = [
        (&chosen, "connect(\"dbname=x user=y password={} host=h\")"),
        (&chosen, "psycopg2.connect('user=y password={}')"),
        (&chosen, "password = \"\"\"\n{}\n\"\"\""),
        (&chosen, "password = '''\\\n    {}'''"),
        (&chosen, "if (password.equals(\"{}\")) {"),
        (&chosen, "if (\"{}\".equals(password)) {"),
        (&chosen, "return \"{}\".equals(user.getPassword());"),
        (&chosen, "if \"{}\" == password:"),
        (&encoded, "password = base64.b64decode(\"{}\")"),
        (&encoded, "const password = atob('{}');"),
        (&made, "headers = \"Bearer \" + \"{}\""),
        (&made, "h.set('Authorization', 'Bearer ' + '{}')"),
        (&made, "credential = \"{}\""),
        (&made, "creds = \"{}\""),
        (&made, "sessionid = \"{}\""),
        (&chosen, "otp_seed = \"{}\""),
        (&chosen, "db_psw = \"{}\""),
        (&chosen, "mdp = \"{}\""),
        (&chosen, "contraseña = \"{}\""),
        (&chosen, "CONTRASEÑA={}"),
        (&chosen, "contrasena: {}"),
        (&chosen, "db_senha={}"),
        (&chosen, "mot_de_passe = \"{}\""),
        (&chosen, "motDePasse: '{}'"),
        (&chosen, "kennwort = \"{}\""),
        (&chosen, "wachtwoord: \"{}\""),
        (&chosen, "\"密码\": \"{}\""),
        (&chosen, "数据库密码 = \"{}\""),
    ];
    for (secret, line) in table {
        assert_eq!(
            redact(&line.replace("{}", secret)),
            line.replace("{}", "[REDACTED]")
        );
    }
    for prefix in [["vc", "p_"], ["ph", "x_"], ["tgp_", "v1_"]] {
        let line = format!("open(\"{}{mixed}\")", prefix.concat());
        assert_eq!(redact(&line), "open(\"[REDACTED]\")");
    }
}

/// What looks like them but is not a secret.
#[test]
fn sec_1_neighbours_of_other_ways_stay() {
    for text in [
        "password.equals(\"password\")",
        "password.equals(confirmPassword2)",
        "\"PASSWORD_2\".equals(password)",
        "\"\".equals(password)",
        "if (\"token2\".equals(token))",
        "\"sha256-v2\" == password.algorithm",
        "mdp = MDP(\"FrozenLake-v1\")",
        "mdp: \"gridworld-v2\"",
        "PSW=0x12345678",
        "psw_field = \"psw_input2\"",
        "class=\"contrasena-input2\"",
        "contraseña: \"Introduzca su contraseña\"",
        "\"senha\": \"digite sua senha\"",
        "\"密码\": \"请输入8位密码\"",
        "kennwort: \"Kennwort vergessen?\"",
        "senha: senhaUsuario1",
        "mot_de_passe: \"Mot de passe\"",
        "sessionid = request.session_id2",
        "sessionid = \"session-1234\"",
        "password = base64.b64decode(encoded2)",
        "password = \"\"\"\nThe password of the user.\n\"\"\"",
        "\"Bearer \" + \"your-token-here\"",
        "\"user=y password=%s host=h\"",
        "\"dbname=test user=postgres password=postgres host=localhost\"",
        "f(user=x, password=secret_value2 )",
        "phx_value_id_1234567890abcdef",
        "vcp_pool_size_1234567890",
    ] {
        assert_eq!(redact(text), text);
    }
}

/// The percentage of the shapes that must be cut out: 270 of 277 (issue 11).
const FLOOR_PERCENT: usize = 97;

/// Every shape with eleven sets of values, so that each is tried with every alphabet.
#[test]
fn sec_1_shapes_are_cut_out() {
    let rules = rules();
    let (mut n_shapes, mut n_all) = (0, 0);
    let mut missed = Vec::new();
    for seed in 0..11 {
        let all = shapes(seed);
        n_shapes = all.len();
        for shape in all {
            n_all += 1;
            let is_table = shape.file.ends_with("sv");
            let text = if is_table {
                shape.text.clone()
            } else {
                format!("before\n{}\nafter\n", shape.text)
            };
            let (clean, findings) = rules.redact(&text);
            if findings.is_empty() || shape.secrets.iter().any(|secret| clean.contains(secret.as_str())) {
                missed.push(shape.name);
            }
            // The structure stays: the same number of lines, and the same text when it is redacted again.
            assert_eq!(clean.lines().count(), text.lines().count(), "{}", shape.name);
            assert!(
                is_table || (clean.starts_with("before\n") && clean.ends_with("\nafter\n")),
                "{}",
                shape.name
            );
            assert_eq!(rules.redact(&clean).0, clean, "{}", shape.name);
        }
    }
    assert!(n_shapes >= 277, "{n_shapes} shapes");
    assert!(
        (n_all - missed.len()) * 100 >= n_all * FLOOR_PERCENT,
        "{missed:#?}"
    );
    // None is missed today; a new shape that is missed may be named here, with the reason.
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn sec_1_what_is_harmless_stays() {
    let rules = rules();
    let mut changed = Vec::new();
    for text in harmless() {
        for line in text.text.lines() {
            let clean = rules.redact(line).0;
            if clean != line {
                changed.push(format!("{}: {line} -> {clean}", text.name));
            }
        }
        let clean = rules.redact(text.text).0;
        if clean != text.text {
            changed.push(format!("{}, as a whole: {clean}", text.name));
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
}

/// A line of nothing but beginnings takes linear time: with quadratic time this test would not end.
#[test]
fn sec_1_long_lines_of_beginnings_end() {
    let rules = rules();
    for beginning in [
        "secret=",
        "password=[",
        "pw={",
        "auth=(",
        "eyJ=",
        "api-",
        "://a:b",
        "login(\"a\", ",
        "MIIEo=",
        "mysql -p",
        "|--",
        "cookie=a=",
        "password: \"",
        "insert into a (",
        "token_",
        "kind: secret ",
        "s.a",
        "${password:",
        "é密password='",
        "密码=",
        "\"a\"==password ",
        "\"user=a password=",
        "\"Bearer \"+",
    ] {
        let line = beginning.repeat(20_000 / beginning.len());
        let (clean, _) = rules.redact(&line);
        assert!(!clean.contains('\n'));
    }
}

/// The same at a length at which reading the whole run at every beginning would be noticeable.
#[test]
fn sec_1_long_lines_of_web_tokens_end() {
    let rules = rules();
    for beginning in ["eyJ.", "eyJ-", "eyJ=", "eyJabcdefgh.", "eyJabcdefgh.x="] {
        let line = beginning.repeat(400_000 / beginning.len());
        assert_eq!(rules.redact(&line).0, line, "{beginning}");
    }
    // After a run that is not a token, the next is still checked.
    let parts = [
        Random::new(9).text("abcdefghijkmnpqrstuvwxyz23456789", 40),
        Random::new(10).text("abcdefghijkmnpqrstuvwxyz23456789", 40),
    ];
    for lead in ["eyJ.", "eyJ-", "eyJ=", "x-"] {
        let token = format!("{lead}eyJ{0}.eyJ{0}.{1}", parts[0], parts[1]);
        let clean = redact(&token);
        assert!(!clean.contains(parts[1].as_str()), "{clean}");
    }
}

#[test]
fn sec_1_code_stays_as_it_is() {
    let lines = "\
password = get_password()
password = getpass.getpass(\"Password: \")
password = os.environ[\"DB_PASSWORD\"]
password = config.password
password = user.password2
password: str
password: string;
password?: string
token: str = None
token: Option<String>,
secret: SecretStr = Field(...)
api_key = None
api_key: Optional[str] = None
token = \"token\"
token = token1
secret = 'secret'
password = 'password'
password: \"Password\"
password: 'Passwort'
password: \"incorrect\"
password = \"current-password\"
password: 'form-control'
password = swordfish
password: \"user.password.title\"
\"password\": \"Mot de passe\",
\"password\": \"Пароль\"
password: 'required|min:8|confirmed'
passwordField = \"password_input_2\"
password_hash = \"5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8\"
type=\"password\"
<input type=\"password\" name=\"password\" id=\"password-1\">
<label for=\"password\">Password</label>
<password>${db.password}</password>
password: ${DB_PASSWORD}
password: $DB_PASSWORD
password: {{ .Values.password }}
password: \"{{ vault_password }}\"
password: <your-password>
PASSWORD=changeme
PASSWORD=postgres
API_KEY=your-api-key-here-123
api_key = \"xxxxxxxxxxxxxxxxxxxxxxxx\"
api_key = \"<API_KEY_2>\"
api_key: \"YOUR_API_KEY_42\"
TOKEN_KIND = \"string_literal\"
TokenKind = \"string_literal2\"
tokenType: \"Bearer\"
token_type = \"bearer\"
let token = tokens.next().unwrap();
let token = self.lexer.peek2();
match token { Token::Ident2 => 1 }
max_tokens: 4096
max_tokens = 128000
tokenizer = \"cl100k_base\"
eos_token = \"<|endoftext|>\"
pad_token = \"[PAD10]\"
next_token = \"page2_cursor_9f8e7d6c5b4a\"
primary_key = \"user_id_2\"
cache_key = \"user:42:profile:v3\"
partition_key: \"tenant-00012-abc\"
key = \"user.profile.title2\"
key: ${{ runner.os }}-cargo-${{ hashFiles('**/Cargo.lock') }}
key = \"3f786850e387550fdab836ed7e6dc881de23001b\"
const KEY_ENTER = \"Enter13\"
keyboard = \"qwertz105\"
public_key = \"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0a1b2c3d4e5f\"
checksum = \"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"
\"integrity\": \"sha512-oRQ8y4Z1BdV7XkH1J9mQhJ2Kk0Pz0u6nF1bqS3cTtLwVv5xWgYp7Zr2a4d6f8h0j==\",
commit = \"4ba5d30c1f2e3d4c5b6a79881726354433221100\"
id = \"550e8400-e29b-41d4-a716-446655440000\"
class=\"sk-circle-fade-dot sk-chase-dot\"
.sk-folding-cube .sk-cube1:before { color: red }
npm_config_registry=https://registry.test/
npm_lifecycle_event=test
export PATH=$HOME/bin:$PATH
PWD=/home/kit/project1
cd \"$PWD/build2\"
author = \"Kit Bag <kit2@example.com>\"
authority = \"https://login.test/common2\"
auth = HTTPBasicAuth(user, password)
auth: \"oauth2\"
Authorization: Bearer <token>
Authorization: Bearer ${TOKEN}
headers[\"Authorization\"] = f\"Bearer {token}\"
\"Authorization\": \"Bearer \" + token
// bearer tokens are checked before basic authentication
Basic usage: see below
def test_password_1_is_hashed_2(self):
it('rejects password without 1 digit', () => {
assert_eq!(token, Token::Number(42));
if password == \"\" { return }
if (token.kind === SyntaxKind.Token2) {
secrets: inherit
secret_name = \"projects/kit/secrets/db-2\"
secretName: tls-secret-2
secret: /run/secrets/db_password_1
client_secret_file = \"client_secret_2.json\"
SECRET_ARN=\"arn:aws:secretsmanager:eu-west-1:123456789012:secret:db\"
http://localhost:8080/path@2
https://user:password@example.com/
postgres://postgres:postgres@localhost:5432/app
postgres://user:${PASSWORD}@localhost/app
redis://localhost:6379/0
scp kit@host:/srv/app2 .
git@github.com:kit/bag.git
const HEADER: &str = \"-----BEGIN PRIVATE KEY-----\";
if line.startswith('-----BEGIN RSA PRIVATE KEY-----'): return 1
keyPrefix = \"sk-\"
prefix = \"ghp_\"
regex = r\"ghp_[A-Za-z0-9]{36}\"
re.compile(r\"AKIA[0-9A-Z]{16}\")
AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE
import { token } from './token2';
passwordStrength = zxcvbn2(password).score
bypass = \"cache-bust-2024\"
compass: north1
passenger_count = 12345678
seed = 1234567890
mnemonic = \"abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about\"
eyJust_a_name_that_starts_like_a_token.but.is_not_one
--password-stdin
--token-file /etc/kit/token2
docker login --password $PASSWORD2
placeholder=\"Enter your password123\"
[ \"$(PWD=$TEST_DIR/tmp_find_up/a/b2 find_up)\" ]
create(username=\"u\", password=make_password(None1))
\"{pattern:?} on {text2:?}: pass={end:?} scan={any_match:?}\"
'<p><label for=\"id_password1\">Password1:</label>'
headers={\"Authorization\": \"Basic dXNlcjpwYXNz\"},
http://foo:bar@example.com/
longpoll.token = \"token123\"
refresh_token=\"demo_refresh_token_12345\",
validate_password(\"django4242\")
";
    let rules = rules();
    assert!(lines.lines().count() >= 110, "{}", lines.lines().count());
    let changed: Vec<(&str, String)> = lines
        .lines()
        .map(|line| (line, rules.redact(line).0.into_owned()))
        .filter(|(line, clean)| line != clean)
        .collect();
    assert!(changed.is_empty(), "{changed:#?}");
    // All lines together too: a rule must not match across a line end.
    assert_eq!(rules.redact(lines).0, lines);
}

#[test]
fn sec_1_structure_is_kept() {
    let secret = format!("Tr0ub4dor&{}", 3);
    let check = |line: &str, expected: &str| assert_eq!(redact(&line.replace("{}", &secret)), expected);
    check("password = \"{}\"  # keep", "password = \"[REDACTED]\"  # keep");
    check(
        "  \"password\": \"{}\",\r\n  \"x\": 1",
        "  \"password\": \"[REDACTED]\",\r\n  \"x\": 1",
    );
    check("postgres://app:{}@db/shop", "postgres://app:[REDACTED]@db/shop");
    check("<password>{}</password>", "<password>[REDACTED]</password>");
    check("DB_PASSWORD={}\nNEXT=1", "DB_PASSWORD=[REDACTED]\nNEXT=1");
}

#[test]
fn sec_1_findings_name_rule_and_line_only() {
    let secret = format!("Tr0ub4dor&{}", 3);
    let (_, findings) = rules().redact(&format!("a\n\npassword = '{secret}'\nb\n"));
    assert_eq!(
        findings,
        [Finding {
            rule: "password",
            line: 3
        }]
    );
}

#[test]
fn sec_1_user_patterns() {
    let rules = SecretRules::new(&["KIT-[0-9]{4}".to_owned(), "badge:(\\w+)".to_owned()]).unwrap();
    assert_eq!(
        rules.redact("x KIT-1234 badge:abc y").0,
        "x [REDACTED] badge:[REDACTED] y"
    );
    assert_ne!(rules.fingerprint(), SecretRules::new(&[]).unwrap().fingerprint());
    let error = SecretRules::new(&["(".to_owned()]).unwrap_err();
    assert_eq!(error.code(), "CONFIG_ERROR");
    let spanning = SecretRules::new(&["(?s)BEGIN.*END".to_owned()]).unwrap();
    assert_eq!(
        spanning.redact("1 BEGIN a\nb\n\nEND 2").0,
        "1 [REDACTED]\n[REDACTED]\n\n[REDACTED] 2"
    );
}

#[test]
fn sec_1_off_changes_nothing() {
    let text = format!("password = 'Tr0ub4dor&{}'", 3);
    assert_eq!(SecretRules::off().redact(&text).0, text);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any text with pieces of secrets: no panic, no line break moves, and nothing is lost where nothing was found.
    #[test]
    fn sec_1_line_breaks_never_move(pieces in prop::collection::vec(piece(), 0..30)) {
        let text = pieces.concat();
        let (clean, findings) = rules_once().redact(&text);
        let breaks = |text: &str| text.bytes().filter(|byte| matches!(byte, b'\n' | b'\r')).count();
        prop_assert_eq!(breaks(&text), breaks(&clean));
        prop_assert_eq!(text == clean, findings.is_empty());
        let again = rules_once().redact(&clean).0;
        prop_assert_eq!(&again, &clean, "redacting twice changes nothing");
        let same = rules_once().redact(&text).0;
        prop_assert_eq!(&same, &clean, "the same text gives the same answer");
    }
}

fn rules_once() -> &'static SecretRules {
    static RULES: std::sync::OnceLock<SecretRules> = std::sync::OnceLock::new();
    RULES.get_or_init(rules)
}

fn piece() -> impl Strategy<Value = String> {
    let fixed = [
        "\n@@ -1 +1 @@\n",
        "\n+",
        "\n-",
        "password",
        "token",
        "secret",
        "key-",
        "api_key",
        "=",
        ": ",
        " = ",
        "\"",
        "'",
        "`",
        "\\\"",
        "\\",
        "\n",
        "\r\n",
        "${",
        "}",
        "://",
        "@",
        ":",
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----END",
        "eyJ",
        ".",
        "Bearer ",
        "Basic ",
        "--",
        "<",
        ">",
        "(",
        ")",
        "curl -u ",
        "SG.",
        ":AA",
        "-us",
        "12345678",
        "a8f5f167f44f4964e6c998dee827110c",
        "Zm9vOmJhcmJheg==",
        "é",
        "密码",
        "contraseña",
        ".equals(",
        " == ",
        "🔑",
        "String::from(",
        "value=",
        ",",
        ";",
        "\"\"\"",
        "b\"",
        "Private-Lines: 2\n",
        "sk-",
        "ghp_",
        "login(",
        "jwt.sign(x, ",
        "kind: Secret\n",
        "data:\n  ",
        "insert into t (a, password) values (1, '",
        "| password |\n|---|\n| ",
        "name,password\n",
        "mysql -p",
        "cookie: a=",
        "Authorization: token ",
        "accounts: [",
        "- name: PASSWORD\n  value: ",
        "password: |\n  ",
        "[1, 2, 3, 40, 50, 60, 70, 80, 90]",
        " + ",
        "MIIEpAIBAAKCAQEA",
        "hunter2secret99",
        "Kx9$mQ2!",
    ];
    prop_oneof![4 => prop::sample::select(fixed.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,12}"]
}

/// Each sample as a diff would show it: added, removed, and in a merge.
#[test]
fn sec_1_signs_of_a_diff_hide_nothing() {
    let rules = rules();
    let mut missed = Vec::new();
    for sample in samples() {
        for (hunk, sign) in [
            ("@@ -1,9 +1,9 @@", "+"),
            ("@@ -1,9 +1,9 @@ x", "-"),
            ("@@@ -1 -1 +1 @@@", "++"),
        ] {
            let blank = &"  "[..sign.len()];
            let lines: String = sample
                .text
                .lines()
                .map(|line| format!("{sign}{line}\n"))
                .collect();
            let text = format!(
                "--- a/{0}\n+++ b/{0}\n{hunk}\n{blank}before\n{lines}{blank}after\n",
                sample.file
            );
            let (clean, findings) = rules.redact(&text);
            if clean.contains(&sample.secret) || findings.is_empty() {
                missed.push((sample.kind, sign, clean.to_string()));
            }
            // It is still a diff: every line of the hunk has its sign.
            assert!(
                clean
                    .lines()
                    .skip(4)
                    .take(sample.text.lines().count())
                    .all(|line| line.starts_with(sign)),
                "{clean}"
            );
            let (again, _) = rules.redact(&clean);
            assert_eq!(again, clean, "{}: redacting twice changes nothing", sample.kind);
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn sec_1_the_sides_of_a_diff_are_told_apart() {
    let body: Vec<String> = (0..4)
        .map(|n| Random::new(n).text("ABCDEFGHIJKLMNOPabcdefghijklmnop0123456789+/", 64))
        .collect();
    let kind = "RSA PRIVATE KEY";
    // A key with one replaced line: on neither side are its lines adjacent in the diff.
    let text = format!(
        "@@ -1,5 +1,5 @@\n -----BEGIN {kind}-----\n {}\n-{}\n+{}\n {}\n -----END {kind}-----\n",
        body[0], body[1], body[2], body[3]
    );
    let marker = "[REDACTED]";
    assert_eq!(
        redact(&text),
        format!(
            "@@ -1,5 +1,5 @@\n -----BEGIN {kind}-----\n {marker}\n-{marker}\n+{marker}\n {marker}\n -----END {kind}-----\n"
        )
    );
}

#[test]
fn sec_6_fuzz_secrets() {
    let rules = rules();
    let known: Vec<String> = samples().into_iter().map(|sample| sample.text).collect();
    let samples: Vec<&str> = known.iter().map(String::as_str).collect();
    let material = Material::new(
        &samples,
        &[
            "password",
            "secret",
            "api_key",
            "token",
            "=",
            ": ",
            "\"",
            "'",
            "`",
            "ghp_",
            "sk-",
            "AKIA",
            "eyJ",
            "://",
            "@",
            "-----BEGIN ",
            "PRIVATE KEY-----",
            "<",
            ">",
            "</",
            "{",
            "}",
            "[",
            "]",
            ",",
            "|",
            "- ",
            "\n",
            "  ",
            "export ",
            "--",
            "Bearer ",
            "x9f!k2Lm",
            "${",
            "\\",
            "#",
            "+",
            "[REDACTED]",
            "diff --git ",
            "@@ -1 +1 @@\n",
        ],
    );
    fuzz("secrets", &material, |input| {
        let text = String::from_utf8_lossy(input);
        let (clean, findings) = rules.redact(&text);
        assert_eq!(
            clean.matches('\n').count(),
            text.matches('\n').count(),
            "lines stay"
        );
        let n_lines = text.matches('\n').count() as u32 + 1;
        assert!(
            findings
                .iter()
                .all(|finding| (1..=n_lines).contains(&finding.line))
        );
    });
}
