//! `genten key`: made here or elsewhere, shown, and never overwritten.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use genten::verify::kit::KIT_MEDIA_TYPE;
use genten::verify::{TrustedBy, keys_from_file};
use genten::{Body, Policy, Trust, TrustKit, Verifier};
use genten_primitives::encoding::{base64, base64url, from_hex};
use genten_primitives::{PublicKey, key};

use crate::world::{Run, World, has, names, now};

fn key_file(world: &World, name: &str) -> PathBuf {
    world.home().join("keys").join(format!("{name}.pem"))
}

fn json(world: &World, words: &[&str]) -> serde_json::Value {
    world.genten(&[words, &["--json"]].concat()).expect(0).json().remove(0)
}

#[test]
fn a_key_is_made_listed_and_shown() {
    let world = World::new();
    world.genten(&["key", "list"]).expect(0).talks("no key yet");
    let made = world.genten(&["key", "new"]).expect(0).says("algorithm   ES256\n");
    made.says("id          did:key:zDna").talks("back it up");
    world.genten(&["key", "new", "desk", "--alg", "ed25519", "--id", "did:jwk"]).expect(0);
    let listed = world.genten(&["key", "list"]).expect(0).stdout;
    let lines: Vec<_> = listed.lines().map(|line| line.split('\t').collect::<Vec<_>>()).collect();
    assert_eq!((lines[0][0], lines[0][1]), ("default", "ES256"));
    assert_eq!((lines[1][0], lines[1][1]), ("desk", "EdDSA"));
    assert!(lines[1][2].starts_with("did:jwk:"));

    let shown = json(&world, &["key", "show", "desk"]);
    let members: Vec<_> = shown.as_object().unwrap().keys().collect();
    assert_eq!(members, ["algorithm", "file", "id", "name", "thumbprint"]);
    assert_eq!(shown["id"], lines[1][2]);
    assert_eq!(shown["file"], key_file(&world, "desk").to_str().unwrap());
    assert_eq!(json(&world, &["key", "list"])["name"], "default");
    world.genten(&["key", "show", "other"]).expect(1).talks("no key named other [key.missing]");
}

#[test]
fn the_public_key_has_three_forms_of_one_key() {
    let world = World::new();
    for (name, alg) in [("a", "es256"), ("b", "ed25519")] {
        world.genten(&["key", "new", name, "--alg", alg]).expect(0);
        let form = |form| {
            let run = world.genten(&["key", "public", name, "--format", form]).expect(0);
            assert!(run.stderr.is_empty(), "{run:#?}");
            run.stdout
        };
        let pem = PublicKey::from_spki_pem(&form("pem")).unwrap();
        let jwk = PublicKey::from_jwk_bytes(form("jwk").trim_end().as_bytes()).unwrap();
        let id = genten::verify::TrustedSigner::new(form("id").trim_end()).unwrap();
        assert_eq!((&pem, &pem), (&jwk, id.key()));
        for text in [form("pem"), form("jwk")] {
            assert_eq!(keys_from_file(text.as_bytes()).unwrap(), std::slice::from_ref(&pem));
            assert!(!text.contains("PRIVATE") && !text.contains("\"d\""));
        }
    }
}

#[test]
fn a_key_is_never_overwritten() {
    let world = World::new();
    world.genten(&["key", "new", "desk"]).expect(0);
    let before = std::fs::read(key_file(&world, "desk")).unwrap();
    for more in [&[][..], &["--alg", "ed25519"], &["--id", "did:jwk"]] {
        let run = world.genten(&[&["key", "new", "desk"][..], more].concat()).expect(1);
        run.talks("[store.already-exists]").talks("another name");
    }
    assert_eq!(std::fs::read(key_file(&world, "desk")).unwrap(), before);
    assert_eq!(names(&world.home().join("keys")), ["desk.id", "desk.pem"]);
}

#[test]
fn names_cannot_lead_out_of_the_folder() {
    let world = World::new();
    for name in ["../key", "a/b", ".hidden", "", "a.chain"] {
        world.genten(&["key", "new", name]).expect(1).talks("[store.key-name]");
    }
    assert_eq!(names(&world.home().join("keys")), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_private_key_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    // The shell's umask is as open as can be.
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$0\" key new", env!("CARGO_BIN_EXE_genten")]);
    Run::of(shell.current_dir(world.work()).env("GENTEN_HOME", world.home())).expect(0);
    let mode = |path: PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(world.home().join("keys")), 0o700);
    assert_eq!(mode(key_file(&world, "default")), 0o600);
    assert_eq!(mode(world.home().join("keys/default.id")), 0o600);
}

