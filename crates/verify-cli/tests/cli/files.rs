//! The files that the transcripts use are made here, so that anybody can see what is in them.
//!
//! `GENTEN_WRITE=1 cargo test -p genten-verify-cli --test cli files` writes them anew.

use std::fs;

use crate::common::{bundle, claims, did, files, manifest, pem, signer, signer_as, tampered};
use genten_jws::{Algorithm, Signer};
use genten_manifest::{Bundle, HttpRequest};
use genten_primitives::Sha256Digest;

const LAW: &str = "<law><article n=\"1\">Sources are to be named.</article></law>\n";
const LAW_URL: &str = "https://laws.example.org/api/law.xml?id=405AC0000000088";
const WEB_ID: &str = "did:web:mcp.example.org#key-1";

fn make() -> Vec<(&'static str, Vec<u8>)> {
    let es256 = signer(Algorithm::Es256, 1);
    let web = signer_as(Algorithm::EdDsa, 2, WEB_ID);
    let law = es256
        .sign(
            claims(LAW_URL, LAW.as_bytes())
                .source_revision("20240401_506AC".parse().unwrap())
                .finish()
                .unwrap(),
        )
        .unwrap();
    let line = |signer, n: u8| manifest(signer, &format!("https://news.example.org/{n}"), &[n]);
    let lines = [line(&web, 1).to_json(), line(&web, 2).to_json(), tampered(&line(&web, 3))];
    let coded = {
        let mut claims = claims("https://news.example.org/page", b"coded").finish().unwrap();
        let http = claims.http.as_mut().unwrap();
        http.content_encoding = Some("gzip".parse().unwrap());
        http.decoded_sha256 = Some(Sha256Digest::of(b"decoded\n"));
        es256.sign(claims).unwrap()
    };
    let posted = {
        let mut claims = claims("https://echo.example.org/", b"hello").finish().unwrap();
        claims.http.as_mut().unwrap().request = Some(HttpRequest {
            method: "POST".parse().unwrap(),
            body_sha256: Some(Sha256Digest::of(b"hello")),
            headers: Vec::new(),
            credentials: Some(false),
        });
        es256.sign(claims).unwrap()
    };
    let kit = format!(
        "{{\"media_type\":\"application/vnd.genten.trust-kit+json;version=1\",\n\"signers\":[{{\"key_id\":\"{WEB_ID}\",\"public_key\":{},\n\"status\":\"active\",\"sources\":[\"https://news.example.org/*\"]}}]}}\n",
        web.signer().public_key().to_jwk()
    );
    vec![
        ("coded.provenance.json", bundle(&coded)),
        ("coded.txt", b"decoded\n".to_vec()),
        ("es256.pem", pem(&es256).into_bytes()),
        ("es256.did", format!("{}\n", did(&es256)).into_bytes()),
        ("kit.json", kit.clone().into_bytes()),
        ("kit-broken.json", kit.replace("active", "trusted").into_bytes()),
        ("law.xml", LAW.as_bytes().to_vec()),
        ("law.xml.provenance.json", Bundle::new(&law).to_json()),
        ("list.jsonl", lines.join(&b'\n')),
        ("other.pem", pem(&signer(Algorithm::Es256, 3)).into_bytes()),
        ("posted.json", posted.to_json()),
        ("tampered.json", tampered(&law)),
        ("archive/one.txt", b"one\n".to_vec()),
        ("archive/one.txt.provenance.json", bundle(&manifest(&es256, "https://a.example.org/1", b"one\n"))),
        ("archive/two.txt", b"another two\n".to_vec()),
        ("archive/two.txt.provenance.json", bundle(&manifest(&es256, "https://a.example.org/2", b"two\n"))),
        ("archive/stray.txt", b"stray\n".to_vec()),
        ("newsroom.toml", b"version = 1\nname = \"newsroom\"\nbase = \"mcp11\"\n[require]\ndefault = [\"signature\", \"signer\", \"content\"]\n[limits]\nmax_age = \"7d\"\n".to_vec()),
        ("newsroom-broken.toml", b"version = 1\nname = \"newsroom\"\n[require]\ndefault = [\"signature\"]\n".to_vec()),
    ]
}

#[test]
fn files_are_as_they_would_be_made() {
    let write = std::env::var_os("GENTEN_WRITE").is_some();
    for (name, bytes) in make() {
        let path = files().join(name);
        if write {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &bytes).unwrap();
        }
        assert!(fs::read(&path).unwrap() == bytes, "{name} is out of date");
    }
}
