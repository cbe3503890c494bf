//! Exports, checked by our own readers of the forms.

use genten_jws::{LocalSigner, ManifestSigner, SecretKey, Signer};
use genten_manifest::{
    Bundle, Claims, ClaimsBuilder, Completeness, Http, Subject, UnverifiedBundle,
};
use genten_primitives::{HashAlgorithm, PublicKey, Sha256Digest};
use genten_tlog::merkle::leaf_hash;
use genten_tlog::rekor::HashedRekord;
use genten_tlog::{TlogProof, WitnessPolicy};
use genten_verify::sigstore::{Artifact, KeyMaterial, SigstoreBundle, SigstoreQuestion};
use genten_verify::{Policy, Report, Trust, TrustKit, Verifier};

use crate::bundles::add;
use crate::makers::{
    Authority, Signed, batch, digest, ed25519, ed25519_manifest, ed25519_rekord, es256_rekord,
    logged, manifest, policy, vectors,
};
use crate::support::{World, certified, exists, key, member, signed, time, with_kit};

#[track_caller]
fn export(world: &World, form: &str, more: &[&str]) -> crate::support::Run {
    world.genten(&[&["export", "m.json", "--to", form], more].concat()).expect(0)
}

/// What our verifier says of an exported bundle and its artifact, under a key and this world's kit.
fn judge(world: &World, artifact: &[u8], key: PublicKey) -> Report {
    let bundle = SigstoreBundle::read(world.read("m.sigstore.json").as_bytes()).unwrap();
    let kit = TrustKit::read(world.read("kit.json").as_bytes()).unwrap();
    let trust = Trust { kit, keys: vec![key], ..Trust::default() };
    let verifier = Verifier::new(trust, Policy::built_in("basic").unwrap());
    let artifact = Artifact::of_reader(artifact).unwrap();
    let question = SigstoreQuestion { artifact: Some(&artifact), identity: None };
    verifier.verify_sigstore(&bundle, &question, time("2027-06-02T00:00:00Z"))
}

fn logged_world(manifest: &Signed, entry: &str) -> World {
    let world = with_kit();
    world.write("m.json", &manifest.json);
    world.write("entry.json", entry);
    world.write("policy.txt", policy());
    world.trust(&["add-log", "kit.json", "policy.txt"]);
    add(&world, &["--log-entry", "entry.json"]);
    world
}

#[test]
fn an_es256_manifest_is_a_sigstore_bundle() {
    let manifest = manifest();
    let world = logged_world(&manifest, &logged(&es256_rekord(&manifest, &key(1))));
    let run = export(&world, "sigstore", &[]);
    assert_eq!(run.stderr, "");
    assert!(run.stdout.contains("wrote m.signing-input, the artifact"), "{}", run.stdout);
    let artifact = std::fs::read(world.path("m.signing-input")).unwrap();
    assert_eq!(artifact, manifest.input);
    let report = judge(&world, &artifact, key(1).public_key().clone());
    assert_eq!(report.verdict.as_str(), "accept", "{report:?}");
    assert_eq!(report.logs.len(), 1);
    let other = judge(&world, b"other", key(1).public_key().clone());
    assert_eq!(other.verdict.as_str(), "reject");
    let stranger = judge(&world, &artifact, key(2).public_key().clone());
    assert_eq!(stranger.verdict.as_str(), "reject");
    let bundle: serde_json::Value = serde_json::from_str(&world.read("m.sigstore.json")).unwrap();
    let spki = key(1).public_key().to_spki_der().to_vec();
    let hint = digest(HashAlgorithm::Sha256, &spki);
    assert_eq!(bundle["verificationMaterial"]["publicKey"]["hint"], hint);
    assert_eq!(bundle["messageSignature"]["messageDigest"]["algorithm"], "SHA2_256");
}

