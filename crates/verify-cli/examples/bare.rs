//! What `verify` is measured against: bare signature checks, with nothing around them.
//!
//!     bare es256|ed25519               one check, then exit
//!     bare es256|ed25519 COUNT         COUNT checks, of as many messages as long as a manifest's signing input; prints checks
//!                                      per second. One message again and again would teach the processor its branches.
//!     bare es256|ed25519 COUNT FILE    writes a list of COUNT manifests, and their key to FILE.pem
//!     bare sha256 FILE                 the digest of a file, read by pieces as large as verify's

use std::io::{BufWriter, Read, Write};
use std::time::Instant;

use genten_jws::{Algorithm, LocalSigner, ManifestSigner, SecretKey, Signer};
use genten_manifest::{Capture, Claims, Completeness, Http, Protocol, SourceClass, Tls, TlsTrust};
use genten_primitives::encoding::{base64url, from_base64url};
use genten_primitives::signature::{Message, Scheme, verify};
use genten_primitives::{PublicKey, Sha256, Sha256Digest};

/// As long as the signing input of a usual manifest.
const MESSAGE: [u8; 1200] = [b'm'; 1200];

/// As `verify` reads a body.
const BUFFER: usize = 64 << 10;

const ES256: Bare = Bare {
    algorithm: Algorithm::Es256,
    scheme: Scheme::EcdsaSha256Fixed,
    jwk: r#"{"crv":"P-256","kty":"EC","x":"HhhTL9R1TALzBB2cdc6zO4P_2BrHzk_ogsyxyYvFiW4","y":"pGwxHE4v9A3ZajZT5uRURdMt_khuztdcepDGoYiBwKM"}"#,
    signature: "23LXXUY6pKW_E98bwTJI6qTf3OM29Oto2C6rT6uJ9j1A989xSiFGKNLMRvZiXj4j0nR1IMD1VhDX6MBJoaQaNQ",
};

const ED25519: Bare = Bare {
    algorithm: Algorithm::EdDsa,
    scheme: Scheme::Ed25519,
    jwk: r#"{"crv":"Ed25519","kty":"OKP","x":"6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw"}"#,
    signature: "dq02VdnZkfx54IVDsRp15bhWxIfe1Rs2m7F_FteUghtd3_2hKRu-mq7gBORbFbE32DCDQ2LaJ0eVUtbhQhyxCw",
};

struct Bare {
    algorithm: Algorithm,
    scheme: Scheme,
    jwk: &'static str,
    signature: &'static str,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let bare = match words.first() {
        Some(&"es256") => ES256,
        _ => ED25519,
    };
    match words.as_slice() {
        ["sha256", file] => println!("{}", hash(file)),
        [_] => bare.check_one(),
        [_, "show"] => bare.show(),
        [_, count] => println!("{:.0}", bare.checks_per_second(count.parse().expect("a number"))),
        [_, count, file] => bare.write(count.parse().expect("a number"), file),
        _ => eprintln!("bare es256|ed25519 [COUNT [FILE]], bare sha256 FILE"),
    }
}

fn hash(file: &str) -> Sha256Digest {
    let mut file = std::fs::File::open(file).expect("opens");
    let (mut buffer, mut hasher) = (vec![0; BUFFER], Sha256::new());
    loop {
        let read = file.read(&mut buffer).expect("reads");
        if read == 0 {
            return hasher.finish();
        }
        hasher.update(&buffer[..read]);
    }
}

impl Bare {
    fn signer(&self) -> LocalSigner {
        let key = SecretKey::from_bytes(self.algorithm, &[7; 32]);
        LocalSigner::did_key(key.expect("any 32 small bytes are a key"))
    }

    /// The constants.
    fn show(&self) {
        let signature = self.signer().sign(&MESSAGE).expect("signs");
        println!("{}\n{}", self.signer().public_key().to_jwk(), base64url(signature.as_bytes()));
    }

    fn check_one(&self) {
        let key = PublicKey::from_jwk_bytes(self.jwk.as_bytes()).expect("a key");
        let signature = from_base64url(self.signature).expect("base64url");
        verify(&key, self.scheme, Message::Bytes(&MESSAGE), &signature).expect("a valid signature");
        println!("true");
    }

    fn checks_per_second(&self, count: u32) -> f64 {
        let (signer, key) = (self.signer(), self.signer().public_key().clone());
        let sign = |number: u32| {
            let message = [&number.to_be_bytes(), &MESSAGE[4..]].concat();
            let signature = signer.sign(&message).expect("signs");
            (message, signature)
        };
        let signed: Vec<_> = (0..count).map(sign).collect();
        let start = Instant::now();
        for (message, signature) in &signed {
            let checked = verify(&key, self.scheme, Message::Bytes(message), signature.as_bytes());
            checked.expect("a valid signature");
        }
        f64::from(count) / start.elapsed().as_secs_f64()
    }

    /// A list of manifests.
    fn write(&self, count: u32, file: &str) {
        let signer = ManifestSigner::new(self.signer()).expect("signs");
        let pem = signer.signer().public_key().to_spki_pem();
        std::fs::write(format!("{file}.pem"), pem).expect("writes");
        let mut out = BufWriter::new(std::fs::File::create(file).expect("creates"));
        for number in 0..count {
            let manifest = signer.sign(claims(number)).expect("signs").to_json();
            out.write_all(&manifest).and_then(|()| out.write_all(b"\n")).expect("writes");
        }
    }
}

/// A manifest as a recorder writes it.
fn claims(number: u32) -> Claims {
    let url = format!("https://laws.e-gov.go.jp/api/2/law_data/{number}?format=xml");
    let digest = |text: &str| Sha256Digest::of(format!("{text}{number}").as_bytes());
    let mut http = Http::with_status(200);
    http.content_bytes = Some(1 << 16);
    http.completeness = Some(Completeness::Complete);
    http.protocol = Some(Protocol::H2);
    http.media_type = "application/xml; charset=utf-8".parse().ok();
    http.etag = format!("\"{number:x}-60ab\"").parse().ok();
    http.date = "Mon, 30 Nov 2026 08:15:00 GMT".parse().ok();
    let tls = Tls {
        version: "TLSv1.3".parse().ok(),
        spki_sha256: Some(digest("key")),
        issuer: "CN=R11,O=Let's Encrypt,C=US".parse().ok(),
        trust: Some(TlsTrust::PublicWithSct),
        proxy: None,
    };
    Claims::builder(
        url.parse().expect("a URL"),
        "2026-11-30T08:15:00.125Z".parse().expect("a time"),
        digest("content"),
    )
    .capture(Capture::Recorded)
    .source_class(SourceClass::Revisioned)
    .source_revision(format!("20240401_{number}").parse().expect("a text"))
    .tls_server_cert_sha256(digest("certificate"))
    .http(http)
    .tls(tls)
    .finish()
    .expect("no contradiction")
}
