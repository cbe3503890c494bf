//! The bodies of all fuzz targets: one for each parser, one for the whole verdict.
//!
//! Each takes bytes and says whether the parser accepted them. It asserts more than "no panic": what was accepted prints
//! back to the same bytes or reads back as the same value, and what a slow oracle refuses is not accepted.
//!
//! A file of `corpus/<target>/` is an input that once was worth keeping: a seed, or a fault that is mended. `cargo test` in
//! this folder runs all of them again on stable; `cargo +nightly fuzz run <target>` looks for more.

mod citation;
mod client;
mod contract;
mod ct;
mod jws;
mod keys;
mod manifest;
mod names;
mod output;
mod pki;
mod rekor;
mod result;
mod text;
mod tlog;
mod trust;
mod verdict;

/// One target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: that of its program and of its folder in `corpus/`.
    pub name: &'static str,
    /// Runs one input; whether the parser accepted it.
    ///
    /// # Panics
    ///
    /// What was accepted breaks a rule.
    pub run: fn(&[u8]) -> bool,
}

macro_rules! targets {
    ($($name:ident = $run:path;)+) => {
        /// All targets.
        pub const TARGETS: &[Target] = &[$(Target { name: stringify!($name), run: $run }),+];
    };
}

targets! {
    batch_statement = rekor::batch_statement;
    bundle = manifest::bundle;
    certificate = pki::certificate;
    checkpoint = tlog::checkpoint;
    citation = citation::citation;
    contract = contract::contract;
    ct_log_list = ct::ct_log_list;
    data_tile = ct::data_tile;
    did_document = keys::did_document;
    encodings = text::encodings;
    entry_bundle = tlog::entry_bundle;
    follow_state = client::follow_state;
    input_kind = verdict::input_kind;
    json = text::json;
    jws = jws::compact;
    jws_header = jws::header;
    key_id = names::key_id;
    log_entry = rekor::log_entry;
    logged_body = rekor::logged_body;
    manifest = manifest::manifest;
    members = names::members;
    merkle_proof = tlog::merkle_proof;
    note = tlog::note;
    output = output::output;
    pem = pki::pem;
    policy = trust::policy;
    public_key = keys::public_key;
    retry_after = client::wait;
    saved_result = result::saved_result;
    sct_list = pki::sct_list;
    secret_key = keys::secret_key;
    service_url = client::service_url;
    signer_path = pki::signer_path;
    signing_config = ct::signing_config;
    sigstore_bundle = verdict::sigstore_bundle;
    source_url = names::source_url;
    tile_path = tlog::tile_path;
    timestamp = text::timestamp;
    tlog_policy = tlog::policy;
    tlog_proof = tlog::proof_file;
    timestamp_token = pki::timestamp_token;
    tls_chain = pki::tls_chain;
    trust_key = trust::key_file;
    trust_kit = trust::kit;
    trusted_root = ct::trusted_root;
    url_pattern = names::url_pattern;
    verdict = verdict::verdict;
    vkey = tlog::vkey;
}

/// Runs the target of this name.
///
/// # Panics
///
/// No target has the name, or the target found a fault.
pub fn run(name: &str, bytes: &[u8]) -> bool {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.expect("each program is named after a target").run)(bytes)
}

/// The program of one target: under cargo-fuzz a fuzzer, otherwise something that runs the files it is given.
#[macro_export]
macro_rules! program {
    ($name:literal) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
            $crate::run($name, bytes);
        });

        #[cfg(not(fuzzing))]
        fn main() -> std::io::Result<()> {
            for file in std::env::args().skip(1) {
                let accepted = $crate::run($name, &std::fs::read(&file)?);
                println!("{} {file}", if accepted { "accepted" } else { "refused " });
            }
            Ok(())
        }
    };
}

/// Splits an input into parts, each after its length in two bytes; what is left over is the last part.
fn parts(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    while let [high, low, rest @ ..] = bytes {
        let length = usize::from(u16::from_be_bytes([*high, *low])).min(rest.len());
        let (part, more) = rest.split_at(length);
        parts.push(part);
        bytes = more;
    }
    parts
}