#[test]
fn an_ed25519_manifest_needs_its_log_entry() {
    let manifest = ed25519_manifest();
    let world = with_kit();
    world.write("m.json", &manifest.json);
    let refused = world.genten(&["export", "m.json", "--to", "sigstore"]).expect(1);
    assert!(refused.stderr.contains("Ed25519ph, which is another signature"), "{}", refused.stderr);
    assert!(!exists(&world.path("m.sigstore.json")));
    let world = logged_world(&manifest, &logged(&ed25519_rekord(&manifest, ed25519(1))));
    let run = export(&world, "sigstore", &[]);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("cosign"), "{}", run.stderr);
    let again = world.genten(&["export", "m.json", "--to", "sigstore"]).expect(1);
    assert!(again.stderr.contains("-o FILE"), "{}", again.stderr);
    let report = judge(&world, &manifest.input, ed25519(1).public_key().clone());
    assert_eq!(report.verdict.as_str(), "accept", "{report:?}");
}

#[test]
fn timestamps_of_the_signature_come_along_as_answers() {
    let manifest = manifest();
    let world = logged_world(&manifest, &logged(&es256_rekord(&manifest, &key(1))));
    let Some(authority) = Authority::new(&world) else { return };
    authority.stamp(&manifest.der, "bare.tst", true);
    authority.stamp(&manifest.der, "whole.tsr", false);
    add(&world, &["--timestamp", "bare.tst", "--timestamp", "whole.tsr"]);
    world.trust(&["add-tsa", "kit.json", "tsa.pem", "--name", "Example TSA"]);
    export(&world, "sigstore", &[]);
    let report = judge(&world, &manifest.input, key(1).public_key().clone());
    assert_eq!((report.verdict.as_str(), report.timestamps.len()), ("accept", 2), "{report:?}");
    let bundle = SigstoreBundle::read(world.read("m.sigstore.json").as_bytes()).unwrap();
    for (stamp, at) in bundle.timestamps.iter().zip(0..) {
        world.write(&format!("{at}.tsr"), stamp);
        let text = std::process::Command::new("openssl")
            .args(["ts", "-reply", "-text", "-in", &format!("{at}.tsr")])
            .current_dir(world.path(""))
            .output()
            .unwrap();
        assert!(String::from_utf8_lossy(&text.stdout).contains("Status: Granted"), "{text:?}");
    }
}

/// A pure Ed25519 signature that was stamped is none that Sigstore's tools check.
#[test]
fn what_is_not_about_the_exported_signature_is_left_out_and_told() {
    let manifest = ed25519_manifest();
    let world = logged_world(&manifest, &logged(&ed25519_rekord(&manifest, ed25519(1))));
    let Some(authority) = Authority::new(&world) else { return };
    let read = genten_manifest::UnverifiedManifest::read(&manifest.json).unwrap();
    let pure = genten_jws::SignedBytes::of_manifest(&read).unwrap().signature();
    authority.stamp(pure.as_bytes(), "stamp.tsr", false);
    add(&world, &["--timestamp", "stamp.tsr"]);
    let run = export(&world, "sigstore", &[]);
    assert!(run.stderr.contains("left out 1 log entries or timestamps"), "{}", run.stderr);
    let bundle = SigstoreBundle::read(world.read("m.sigstore.json").as_bytes()).unwrap();
    assert_eq!((bundle.entries.len(), bundle.timestamps.len()), (1, 0));
}

#[test]
fn a_certified_signer_is_named_by_the_certificate() {
    let uri = "https://mcp.example.org/news";
    let certified = certified(uri, 2050);
    let secret = SecretKey::from_pem(&certified.key_pem).unwrap();
    let signer = LocalSigner::new(secret, uri.parse().unwrap()).unwrap();
    let manifest = Signed::of(&signed(signer));
    let world = with_kit();
    world.write("m.json", &manifest.json);
    world.write("chain.pem", format!("{}{}", certified.leaf_pem, certified.root_pem));
    add(&world, &["--chain", "chain.pem"]);
    let run = export(&world, "sigstore", &[]);
    assert!(run.stderr.contains("there is no log entry"), "{}", run.stderr);
    let bundle = SigstoreBundle::read(world.read("m.sigstore.json").as_bytes()).unwrap();
    assert_eq!(bundle.material, KeyMaterial::Certificates(vec![certified.leaf_der.clone()]));

    // An entry that names the bare key goes with a bare key.
    let secret = SecretKey::from_pem(&certified.key_pem).unwrap();
    world.write("entry.json", logged(&es256_rekord(&manifest, &secret)));
    world.write("policy.txt", policy());
    world.trust(&["add-log", "kit.json", "policy.txt"]);
    add(&world, &["--log-entry", "entry.json"]);
    export(&world, "sigstore", &["-o", "m.sigstore.json", "--artifact", "m.signing-input"]);
    let report = judge(&world, &manifest.input, secret.public_key().clone());
    assert_eq!(report.verdict.as_str(), "accept", "{report:?}");
}

