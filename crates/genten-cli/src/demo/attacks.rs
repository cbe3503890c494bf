//! What an attacker would try with the demo's files, and the code that catches it.

mod on_log;

use std::path::Path;

use genten::jws::key_id;
use genten::{Body, Genten, Trust, TrustKit, Verifier};
use genten_fetch::Request;
use genten_manifest::{Bundle, TlsChain, UnverifiedBundle};
use genten_primitives::encoding::{base64url, from_base64url};

use super::sources::Saved;
use super::world::World;
use super::{REPORT_IT, Story};
use crate::command::moment::now;
use crate::failure::{Done, Failure, write_file};

/// One forged file, and what a verifier says of it.
struct Attack<'a> {
    name: &'static str,
    what: &'static str,
    bundle: Vec<u8>,
    body: &'a [u8],
    verdict: &'static str,
    code: &'static str,
}

pub(super) async fn run(
    world: &World,
    genten: &Genten,
    verifier: &Verifier,
    saved: &[Saved],
    dir: &Path,
    story: &mut Story,
) -> Done {
    let folder = dir.join("attacks");
    std::fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, &error))?;
    let forger = world.genten(&folder.join("home"))?;
    let mut attacks = forged(world, &forger, saved).await?;
    attacks.extend(on_log::forged(saved)?);
    for attack in attacks {
        write_file(&folder.join(attack.name), attack.body)?;
        write_file(&folder.join(format!("{}.provenance.json", attack.name)), &attack.bundle)?;
        let report = verifier.verify_bytes(&attack.bundle, &Body::of(attack.body), now());
        let because = report.verdict.because().map(|code| code.as_str());
        story.expect(attack.what, attack.verdict, report.verdict.as_str(), because, attack.code);
    }
    revoked_key(genten, saved, story)?;
    on_log::second_history(genten, &folder, story).await?;
    refused_by_the_recorder(world, genten, story).await
}

async fn forged<'a>(world: &World, forger: &Genten, saved: &'a [Saved]) -> Done<Vec<Attack<'a>>> {
    let [standard, law, circular] = saved else {
        return Err(Failure::new("the demo has three sources", REPORT_IT));
    };
    let text = |saved: &Saved| String::from_utf8_lossy(&saved.bundle).into_owned();
    let resigned = forger.fetch(world.site.url("/standard.txt")).await?.bundle().to_json();
    let moved_time = replaced(&text(standard), "\"fetched_at\":\"20", "\"fetched_at\":\"21")?;
    Ok(vec![
        Attack {
            name: "changed-body",
            what: "one letter of the body changed",
            bundle: standard.bundle.clone(),
            body: CHANGED.as_bytes(),
            verdict: "reject",
            code: "content.other-bytes",
        },
        Attack {
            name: "truncated-body",
            what: "the end of the body cut off",
            bundle: standard.bundle.clone(),
            body: &standard.body[..standard.body.len() - 10],
            verdict: "reject",
            code: "content.shorter",
        },
        Attack {
            name: "swapped-manifests",
            what: "the manifest of another document",
            bundle: circular.bundle.clone(),
            body: &standard.body,
            verdict: "reject",
            code: "content.other-bytes",
        },
        Attack {
            name: "changed-field",
            what: "another URL written into the manifest",
            bundle: replaced(&text(law), "as-of=2026-04-01", "as-of=2026-05-01")?,
            body: &law.body,
            verdict: "reject",
            code: "jws.signature.mismatch",
        },
        Attack {
            name: "moved-time",
            what: "an old copy with a newer time",
            bundle: moved_time,
            body: &standard.body,
            verdict: "reject",
            code: "jws.signature.mismatch",
        },
        Attack {
            name: "foreign-key",
            what: "signed again with a key of the attacker, whom nobody trusts",
            bundle: resigned,
            body: &standard.body,
            verdict: "review",
            code: "signer.not-trusted",
        },
        Attack {
            name: "algorithm-none",
            what: "the signature says that nothing is signed",
            bundle: with_header(standard, |header| header.replace("\"ES256\"", "\"none\""))?,
            body: &standard.body,
            verdict: "reject",
            code: "jws.alg.none",
        },
        Attack {
            name: "algorithm-confusion",
            what: "the signature claims another algorithm",
            bundle: with_header(standard, |header| header.replace("\"ES256\"", "\"EdDSA\""))?,
            body: &standard.body,
            verdict: "reject",
            code: "jws.alg.mismatch",
        },
        Attack {
            name: "embedded-key",
            what: "the signature brings its own key along",
            bundle: with_header(standard, |header| header.replacen('{', "{\"jwk\":{},", 1))?,
            body: &standard.body,
            verdict: "reject",
            code: "jws.header.key-reference",
        },
        Attack {
            name: "doubled-member",
            what: "a member written twice",
            bundle: replaced(
                &text(standard),
                "\"source_url\":",
                "\"source_url\":\"https://evil.example/\",\"source_url\":",
            )?,
            body: &standard.body,
            verdict: "reject",
            code: "json.duplicate-member",
        },
        Attack {
            name: "foreign-certificate",
            what: "the certificate of another host put into the bundle",
            bundle: with_other_chain(world, standard)?,
            body: &standard.body,
            verdict: "reject",
            code: "tls-chain.other-certificate",
        },
    ])
}

