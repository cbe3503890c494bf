//! The codes that the checks write down, by name; a name without a row does not compile.

use super::{Code, table};

impl Code {
    /// `archive.missing`
    pub const ARCHIVE_MISSING: Self = Self::named("archive.missing");
    /// `archive.not-checked`
    pub const ARCHIVE_NOT_CHECKED: Self = Self::named("archive.not-checked");
    /// `bundle.unknown-member`
    pub const BUNDLE_UNKNOWN_MEMBER: Self = Self::named("bundle.unknown-member");
    /// `chain.constraints`
    pub const CHAIN_CONSTRAINTS: Self = Self::named("chain.constraints");
    /// `chain.expired`
    pub const CHAIN_EXPIRED: Self = Self::named("chain.expired");
    /// `chain.malformed`
    pub const CHAIN_MALFORMED: Self = Self::named("chain.malformed");
    /// `chain.not-for-signing`
    pub const CHAIN_NOT_FOR_SIGNING: Self = Self::named("chain.not-for-signing");
    /// `chain.not-used`
    pub const CHAIN_NOT_USED: Self = Self::named("chain.not-used");
    /// `chain.other-certificate`
    pub const CHAIN_OTHER_CERTIFICATE: Self = Self::named("chain.other-certificate");
    /// `chain.other-id`
    pub const CHAIN_OTHER_ID: Self = Self::named("chain.other-id");
    /// `chain.other-key`
    pub const CHAIN_OTHER_KEY: Self = Self::named("chain.other-key");
    /// `chain.revoked`
    pub const CHAIN_REVOKED: Self = Self::named("chain.revoked");
    /// `chain.signature`
    pub const CHAIN_SIGNATURE: Self = Self::named("chain.signature");
    /// `chain.signature-not-checked`
    pub const CHAIN_SIGNATURE_NOT_CHECKED: Self = Self::named("chain.signature-not-checked");
    /// `chain.unknown-issuer`
    pub const CHAIN_UNKNOWN_ISSUER: Self = Self::named("chain.unknown-issuer");
    /// `chain.uri-constraints-unsupported`
    pub const CHAIN_URI_CONSTRAINTS_UNSUPPORTED: Self =
        Self::named("chain.uri-constraints-unsupported");
    /// `class.local`
    pub const CLASS_LOCAL: Self = Self::named("class.local");
    /// `class.realtime`
    pub const CLASS_REALTIME: Self = Self::named("class.realtime");
    /// `content.matches`
    pub const CONTENT_MATCHES: Self = Self::named("content.matches");
    /// `content.matches-decoded`
    pub const CONTENT_MATCHES_DECODED: Self = Self::named("content.matches-decoded");
    /// `content.not-found`
    pub const CONTENT_NOT_FOUND: Self = Self::named("content.not-found");
    /// `content.not-given`
    pub const CONTENT_NOT_GIVEN: Self = Self::named("content.not-given");
    /// `content.other-length`
    pub const CONTENT_OTHER_LENGTH: Self = Self::named("content.other-length");
    /// `content.other-bytes`
    pub const CONTENT_OTHER_BYTES: Self = Self::named("content.other-bytes");
    /// `content.partial`
    pub const CONTENT_PARTIAL: Self = Self::named("content.partial");
    /// `content.shorter`
    pub const CONTENT_SHORTER: Self = Self::named("content.shorter");
    /// `content.unverifiable`
    pub const CONTENT_UNVERIFIABLE: Self = Self::named("content.unverifiable");
    /// `ct.malformed`
    pub const CT_MALFORMED: Self = Self::named("ct.malformed");
    /// `ct.missing`
    pub const CT_MISSING: Self = Self::named("ct.missing");
    /// `ct.not-checked`
    pub const CT_NOT_CHECKED: Self = Self::named("ct.not-checked");
    /// `evidence.did-document`
    pub const EVIDENCE_DID_DOCUMENT: Self = Self::named("evidence.did-document");
    /// `evidence.unknown-type`
    pub const EVIDENCE_UNKNOWN_TYPE: Self = Self::named("evidence.unknown-type");
    /// `external.digest`
    pub const EXTERNAL_DIGEST: Self = Self::named("external.digest");
    /// `external.missing`
    pub const EXTERNAL_MISSING: Self = Self::named("external.missing");
    /// `external.not-checked`
    pub const EXTERNAL_NOT_CHECKED: Self = Self::named("external.not-checked");
    /// `external.other-manifest`
    pub const EXTERNAL_OTHER_MANIFEST: Self = Self::named("external.other-manifest");
    /// `http.status`
    pub const HTTP_STATUS: Self = Self::named("http.status");
    /// `input.empty`
    pub const INPUT_EMPTY: Self = Self::named("input.empty");
    /// `input.not-yet`
    pub const INPUT_NOT_YET: Self = Self::named("input.not-yet");
    /// `input.unknown-kind`
    pub const INPUT_UNKNOWN_KIND: Self = Self::named("input.unknown-kind");
    /// `kit.malformed`
    pub const KIT_MALFORMED: Self = Self::named("kit.malformed");
    /// `kit.old`
    pub const KIT_OLD: Self = Self::named("kit.old");
    /// `log.content.missing`
    pub const LOG_CONTENT_MISSING: Self = Self::named("log.content.missing");
    /// `log.content.not-checked`
    pub const LOG_CONTENT_NOT_CHECKED: Self = Self::named("log.content.not-checked");
    /// `log.missing`
    pub const LOG_MISSING: Self = Self::named("log.missing");
    /// `log.not-checked`
    pub const LOG_NOT_CHECKED: Self = Self::named("log.not-checked");
    /// `log.pointer-not-checked`
    pub const LOG_POINTER_NOT_CHECKED: Self = Self::named("log.pointer-not-checked");
    /// `manifest.malformed`
    pub const MANIFEST_MALFORMED: Self = Self::named("manifest.malformed");
    /// `manifest.unknown-member`
    pub const MANIFEST_UNKNOWN_MEMBER: Self = Self::named("manifest.unknown-member");
    /// `policy.malformed`
    pub const POLICY_MALFORMED: Self = Self::named("policy.malformed");
    /// `redirect.cross-site`
    pub const REDIRECT_CROSS_SITE: Self = Self::named("redirect.cross-site");
    /// `redirect.downgrade`
    pub const REDIRECT_DOWNGRADE: Self = Self::named("redirect.downgrade");
    /// `request.caller-made`
    pub const REQUEST_CALLER_MADE: Self = Self::named("request.caller-made");
    /// `request.credentials`
    pub const REQUEST_CREDENTIALS: Self = Self::named("request.credentials");
    /// `request.missing`
    pub const REQUEST_MISSING: Self = Self::named("request.missing");
    /// `request.not-given`
    pub const REQUEST_NOT_GIVEN: Self = Self::named("request.not-given");
    /// `result.missing`
    pub const RESULT_MISSING: Self = Self::named("result.missing");
    /// `result.not-given`
    pub const RESULT_NOT_GIVEN: Self = Self::named("result.not-given");
    /// `revision.missing`
    pub const REVISION_MISSING: Self = Self::named("revision.missing");
    /// `revision.stated`
    pub const REVISION_STATED: Self = Self::named("revision.stated");
    /// `signature.invalid`
    pub const SIGNATURE_INVALID: Self = Self::named("signature.invalid");
    /// `signature.not-checked`
    pub const SIGNATURE_NOT_CHECKED: Self = Self::named("signature.not-checked");
    /// `signature.valid`
    pub const SIGNATURE_VALID: Self = Self::named("signature.valid");
    /// `signer.chain-missing`
    pub const SIGNER_CHAIN_MISSING: Self = Self::named("signer.chain-missing");
    /// `signer.content-log-key`
    pub const SIGNER_CONTENT_LOG_KEY: Self = Self::named("signer.content-log-key");
    /// `signer.id-claimed`
    pub const SIGNER_ID_CLAIMED: Self = Self::named("signer.id-claimed");
    /// `signer.key-not-in-document`
    pub const SIGNER_KEY_NOT_IN_DOCUMENT: Self = Self::named("signer.key-not-in-document");
    /// `signer.not-trusted`
    pub const SIGNER_NOT_TRUSTED: Self = Self::named("signer.not-trusted");
    /// `signer.outside-window`
    pub const SIGNER_OUTSIDE_WINDOW: Self = Self::named("signer.outside-window");
    /// `signer.retired`
    pub const SIGNER_RETIRED: Self = Self::named("signer.retired");
    /// `signer.revoked`
    pub const SIGNER_REVOKED: Self = Self::named("signer.revoked");
    /// `signer.source-not-covered`
    pub const SIGNER_SOURCE_NOT_COVERED: Self = Self::named("signer.source-not-covered");
    /// `signer.trusted`
    pub const SIGNER_TRUSTED: Self = Self::named("signer.trusted");
    /// `signer.unknown`
    pub const SIGNER_UNKNOWN: Self = Self::named("signer.unknown");
    /// `source.reported`
    pub const SOURCE_REPORTED: Self = Self::named("source.reported");
    /// `time.attested-in-future`
    pub const TIME_ATTESTED_IN_FUTURE: Self = Self::named("time.attested-in-future");
    /// `time.fetched-in-future`
    pub const TIME_FETCHED_IN_FUTURE: Self = Self::named("time.fetched-in-future");
    /// `time.missing`
    pub const TIME_MISSING: Self = Self::named("time.missing");
    /// `time.not-checked`
    pub const TIME_NOT_CHECKED: Self = Self::named("time.not-checked");
    /// `time.too-old`
    pub const TIME_TOO_OLD: Self = Self::named("time.too-old");
    /// `tls-certificate.missing`
    pub const TLS_CERTIFICATE_MISSING: Self = Self::named("tls-certificate.missing");
    /// `tls-certificate.not-public`
    pub const TLS_CERTIFICATE_NOT_PUBLIC: Self = Self::named("tls-certificate.not-public");
    /// `tls-certificate.public`
    pub const TLS_CERTIFICATE_PUBLIC: Self = Self::named("tls-certificate.public");
    /// `tls-chain.holds`
    pub const TLS_CHAIN_HOLDS: Self = Self::named("tls-chain.holds");
    /// `tls-chain.host`
    pub const TLS_CHAIN_HOST: Self = Self::named("tls-chain.host");
    /// `tls-chain.issuer-missing`
    pub const TLS_CHAIN_ISSUER_MISSING: Self = Self::named("tls-chain.issuer-missing");
    /// `tls-chain.issuer-not-ca`
    pub const TLS_CHAIN_ISSUER_NOT_CA: Self = Self::named("tls-chain.issuer-not-ca");
    /// `tls-chain.malformed`
    pub const TLS_CHAIN_MALFORMED: Self = Self::named("tls-chain.malformed");
    /// `tls-chain.other-certificate`
    pub const TLS_CHAIN_OTHER_CERTIFICATE: Self = Self::named("tls-chain.other-certificate");
    /// `tls-chain.other-issuer`
    pub const TLS_CHAIN_OTHER_ISSUER: Self = Self::named("tls-chain.other-issuer");
    /// `tls-chain.other-key`
    pub const TLS_CHAIN_OTHER_KEY: Self = Self::named("tls-chain.other-key");
    /// `tls-chain.self-signed`
    pub const TLS_CHAIN_SELF_SIGNED: Self = Self::named("tls-chain.self-signed");
    /// `tls-chain.signature`
    pub const TLS_CHAIN_SIGNATURE: Self = Self::named("tls-chain.signature");
    /// `tls-chain.signature-not-checked`
    pub const TLS_CHAIN_SIGNATURE_NOT_CHECKED: Self =
        Self::named("tls-chain.signature-not-checked");
    /// `tls-chain.unstated`
    pub const TLS_CHAIN_UNSTATED: Self = Self::named("tls-chain.unstated");
    /// `tls-chain.validity`
    pub const TLS_CHAIN_VALIDITY: Self = Self::named("tls-chain.validity");
    /// `tls.proxy`
    pub const TLS_PROXY: Self = Self::named("tls.proxy");
    /// `witness.missing`
    pub const WITNESS_MISSING: Self = Self::named("witness.missing");
    /// `witness.not-checked`
    pub const WITNESS_NOT_CHECKED: Self = Self::named("witness.not-checked");

    const fn named(text: &str) -> Self {
        let mut index = 0;
        while !same(table::ROWS[index].code, text) {
            index += 1;
        }
        Self(index as u16)
    }
}

const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut index = 0;
    while index < left.len() && index < right.len() && left[index] == right[index] {
        index += 1;
    }
    index == left.len() && index == right.len()
}
