//! `genten refetch`: the same request again, a new manifest, and what changed.

use std::path::Path;

use genten::{Attested, Genten, Terms};
use genten_fetch::{Request, displayed_url};
use genten_manifest::{
    Claims, HttpRequest, MAX_BUNDLE_BYTES, UnverifiedBundle, UnverifiedManifest,
};
use genten_primitives::json::ObjectWriter;
use genten_primitives::{Printable, Sha256Digest};

use super::fetch::{Target, one, with_limits};
use super::{logging, transport};
use crate::cli::RefetchArgs;
use crate::context::Context;
use crate::failure::{Done, Failure, read_file};
use crate::output;

/// How the new fetch compares with the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Identical,
    SameAfterDecoding,
    Moved,
    Changed,
}

impl Change {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::SameAfterDecoding => "same-after-decoding",
            Self::Moved => "moved",
            Self::Changed => "changed",
        }
    }
}

/// 1 says that something changed, so that whatever else goes wrong is 2.
pub(super) async fn run(context: &Context, args: RefetchArgs) -> Done<u8> {
    all(context, args).await.map_err(|failure| failure.with_status(2))
}

async fn all(context: &Context, args: RefetchArgs) -> Done<u8> {
    let recorder = transport::recorder(&args.transport)?;
    let genten = logging::builder(context, args.key.as_deref(), &args.log)?;
    let genten = logging::proving(genten, &args.ct)?.recorder(recorder).build()?;
    let (mut status, mut signed) = (0, Vec::new());
    for file in &args.files {
        status = status.max(match again(context, &args, &genten, file).await {
            Ok((status, id)) => {
                signed.extend(id);
                status
            }
            Err(failure) => {
                not_repeatable(context, file, &failure);
                2
            }
        });
    }
    logging::flush(context, &genten, &args.log, &signed).await;
    Ok(status)
}

/// One file: 0 the same, 1 changed, 2 could not be fetched; and the id of the new manifest.
async fn again(
    context: &Context,
    args: &RefetchArgs,
    genten: &Genten,
    file: &Path,
) -> Done<(u8, Option<Sha256Digest>)> {
    let old = claims(file)?;
    let name = file.display().to_string();
    let request = request(&old).map_err(|failure| failure.about(&name))?;
    let request = with_limits(request, &args.transport);
    let terms = Terms { class: old.source_class, ..Terms::default() };
    let target = target(file, args.output.as_deref())?;
    match one(genten, request, &target, &terms).await {
        Ok(new) => {
            let change = compare(&old, &new.manifest.claims);
            report(context, &name, change, &old, &new, &target);
            Ok((u8::from(change == Change::Changed), Some(new.manifest_id)))
        }
        Err(failure) => {
            unreachable(context, &name, &old, &failure);
            Ok((2, None))
        }
    }
}

/// A file that says of no request that could be made again. The others still have their turn.
fn not_repeatable(context: &Context, file: &Path, failure: &Failure) {
    if context.json {
        let mut object = ObjectWriter::new();
        object
            .string("file", &file.display().to_string())
            .string("error", failure.message())
            .optional("code", failure.code());
        output::json(&mut object);
    }
    failure.print();
}

fn claims(file: &Path) -> Done<Claims> {
    let bytes = read_file(file, MAX_BUNDLE_BYTES as u64)?;
    let bundle = UnverifiedBundle::read(&bytes).map(|bundle| bundle.manifest().claims().clone());
    let manifest = || UnverifiedManifest::read(&bytes).map(|manifest| manifest.claims().clone());
    bundle.or_else(|_| manifest()).map_err(|error| {
        Failure::coded(
            error.code(),
            &error,
            "Give a manifest or a bundle that `genten fetch` wrote.",
        )
        .about(&file.display().to_string())
    })
}

/// The request of an earlier fetch, as far as the manifest can say it.
fn request(old: &Claims) -> Done<Request> {
    let facts = old.http.as_ref().and_then(|http| http.request.as_ref());
    let method = facts.map_or("GET", |facts| facts.method.as_str());
    let request = Request::new(method, old.source_url.as_str());
    let Some(facts) = facts else { return Ok(request) };
    if is_lost(facts) {
        return Err(Failure::new(
            "the manifest does not hold the request's body or all of its headers",
            "Fetch again with `genten fetch`, giving body and headers.",
        )
        .about(&displayed_url(old.source_url.as_str())));
    }
    let shown = facts
        .headers
        .iter()
        .filter_map(|header| Some((header.name.as_str(), header.value.as_ref()?)));
    Ok(shown.fold(request, |request, (name, value)| {
        request.header(name, value.as_str().as_bytes().to_vec())
    }))
}

