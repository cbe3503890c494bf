//! Evidence that is refused before anything is written.

use genten_jws::{LocalSigner, ManifestSigner};
use genten_manifest::{Claims, Http};
use genten_primitives::Sha256Digest;

use crate::makers::{Signed, batch, content_rekord, es256_rekord, logged, manifest, policy};
use crate::support::{World, key, manifest_as, time};

/// `genten bundle add m.json`, which must fail with these words and change nothing.
#[track_caller]
fn refuses(world: &World, status: i32, arguments: &[&str], words: &str) {
    let before = world.read("m.json");
    let run = world.genten(&[&["bundle", "add", "m.json"], arguments].concat()).expect(status);
    assert!(run.stderr.contains(words), "{words}\n{}", run.stderr);
    assert_eq!(world.read("m.json"), before, "nothing was written");
}

fn world() -> (World, Signed) {
    let (world, manifest) = (World::new(), manifest());
    world.write("m.json", &manifest.json);
    (world, manifest)
}

fn other_manifest() -> Signed {
    let url = "https://www.rfc-editor.org/rfc/rfc1.txt".parse().unwrap();
    let claims = Claims::builder(url, time("2026-06-01T08:15:00Z"), Sha256Digest::of(b"other"));
    let signer = ManifestSigner::new(LocalSigner::did_key(key(1))).unwrap();
    Signed::of(&signer.sign(claims.finish().unwrap()).unwrap())
}

#[test]
fn entries_of_something_else() {
    let (world, manifest) = world();
    let other = other_manifest();
    world.write("other.json", logged(&es256_rekord(&other, &key(1))));
    refuses(&world, 1, &["--log-entry", "other.json"], "the manifest has");
    let content = ["--log-entry", "other.json", "--subject", "content"];
    refuses(&world, 1, &content, "the content has");
    let of_batch = ["--log-entry", "other.json", "--subject", "batch"];
    refuses(&world, 1, &of_batch, "0 batches of the bundle fit");
    world.write("own.json", logged(&content_rekord(b"bytes", key(1))));
    let own = ["--log-entry", "own.json", "--subject", "content"];
    refuses(&world, 1, &own, "logged with the key that signs manifests");
    let mut second = es256_rekord(&manifest, &key(1));
    second.signature = content_rekord(&manifest.input, key(1)).signature;
    let twin = genten_primitives::signature::ecdsa_twin(
        &second.signature,
        genten_primitives::key::KeyKind::P256,
    );
    second.signature = twin.unwrap();
    world.write("second.json", logged(&second));
    refuses(&world, 1, &["--log-entry", "second.json"], "another signature by the signer's key");
}

