//! `genten fetch`: fetch, sign, write body and bundle.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::StreamExt as _;
use genten::{Attested, Fetch, Genten, Terms};
use genten_fetch::{CrossSite, RedirectPolicy, Request, Sink, displayed_url};
use genten_manifest::TlsTrust;
use genten_primitives::Printable;
use genten_primitives::json::{ArrayWriter, ObjectWriter};

use super::{logging, terms, transport};
use crate::cli::{FetchArgs, TransportArgs};
use crate::context::Context;
use crate::failure::{Done, Failure, read_file};
use crate::{output, progress};

/// Largest request body that is read from a file, in bytes.
const DATA_LIMIT: u64 = 64 << 20;

pub(super) async fn run(context: &Context, args: FetchArgs) -> Done<u8> {
    let terms = terms::terms(&args.terms)?;
    let recorder = transport::recorder(&args.transport)?;
    let targets = targets(&args)?;
    let requests = args.urls.iter().map(|url| request(&args, url)).collect::<Done<Vec<_>>>()?;
    let genten = logging::builder(context, args.terms.key.as_deref(), &args.log)?;
    let genten = logging::proving(genten, &args.ct)?.recorder(recorder).build()?;
    let work = requests
        .into_iter()
        .zip(&targets)
        .map(|(request, target)| one(&genten, request, target, &terms));
    let mut results = futures_util::stream::iter(work).buffered(args.jobs.max(1));
    let text = format!("fetching {}", args.urls.len());
    let spinner = progress::spinner(&text, context.json);
    let (mut status, mut signed) = (0, Vec::new());
    for (url, target) in args.urls.iter().zip(&targets) {
        match results.next().await {
            Some(Ok(attested)) => {
                spinner.suspend(|| report(context, url, target, &attested));
                signed.push(attested.manifest_id);
            }
            Some(Err(failure)) => {
                let failure = failure.about(&displayed_url(url));
                spinner.suspend(|| tell(context, url, &failure));
                status = failure.status().max(status);
            }
            None => {}
        }
    }
    spinner.finish_and_clear();
    logging::flush(context, &genten, &args.log, &signed).await;
    Ok(status)
}

fn tell(context: &Context, url: &str, failure: &Failure) {
    if context.json {
        let mut object = ObjectWriter::new();
        object
            .string("url", &displayed_url(url))
            .string("error", failure.message())
            .optional("code", failure.code())
            .string("hint", failure.hint());
        output::json(&mut object);
    }
    failure.print();
}

fn request(args: &FetchArgs, url: &str) -> Done<Request> {
    let cross_site = if args.same_site { CrossSite::Refuse } else { CrossSite::Warn };
    let mut request = with_limits(Request::new(&args.method, url), &args.transport)
        .allow_partial(args.allow_partial)
        .redirects(RedirectPolicy::limited(args.max_redirects).cross_site(cross_site));
    for header in &args.headers {
        let (name, value) = header.split_once(':').ok_or_else(|| {
            Failure::usage(format!("--header {header:?}: no colon"), "Write it as 'Name: value'.")
        })?;
        request = request.header(name.trim(), value.trim().as_bytes());
    }
    match &args.data {
        None => Ok(request),
        Some(data) => Ok(request.body(body(data)?)),
    }
}

pub(super) fn with_limits(request: Request, args: &TransportArgs) -> Request {
    let request = request.total_timeout(Duration::from_secs(args.timeout));
    match args.max_bytes {
        Some(bytes) => request.max_bytes(bytes),
        None => request,
    }
}

fn body(data: &str) -> Done<Vec<u8>> {
    match data.strip_prefix('@') {
        Some(path) => read_file(Path::new(path), DATA_LIMIT),
        None => Ok(data.as_bytes().to_vec()),
    }
}

/// Where body and bundle of one fetch go.
pub(super) struct Target {
    body: Option<PathBuf>,
    pub(super) bundle: PathBuf,
}

impl Target {
    pub(super) fn of(body: PathBuf, no_body: bool) -> Self {
        let mut bundle = body.clone().into_os_string();
        bundle.push(".provenance.json");
        Self { body: (!no_body).then_some(body), bundle: bundle.into() }
    }

    pub(super) fn is_free(&self) -> bool {
        self.taken().is_none()
    }

    /// The first of the files that is there already.
    fn taken(&self) -> Option<&PathBuf> {
        self.body.iter().chain([&self.bundle]).find(|path| path.symlink_metadata().is_ok())
    }
}

fn targets(args: &FetchArgs) -> Done<Vec<Target>> {
    let folder = match &args.output {
        Some(path) if args.urls.len() > 1 || path.is_dir() => {
            std::fs::create_dir_all(path).map_err(|error| Failure::file(path, &error))?;
            path.clone()
        }
        Some(file) => return Ok(vec![Target::of(file.clone(), args.no_body)]),
        None => PathBuf::new(),
    };
    let mut taken = HashSet::new();
    args.urls
        .iter()
        .map(|url| {
            let target = Target::of(folder.join(free_name(url, &mut taken)), args.no_body);
            not_there(&target)?;
            Ok(target)
        })
        .collect()
}

/// A name that nobody chose must not overwrite a file.
fn not_there(target: &Target) -> Done {
    match target.taken() {
        None => Ok(()),
        Some(path) => Err(Failure::usage(
            format!("{} is there already", path.display()),
            "Give a name or a folder with -o; a name given with -o is overwritten.",
        )),
    }
}

