//! Members that cannot both be true.

use crate::{Capture, Claims, Completeness, Http, SourceClass, SourceUrl};

/// Two members of one manifest that exclude each other. Producers refuse to sign them, verifiers reject them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Contradiction {
    /// `attested_at` lies before `fetched_at`.
    #[error("attested_at lies before fetched_at")]
    AttestedBeforeFetched,
    /// A certificate fingerprint, although the content, or the redirect that names it, came over plain HTTP.
    #[error("a certificate fingerprint for an answer from an http URL")]
    CertificateWithoutTls,
    /// `decoded_sha256` without a content coding.
    #[error("decoded_sha256 without content_encoding")]
    DecodedWithoutCoding,
    /// `file:` without class `local`.
    #[error("a file: URL whose class is not local")]
    FileNotLocal,
    /// `final_url` repeats `source_url`.
    #[error("final_url repeats source_url: it is written only when it differs")]
    FinalUrlRepeated,
    /// A recorded fetch of something that is no http or https URL.
    #[error("capture is recorded, but the URL is neither http nor https")]
    RecordedNotWeb,
    /// The redirects do not lead from `source_url` to `final_url`, or an answer among them is none (status 3xx).
    #[error(
        "the redirects do not lead from source_url to final_url, or one of them is no redirect"
    )]
    RedirectChain,
    /// A `range` on an answer that is not partial.
    #[error("a range, but completeness is not partial")]
    RangeNotPartial,
}

impl Contradiction {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::AttestedBeforeFetched => "time.attested-before-fetched",
            Self::CertificateWithoutTls => "manifest.certificate-without-tls",
            Self::DecodedWithoutCoding => "manifest.decoded-without-coding",
            Self::FileNotLocal => "manifest.file-not-local",
            Self::FinalUrlRepeated => "manifest.final-url-repeated",
            Self::RecordedNotWeb => "manifest.recorded-not-web",
            Self::RedirectChain => "manifest.redirect-chain",
            Self::RangeNotPartial => "manifest.range-not-partial",
        }
    }
}

impl Claims {
    /// The first contradiction among the claims.
    pub fn contradiction(&self) -> Option<Contradiction> {
        let attested_early = self.attested_at.is_some_and(|attested| attested < self.fetched_at);
        let checks = [
            (attested_early, Contradiction::AttestedBeforeFetched),
            (self.scheme_is_wrong(), Contradiction::RecordedNotWeb),
            (self.file_is_not_local(), Contradiction::FileNotLocal),
            (self.certificate_without_tls(), Contradiction::CertificateWithoutTls),
        ];
        let found =
            checks.into_iter().find_map(|(holds, contradiction)| holds.then_some(contradiction));
        found.or_else(|| self.http.as_ref().and_then(|http| http.contradiction(&self.source_url)))
    }

    /// Every URL on the way; the first redirect answers for `source_url`.
    fn urls(&self) -> impl Iterator<Item = &SourceUrl> {
        let redirects = self.http.iter().flat_map(|http| &http.redirects);
        let hops = redirects.skip(1).map(|hop| &hop.url);
        std::iter::once(&self.source_url).chain(hops).chain([self.final_url()])
    }

    fn scheme_is_wrong(&self) -> bool {
        self.capture() == Capture::Recorded && !self.urls().all(SourceUrl::is_web)
    }

    fn file_is_not_local(&self) -> bool {
        self.source_class != Some(SourceClass::Local)
            && self.urls().any(|url| url.has_scheme("file"))
    }

    fn certificate_without_tls(&self) -> bool {
        let redirects = self.http.iter().flat_map(|http| &http.redirects);
        let hops = redirects.map(|hop| (&hop.url, hop.tls_server_cert_sha256));
        hops.chain([(self.final_url(), self.tls_server_cert_sha256)])
            .any(|(url, certificate)| certificate.is_some() && url.has_scheme("http"))
    }
}

impl Http {
    fn contradiction(&self, source_url: &SourceUrl) -> Option<Contradiction> {
        let checks = [
            (self.final_url.as_ref() == Some(source_url), Contradiction::FinalUrlRepeated),
            (!self.redirects_lead_on(source_url), Contradiction::RedirectChain),
            (
                self.decoded_sha256.is_some() && self.content_encoding.is_none(),
                Contradiction::DecodedWithoutCoding,
            ),
            (
                self.range.is_some() && self.completeness != Some(Completeness::Partial),
                Contradiction::RangeNotPartial,
            ),
        ];
        checks.into_iter().find_map(|(holds, contradiction)| holds.then_some(contradiction))
    }

    /// Whether each redirect answers for the URL reached before, and the last one leads to the final URL.
    fn redirects_lead_on(&self, source_url: &SourceUrl) -> bool {
        let end = self.final_url.as_ref().unwrap_or(source_url);
        let Some(first) = self.redirects.first() else {
            return end == source_url;
        };
        let nexts = self.redirects.iter().skip(1).map(|redirect| &redirect.url).chain([end]);
        first.url == *source_url
            && self.redirects.iter().all(|redirect| (300..400).contains(&redirect.status))
            && self.redirects.iter().zip(nexts).all(|(redirect, next)| {
                target(&redirect.url, redirect.location.as_str()).as_deref() == Some(next.as_str())
            })
    }
}

/// A `Location` resolved against the URL that sent it, by the WHATWG URL rules, fragment dropped.
fn target(base: &SourceUrl, location: &str) -> Option<String> {
    let mut target = url::Url::parse(base.as_str()).ok()?.join(location).ok()?;
    target.set_fragment(None);
    Some(target.into())
}