#[test]
fn entries_whose_parts_do_not_fit() {
    let (world, manifest) = world();
    let good = logged(&es256_rekord(&manifest, &key(1)));
    let mut forged = es256_rekord(&manifest, &key(1));
    forged.signature = es256_rekord(&other_manifest(), &key(1)).signature;
    for (entry, words) in [
        ("{".to_owned(), "not strict JSON"),
        ("{}".to_owned(), "kindVersion is missing"),
        (good.replace(r#""treeSize":"2""#, r#""treeSize":"3""#), "proof states 3 entries"),
        (good.replace("\"inclusionProof\"", "\"x\""), "which is not known"),
        (good.replace("\"canonicalizedBody\"", "\"x\""), "which is not known"),
        (good.replace("0.0.2", "0.0.1"), "of a Rekor v1 log"),
        (logged(&forged), "signature in the body does not hold"),
    ] {
        world.write("entry.json", entry);
        refuses(&world, 1, &["--log-entry", "entry.json"], words);
    }
}

/// Whoever logs another key's word is told that a kit must list the key.
#[test]
fn an_entry_by_a_log_key_is_taken_and_told() {
    let (world, manifest) = world();
    let digest = Sha256Digest::of(&manifest.input);
    let other = content_rekord(&manifest.input, key(5));
    assert_eq!(other.digest, digest.as_bytes());
    world.write("entry.json", logged(&other));
    let run = world.genten(&["bundle", "add", "m.json", "--log-entry", "entry.json"]).expect(0);
    assert!(run.stderr.contains("by another key than the manifest"), "{}", run.stderr);
}

#[test]
fn batches_of_others() {
    let (world, manifest) = world();
    let (place, _) = batch(&manifest, key(1));
    let (of_other, _) = batch(&other_manifest(), key(1));
    let (by_other, _) = batch(&manifest, key(2));
    for (text, words) in [
        (of_other, "leads to"),
        (by_other, "the batch is signed by"),
        (place.replace("\"index\":1", "\"index\":0"), "leads to"),
        (place.replace("\"index\":1", "\"index\":9"), "leaf 9 is not in a tree of 2"),
        (place.replace("statement", "x"), "statement is missing"),
        (place.replace("\"statement\":\"", "\"statement\":\"x"), "statement: "),
        ("[]".to_owned(), "is missing"),
    ] {
        world.write("batch.json", text);
        refuses(&world, 1, &["--batch", "batch.json"], words);
    }
}

#[test]
fn copies_of_something_else() {
    let (world, manifest) = world();
    let copy = |url: &str, content: &[u8]| {
        let url = format!("https://web.archive.org/web/20260601id_/{url}").parse().unwrap();
        let mut claims =
            Claims::builder(url, time("2026-06-01T09:00:00Z"), Sha256Digest::of(content))
                .finish()
                .unwrap();
        claims.http = Some(Http::with_status(200));
        Signed::of(
            &ManifestSigner::new(LocalSigner::did_key(key(2))).unwrap().sign(claims).unwrap(),
        )
    };
    let url = "https://www.rfc-editor.org/rfc/rfc9421.txt";
    for (content, words) in [
        (copy(url, b"other").json, "the copy has other bytes"),
        (copy("https://a.example/", b"bytes").json, "which is no copy of"),
        (manifest.json, "which is no copy of"),
        (b"{}".to_vec(), "[input.unknown-kind]"),
    ] {
        world.write("copy.json", content);
        refuses(&world, 1, &["--archive", "copy.json"], words);
    }
    world.write("copy.json", copy(url, b"bytes").json);
    let run = world.genten(&["bundle", "add", "m.json", "--archive", "copy.json"]).expect(0);
    assert_eq!(run.stdout, "added copy.json\n");
}

#[test]
fn documents_of_others() {
    let world = World::new();
    let id = "did:web:news.example#k";
    world.write("m.json", manifest_as(1, id));
    let document = |did: &str, number: u8| {
        let jwk = key(number).public_key().to_jwk();
        format!(
            r#"{{"id":"{did}","assertionMethod":[{{"id":"{did}#k","controller":"{did}","type":"JsonWebKey","publicKeyJwk":{jwk}}}]}}"#
        )
    };
    for (text, words) in [
        (document("did:web:other.example", 1), "the document is about did:web:other.example"),
        (document("did:web:news.example", 2), "no key of the document is that of"),
        ("{}".to_owned(), "did.json"),
        ("x".to_owned(), "[json."),
    ] {
        world.write("did.json", text);
        refuses(&world, 1, &["--did-document", "did.json"], words);
    }
    world.write("did.json", document("did:web:news.example", 1));
    let time = ["--retrieved-at", "2026-06-01T09:00:00Z"];
    let arguments = [&["bundle", "add", "m.json", "--did-document", "did.json"][..], &time];
    world.genten(&arguments.concat()).expect(0);
    assert!(world.read("m.json").contains(r#""retrieved_at":"2026-06-01T09:00:00Z""#));
}

#[test]
fn wrong_use_is_2() {
    let (world, _) = world();
    world.write("file", b"x");
    refuses(&world, 2, &[], "no evidence is given");
    refuses(&world, 2, &["--external", "file"], "--media-type");
    refuses(&world, 2, &["--external", "file", "--media-type", "text"], "not a media type");
    refuses(&world, 2, &["--timestamp", "file", "--subject", "content"], "not about a content");
    refuses(&world, 1, &["--timestamp", "file"], "file: ");
    refuses(&world, 1, &["--chain", "file"], "[key.certificate]");
    refuses(&world, 1, &["--log-entry", "missing"], "missing");
    world.write("p.txt", policy());
    let none = world.genten(&["bundle", "add", "p.txt", "--chain", "file"]).expect(1);
    assert!(none.stderr.contains("[input.unknown-kind]"), "{}", none.stderr);
}

#[test]
fn members_that_would_be_lost() {
    let (world, manifest) = world();
    let json = String::from_utf8(manifest.json).unwrap();
    world.write(
        "m.json",
        format!(
            r#"{{"media_type":"{}","manifest":{json},"evidence":[],"new":1}}"#,
            genten_manifest::BUNDLE_MEDIA_TYPE
        ),
    );
    world.write("file", b"x");
    let external = ["--external", "file", "--media-type", "a/b"];
    refuses(&world, 1, &external, "members that this version would lose: $.new");
}

/// A key in the id decides alone, so that a signature that fails under it belongs to nobody.
#[test]
fn a_forged_manifest_is_not_exported() {
    let (world, _) = world();
    let forged = manifest_as(1, "did:web:news.example#k");
    let forged = String::from_utf8(forged).unwrap();
    world.write("f.json", &forged);
    let unknown = world.genten(&["export", "f.json", "--to", "sigstore"]).expect(1);
    assert!(unknown.stderr.contains("is not at hand"), "{}", unknown.stderr);
    let json = world.read("m.json");
    world.write("m.json", json.replace("rfc9421", "rfc9422"));
    for form in ["sigstore", "tlog-proof", "prov"] {
        let run = world.genten(&["export", "m.json", "--to", form]).expect(1);
        assert!(run.stderr.contains("does not hold under the key in mcp_key_id"), "{}", run.stderr);
    }
}