#[test]
fn nothing_is_overwritten_unless_it_is_named() {
    let manifest = manifest();
    let world = logged_world(&manifest, &logged(&es256_rekord(&manifest, &key(1))));
    export(&world, "prov", &[]);
    let again = world.genten(&["export", "m.json", "--to", "prov"]).expect(1);
    assert!(again.stderr.contains("[store.already-exists]"), "{}", again.stderr);
    export(&world, "prov", &["-o", "m.prov.jsonld"]);
    export(&world, "sigstore", &[]);
    export(&world, "sigstore", &["-o", "m.sigstore.json"]);
    world.write("m.signing-input", "something else");
    let other = world.genten(&["export", "m.json", "--to", "sigstore", "-o", "x"]).expect(1);
    assert!(other.stderr.contains("[store.already-exists]"), "{}", other.stderr);
    assert_eq!(world.read("m.signing-input"), "something else");
    for arguments in [
        &["--to", "prov", "--artifact", "a"][..],
        &["--to", "prov", "-o", "m.json"],
        &["--to", "sigstore", "-o", "a", "--artifact", "a"],
        &["--to", "cyclone"],
        &[],
    ] {
        world.genten(&[&["export", "m.json"], arguments].concat()).expect(2);
    }
    assert!(world.read("m.json").contains("rekor-v2"), "still the bundle");
}

#[test]
fn a_tlog_proof_is_checked_with_the_logs_policy_alone() {
    let manifest = manifest();
    let rekord = es256_rekord(&manifest, &key(1));
    let world = logged_world(&manifest, &logged(&rekord));
    export(&world, "tlog-proof", &[]);
    let proof = TlogProof::parse(&std::fs::read(world.path("m.tlog-proof")).unwrap()).unwrap();
    assert_eq!(proof.extra(), Some(&rekord.to_body()[..]));
    let policy = WitnessPolicy::parse(&policy()).unwrap();
    let (checkpoint, inclusion, quorum) =
        proof.verify_by_policy(leaf_hash(&rekord.to_body()), &policy).unwrap();
    assert_eq!((checkpoint.origin(), inclusion.index().get()), ("log.example/2026", 1));
    assert_eq!(quorum.witnesses, ["w1"]);
}

/// Everybody can log the digest of our signing input, and write down any signature.
#[test]
fn a_tlog_proof_is_of_the_signers_own_entry() {
    let manifest = manifest();
    let by_stranger = LocalSigner::did_key(key(2)).sign(&manifest.input).unwrap();
    let der = by_stranger.to_der().unwrap();
    let rekord = |der: &[u8], number: u8| {
        let digest = Sha256Digest::of(&manifest.input);
        HashedRekord::new(digest.as_bytes(), der, key(number).public_key()).unwrap()
    };
    let strangers = [rekord(&der, 2), rekord(&der, 1)];
    let own = rekord(&manifest.der, 1);
    let write = |world: &World, rekords: &[&HashedRekord]| {
        let bundle = UnverifiedBundle::of_manifest(&manifest.json).unwrap().to_bundle();
        let add = |bundle: Bundle, rekord: &&HashedRekord| {
            bundle.with_log_entry(Subject::Manifest, logged(rekord).as_bytes(), None).unwrap()
        };
        world.write("m.json", rekords.iter().fold(bundle, add).to_json());
    };
    let world = World::new();
    write(&world, &[&strangers[0], &strangers[1]]);
    let refused = world.genten(&["export", "m.json", "--to", "tlog-proof"]).expect(1);
    assert!(refused.stderr.contains("by the key that signed it"), "{}", refused.stderr);
    write(&world, &[&strangers[0], &strangers[1], &own]);
    export(&world, "tlog-proof", &[]);
    let proof = TlogProof::parse(&std::fs::read(world.path("m.tlog-proof")).unwrap()).unwrap();
    assert_eq!(proof.extra(), Some(&own.to_body()[..]));

    // Without the key nobody can tell whose entry it is.
    let source = "https://www.rfc-editor.org/rfc/rfc9421.txt";
    world.write("m.json", manifest_of(source, "did:web:news.example#k"));
    let refused = world.genten(&["export", "m.json", "--to", "tlog-proof"]).expect(1);
    assert!(refused.stderr.contains("is not at hand"), "{}", refused.stderr);
}

