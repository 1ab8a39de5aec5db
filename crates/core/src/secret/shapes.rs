//! Tokens that are known by how they look: what a provider begins them with, or how they are cut into parts.

use std::ops::Range;

use memory_steps::count;

use super::random::{has_mixed_case, has_random_part, looks_random};
use super::{Found, starts_word};

/// The characters that may follow a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    /// Letters and digits.
    Plain,
    /// Letters, digits, `-` and `_`, so that words may follow the prefix as well.
    Joined,
    /// Digits of a hexadecimal number.
    Hex,
    /// Capital letters and digits.
    Capitals,
}

impl Body {
    fn has(self, byte: u8) -> bool {
        match self {
            Body::Plain => byte.is_ascii_alphanumeric(),
            Body::Joined => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
            Body::Hex => byte.is_ascii_hexdigit(),
            Body::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        }
    }
}

/// A provider's token: what it begins with, and how many characters of which kind follow.
struct Shape {
    what: &'static str,
    prefix: &'static str,
    body: Body,
    at_least: usize,
    at_most: usize,
}

const ANY: usize = usize::MAX;

const fn shape(what: &'static str, prefix: &'static str, body: Body, at_least: usize) -> Shape {
    Shape {
        what,
        prefix,
        body,
        at_least,
        at_most: ANY,
    }
}

const fn exact(what: &'static str, prefix: &'static str, body: Body, length: usize) -> Shape {
    Shape {
        what,
        prefix,
        body,
        at_least: length,
        at_most: length,
    }
}

