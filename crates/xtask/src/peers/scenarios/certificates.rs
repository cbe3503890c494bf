//! A server whose certificate stands in a real log of certificates, and whoever fetches there.

use std::error::Error;

use genten_testkit::{Answer, Authority, HttpsSite, Identity, Leaf};
use serde_json::json;

use super::expect;
use crate::Outcome;
use crate::peers::stage::Stage;
use crate::peers::tesseract::{Tesseract, sct_list};
use crate::peers::user::User;

/// Certificates of others in the log: more than fit one tile.
const OTHERS: usize = 260;

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let root = Authority::new("Scenario Root")?;
    let authority = root.intermediate("Scenario CA")?;
    let log = Tesseract::start(stage.peers, &stage.folder.join("ct"), root.root_pem())?;
    fill(&log, &authority)?;
    let identity = logged(&log, &authority)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let site = HttpsSite::builder().identity(identity).route("/law.txt", Answer::ok("The law.\n"));
    let site = runtime.block_on(site.start())?;

    let user = stage.user("user")?;
    user.write("root.pem", root.root_pem())?;
    user.write("list.json", log.list())?;
    let options = "--ca root.pem --ct-list list.json";
    user.genten(&format!("fetch {} {options}", site.url("/law.txt")))?;
    user.genten(&format!("refetch law.txt.provenance.json {options}"))?;
    let status = user.genten("--json log status")?;
    let proofs = status.lines().find(|line| line.contains("\"certificates\"")).unwrap_or_default();
    let proofs: serde_json::Value = serde_json::from_str(proofs)?;
    let certificates = &proofs["certificates"];
    expect("certificates that are proven", &certificates["proven"], &json!(1))?;
    expect("bundles without the proof", &certificates["bundles_to_complete"], &json!(0))?;
    verify(&user)
}

/// Has certificates of others logged, all at once, so that the log integrates them together.
fn fill(log: &Tesseract, authority: &Authority) -> Outcome {
    let one = |number: usize| -> Result<(), String> {
        let leaf = authority.issue_for(&format!("{number}.example"));
        let leaf = leaf.map_err(|error| error.to_string())?;
        log.add(leaf.chain(), false).map(drop).map_err(|error| error.to_string())
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (0..OTHERS).map(|number| scope.spawn(move || one(number))).collect();
        others.into_iter().try_for_each(|other| other.join().map_err(|_| "a thread panicked")?)
    })?;
    expect("certificates in the log", log.size()?, OTHERS as u64)
}

/// A server identity whose certificate holds the log's promise.
fn logged(log: &Tesseract, authority: &Authority) -> Result<Identity, Box<dyn Error>> {
    let precertificate = authority.precertify(&Leaf::new(["localhost"]))?;
    let promise = log.add(precertificate.chain(), true)?;
    Ok(precertificate.certify(sct_list(&[promise])?)?)
}

/// One operator has promised, so that only the proof can make up for `ct`.
fn verify(user: &User<'_>) -> Outcome {
    user.trust(&["home/log/log.vkey"])?;
    user.genten("trust add-ct kit.json list.json")?;
    for name in ["law.txt", "law.txt.refetch-1"] {
        let reports = user.accepts(&format!("{name}.provenance.json"), &["log", "ct"])?;
        let is_proven = reports[0].to_string().contains("ct.included");
        expect(&format!("{name} is accepted by the proof"), is_proven, true)?;
    }
    Ok(())
}