#[test]
fn a_tlog_proof_of_a_batch_is_told_to_be_one() {
    let (world, manifest) = (with_kit(), manifest());
    world.write("m.json", &manifest.json);
    let none = world.genten(&["export", "m.json", "--to", "tlog-proof"]).expect(1);
    assert!(none.stderr.contains("no log entry of the manifest or its batch"), "{}", none.stderr);
    let (place, statement) = batch(&manifest, key(1));
    world.write("batch.json", place);
    let rekord = es256_rekord(&statement, &key(1));
    world.write("entry.json", logged(&rekord));
    add(&world, &["--batch", "batch.json", "--log-entry", "entry.json", "--subject", "batch"]);
    let run = export(&world, "tlog-proof", &[]);
    assert!(run.stderr.contains("the entry is of the batch"), "{}", run.stderr);
    let proof = TlogProof::parse(&std::fs::read(world.path("m.tlog-proof")).unwrap()).unwrap();
    let policy = WitnessPolicy::parse(&policy()).unwrap();
    assert!(proof.verify_by_policy(leaf_hash(&rekord.to_body()), &policy).is_ok());
}

/// 000-18
#[test]
fn prov_names_content_fetch_and_signer() {
    let (world, manifest) = (World::new(), manifest());
    world.write("m.json", &manifest.json);
    export(&world, "prov", &[]);
    let graph: serde_json::Value = serde_json::from_str(&world.read("m.prov.jsonld")).unwrap();
    assert_eq!(graph["@context"]["prov"], "http://www.w3.org/ns/prov#");
    let nodes = graph["@graph"].as_array().unwrap();
    let node = |kind: &str, with: &str| {
        let fits = |node: &&serde_json::Value| node["@type"] == kind && !node[with].is_null();
        nodes.iter().find(fits).unwrap_or_else(|| panic!("no {kind} with {with} in {graph}"))
    };
    let content = node("prov:Entity", "genten:contentSha256");
    let named = content["@id"].as_str().unwrap();
    assert!(named.starts_with("ni:///sha-256;") && !named.contains('='), "{named}");
    let url = "https://www.rfc-editor.org/rfc/rfc9421.txt";
    assert_eq!(content["prov:hadPrimarySource"]["@id"], url);
    let fetch = node("prov:Activity", "prov:used");
    assert_eq!(content["prov:wasGeneratedBy"]["@id"], fetch["@id"]);
    assert_eq!(fetch["prov:used"][0]["@id"], url);
    assert_eq!(fetch["prov:endedAtTime"]["@value"], "2026-06-01T08:15:00Z");
    assert!(fetch["prov:wasAssociatedWith"].is_null(), "nobody says who made a reported fetch");
    let id = crate::support::did_key(1);
    assert_eq!(node("prov:Agent", "@id")["@id"], id);
    let stated = node("prov:Entity", "genten:manifestId");
    assert_eq!(stated["prov:wasAttributedTo"]["@id"], id);
    assert_eq!(stated["genten:manifestId"], manifest.id.to_string());
    let json = world.genten(&["export", "m.json", "--to", "prov", "-o", "x", "--json"]).expect(0);
    assert_eq!(member(&json.stdout, "export"), r#""x""#);
}

#[test]
fn prov_says_that_a_part_is_a_part() {
    let mut http = Http::with_status(206);
    http.completeness = Some(Completeness::Partial);
    http.range = Some("bytes 0-4/10".parse().unwrap());
    let claims = claims_of("https://www.rfc-editor.org/rfc/rfc9421.txt").http(http);
    let signer = ManifestSigner::new(LocalSigner::did_key(key(1))).unwrap();
    let world = World::new();
    world.write("m.json", signer.sign(claims.finish().unwrap()).unwrap().to_json());
    export(&world, "prov", &[]);
    let graph: serde_json::Value = serde_json::from_str(&world.read("m.prov.jsonld")).unwrap();
    let content = &graph["@graph"][0];
    assert_eq!(content["genten:completeness"], "partial");
    assert_eq!(content["genten:range"], "bytes 0-4/10");
}

fn claims_of(source: &str) -> ClaimsBuilder {
    let (time, sha256) = (time("2026-06-01T08:15:00Z"), Sha256Digest::of(b"bytes"));
    Claims::builder(source.parse().unwrap(), time, sha256)
}

/// A manifest of a source, signed under an id.
fn manifest_of(source: &str, id: &str) -> Vec<u8> {
    let claims = claims_of(source);
    let signer = LocalSigner::new(key(1), id.parse().unwrap()).unwrap();
    let signer = ManifestSigner::new(signer).unwrap();
    signer.sign(claims.finish().unwrap()).unwrap().to_json()
}

/// Nobody is quoted whose signature was not checked.
#[test]
fn prov_says_whose_word_it_is_as_far_as_that_was_checked() {
    let comment = |world: &World| {
        export(world, "prov", &[]);
        let graph: serde_json::Value = serde_json::from_str(&world.read("m.prov.jsonld")).unwrap();
        let nodes = graph["@graph"].as_array().unwrap();
        let found = nodes.iter().find_map(|node| node["rdfs:comment"].as_str());
        found.unwrap().to_owned()
    };
    let source = "https://www.rfc-editor.org/rfc/rfc9421.txt";
    let world = World::new();
    world.write("m.json", manifest().json);
    assert!(comment(&world).contains("All of this is the signer's word."));
    let world = World::new();
    world.write("m.json", manifest_of(source, "did:web:news.example#k"));
    assert!(comment(&world).contains("The signature was not checked"));
    let jwk = key(1).public_key().to_jwk();
    let document = format!(
        r##"{{"id":"did:web:news.example","assertionMethod":[{{"id":"#k","type":"JsonWebKey",
            "controller":"did:web:news.example","publicKeyJwk":{jwk}}}]}}"##
    );
    let item = format!(r#"{{"type":"did-document","document":{document}}}"#);
    let world = World::new();
    let read = UnverifiedBundle::of_manifest(&manifest_of(source, "did:web:news.example#k"));
    let bundle = read.unwrap().to_bundle().with_evidence(item.as_bytes()).unwrap();
    world.write("m.json", bundle.to_json());
    assert!(comment(&world).contains("whose it is was not checked"));
}

