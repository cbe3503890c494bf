use super::file::duration;
use super::*;
use crate::Requirement;

fn policy(rest: &str) -> Result<Policy, PolicyError> {
    Policy::read(&format!("version = 1\nname = \"mine\"\n{rest}"))
}

const REQUIRE: &str = "[require]\ndefault = [\"signature\", \"signer\"]\n";

fn claims(url: &str, class: Option<SourceClass>) -> Claims {
    let time = "2026-11-30T08:15:00Z".parse().unwrap();
    let mut claims =
        Claims::builder(url.parse().unwrap(), time, Sha256Digest::of(b"")).finish().unwrap();
    claims.source_class = class;
    claims
}

fn words(requirements: Requirements) -> Vec<&'static str> {
    requirements.iter().map(Requirement::as_str).collect()
}

#[test]
fn built_in_policies_are_policies() {
    for (name, _) in BUILT_IN {
        assert_eq!(Policy::built_in(name).unwrap().name(), name);
    }
    assert!(Policy::built_in("newsroom").is_none());
}

#[test]
fn mcp11_asks_by_class() {
    let policy = Policy::built_in("mcp11").unwrap();
    let of = |class| {
        let (require, should) = policy.requirements(&claims("https://a.example/", class));
        assert_eq!(words(require), ["signature", "signer"]);
        words(should)
    };
    assert_eq!(of(None), ["tls-certificate", "revision"]);
    assert_eq!(of(Some(SourceClass::Static)), ["log.content"]);
    assert_eq!(of(Some(SourceClass::Revisioned)), ["tls-certificate", "revision"]);
    assert_eq!(of(Some(SourceClass::Relocating)), ["tls-certificate", "revision", "archive"]);
    assert_eq!(of(Some(SourceClass::Realtime)), ["tls-certificate", "revision", "external"]);
}

#[test]
fn high_trust_asks_for_bytes_log_and_time() {
    let policy = Policy::built_in("high-trust").unwrap();
    let of = |class| words(policy.requirements(&claims("https://a.example/", class)).0);
    assert_eq!(of(None), ["signature", "signer", "content", "log", "time"]);
    assert_eq!(
        of(Some(SourceClass::Realtime)),
        ["signature", "signer", "content", "log", "time", "external"]
    );
}

#[test]
fn what_is_asked_for_a_mapped_source_is_asked_whatever_class_is_stated() {
    let policy = policy(
        r#"
        [require]
        default = ["signature", "signer", "content"]
        local = ["signature", "signer"]
        static = ["signature", "signer", "log"]
        regulated = ["signature", "signer", "time"]
        [classes]
        "https://www.rfc-editor.org/*" = ["static", "regulated"]
        "#,
    )
    .unwrap();
    let of = |url, class| words(policy.requirements(&claims(url, class)).0);
    let rfc = "https://www.rfc-editor.org/rfc/rfc9110.txt";
    assert_eq!(of("https://a.example/", None), ["signature", "signer", "content"]);
    assert_eq!(of(rfc, None), ["signature", "signer", "content", "log", "time"]);
    assert_eq!(of(rfc, Some(SourceClass::Local)), ["signature", "signer", "log", "time"]);
    assert_eq!(
        of(rfc, Some(SourceClass::Realtime)),
        ["signature", "signer", "content", "log", "time"]
    );
}

#[test]
fn a_source_is_local_by_either_word() {
    let policy = policy(
        "base = \"mcp11\"\n[require]\ndefault = [\"signature\", \"signer\"]\n[classes]\n\"https://a.example/*\" = \"local\"",
    )
    .unwrap();
    assert!(policy.is_local(&claims("https://a.example/1", None)));
    assert!(policy.is_local(&claims("https://b.example/1", Some(SourceClass::Local))));
    assert!(!policy.is_local(&claims("https://b.example/1", Some(SourceClass::Static))));
}

#[test]
fn a_base_is_added_to() {
    let policy = policy(&format!(
        "base = \"high-trust\"\n{REQUIRE}static = [\"signature\", \"signer\", \"revision\"]"
    ))
    .unwrap();
    let of = |class| words(policy.requirements(&claims("https://a.example/", class)).0);
    assert_eq!(of(None), ["signature", "signer", "content", "log", "time"]);
    assert_eq!(
        of(Some(SourceClass::Static)),
        ["signature", "signer", "content", "log", "time", "revision"]
    );
    assert!(of(Some(SourceClass::Realtime)).contains(&"external"));
    assert!(policy.reviews_local_files());
}