/// A longer prefix comes before a shorter one that it begins with.
const SHAPES: &[Shape] = &[
    shape("an Anthropic API key", "sk-ant-", Body::Joined, 20),
    shape("an OpenAI API key", "sk-proj-", Body::Joined, 20),
    shape("an OpenAI API key", "sk-svcacct-", Body::Joined, 20),
    shape("an OpenAI API key", "sk-admin-", Body::Joined, 20),
    shape("an OpenRouter key", "sk-or-v1-", Body::Hex, 32),
    shape("a Langfuse key", "sk-lf-", Body::Joined, 36),
    shape("an API key", "sk-", Body::Plain, 32),
    shape("a Stripe key", "sk_live_", Body::Plain, 16),
    shape("a Stripe key", "sk_test_", Body::Plain, 16),
    shape("a Stripe key", "rk_live_", Body::Plain, 16),
    shape("a Stripe key", "rk_test_", Body::Plain, 16),
    shape("a webhook secret", "whsec_", Body::Plain, 24),
    shape("an ElevenLabs key", "sk_", Body::Hex, 40),
    shape("a GitHub token", "ghp_", Body::Plain, 30),
    shape("a GitHub token", "gho_", Body::Plain, 30),
    shape("a GitHub token", "ghs_", Body::Plain, 30),
    shape("a GitHub token", "ghu_", Body::Plain, 30),
    shape("a GitHub token", "ghr_", Body::Plain, 30),
    shape("a GitHub token", "github_pat_", Body::Joined, 30),
    shape("a GitLab token", "glpat-", Body::Joined, 18),
    shape("a GitLab token", "gldt-", Body::Joined, 18),
    shape("a GitLab token", "glrt-", Body::Joined, 18),
    shape("a GitLab token", "glrtr-", Body::Joined, 18),
    shape("a GitLab token", "glcbt-", Body::Joined, 18),
    shape("a GitLab token", "glptt-", Body::Joined, 18),
    shape("a GitLab token", "glft-", Body::Joined, 18),
    shape("a GitLab token", "glimt-", Body::Joined, 18),
    shape("a GitLab token", "glagent-", Body::Joined, 18),
    shape("a GitLab token", "gloas-", Body::Joined, 18),
    shape("a GitLab token", "glsoat-", Body::Joined, 18),
    exact("an AWS access key", "AKIA", Body::Plain, 16),
    exact("an AWS access key", "ASIA", Body::Plain, 16),
    exact("an AWS access key", "ABIA", Body::Plain, 16),
    exact("an AWS access key", "ACCA", Body::Plain, 16),
    shape("a Google API key", "AIza", Body::Joined, 35),
    shape("a Google client secret", "GOCSPX-", Body::Joined, 24),
    shape("a Google access token", "ya29.", Body::Joined, 30),
    shape("a Slack token", "xoxb-", Body::Joined, 20),
    shape("a Slack token", "xoxp-", Body::Joined, 20),
    shape("a Slack token", "xoxa-", Body::Joined, 20),
    shape("a Slack token", "xoxr-", Body::Joined, 20),
    shape("a Slack token", "xoxs-", Body::Joined, 20),
    shape("a Slack token", "xoxc-", Body::Joined, 20),
    shape("a Slack token", "xoxd-", Body::Joined, 20),
    shape("a Slack token", "xoxe-", Body::Joined, 20),
    shape("a Slack token", "xoxe.xoxb-", Body::Joined, 20),
    shape("a Slack token", "xoxe.xoxp-", Body::Joined, 20),
    shape("a Slack token", "xapp-", Body::Joined, 20),
    shape("a Hugging Face token", "hf_", Body::Plain, 30),
    shape("a Hugging Face token", "api_org_", Body::Plain, 30),
    shape("a Groq key", "gsk_", Body::Plain, 40),
    shape("an xAI key", "xai-", Body::Plain, 60),
    shape("a Perplexity key", "pplx-", Body::Plain, 40),
    shape("a Replicate token", "r8_", Body::Plain, 30),
    shape("a Fireworks key", "fw_", Body::Plain, 22),
    shape("an NVIDIA key", "nvapi-", Body::Joined, 50),
    shape("a LangSmith key", "lsv2_", Body::Joined, 40),
    shape("a Voyage key", "pa-", Body::Joined, 40),
    shape("a Tavily key", "tvly-", Body::Joined, 20),
    exact("a Firecrawl key", "fc-", Body::Hex, 32),
    shape("a Square token", "EAAA", Body::Joined, 56),
    shape("a Square secret", "sq0csp-", Body::Joined, 40),
    shape("a Square token", "sq0atp-", Body::Joined, 20),
    exact("a Shopify token", "shpat_", Body::Hex, 32),
    exact("a Shopify token", "shpca_", Body::Hex, 32),
    exact("a Shopify token", "shppa_", Body::Hex, 32),
    exact("a Shopify token", "shpss_", Body::Hex, 32),
    shape("an npm token", "npm_", Body::Plain, 36),
    shape("a PyPI token", "pypi-", Body::Joined, 60),
    exact("a RubyGems key", "rubygems_", Body::Hex, 48),
    exact("a crates.io token", "cio", Body::Plain, 32),
    shape("a Docker token", "dckr_pat_", Body::Joined, 24),
    shape("a Docker token", "dckr_oat_", Body::Joined, 24),
    exact("a NuGet key", "oy2", Body::Plain, 43),
    shape("a Vault token", "hvs.", Body::Joined, 24),
    shape("a Vault token", "hvb.", Body::Joined, 24),
    shape("a Vault token", "hvr.", Body::Joined, 24),
    exact("a DigitalOcean token", "dop_v1_", Body::Hex, 64),
    exact("a DigitalOcean token", "doo_v1_", Body::Hex, 64),
    exact("a DigitalOcean token", "dor_v1_", Body::Hex, 64),
    exact("a Databricks token", "dapi", Body::Hex, 32),
    shape("a Linear key", "lin_api_", Body::Plain, 32),
    shape("a Notion token", "ntn_", Body::Plain, 40),
    exact("a Notion token", "secret_", Body::Plain, 43),
    shape("an Atlassian token", "ATATT3", Body::Joined, 60),
    shape("an Atlassian token", "ATCTT3", Body::Joined, 60),
    shape("a Postman key", "PMAK-", Body::Joined, 50),
    shape("a SendGrid key", "SG.", Body::Joined, 20),
    exact("a Mailgun key", "key-", Body::Hex, 32),
    exact("a Twilio key", "SK", Body::Hex, 32),
    shape("a Brevo key", "xkeysib-", Body::Joined, 60),
    shape("a Brevo key", "xsmtpsib-", Body::Joined, 60),
    shape("a Resend key", "re_", Body::Joined, 30),
    shape("a New Relic key", "NRAK-", Body::Capitals, 27),
    shape("a Sentry token", "sntrys_", Body::Joined, 40),
    exact("a Sentry token", "sntryu_", Body::Hex, 64),
    shape("a Grafana token", "glsa_", Body::Joined, 40),
    shape("a Grafana token", "glc_", Body::Plain, 32),
    exact("a Pulumi token", "pul-", Body::Hex, 40),
    shape("a PlanetScale token", "pscale_tkn_", Body::Joined, 32),
    shape("a PlanetScale password", "pscale_pw_", Body::Joined, 32),
    exact("a Supabase token", "sbp_", Body::Hex, 40),
    shape("a Supabase key", "sb_secret_", Body::Joined, 26),
    shape("a Fly.io token", "fo1_", Body::Joined, 40),
    shape("a Fly.io token", "fm2_", Body::Joined, 20),
    shape("a Heroku key", "HRKU-", Body::Joined, 36),
    shape("a Dropbox token", "sl.", Body::Joined, 100),
    shape("a Figma token", "figd_", Body::Joined, 36),
    shape("a Typeform token", "tfp_", Body::Joined, 40),
    shape("a Doppler token", "dp.pt.", Body::Plain, 40),
    shape("a Doppler token", "dp.st.dev.", Body::Plain, 40),
    shape("a Doppler token", "dp.st.stg.", Body::Plain, 40),
    shape("a Doppler token", "dp.st.prd.", Body::Plain, 40),
    shape("a Doppler token", "dp.st.", Body::Joined, 40),
    shape("a Doppler token", "dp.ct.", Body::Plain, 40),
    shape("a Doppler token", "dp.sa.", Body::Plain, 40),
    exact("a Prefect key", "pnu_", Body::Plain, 36),
    shape("an Adobe secret", "p8e-", Body::Plain, 32),
    exact("an Alibaba access key", "LTAI", Body::Plain, 20),
    shape("an Artifactory key", "AKCp", Body::Plain, 60),
    shape("an age key", "AGE-SECRET-KEY-1", Body::Capitals, 50),
    shape("a 1Password token", "ops_eyJ", Body::Plain, 100),
    shape("a Clojars token", "CLOJARS_", Body::Plain, 60),
    shape("a Cloudflare key", "v1.0-", Body::Joined, 150),
    shape("a Flutterwave key", "FLWSECK-", Body::Joined, 32),
    shape("a Cerebras key", "csk-", Body::Plain, 40),
    shape("a Tailscale key", "tskey-", Body::Joined, 30),
    exact("a Linear token", "lin_oauth_", Body::Hex, 64),
    exact("an EasyPost key", "EZAK", Body::Plain, 54),
    exact("an EasyPost key", "EZTK", Body::Plain, 54),
    exact("a ReadMe key", "rdme_", Body::Plain, 70),
    shape("a Duffel token", "duffel_live_", Body::Joined, 43),
    shape("a Duffel token", "duffel_test_", Body::Joined, 43),
    shape("a Netlify token", "nfp_", Body::Plain, 36),
    exact("a Buildkite token", "bkua_", Body::Hex, 40),
    shape("a Pinecone key", "pcsk_", Body::Joined, 60),
    shape("a Sourcegraph token", "sgp_", Body::Joined, 40),
    exact("a Shippo token", "shippo_live_", Body::Hex, 40),
    exact("a Shippo token", "shippo_test_", Body::Hex, 40),
    shape("a PostHog key", "phx_", Body::Plain, 40),
    exact("a Deno Deploy token", "ddp_", Body::Plain, 36),
    shape("a Neon key", "napi_", Body::Plain, 60),
    shape("a Contentful token", "CFPAT-", Body::Joined, 43),
    shape("a HubSpot token", "pat-na1-", Body::Joined, 36),
    shape("a HubSpot token", "pat-eu1-", Body::Joined, 36),
    exact("a Tencent Cloud key", "AKID", Body::Plain, 32),
    shape("a Jina key", "jina_", Body::Plain, 40),
    shape("an Apify token", "apify_api_", Body::Plain, 36),
];

