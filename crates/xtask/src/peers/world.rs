//! Names and keys. The keys are made from their names, and therefore public: they are for tests.

use genten_jws::{Algorithm, LocalSigner, SecretKey};
use genten_primitives::encoding::{base64, hex};
use genten_primitives::key::pem;
use genten_primitives::{Sha256Digest, Timestamp};
use genten_tlog::NoteKey;

/// The origin of the recorded log.
pub(super) const ORIGIN: &str = "log.genten.example";

/// The witnesses.
pub(super) const WITNESSES: [&str; 2] = ["w1.genten.example", "w2.genten.example"];

/// The secret key of a name.
pub(super) fn secret(algorithm: Algorithm, name: &str) -> SecretKey {
    SecretKey::from_bytes(algorithm, seed(name).as_bytes()).expect("32 bytes are a key")
}

fn seed(name: &str) -> Sha256Digest {
    Sha256Digest::of(format!("genten recorded key {name}").as_bytes())
}

/// The secret P-256 key of a name in the form of SEC 1, which servers in Go read.
pub(super) fn sec1_pem(name: &str) -> String {
    // ECPrivateKey: version 1, the key, the name of its curve (RFC 5915).
    let (head, curve) =
        ([0x30, 49, 2, 1, 1, 4, 32], [0xa0, 10, 6, 8, 42, 134, 72, 206, 61, 3, 1, 7]);
    pem::encode("EC PRIVATE KEY", &[&head, seed(name).as_bytes().as_slice(), &curve].concat())
}

/// The signer of a name under its did:key.
pub(super) fn signer(algorithm: Algorithm, name: &str) -> LocalSigner {
    LocalSigner::did_key(secret(algorithm, name))
}

/// The key that the log of an origin signs its checkpoints with.
pub(super) fn log_key(origin: &str) -> NoteKey {
    let key = secret(Algorithm::EdDsa, origin);
    NoteKey::for_log(origin, key.public_key()).expect("the origin is a key name")
}

/// The key that a witness cosigns with.
pub(super) fn witness_key(name: &str) -> NoteKey {
    let key = secret(Algorithm::EdDsa, name);
    NoteKey::cosignature(name, key.public_key()).expect("witnesses have names of keys")
}

/// A witness' private key in the form that omniwitness reads; its id is that of an ordinary note key.
pub(super) fn witness_secret(name: &str) -> String {
    let key = secret(Algorithm::EdDsa, name);
    let id = NoteKey::ed25519(name, key.public_key()).expect("witnesses have names of keys").id();
    let material = [&[1], seed(name).as_bytes().as_slice()].concat();
    format!("PRIVATE+KEY+{name}+{}+{}", hex(&id), base64(&material))
}

/// The machine's time.
pub(super) fn now() -> Timestamp {
    let now = Timestamp::from_system_time(std::time::SystemTime::now());
    let seconds = now.expect("the clock shows a year of the calendar").as_millis() / 1000;
    Timestamp::from_seconds(seconds).expect("it was one before")
}
