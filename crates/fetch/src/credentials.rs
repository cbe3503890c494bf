//! Names of query parameters and header fields whose values are probably secrets.
//!
//! The values end up in a signed manifest (URLs) or not at all (headers); the caller is told the names.

use url::form_urlencoded;

/// Parts of a name that give a secret away, compared without case, `-`, `_` and `.`.
const PARTS: [&str; 14] = [
    "accesskey",
    "apikey",
    "authorization",
    "cookie",
    "credential",
    "jwt",
    "passwd",
    "password",
    "privatekey",
    "secret",
    "sessionid",
    "signature",
    "subscriptionkey",
    "token",
];

/// Whole names that do.
const NAMES: [&str; 10] =
    ["appid", "auth", "key", "pass", "pwd", "session", "sid", "sig", "xauth", "xkey"];

/// Whether a parameter or field of this name probably carries a secret.
pub(crate) fn is_credential_name(name: &str) -> bool {
    let plain: String = name
        .chars()
        .filter(|c| !matches!(c, '-' | '_' | '.'))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    NAMES.contains(&plain.as_str()) || PARTS.iter().any(|part| plain.contains(part))
}

/// The names (decoded, each once) of a URL's query parameters that probably carry secrets.
pub(crate) fn credential_parameters(url: &url::Url) -> Vec<String> {
    let mut names: Vec<String> = form_urlencoded::parse(url.query().unwrap_or("").as_bytes())
        .filter(|(name, value)| !value.is_empty() && is_credential_name(name))
        .map(|(name, _)| name.into_owned())
        .collect();
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_not_values() {
        let url = "https://h/?q=token&Api-Key=1&access_token=2&appId=3&access%5Ftoken=4&sig="
            .parse()
            .unwrap();
        assert_eq!(credential_parameters(&url), ["Api-Key", "access_token", "appId"]);
    }

    #[test]
    fn ordinary_names_pass() {
        for name in ["q", "page", "lawId", "keyword", "passage", "signal", "author", "monkey"] {
            assert!(!is_credential_name(name), "{name}");
        }
        for name in ["X-Amz-Signature", "X-Api-Key", "Authorization", "Cookie", "refreshToken"] {
            assert!(is_credential_name(name), "{name}");
        }
    }
}