#[test]
fn broken_policies_are_refused() {
    let of = |rest: &str| policy(rest).unwrap_err().to_string();
    assert!(of("[require]\ndefault = []").contains("is empty"));
    assert!(of("[require]\ndefault = [\"signer\", \"content\"]").contains("lacks signature"));
    assert!(of("[require]\nstatic = [\"signature\", \"signer\"]").contains("no list default"));
    assert!(of(&format!("{REQUIRE}static = []")).contains("is empty"));
    assert!(of(&format!("{REQUIRE}statics = [\"signature\", \"signer\"]")).contains("no class"));
    assert!(
        of(&format!("{REQUIRE}static = [\"signature\", \"signer\", \"logs\"]"))
            .contains("\"logs\"")
    );
    assert!(of(&format!("surprise = 1\n{REQUIRE}")).contains("surprise"));
    assert!(of(&format!("base = \"newsroom\"\n{REQUIRE}")).contains("none of basic"));
    assert!(of(&format!("{REQUIRE}[classes]\n\"https://*\" = \"static\"")).contains("pattern"));
    assert!(of(&format!("{REQUIRE}[classes]\n\"https://a/*\" = []")).contains("is empty"));
    assert!(of(&format!("{REQUIRE}[limits]\nmax_age = \"1 day\"")).contains("max_age"));
    assert!(of(&format!("{REQUIRE}[limits]\nmax_ages = \"1d\"")).contains("max_ages"));
    assert!(of(&format!("{REQUIRE}[limits]\nclock_skew = \"-1s\"")).contains("clock_skew"));
    assert!(of(&format!("{REQUIRE}[limits]\ncross_site_redirects = \"maybe\"")).contains("maybe"));
    assert!(of("").contains("require"));
    let version = Policy::read(&format!("version = 2\nname = \"x\"\n{REQUIRE}")).unwrap_err();
    assert_eq!(version, PolicyError::UnknownVersion { version: 2 });
    let reserved = Policy::read(&format!("version = 1\nname = \"basic\"\n{REQUIRE}")).unwrap_err();
    assert_eq!(reserved, PolicyError::ReservedName { name: "basic".into() });
    assert_eq!(policy(&"#".repeat(MAX_POLICY_BYTES)).unwrap_err(), PolicyError::TooLarge);
}

#[test]
fn limits_have_defaults_and_units() {
    let limits = policy(REQUIRE).unwrap().limits;
    assert_eq!(
        (limits.clock_skew, limits.timestamp_delay, limits.max_age),
        (60_000, 86_400_000, None)
    );
    assert!(!limits.allow_partial && !limits.allow_requests);
    assert_eq!(limits.cross_site_redirects, CrossSite::Warn);
    assert!(limits.archives[0].matches("https://web.archive.org/web/2026id_/https://a.example/"));
    assert_eq!(duration("x", "30d"), Ok(2_592_000_000));
    assert_eq!(duration("x", "5m"), Ok(300_000));
    for bad in ["", "s", "5", "5w", "1.5h", "9999999999s", "５s"] {
        assert!(duration("x", bad).is_err(), "{bad}");
    }
}

/// Spellings that a server may read as the mapped address: the rule counts for all of its host.
#[test]
fn a_spelling_cannot_lower_the_bar() {
    let policy = policy(&format!(
        "{REQUIRE}static = [\"signature\", \"signer\", \"content\"]\n[classes]\n\"https://laws.example/api/*\" = [\"static\"]"
    ))
    .unwrap();
    let asks = |url| words(policy.requirements(&claims(url, None)).0).contains(&"content");
    for url in [
        "https://laws.example/api/1",
        "https://laws.example/api/x%2f..%2f1",
        "https://laws.example./api/1",
        "https://laws.example:99999/api/1",
        "https://LAWS.example:443/%61pi/1",
        "https://laws.example//api/1",
        "https://laws%2eexample//api/1",
        "https://laws.example/x/%2e%2e/api/1",
    ] {
        assert!(asks(url), "{url}");
    }
    for url in
        ["https://laws.example/", "https://laws.example/%E6%B3%95", "https://a.example//api/1"]
    {
        assert!(!asks(url), "{url}");
    }
}