/// The fewest characters that a token of any shape has.
const SHORTEST: usize = 18;
/// How much of a body is looked at.
const LOOKED_AT: usize = 160;

/// Finds the tokens of known shapes in a text; of each run of key characters, the first one.
pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    found.extend(key_runs(text).filter_map(|run| in_run(text, run)));
}

/// Returns where key characters stand together, in the text's order.
fn key_runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    count(text.len());
    let mut at = 0;
    let runs = text
        .as_bytes()
        .split(|byte| !is_key_byte(*byte))
        .map(move |run| {
            let start = at;
            at += run.len() + 1;
            start..start + run.len()
        });
    runs.filter(|run| run.len() >= SHORTEST)
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~')
}

fn in_run(text: &str, run: Range<usize>) -> Option<Found> {
    let begins = run.clone().filter(|at| starts_word(text, *at));
    let prefixed = begins
        .take_while(|at| run.end - at >= SHORTEST)
        .find_map(|at| {
            let what = with_prefix(&text[at..run.end])?;
            Some((at..run.end, what))
        });
    prefixed.or_else(|| in_parts(text, run))
}

/// Says which provider's token this is, if it begins with one.
fn with_prefix(text: &str) -> Option<&'static str> {
    count(1);
    let fits = |shape: &&Shape| {
        let Some(body) = text.strip_prefix(shape.prefix) else {
            return false;
        };
        let length = body
            .bytes()
            .take(LOOKED_AT)
            .take_while(|byte| shape.body.has(*byte))
            .count();
        count(length);
        let body = &body[..length];
        let is_random = match shape.body {
            Body::Joined => has_random_part(body),
            _ => body.contains(|c: char| c.is_ascii_digit()) || has_mixed_case(body),
        };
        (shape.at_least..=shape.at_most).contains(&length) && is_random
    };
    SHAPES.iter().find(fits).map(|shape| shape.what)
}

