//! `genten inspect` on every kind of file.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

mod support;

use genten_jws::LocalSigner;
use genten_manifest::{Bundle, TlsChain};
use genten_primitives::Sha256Digest;
use support::{World, certified, did_key, key, manifest, member, public_pem, signed};

/// The text about a file with this content, which must begin with the warning.
fn inspect(content: impl AsRef<[u8]>) -> String {
    let world = World::new();
    world.write("file", content);
    let text = world.genten(&["inspect", "file"]).expect(0).stdout;
    assert!(text.starts_with("NOT VERIFIED: "), "{text}");
    text
}

fn inspect_json(content: impl AsRef<[u8]>) -> String {
    let world = World::new();
    world.write("file", content);
    let json = world.genten(&["inspect", "file", "--json"]).expect(0).stdout;
    assert_eq!(member(&json, "not_verified"), "true");
    json
}

#[track_caller]
fn expect_words(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word} is not in\n{text}");
    }
}

#[test]
fn a_manifest_is_shown_in_reading_order() {
    let text = inspect(manifest(1));
    let place = |word: &str| text.find(word).unwrap_or_else(|| panic!("{word}: {text}"));
    assert!(place("source_url") < place("fetched_at"));
    assert!(place("content_sha256") < place("mcp_key_id"));
    expect_words(&text, &[&did_key(1), "ES256, not checked", "(manifest_id)"]);
    let json = inspect_json(manifest(1));
    assert_eq!(member(&json, "kind"), r#""manifest""#);
    assert_eq!(member(&json, "manifest"), String::from_utf8(manifest(1)).unwrap());
}

#[test]
fn what_a_manifest_should_not_hold_is_shown_too() {
    let json = String::from_utf8(manifest(1)).unwrap();
    let text = inspect(json.replacen('{', r#"{"new_member":{"a":[1,["n","v"]]},"#, 1));
    expect_words(&text, &["new_member.a[0]", "n: v", "(unknown members)"]);
    let text = inspect(json.replacen('{', r#"{"(signature)":"valid","#, 1));
    let (apart, mimic) = (text.find("members of others"), text.find("(signature)  valid"));
    assert!(apart.is_some() && apart < mimic, "{text}");
    let signature = member(&json, "mcp_signature");
    let text = inspect(json.replace(&signature, r#""x""#));
    expect_words(&text, &["cannot be read"]);
    let text = inspect(json.replacen('{', "{\"x.\\u001b\":\"\\u001b[2J\",", 1));
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn a_bundle_is_shown_with_its_evidence() {
    let certified = certified("https://mcp.example.org/news", 2050);
    let manifest = signed(LocalSigner::did_key(key(1)));
    let chain = TlsChain {
        certificates: vec![certified.leaf_der.clone()],
        scts: Some(vec![0, 0]),
        ocsp: None,
        tlog_proof: None,
    };
    let external = format!(
        r#"{{"type":"external","media_type":"a/b","sha256":"{0}","uri":"urn:x","label":"note","manifest_id":"{0}"}}"#,
        Sha256Digest::of(b"")
    );
    let archive = format!(
        r#"{{"type":"archive","manifest":{}}}"#,
        String::from_utf8(manifest.to_json()).unwrap()
    );
    let bundle = Bundle::new(&manifest)
        .with_tls_chain(&chain)
        .with_x509_chain(&[certified.leaf_der.clone(), certified.root_der.clone()])
        .with_evidence(external.as_bytes())
        .unwrap()
        .with_evidence(archive.as_bytes())
        .unwrap()
        .with_evidence(br#"{"type":"crystal-ball","x":1}"#)
        .unwrap()
        .with_evidence(br#"{"type":"rekor-v2","subject":"manifest","entry":{}}"#)
        .unwrap()
        .with_evidence(br#"{"type":"rfc3161","subject":"manifest","token":"AAAA"}"#)
        .unwrap()
        .with_evidence(br#"{"type":"batch","statement":"x","index":7,"hashes":[]}"#)
        .unwrap();
    let text = inspect(bundle.to_json());
    let leaf = Sha256Digest::of(&certified.leaf_der).to_string();
    expect_words(
        &text,
        &[
            "evidence: 8 items",
            "tls-chain: 1 certificate of the server",
            "x509-chain: 2 certificates of the signer",
            "CN=news server",
            "URI https://mcp.example.org/news",
            "code signing",
            &leaf,
            "scts",
            "external: evidence of a kind that others define",
            "archive: the manifest of a copy",
            "crystal-ball: UNKNOWN",
            "rekor-v2: an entry of a transparency log",
            "unreadable  kindVersion is missing",
            "rfc3161: a timestamp of an authority",
            "batch: a place in a signed batch of manifests",
            "index       7",
        ],
    );
    let json = inspect_json(bundle.to_json());
    assert_eq!(member(&json, "kind"), r#""bundle""#);
    let evidence = member(&json, "evidence");
    expect_words(&evidence, &[r#""type":"tls-chain""#, r#""scts":"AAA=""#, "crystal-ball"]);
}

#[test]
fn certificates_are_shown_in_pem_and_der() {
    let certified = certified("https://mcp.example.org/news", 2050);
    let both = format!("{}{}", certified.leaf_pem, certified.root_pem);
    let root = Sha256Digest::of(&certified.root_der).to_string();
    let text = inspect(both);
    expect_words(
        &text,
        &[
            "2 certificates",
            "CN=Example Signing Root",
            "2020-01-01T00:00:00Z to 2050-01-01T00:00:00Z",
            "Digital Signature",
            "basicConstraints",
            &root,
        ],
    );
    expect_words(&inspect(&certified.root_der), &["1 certificate", &root]);
    let json = inspect_json(&certified.leaf_pem);
    expect_words(
        &member(&json, "certificates"),
        &[r#""names":["URI https://mcp.example.org/news"]"#, r#""is_ca":false"#],
    );
}

#[test]
fn a_public_key_is_shown_with_its_did_key() {
    let thumbprint = key(1).public_key().thumbprint().to_string();
    let jwk = key(1).public_key().to_jwk();
    for content in [public_pem(1), jwk.clone(), format!(r#"{{"keys":[{jwk}]}}"#)] {
        let text = inspect(&content);
        expect_words(&text, &["1 public key", "P-256", &thumbprint, &did_key(1)]);
        let json = inspect_json(&content);
        assert_eq!(member(&json, "kind"), r#""public-key""#);
    }
}

#[test]
fn of_a_private_key_nothing_is_shown_but_whose_it_is() {
    let thumbprint = key(1).public_key().thumbprint().to_string();
    let (pem, jwk) = (key(1).to_pkcs8_pem(), key(1).to_jwk());
    let secret = member(&jwk, "d");
    for content in [pem.as_str(), jwk.as_str()] {
        let (text, json) = (inspect(content), inspect_json(content));
        expect_words(&text, &["a private key: P-256", &thumbprint, "keep it private"]);
        assert_eq!(member(&json, "kind"), r#""private-key""#);
        for shown in [text, json] {
            assert!(!shown.contains(secret.trim_matches('"')), "{shown}");
            assert!(!shown.contains(pem.lines().nth(1).unwrap()), "{shown}");
        }
    }
    let set = format!(r#"{{"keys":[{}]}}"#, jwk.as_str());
    expect_words(&inspect(set), &["private keys in a JWK Set", "keep it private"]);
    let encrypted =
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
    expect_words(&inspect(encrypted), &["encrypted with a passphrase"]);
}

#[test]
fn a_kit_is_shown_as_trust_show_shows_it() {
    let world = World::new();
    world.trust(&["new", "kit.json"]);
    world.trust(&["add-key", "kit.json", "--id", &did_key(1)]);
    let text = world.genten(&["inspect", "kit.json"]).expect(0).stdout;
    assert!(text.starts_with("NOT VERIFIED"), "{text}");
    expect_words(&text, &["Trust kit", &did_key(1), "any source"]);
    let json = world.genten(&["inspect", "kit.json", "--json"]).expect(0).stdout;
    assert_eq!(member(&json, "kind"), r#""trust-kit""#);
    let broken = world.read("kit.json").replace("active", "sleeping");
    world.write("kit.json", broken);
    let refused = world.genten(&["inspect", "kit.json"]).expect(1);
    assert!(refused.stderr.contains("[kit.malformed]"), "{}", refused.stderr);
}

#[test]
fn what_is_none_of_ours_has_a_code() {
    let world = World::new();
    for content in ["", "hello", "{}", "[1]", "\u{0}\u{1}", r#"{"a":1.5}"#] {
        world.write("file", content);
        let refused = world.genten(&["inspect", "file"]).expect(1);
        assert!(refused.stderr.contains("[input.unknown-kind]"), "{content}: {}", refused.stderr);
        assert!(refused.stderr.contains("Known are manifests"), "{}", refused.stderr);
        assert_eq!(refused.stdout, "");
    }
    world.write("file", r#"{"source_url":"x"}"#);
    let refused = world.genten(&["inspect", "file", "--json"]).expect(1);
    assert!(member(&refused.stdout, "code").contains("manifest."), "{}", refused.stdout);
    world.write("file", "{\"source_url\":1}\n{\"source_url\":2}\n");
    let lines = world.genten(&["inspect", "file"]).expect(1);
    assert!(lines.stderr.contains("JSON Lines"), "{}", lines.stderr);
    world.write("file", r#"{"content":[]}"#);
    let later = world.genten(&["inspect", "file"]).expect(1);
    assert!(later.stderr.contains("later version"), "{}", later.stderr);
    world.genten(&["inspect", "missing"]).expect(1);
}