#[test]
fn of_many_first_users_at_once_one_makes_the_key() {
    let world = World::new();
    let start = || {
        let mut command = world.command(&["key", "public", "--format", "id"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let users: Vec<_> = (0..6).map(|_| start()).collect();
    let mut ids = HashSet::new();
    let mut makers = 0;
    for user in users {
        let output = user.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        ids.insert(output.stdout);
        makers +=
            usize::from(String::from_utf8_lossy(&output.stderr).contains("made a signing key"));
    }
    assert_eq!((ids.len(), makers), (1, 1));
}

/// Signs with a key, and the verdict of somebody with this kit.
fn verdict_under(world: &World, key: &str, kit: &str) -> genten::Report {
    world.write("law", "Article 1.");
    let words = ["--source-url", "https://localhost/1", "--fetched-at", "2026-01-31T08:15:00Z"];
    world.genten(&[&["attest", "law", "--key", key][..], &words].concat()).expect(0);
    let kit = format!(r#"{{"media_type":"{KIT_MEDIA_TYPE}",{kit}}}"#);
    let trust = Trust { kit: TrustKit::read(kit.as_bytes()).unwrap(), ..Trust::default() };
    let verifier = Verifier::new(trust, Policy::built_in("basic").unwrap());
    verifier.verify_bytes(&world.read("law.provenance.json"), &Body::of(b"Article 1."), now())
}

#[test]
fn a_did_web_has_a_document_that_a_kit_can_hold() {
    let world = World::new();
    let id = "did:web:news.example:desk#key-1";
    world.genten(&["key", "new", "web", "--id", id]).expect(0).says(id);
    let run = world.genten(&["key", "did-document", "web"]).expect(0);
    let document: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["id"], "did:web:news.example:desk");
    assert_eq!(document["assertionMethod"][0], id);
    let kit = format!(r#""did_documents":[{{"document":{}}}]"#, run.stdout);
    let report = verdict_under(&world, "web", &kit);
    assert_eq!(report.verdict.as_str(), "accept", "{:?}", report.verdict.because());
    assert_eq!(report.signer.unwrap().trusted_by, Some(TrustedBy::DidDocument));
    world.genten(&["key", "new", "plain"]).expect(0);
    world.genten(&["key", "did-document", "plain"]).expect(2).talks("no did:web");
}

#[test]
fn ids_that_nothing_ties_to_the_key_are_refused() {
    let world = World::new();
    let run = world.genten(&["key", "new", "a", "--id", "https://news.example/1"]).expect(2);
    run.talks("only a certificate can tie");
    world.genten(&["key", "new", "a", "--id", "did:web:news.example"]).expect(2);
    world.genten(&["key", "new", "a", "--id", "nonsense"]).expect(2);
    let id = world.genten(&["key", "public", "--format", "id"]).expect(0).stdout;
    let run = world.genten(&["key", "new", "a", "--id", id.trim_end()]).expect(1);
    run.talks("does not fit its id");
    assert_eq!(names(&world.home().join("keys")), ["default.id", "default.pem"]);
}

fn openssl(world: &World, words: &str) -> Vec<u8> {
    let mut command = Command::new("openssl");
    let output = command.args(words.split(' ')).current_dir(world.work()).output().unwrap();
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The bytes of a part such as `priv:` in OpenSSL's text form.
fn hex_part(text: &str, part: &str) -> Vec<u8> {
    let lines = text.lines().skip_while(|line| line.trim() != part).skip(1);
    let lines = lines.take_while(|line| line.starts_with(' '));
    let digits: String = lines.flat_map(str::chars).filter(char::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| from_hex::<1>(std::str::from_utf8(pair).unwrap()).unwrap()[0];
    digits.as_bytes().chunks(2).map(byte).collect()
}

const P256: &str = "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out";

#[test]
fn keys_that_openssl_made_are_taken_in_every_form() {
    if !has("openssl") {
        return;
    }
    let world = World::new();
    openssl(&world, &format!("{P256} pkcs8.pem"));
    openssl(&world, "ec -in pkcs8.pem -out sec1.pem");
    assert!(world.read("sec1.pem").starts_with(b"-----BEGIN EC PRIVATE KEY-----"));
    let text = String::from_utf8(openssl(&world, "pkey -in pkcs8.pem -noout -text")).unwrap();
    let (secret, point) = (hex_part(&text, "priv:"), hex_part(&text, "pub:"));
    let part = |bytes: &[u8]| base64url(&bytes[bytes.len() - 32..]);
    let (d, x, y) = (part(&secret), part(&point[..33]), part(&point));
    world
        .write("key.jwk", format!(r#"{{"kty":"EC","crv":"P-256","d":"{d}","x":"{x}","y":"{y}"}}"#));
    openssl(&world, "genpkey -algorithm ED25519 -out ed25519.pem");

    let public = |private: &str| {
        let pem = openssl(&world, &format!("pkey -in {private} -pubout"));
        PublicKey::from_spki_pem(std::str::from_utf8(&pem).unwrap()).unwrap()
    };
    for (name, file, of) in [
        ("a", "pkcs8.pem", "pkcs8.pem"),
        ("b", "sec1.pem", "pkcs8.pem"),
        ("c", "key.jwk", "pkcs8.pem"),
        ("d", "ed25519.pem", "ed25519.pem"),
    ] {
        let run = world.genten(&["key", "new", name, "--from", file]).expect(0);
        assert!(!run.stdout.contains("PRIVATE"));
        let pem = world.genten(&["key", "public", name]).expect(0).stdout;
        assert_eq!(PublicKey::from_spki_pem(&pem).unwrap(), public(of), "{file}");
        // And back: what is kept is a key that OpenSSL reads.
        std::fs::copy(key_file(&world, name), world.path("kept.pem")).unwrap();
        assert_eq!(public("kept.pem"), public(of), "{file}");
    }
}

#[test]
fn keys_that_cannot_sign_are_refused_with_the_reason() {
    if !has("openssl") {
        return;
    }
    let world = World::new();
    openssl(&world, &format!("{P256} locked.pem -aes256 -pass pass:x"));
    openssl(&world, "genpkey -algorithm RSA -out rsa.pem");
    openssl(&world, "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out p384.pem");
    openssl(&world, &format!("{P256} good.pem"));
    let public = openssl(&world, "pkey -in good.pem -pubout");
    world.write("public.pem", public);
    world.write("nonsense", "nonsense");
    for (file, reason) in [
        ("locked.pem", "encrypted"),
        ("rsa.pem", "not supported"),
        ("p384.pem", "not supported"),
        ("public.pem", "\"PUBLIC KEY\" instead of a private key"),
        ("nonsense", "pem"),
    ] {
        let run = world.genten(&["key", "new", "a", "--from", file]).expect(1);
        run.talks(reason).talks("[key.malformed]");
    }
    world.genten(&["key", "new", "a", "--from", "missing.pem"]).expect(1).talks("missing.pem");
    assert_eq!(names(&world.home().join("keys")), [""; 0]);
}

const ID: &str = "https://news.example/signers/1";

/// `ca.crt`, and below it `signer.pem` with `signer.crt`, as an organisation would make them.
fn certify(world: &World) {
    let extensions = format!(
        "subjectAltName=URI:{ID}\nkeyUsage=critical,digitalSignature\nbasicConstraints=CA:FALSE\n"
    );
    world.write("signer.ext", extensions);
    openssl(world, &format!("{P256} ca.key"));
    openssl(world, "req -x509 -new -key ca.key -subj /CN=News -days 3650 -out ca.crt");
    openssl(world, &format!("{P256} signer.pem"));
    openssl(world, "req -new -key signer.pem -subj /CN=desk -out signer.csr");
    let issue = "x509 -req -in signer.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 365";
    openssl(world, &format!("{issue} -extfile signer.ext -out signer.crt"));
}

#[test]
fn a_key_with_a_certificate_takes_its_id_from_it() {
    if !has("openssl") {
        return;
    }
    let world = World::new();
    certify(&world);
    let words = ["key", "new", "desk", "--from", "signer.pem", "--certificate", "signer.crt"];
    world.genten(&words).expect(0).says(&format!("id          {ID}\n"));
    assert!(names(&world.home().join("keys")).contains(&"desk.chain.pem".to_owned()));

    let pem = String::from_utf8(world.read("ca.crt")).unwrap();
    let root = base64(&key::pem::decode(&pem).unwrap());
    let kit = format!(
        r#""signer_authorities":[{{"name":"news","roots":["{root}"],"san_uri":["https://news.example/*"]}}]"#
    );
    world.write("law", "Article 1.");
    let report = verdict_now(&world, &kit);
    assert_eq!(report.verdict.as_str(), "accept", "{:?}", report.verdict.because());
    assert_eq!(report.signer.unwrap().trusted_by, Some(TrustedBy::Authority("news".into())));
}

/// As [`verdict_under`], for a certificate that is valid only since today.
fn verdict_now(world: &World, kit: &str) -> genten::Report {
    let time = now().to_string();
    let words = ["--source-url", "https://localhost/1", "--fetched-at", &time, "--key", "desk"];
    world.genten(&[&["attest", "law"][..], &words].concat()).expect(0);
    let kit = format!(r#"{{"media_type":"{KIT_MEDIA_TYPE}",{kit}}}"#);
    let trust = Trust { kit: TrustKit::read(kit.as_bytes()).unwrap(), ..Trust::default() };
    let verifier = Verifier::new(trust, Policy::built_in("basic").unwrap());
    verifier.verify_bytes(&world.read("law.provenance.json"), &Body::of(b"Article 1."), now())
}

#[test]
fn certificates_of_other_keys_and_ids_are_refused() {
    if !has("openssl") {
        return;
    }
    let world = World::new();
    certify(&world);
    openssl(&world, &format!("{P256} other.pem"));
    let new = |from: &str, certificate: &str, more: &[&str]| {
        let words = ["key", "new", "desk", "--from", from, "--certificate", certificate];
        world.genten(&[&words[..], more].concat())
    };
    new("other.pem", "signer.crt", &[]).expect(1).talks("[key.certificate]");
    new("signer.pem", "signer.crt", &["--id", "https://news.example/signers/2"])
        .expect(1)
        .talks("[key.certificate]");
    new("signer.pem", "ca.crt", &[]).expect(2).talks("does not name exactly one URI");
    new("signer.pem", "signer.pem", &[]).expect(1).talks("[key.certificate]");
    world.genten(&["key", "new", "desk", "--certificate", "signer.crt"]).expect(2);
    assert_eq!(names(&world.home().join("keys")), [""; 0]);
}