/// A name that no other body or bundle of this run has.
fn free_name(url: &str, taken: &mut HashSet<String>) -> String {
    let name = file_name(url);
    let numbered = (2..).map(|count| format!("{name}-{count}"));
    let bundle = |name: &str| format!("{name}.provenance.json");
    let free = std::iter::once(name.clone())
        .chain(numbered)
        .find(|name| !taken.contains(name) && !taken.contains(&bundle(name)))
        .expect("of endlessly many names one is free");
    taken.extend([bundle(&free), free.clone()]);
    free
}

/// A plain file name from the last part of a URL's path, else from its host.
fn file_name(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let mut parts = path.trim_end_matches('/').rsplit('/');
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-._".contains(c) { c } else { '_' };
    let name: String = parts.next().unwrap_or_default().chars().take(100).map(plain).collect();
    let name = name.trim_start_matches('.');
    if name.is_empty() { "body".to_owned() } else { name.to_owned() }
}

/// Fetches and signs, then writes the bundle. A body that came and could not be signed is removed again.
pub(super) async fn one(
    genten: &Genten,
    request: Request,
    target: &Target,
    terms: &Terms,
) -> Done<Attested> {
    let sink = match &target.body {
        Some(path) => Sink::File(path.clone()),
        None => Sink::Discard,
    };
    let exchange = genten.record(Fetch::new(request).sink(sink)).await?;
    let written = match genten.sign_exchange(exchange, terms).await {
        Ok(attested) => genten.save_bundle(&attested, &target.bundle).map(|()| attested),
        Err(error) => Err(error),
    };
    if let (Err(_), Some(path)) = (&written, &target.body) {
        drop(std::fs::remove_file(path));
    }
    Ok(written?)
}

fn report(context: &Context, url: &str, target: &Target, attested: &Attested) {
    let warnings = warnings(attested);
    for warning in &warnings {
        eprintln!("genten: warning: {}: {}", Printable(&displayed_url(url)), Printable(warning));
    }
    let Some(exchange) = &attested.exchange else { return };
    if context.json {
        return report_json(url, target, attested, &warnings);
    }
    output::line(&format!("signed    {}", Printable(&displayed_url(url))));
    if exchange.final_url != exchange.requested_url {
        output::line(&format!("  from      {}", Printable(&displayed_url(&exchange.final_url))));
    }
    if let Some(path) = &target.body {
        output::line(&format!("  body      {} ({} bytes)", path.display(), exchange.content_bytes));
    }
    output::line(&format!("  manifest  {}", target.bundle.display()));
    output::line(&format!("  id        {}", attested.manifest_id));
}

fn report_json(url: &str, target: &Target, attested: &Attested, warnings: &[String]) {
    let mut list = ArrayWriter::new();
    for warning in warnings {
        list.string(warning);
    }
    let claims = &attested.manifest.claims;
    let mut object = ObjectWriter::new();
    object
        .string("url", &displayed_url(url))
        .optional("body", target.body.as_ref().map(|path| path.display().to_string()).as_deref())
        .string("bundle", &target.bundle.display().to_string())
        .text("manifest_id", Some(&attested.manifest_id))
        .text("content_sha256", Some(&claims.content_sha256))
        .text("fetched_at", Some(&claims.fetched_at))
        .string("final_url", &displayed_url(claims.final_url().as_str()))
        .raw("warnings", &list.finish());
    if let Some(http) = &claims.http {
        object.integer("status", i64::from(http.status));
    }
    output::json(&mut object);
}

/// What a person should know about the exchange.
fn warnings(attested: &Attested) -> Vec<String> {
    let claims = &attested.manifest.claims;
    let mut warnings = attested.warnings();
    let status = claims.http.as_ref().map_or(200, |http| http.status);
    if !(200..300).contains(&status) {
        warnings.push(format!("the server answered with status {status}; signed as what it is"));
    }
    let tls = claims.tls.as_ref();
    if tls.and_then(|tls| tls.trust) == Some(TlsTrust::PrivateRoot) {
        let issuer =
            tls.and_then(|tls| tls.issuer.as_ref()).map(ToString::to_string).unwrap_or_default();
        warnings.push(format!(
            "the certificate is of a private authority ({issuer}), and the manifest says so"
        ));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_plain() {
        for (url, name) in [
            ("https://a.example/rfc/rfc9421.txt", "rfc9421.txt"),
            ("https://a.example/doc.bin?q=a%20b&x", "doc.bin"),
            ("https://a.example/", "a.example"),
            ("https://a.example", "a.example"),
            ("https://a.example/x/..", "body"),
            ("https://a.example/%2e%2e%2fetc", "_2e_2e_2fetc"),
            ("https://a.example/a:b\u{202e}", "a_b_"),
        ] {
            assert_eq!(file_name(url), name, "{url}");
        }
    }

    #[test]
    fn names_do_not_collide() {
        let mut taken = HashSet::new();
        let names: Vec<_> = (0..3).map(|_| free_name("https://a.example/x", &mut taken)).collect();
        assert_eq!(names, ["x", "x-2", "x-3"]);
        let bundle = free_name("https://a.example/x.provenance.json", &mut taken);
        assert_eq!(bundle, "x.provenance.json-2", "the first is the bundle of x");
    }
}