/// Finds what is known by its parts, which are divided by full stops and other marks.
fn in_parts(text: &str, run: Range<usize>) -> Option<Found> {
    let whole = &text[run.clone()];
    count(whole.len());
    let what = if has_web_token(whole) {
        "a JSON Web Token"
    } else if whole.contains(".atlasv1.") && whole.len() >= 60 {
        "a Terraform token"
    } else if is_azure_secret(whole) {
        "an Azure client secret"
    } else if is_discord_token(whole) {
        "a Discord token"
    } else if is_mailchimp_key(whole) {
        "a Mailchimp key"
    } else if is_airtable_token(whole) {
        "an Airtable token"
    } else if whole.len() == 35 && whole.starts_with("AA") && follows_bot_id(&text[..run.start]) {
        "a Telegram token"
    } else if whole.len() >= 40 && text[..run.start].ends_with("1//") && looks_random(whole) {
        "a Google refresh token"
    } else {
        return None;
    };
    Some((run, what))
}

/// Two JSON objects and a signature, each in base64: `eyJ….eyJ….…`.
fn has_web_token(run: &str) -> bool {
    let parts: Vec<&str> = run.split('.').collect();
    parts.windows(3).any(|parts| {
        let has_head = parts[0]
            .find("eyJ")
            .is_some_and(|at| parts[0].len() - at >= 12);
        has_head && parts[1].len() >= 10 && parts[2].len() >= 10 && looks_random(parts[2])
    })
}

fn is_azure_secret(run: &str) -> bool {
    run.match_indices("Q~").any(|(at, _)| {
        at >= 4
            && run.as_bytes()[at - 1].is_ascii_digit()
            && (31..=36).contains(&(run.len() - at - 2))
    })
}

fn is_discord_token(run: &str) -> bool {
    let mut parts = run.split('.');
    let (Some(user), Some(time), Some(code), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let has_lengths =
        (24..=28).contains(&user.len()) && time.len() == 6 && (27..=40).contains(&code.len());
    has_lengths && user.starts_with(['M', 'N', 'O']) && looks_random(code)
}

fn is_mailchimp_key(run: &str) -> bool {
    let Some((key, region)) = run.split_once("-us") else {
        return false;
    };
    key.len() == 32
        && key.bytes().all(|byte| byte.is_ascii_hexdigit())
        && matches!(region.len(), 1 | 2)
}

fn is_airtable_token(run: &str) -> bool {
    let Some((id, key)) = run.split_once('.') else {
        return false;
    };
    let is_key = key.len() == 64 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_key && id.len() == 17 && id.starts_with("pat")
}

fn follows_bot_id(before: &str) -> bool {
    let Some(before) = before.strip_suffix(':') else {
        return false;
    };
    (8..=10).contains(
        &before
            .bytes()
            .rev()
            .take(11)
            .take_while(u8::is_ascii_digit)
            .count(),
    )
}

#[cfg(test)]
pub(super) fn prefixes() -> Vec<&'static str> {
    SHAPES.iter().map(|shape| shape.prefix).collect()
}