fn is_lost(facts: &HttpRequest) -> bool {
    facts.body_sha256.is_some() || facts.headers.iter().any(|header| header.value.is_none())
}

/// A name beside the old file, with a number that is still free, so that nothing is overwritten.
fn target(file: &Path, folder: Option<&Path>) -> Done<Target> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.strip_suffix(".provenance.json").unwrap_or(&name).to_owned();
    let folder = match folder {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
            folder.to_owned()
        }
        None => file.parent().map(Path::to_owned).unwrap_or_default(),
    };
    (1..)
        .map(|count| Target::of(folder.join(format!("{name}.refetch-{count}")), false))
        .find(Target::is_free)
        .ok_or_else(|| Failure::new("no free name for the new body", "Give a folder with -o."))
}

fn compare(old: &Claims, new: &Claims) -> Change {
    if old.content_sha256 == new.content_sha256 {
        return if old.final_url() == new.final_url() { Change::Identical } else { Change::Moved };
    }
    // Where no coding was declared, the bytes as received are the decoded ones.
    let decoded = |claims: &Claims| -> Option<Sha256Digest> {
        let coded = claims.http.as_ref().is_some_and(|http| http.content_encoding.is_some());
        if coded { claims.decoded_sha256() } else { Some(claims.content_sha256) }
    };
    match (decoded(old), decoded(new)) {
        (Some(old), Some(new)) if old == new => Change::SameAfterDecoding,
        _ => Change::Changed,
    }
}

fn report(
    context: &Context,
    name: &str,
    change: Change,
    old: &Claims,
    new: &Attested,
    target: &Target,
) {
    let claims = &new.manifest.claims;
    let other_certificate = old.tls_server_cert_sha256 != claims.tls_server_cert_sha256;
    if context.json {
        let mut object = ObjectWriter::new();
        object
            .string("file", name)
            .string("url", &displayed_url(old.source_url.as_str()))
            .string("change", change.as_str())
            .text("old_sha256", Some(&old.content_sha256))
            .text("new_sha256", Some(&claims.content_sha256))
            .string("old_final_url", &displayed_url(old.final_url().as_str()))
            .string("new_final_url", &displayed_url(claims.final_url().as_str()))
            .boolean("other_certificate", other_certificate)
            .string("bundle", &target.bundle.display().to_string())
            .text("manifest_id", Some(&new.manifest_id));
        return output::json(&mut object);
    }
    output::line(&format!(
        "{:<20}{}",
        change.as_str(),
        Printable(&displayed_url(old.source_url.as_str()))
    ));
    if old.final_url() != claims.final_url() {
        output::line(&format!(
            "  was at    {}",
            Printable(&displayed_url(old.final_url().as_str()))
        ));
        output::line(&format!(
            "  now at    {}",
            Printable(&displayed_url(claims.final_url().as_str()))
        ));
    }
    if change == Change::Changed {
        output::line(&format!("  was       sha256 {}, {}", old.content_sha256, old.fetched_at));
        output::line(&format!(
            "  now       sha256 {}, {}",
            claims.content_sha256, claims.fetched_at
        ));
        if claims.http.as_ref().is_some_and(is_html) {
            output::line(
                "  hint      a page changes easily; a stable format (text, XML, PDF) is easier to compare",
            );
        }
    }
    output::line(&format!("  manifest  {}", Printable(&target.bundle.display().to_string())));
    if other_certificate {
        output::line(
            "  note      the server shows another certificate than then; both were valid for the host",
        );
    }
}

fn is_html(http: &genten_manifest::Http) -> bool {
    http.media_type.as_ref().is_some_and(|media_type| media_type.as_str().starts_with("text/html"))
}

fn unreachable(context: &Context, name: &str, old: &Claims, failure: &Failure) {
    if context.json {
        let mut object = ObjectWriter::new();
        object
            .string("file", name)
            .string("url", &displayed_url(old.source_url.as_str()))
            .string("change", "unreachable")
            .string("error", failure.message())
            .optional("code", failure.code());
        output::json(&mut object);
    } else {
        output::line(&format!(
            "{:<20}{}",
            "unreachable",
            Printable(&displayed_url(old.source_url.as_str()))
        ));
    }
    failure.print();
}
