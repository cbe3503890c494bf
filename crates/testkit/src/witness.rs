//! Witnesses, who cosign checkpoints at any time that they like (C2SP tlog-cosignature).

use genten_tlog::note::signature_line;
use genten_tlog::{NoteKey, cosignature};

use crate::SeedKey;

/// A witness with an Ed25519 key. It signs whatever it is given: honest or not is up to the test.
#[derive(Clone, Debug)]
pub struct Witness {
    key: SeedKey,
    note_key: NoteKey,
}

impl Witness {
    /// The witness of this name, which its key is made from.
    ///
    /// # Panics
    /// On a name that no note can bear.
    pub fn new(name: &str) -> Self {
        let key = SeedKey::ed25519(&format!("witness {name}"));
        let note_key = NoteKey::cosignature(name, key.public()).expect("the name fits a note");
        Self { key, note_key }
    }

    /// The key as verifiers know it.
    pub fn note_key(&self) -> &NoteKey {
        &self.note_key
    }

    /// The key as it stands in policies.
    pub fn vkey(&self) -> String {
        self.note_key.to_vkey()
    }

    /// The line of a cosignature over a checkpoint's text, said to be of this second since 1970.
    pub fn cosign(&self, text: &str, seconds: u64) -> String {
        let signature = self.key.sign(&cosignature::message(seconds, text));
        signature_line(&self.note_key, &cosignature::blob(seconds, &signature))
    }
}

/// A policy (C2SP tlog-policy) over these logs that `needed` of these witnesses meet. None of them: `quorum none`.
pub fn policy(logs: &[&NoteKey], witnesses: &[&Witness], needed: usize) -> String {
    let mut text = String::new();
    for log in logs {
        text.push_str(&format!("log {}\n", log.to_vkey()));
    }
    for (number, witness) in witnesses.iter().enumerate() {
        text.push_str(&format!("witness w{} {}\n", number + 1, witness.vkey()));
    }
    if needed == 0 {
        return text + "quorum none\n";
    }
    let names: Vec<_> = (1..=witnesses.len()).map(|number| format!("w{number}")).collect();
    text + &format!("group all {needed} {}\nquorum all\n", names.join(" "))
}
