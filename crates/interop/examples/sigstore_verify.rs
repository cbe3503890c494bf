//! What `verify` is measured against: one bundle through sigstore-verify, and nothing around it.
//!
//!     sigstore_verify BUNDLE ARTIFACT KEY.pem TRUSTED_ROOT

use std::error::Error;

use sigstore_trust_root::TrustedRoot;
use sigstore_types::{Bundle, DerPublicKey};
use sigstore_verify::{PublicKeyVerificationPolicy, Verifier};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [bundle, artifact, key, root] = words.as_slice() else {
        return Err("sigstore_verify BUNDLE ARTIFACT KEY.pem TRUSTED_ROOT".into());
    };
    let bundle = Bundle::from_json(&std::fs::read_to_string(bundle)?)?;
    let key = DerPublicKey::from_pem(&std::fs::read_to_string(key)?)?;
    let root = TrustedRoot::from_json(&std::fs::read_to_string(root)?)?;
    let policy = PublicKeyVerificationPolicy::new(key);
    let artifact = std::fs::read(artifact)?;
    Verifier::new(&root)?.verify(artifact.as_slice(), &bundle, &policy)?;
    println!("accept");
    Ok(())
}
