//! Tokens with a provider's prefix: recognised anywhere by prefix, alphabet and length.
//!
//! A table instead of regular expressions: a new token is a row, and a check counts bytes.

use std::ops::Range;

use super::{Span, value};

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub rule: &'static str,
    /// Case matters, although keywords are searched without regard to it.
    pub prefix: &'static str,
    alphabet: Alphabet,
    /// The least and the most bytes after the prefix.
    n: (usize, usize),
}

#[derive(Clone, Copy, Debug)]
enum Alphabet {
    Hex,
    /// Capitals and digits.
    Upper,
    /// Lower-case letters and digits.
    Lower,
    Alnum,
    /// Letters, digits, `_` and `-`.
    Word,
    /// Like `Word`, and dots.
    Dotted,
}

use Alphabet::{Alnum, Dotted, Hex, Lower, Upper, Word};

const fn row(
    rule: &'static str,
    prefix: &'static str,
    alphabet: Alphabet,
    least: usize,
    most: usize,
) -> Token {
    Token {
        rule,
        prefix,
        alphabet,
        n: (least, most),
    }
}

const MANY: usize = 4096;

pub(super) const TOKENS: &[Token] = &[
    row("adobe secret", "p8e-", Alnum, 32, 32),
    row("age secret key", "AGE-SECRET-KEY-1", Upper, 58, 58),
    row("airtable key", "key", Alnum, 14, 14),
    row("alibaba key id", "LTAI", Alnum, 16, 24),
    row("anthropic key", "sk-ant-", Word, 24, MANY),
    row("apify token", "apify_api_", Alnum, 30, 48),
    row("artifactory key", "AKCp", Alnum, 60, 80),
    row("asana token", "0/", Hex, 32, 32),
    row("atlassian token", "ATATT3", Word, 100, MANY),
    row("atlassian token", "ATCTT3", Word, 60, MANY),
    row("atlassian token", "ATSTT3", Word, 60, MANY),
    row("aws key id", "ABIA", Upper, 16, 16),
    row("aws key id", "ACCA", Upper, 16, 16),
    row("aws key id", "AKIA", Upper, 16, 16),
    row("aws key id", "ASIA", Upper, 16, 16),
    row("bitbucket password", "ATBB", Alnum, 28, 36),
    row("brevo key", "xkeysib-", Word, 60, 100),
    row("buildkite token", "bkua_", Hex, 40, 40),
    row("circleci token", "CCIPAT_", Word, 40, MANY),
    row("clojars token", "CLOJARS_", Hex, 60, 60),
    row("cloudflare key", "v1.0-", Word, 140, 200),
    row("contentful token", "CFPAT-", Word, 43, 43),
    row("databricks token", "dapi", Hex, 32, 32),
    row("digitalocean token", "doo_v1_", Hex, 64, 64),
    row("digitalocean token", "dop_v1_", Hex, 64, 64),
    row("digitalocean token", "dor_v1_", Hex, 64, 64),
    row("docker hub token", "dckr_oat_", Word, 27, 40),
    row("docker hub token", "dckr_pat_", Word, 27, 40),
    row("doppler token", "dp.ct.", Alnum, 40, 48),
    row("doppler token", "dp.pt.", Alnum, 40, 48),
    row("doppler token", "dp.st.", Dotted, 40, 60),
    row("dropbox token", "sl.", Word, 120, MANY),
    row("dynatrace token", "dt0c01.", Dotted, 80, 100),
    row("easypost key", "EZAK", Alnum, 54, 54),
    row("easypost key", "EZTK", Alnum, 54, 54),
    row("elevenlabs key", "sk_", Hex, 48, 48),
    row("facebook token", "EAA", Alnum, 90, MANY),
    row("facebook token", "EAACEdEose0cBA", Alnum, 10, MANY),
    row("figma token", "figd_", Word, 38, 60),
    row("fireworks key", "fw_", Alnum, 20, 40),
    row("flutterwave key", "FLWSECK-", Word, 32, 64),
    row("fly token", "fm2_", Word, 60, MANY),
    row("frame.io token", "fio-u-", Word, 60, 70),
    row("github token", "gho_", Alnum, 36, 255),
    row("github token", "ghp_", Alnum, 36, 255),
    row("github token", "ghr_", Alnum, 36, 255),
    row("github token", "ghs_", Alnum, 36, 255),
    row("github token", "ghu_", Alnum, 36, 255),
    row("github token", "github_pat_", Word, 36, 255),
    row("github token", "v1.", Hex, 40, 40),
    row("gitlab token", "glagent-", Word, 40, 60),
    row("gitlab token", "glcbt-", Word, 20, 60),
    row("gitlab token", "gldt-", Word, 20, 60),
    row("gitlab token", "glffct-", Word, 20, 60),
    row("gitlab token", "glft-", Word, 20, 60),
    row("gitlab token", "glimt-", Word, 20, 60),
    row("gitlab token", "gloas-", Word, 32, 80),
    row("gitlab token", "glpat-", Dotted, 20, 300),
    row("gitlab token", "glptt-", Hex, 40, 40),
    row("gitlab token", "glrt-", Dotted, 20, 300),
    row("gitlab token", "glsoat-", Word, 20, 60),
    row("gitlab token", "GR1348941", Word, 20, 30),
    row("google access token", "ya29.", Word, 30, MANY),
    row("google key", "AIza", Word, 35, 35),
    row("google oauth secret", "GOCSPX-", Word, 24, 32),
    row("google refresh token", "1//0", Word, 40, 120),
    row("grafana token", "glc_", Alnum, 32, MANY),
    row("grafana token", "glsa_", Word, 32, 60),
    row("groq key", "gsk_", Alnum, 40, 64),
    row("heroku key", "HRKU-AA", Word, 50, 70),
    row("hubspot token", "pat-eu1-", Word, 36, 36),
    row("hubspot token", "pat-na1-", Word, 36, 36),
    row("hugging face token", "api_org_", Alnum, 30, 40),
    row("hugging face token", "hf_", Alnum, 30, 40),
    row("langfuse key", "sk-lf-", Word, 32, 40),
    row("langsmith key", "lsv2_pt_", Word, 40, 60),
    row("langsmith key", "lsv2_sk_", Word, 40, 60),
    row("launchdarkly key", "api-", Word, 36, 36),
    row("launchdarkly key", "sdk-", Word, 36, 36),
    row("linear key", "lin_api_", Alnum, 32, 48),
    row("linear key", "lin_oauth_", Alnum, 32, 80),
    row("mailgun key", "key-", Hex, 32, 32),
    row("mapbox token", "sk.eyJ", Dotted, 60, MANY),
    row("neon key", "napi_", Lower, 40, 80),
    row("netlify token", "nfp_", Alnum, 36, 48),
    row("new relic key", "NRAK-", Upper, 27, 27),
    row("notion token", "ntn_", Alnum, 40, 60),
    row("notion token", "secret_", Alnum, 43, 43),
    row("npm token", "npm_", Alnum, 36, 36),
    row("nuget key", "oy2", Lower, 43, 43),
    row("nvidia key", "nvapi-", Word, 60, 80),
    row("openai key", "sk-", Alnum, 32, 200),
    row("openai key", "sk-admin-", Word, 40, 300),
    row("openai key", "sk-proj-", Word, 40, 300),
    row("openai key", "sk-svcacct-", Word, 40, 300),
    row("openrouter key", "sk-or-v1-", Hex, 64, 64),
    row("perplexity key", "pplx-", Alnum, 40, 64),
    row("pinecone key", "pcsk_", Word, 40, 100),
    row("planetscale secret", "pscale_oauth_", Word, 32, 64),
    row("planetscale secret", "pscale_pw_", Word, 32, 64),
    row("planetscale secret", "pscale_tkn_", Word, 32, 64),
    row("posthog key", "phx_", Alnum, 32, 60),
    row("postman key", "PMAK-", Word, 50, 70),
    row("prefect key", "pnu_", Lower, 36, 36),
    row("pulumi token", "pul-", Hex, 40, 40),
    row("pypi token", "pypi-AgE", Word, 50, MANY),
    row("razorpay key", "rzp_live_", Alnum, 14, 24),
    row("readme key", "rdme_", Lower, 70, 70),
    row("render key", "rnd_", Alnum, 28, 48),
    row("replicate token", "r8_", Alnum, 37, 40),
    row("resend key", "re_", Word, 30, 40),
    row("rubygems key", "rubygems_", Hex, 48, 48),
    row("sendinblue key", "xsmtpsib-", Word, 60, 100),
    row("sentry token", "sntrys_", Word, 40, MANY),
    row("sentry token", "sntryu_", Hex, 64, 64),
    row("shippo token", "shippo_live_", Hex, 40, 40),
    row("shopify secret", "shpat_", Hex, 32, 32),
    row("shopify secret", "shpca_", Hex, 32, 32),
    row("shopify secret", "shppa_", Hex, 32, 32),
    row("shopify secret", "shpss_", Hex, 32, 32),
    row("slack token", "xapp-", Word, 20, MANY),
    row("slack token", "xoxa-", Word, 20, MANY),
    row("slack token", "xoxb-", Word, 20, MANY),
    row("slack token", "xoxe-", Word, 20, MANY),
    row("slack token", "xoxe.", Dotted, 20, MANY),
    row("slack token", "xoxo-", Word, 20, MANY),
    row("slack token", "xoxp-", Word, 20, MANY),
    row("slack token", "xoxr-", Word, 20, MANY),
    row("slack token", "xoxs-", Word, 20, MANY),
    row("sonar token", "sqa_", Hex, 40, 40),
    row("sonar token", "sqp_", Hex, 40, 40),
    row("sonar token", "squ_", Hex, 40, 40),
    row("sourcegraph token", "sgp_", Word, 40, 80),
    row("square secret", "sq0atp-", Word, 22, 60),
    row("square secret", "sq0csp-", Word, 43, 60),
    row("square token", "EAAA", Word, 60, 60),
    row("stripe key", "rk_live_", Alnum, 16, 128),
    row("stripe key", "rk_test_", Alnum, 16, 128),
    row("stripe key", "sk_live_", Alnum, 16, 128),
    row("stripe key", "sk_test_", Alnum, 16, 128),
    row("stripe webhook secret", "whsec_", Alnum, 24, 80),
    row("supabase token", "sb_secret_", Word, 20, 60),
    row("supabase token", "sbp_", Hex, 40, 40),
    row("tailscale key", "tskey-", Word, 20, 100),
    row("tavily key", "tvly-", Word, 24, 64),
    row("together key", "tgp_v1_", Word, 40, 48),
    row("trello token", "ATTA", Hex, 64, 80),
    row("twilio key", "SK", Hex, 32, 32),
    row("typeform token", "tfp_", Word, 40, 64),
    row("vault token", "hvb.", Word, 60, MANY),
    row("vault token", "hvr.", Word, 60, MANY),
    row("vault token", "hvs.", Word, 24, MANY),
    row("vault token", "hvs.CAES", Word, 60, MANY),
    row("vercel token", "vcp_", Alnum, 24, 80),
    row("voyage key", "pa-", Word, 40, 48),
    row("wallet key", "xprv", Alnum, 100, 112),
    row("xai key", "xai-", Alnum, 60, 100),
    row("yandex key", "AQVN", Word, 35, 40),
];