/// Under the context of the file `prov:Activity` would be an address of the W3C.
#[test]
fn prov_has_no_names_that_are_read_as_others() {
    let plain = ("urn:example:source", "urn:example:signer");
    for (source, id, status) in [
        (plain.0, plain.1, 0),
        ("prov://host/Activity", plain.1, 0),
        ("PROV:Activity", plain.1, 0),
        ("prov:Activity", plain.1, 1),
        ("genten:manifestId", plain.1, 1),
        (plain.0, "xsd:dateTime", 1),
    ] {
        let world = World::new();
        world.write("m.json", manifest_of(source, id));
        let run = world.genten(&["export", "m.json", "--to", "prov"]).expect(status);
        assert_eq!(run.stderr.contains("short form of another name"), status == 1, "{source} {id}");
        assert_eq!(exists(&world.path("m.prov.jsonld")), status == 0);
    }
}

/// The same hint as cosign writes.
#[test]
fn the_hint_is_that_of_the_recorded_bundles() {
    let Some(folder) = vectors("rekor-live/bundles") else { return };
    for name in ["blob", "ed"] {
        let read = |end: &str| std::fs::read(folder.join(format!("{name}.{end}"))).unwrap();
        let key = String::from_utf8(read("pub")).unwrap();
        let key = PublicKey::from_spki_pem(&key).unwrap();
        let bundle = SigstoreBundle::read(&read("sigstore.json")).unwrap();
        let KeyMaterial::PublicKey { hint } = bundle.material else { panic!() };
        assert_eq!(hint, digest(HashAlgorithm::Sha256, key.to_spki_der()), "{name}");
    }
}