/// The standard with one letter changed, of the same length.
const CHANGED: &str = "The demo standard\n\n\
    1. A fetch MAY  be signed by whoever made it.\n\
    2. A reader MUST be able to check the signature without a network.\n\
    3. Nobody MUST be believed for more than was checked.\n";

fn replaced(text: &str, from: &str, to: &str) -> Done<Vec<u8>> {
    match text.contains(from) {
        true => Ok(text.replacen(from, to, 1).into_bytes()),
        false => Err(Failure::new(format!("the demo's bundle has no {from}"), REPORT_IT)),
    }
}

/// The bundle with another protected header in its signature.
fn with_header(saved: &Saved, change: impl Fn(&str) -> String) -> Done<Vec<u8>> {
    let manifest = read(saved)?.manifest().manifest().clone();
    let (encoded, rest) = manifest.mcp_signature.split_once('.').unwrap_or_default();
    let header =
        from_base64url(encoded).map_err(|error| Failure::new(error.to_string(), REPORT_IT))?;
    let changed = change(&String::from_utf8_lossy(&header));
    let forged = format!("{}.{rest}", base64url(changed.as_bytes()));
    replaced(&String::from_utf8_lossy(&saved.bundle), &manifest.mcp_signature, &forged)
}

fn with_other_chain(world: &World, saved: &Saved) -> Done<Vec<u8>> {
    let certificates = world.other_chain()?;
    let chain = TlsChain { certificates, scts: None, ocsp: None, tlog_proof: None };
    let manifest = read(saved)?.manifest().manifest().clone();
    Ok(Bundle::new(&manifest).with_tls_chain(&chain).to_json())
}

fn read(saved: &Saved) -> Done<UnverifiedBundle> {
    UnverifiedBundle::read(&saved.bundle)
        .map_err(|error| Failure::coded(error.code(), &error, REPORT_IT))
}

/// The same files, read by somebody whose trust kit says that the key was stolen.
fn revoked_key(genten: &Genten, saved: &[Saved], story: &mut Story) -> Done {
    let id = key_id::did_key(genten.public_key())
        .ok_or_else(|| Failure::new("no did:key", REPORT_IT))?;
    let kit = format!(
        r#"{{"media_type":"{}","signers":[{{"key_id":"{id}","public_key":{},"status":"revoked","revoked_at":"2026-01-01T00:00:00Z"}}]}}"#,
        genten::verify::kit::KIT_MEDIA_TYPE,
        genten.public_key().to_jwk()
    );
    let kit = TrustKit::read(kit.as_bytes())
        .map_err(|error| Failure::coded("kit.malformed", &error, REPORT_IT))?;
    let trust = Trust { kit, ..Trust::default() };
    let policy = genten::Policy::built_in("basic")
        .ok_or_else(|| Failure::new("no policy basic", REPORT_IT))?;
    let Some(standard) = saved.first() else { return Ok(()) };
    let report = Verifier::new(trust, policy).verify_bytes(
        &standard.bundle,
        &Body::of(&standard.body),
        now(),
    );
    let because = report.verdict.because().map(|code| code.as_str());
    story.expect(
        "a key that the reader's trust kit says is revoked",
        "reject",
        report.verdict.as_str(),
        because,
        "signer.revoked",
    );
    Ok(())
}

/// What never becomes a manifest at all.
async fn refused_by_the_recorder(world: &World, genten: &Genten, story: &mut Story) -> Done {
    for (what, url, code) in [
        (
            "a server with the certificate of another host",
            world.impostor.url("/standard.txt"),
            "fetch.tls.wrong-host",
        ),
        (
            "a server that hangs up before the end",
            world.broken.url("/standard.txt"),
            "fetch.truncated",
        ),
    ] {
        match genten.fetch(Request::get(url)).await {
            Ok(_) => story.expect(what, "not signed", "signed", None, code),
            Err(error) => story.expect(what, "not signed", "not signed", Some(error.code()), code),
        }
    }
    Ok(())
}