/// Whether the keyword at `at` begins such a token.
pub(super) fn check(text: &str, at: &Range<usize>, token: &Token) -> Option<Span> {
    let bytes = text.as_bytes();
    if &text[at.clone()] != token.prefix || !begins_word(bytes, at.start) {
        return None;
    }
    let end = at.end
        + bytes[at.end..]
            .iter()
            .take(token.n.1 + 8)
            .take_while(|byte| token.alphabet.has(**byte))
            .count();
    // A dot or a dash at the end belongs to the sentence around it.
    let end = end
        - bytes[at.end..end]
            .iter()
            .rev()
            .take_while(|byte| matches!(byte, b'.' | b'-'))
            .count();
    let body = &text[at.end..end];
    if body.len() < token.n.0 || body.len() > token.n.1 {
        return None;
    }
    let goes_on = bytes
        .get(end)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    if goes_on || value::is_sample_body(body) || !value::is_random(body) {
        return None;
    }
    Some(Span {
        range: at.start..end,
        rule: token.rule,
    })
}

pub(super) fn begins_word(bytes: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|idx| bytes[idx]) else {
        return true;
    };
    if before.is_ascii_alphanumeric() || before == b'_' {
        // `\n` and similar escapes before a token in a string.
        return matches!(before, b'n' | b't' | b'r') && at >= 2 && bytes[at - 2] == b'\\';
    }
    true
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Hex => byte.is_ascii_hexdigit(),
            Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Lower => byte.is_ascii_lowercase() || byte.is_ascii_digit(),
            Alnum => byte.is_ascii_alphanumeric(),
            Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
        }
    }
}
