//! The codes that the checks write down, by name; a name without a row does not compile.

use super::{Code, table};

impl Code {
    /// `archive.holds`
    pub const ARCHIVE_HOLDS: Self = Self::named("archive.holds");
    /// `archive.missing`
    pub const ARCHIVE_MISSING: Self = Self::named("archive.missing");
    /// `archive.not-checked`
    pub const ARCHIVE_NOT_CHECKED: Self = Self::named("archive.not-checked");
    /// `batch.before-manifest`
    pub const BATCH_BEFORE_MANIFEST: Self = Self::named("batch.before-manifest");
    /// `batch.holds`
    pub const BATCH_HOLDS: Self = Self::named("batch.holds");
    /// `batch.other-signer`
    pub const BATCH_OTHER_SIGNER: Self = Self::named("batch.other-signer");
    /// `batch.proof`
    pub const BATCH_PROOF: Self = Self::named("batch.proof");
    /// `batch.signature`
    pub const BATCH_SIGNATURE: Self = Self::named("batch.signature");
    /// `batch.statement`
    pub const BATCH_STATEMENT: Self = Self::named("batch.statement");
    /// `batch.unsupported-version`
    pub const BATCH_UNSUPPORTED_VERSION: Self = Self::named("batch.unsupported-version");
    /// `bundle.unknown-member`
    pub const BUNDLE_UNKNOWN_MEMBER: Self = Self::named("bundle.unknown-member");
    /// `certificate.authority-window`
    pub const CERTIFICATE_AUTHORITY_WINDOW: Self = Self::named("certificate.authority-window");
    /// `certificate.holds`
    pub const CERTIFICATE_HOLDS: Self = Self::named("certificate.holds");
    /// `certificate.identity`
    pub const CERTIFICATE_IDENTITY: Self = Self::named("certificate.identity");
    /// `certificate.issuer-not-valid`
    pub const CERTIFICATE_ISSUER_NOT_VALID: Self = Self::named("certificate.issuer-not-valid");
    /// `certificate.malformed`
    pub const CERTIFICATE_MALFORMED: Self = Self::named("certificate.malformed");
    /// `certificate.no-time`
    pub const CERTIFICATE_NO_TIME: Self = Self::named("certificate.no-time");
    /// `certificate.not-checked`
    pub const CERTIFICATE_NOT_CHECKED: Self = Self::named("certificate.not-checked");
    /// `certificate.not-for-signing`
    pub const CERTIFICATE_NOT_FOR_SIGNING: Self = Self::named("certificate.not-for-signing");
    /// `certificate.not-valid-then`
    pub const CERTIFICATE_NOT_VALID_THEN: Self = Self::named("certificate.not-valid-then");
    /// `certificate.path`
    pub const CERTIFICATE_PATH: Self = Self::named("certificate.path");
    /// `certificate.root-in-chain`
    pub const CERTIFICATE_ROOT_IN_CHAIN: Self = Self::named("certificate.root-in-chain");
    /// `certificate.sct-invalid`
    pub const CERTIFICATE_SCT_INVALID: Self = Self::named("certificate.sct-invalid");
    /// `certificate.sct-log-window`
    pub const CERTIFICATE_SCT_LOG_WINDOW: Self = Self::named("certificate.sct-log-window");
    /// `certificate.sct-malformed`
    pub const CERTIFICATE_SCT_MALFORMED: Self = Self::named("certificate.sct-malformed");
    /// `certificate.sct-missing`
    pub const CERTIFICATE_SCT_MISSING: Self = Self::named("certificate.sct-missing");
    /// `certificate.sct-not-checked`
    pub const CERTIFICATE_SCT_NOT_CHECKED: Self = Self::named("certificate.sct-not-checked");
    /// `certificate.sct-unknown-log`
    pub const CERTIFICATE_SCT_UNKNOWN_LOG: Self = Self::named("certificate.sct-unknown-log");
    /// `certificate.unknown-issuer`
    pub const CERTIFICATE_UNKNOWN_ISSUER: Self = Self::named("certificate.unknown-issuer");
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
    /// `content.other-bytes`
    pub const CONTENT_OTHER_BYTES: Self = Self::named("content.other-bytes");
    /// `content.other-length`
    pub const CONTENT_OTHER_LENGTH: Self = Self::named("content.other-length");
    /// `content.partial`
    pub const CONTENT_PARTIAL: Self = Self::named("content.partial");
    /// `content.shorter`
    pub const CONTENT_SHORTER: Self = Self::named("content.shorter");
    /// `content.unverifiable`
    pub const CONTENT_UNVERIFIABLE: Self = Self::named("content.unverifiable");
    /// `ct.chain-missing`
    pub const CT_CHAIN_MISSING: Self = Self::named("ct.chain-missing");
    /// `ct.in-future`
    pub const CT_IN_FUTURE: Self = Self::named("ct.in-future");
    /// `ct.included`
    pub const CT_INCLUDED: Self = Self::named("ct.included");
    /// `ct.malformed`
    pub const CT_MALFORMED: Self = Self::named("ct.malformed");
    /// `ct.missing`
    pub const CT_MISSING: Self = Self::named("ct.missing");
    /// `ct.no-log-list`
    pub const CT_NO_LOG_LIST: Self = Self::named("ct.no-log-list");
    /// `ct.nothing-verified`
    pub const CT_NOTHING_VERIFIED: Self = Self::named("ct.nothing-verified");
    /// `ct.one-operator`
    pub const CT_ONE_OPERATOR: Self = Self::named("ct.one-operator");
    /// `ct.promised`
    pub const CT_PROMISED: Self = Self::named("ct.promised");
    /// `ct.proof-checkpoint`
    pub const CT_PROOF_CHECKPOINT: Self = Self::named("ct.proof-checkpoint");
    /// `ct.proof-inclusion`
    pub const CT_PROOF_INCLUSION: Self = Self::named("ct.proof-inclusion");
    /// `ct.proof-malformed`
    pub const CT_PROOF_MALFORMED: Self = Self::named("ct.proof-malformed");
    /// `ct.proof-unknown-log`
    pub const CT_PROOF_UNKNOWN_LOG: Self = Self::named("ct.proof-unknown-log");
    /// `ct.signature`
    pub const CT_SIGNATURE: Self = Self::named("ct.signature");
    /// `evidence.did-document`
    pub const EVIDENCE_DID_DOCUMENT: Self = Self::named("evidence.did-document");
    /// `evidence.did-document-in-kit`
    pub const EVIDENCE_DID_DOCUMENT_IN_KIT: Self = Self::named("evidence.did-document-in-kit");
    /// `evidence.unknown-type`
    pub const EVIDENCE_UNKNOWN_TYPE: Self = Self::named("evidence.unknown-type");
    /// `external.contradicts`
    pub const EXTERNAL_CONTRADICTS: Self = Self::named("external.contradicts");
    /// `external.digest`
    pub const EXTERNAL_DIGEST: Self = Self::named("external.digest");
    /// `external.holds`
    pub const EXTERNAL_HOLDS: Self = Self::named("external.holds");
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
    /// `log.batch-unmatched`
    pub const LOG_BATCH_UNMATCHED: Self = Self::named("log.batch-unmatched");
    /// `log.body-kind`
    pub const LOG_BODY_KIND: Self = Self::named("log.body-kind");
    /// `log.body-malformed`
    pub const LOG_BODY_MALFORMED: Self = Self::named("log.body-malformed");
    /// `log.body-missing`
    pub const LOG_BODY_MISSING: Self = Self::named("log.body-missing");
    /// `log.body-not-canonical`
    pub const LOG_BODY_NOT_CANONICAL: Self = Self::named("log.body-not-canonical");
    /// `log.checkpoint-key-id`
    pub const LOG_CHECKPOINT_KEY_ID: Self = Self::named("log.checkpoint-key-id");
    /// `log.checkpoint-malformed`
    pub const LOG_CHECKPOINT_MALFORMED: Self = Self::named("log.checkpoint-malformed");
    /// `log.checkpoint-missing`
    pub const LOG_CHECKPOINT_MISSING: Self = Self::named("log.checkpoint-missing");
    /// `log.checkpoint-origin`
    pub const LOG_CHECKPOINT_ORIGIN: Self = Self::named("log.checkpoint-origin");
    /// `log.checkpoint-origin-missing`
    pub const LOG_CHECKPOINT_ORIGIN_MISSING: Self = Self::named("log.checkpoint-origin-missing");
    /// `log.checkpoint-root`
    pub const LOG_CHECKPOINT_ROOT: Self = Self::named("log.checkpoint-root");
    /// `log.checkpoint-signature`
    pub const LOG_CHECKPOINT_SIGNATURE: Self = Self::named("log.checkpoint-signature");
    /// `log.checkpoint-size`
    pub const LOG_CHECKPOINT_SIZE: Self = Self::named("log.checkpoint-size");
    /// `log.checkpoint-unsigned`
    pub const LOG_CHECKPOINT_UNSIGNED: Self = Self::named("log.checkpoint-unsigned");
    /// `log.content.included`
    pub const LOG_CONTENT_INCLUDED: Self = Self::named("log.content.included");
    /// `log.content.missing`
    pub const LOG_CONTENT_MISSING: Self = Self::named("log.content.missing");
    /// `log.content.not-checked`
    pub const LOG_CONTENT_NOT_CHECKED: Self = Self::named("log.content.not-checked");
    /// `log.content.other-digest`
    pub const LOG_CONTENT_OTHER_DIGEST: Self = Self::named("log.content.other-digest");
    /// `log.cosignature`
    pub const LOG_COSIGNATURE: Self = Self::named("log.cosignature");
    /// `log.duplicate-entry`
    pub const LOG_DUPLICATE_ENTRY: Self = Self::named("log.duplicate-entry");
    /// `log.entry-malformed`
    pub const LOG_ENTRY_MALFORMED: Self = Self::named("log.entry-malformed");
    /// `log.included`
    pub const LOG_INCLUDED: Self = Self::named("log.included");
    /// `log.inclusion`
    pub const LOG_INCLUSION: Self = Self::named("log.inclusion");
    /// `log.key-details`
    pub const LOG_KEY_DETAILS: Self = Self::named("log.key-details");
    /// `log.key-unbound`
    pub const LOG_KEY_UNBOUND: Self = Self::named("log.key-unbound");
    /// `log.key-window`
    pub const LOG_KEY_WINDOW: Self = Self::named("log.key-window");
    /// `log.kind-unsupported`
    pub const LOG_KIND_UNSUPPORTED: Self = Self::named("log.kind-unsupported");
    /// `log.missing`
    pub const LOG_MISSING: Self = Self::named("log.missing");
    /// `log.negative-index`
    pub const LOG_NEGATIVE_INDEX: Self = Self::named("log.negative-index");
    /// `log.not-checked`
    pub const LOG_NOT_CHECKED: Self = Self::named("log.not-checked");
    /// `log.other-certificate`
    pub const LOG_OTHER_CERTIFICATE: Self = Self::named("log.other-certificate");
    /// `log.other-digest`
    pub const LOG_OTHER_DIGEST: Self = Self::named("log.other-digest");
    /// `log.other-key`
    pub const LOG_OTHER_KEY: Self = Self::named("log.other-key");
    /// `log.other-kind`
    pub const LOG_OTHER_KIND: Self = Self::named("log.other-kind");
    /// `log.other-log-id`
    pub const LOG_OTHER_LOG_ID: Self = Self::named("log.other-log-id");
    /// `log.other-signature`
    pub const LOG_OTHER_SIGNATURE: Self = Self::named("log.other-signature");
    /// `log.pointer`
    pub const LOG_POINTER: Self = Self::named("log.pointer");
    /// `log.pointer-not-checked`
    pub const LOG_POINTER_NOT_CHECKED: Self = Self::named("log.pointer-not-checked");
    /// `log.promise`
    pub const LOG_PROMISE: Self = Self::named("log.promise");
    /// `log.promised`
    pub const LOG_PROMISED: Self = Self::named("log.promised");
    /// `log.proof-index`
    pub const LOG_PROOF_INDEX: Self = Self::named("log.proof-index");
    /// `log.proof-missing`
    pub const LOG_PROOF_MISSING: Self = Self::named("log.proof-missing");
    /// `log.proof-root`
    pub const LOG_PROOF_ROOT: Self = Self::named("log.proof-root");
    /// `log.proof-size`
    pub const LOG_PROOF_SIZE: Self = Self::named("log.proof-size");
    /// `log.quorum-not-met`
    pub const LOG_QUORUM_NOT_MET: Self = Self::named("log.quorum-not-met");
    /// `log.signature-invalid`
    pub const LOG_SIGNATURE_INVALID: Self = Self::named("log.signature-invalid");
    /// `log.signature-not-checked`
    pub const LOG_SIGNATURE_NOT_CHECKED: Self = Self::named("log.signature-not-checked");
    /// `log.unknown`
    pub const LOG_UNKNOWN: Self = Self::named("log.unknown");
    /// `log.unwitnessed`
    pub const LOG_UNWITNESSED: Self = Self::named("log.unwitnessed");
    /// `manifest.malformed`
    pub const MANIFEST_MALFORMED: Self = Self::named("manifest.malformed");
    /// `manifest.unknown-member`
    pub const MANIFEST_UNKNOWN_MEMBER: Self = Self::named("manifest.unknown-member");
    /// `mcp.block`
    pub const MCP_BLOCK: Self = Self::named("mcp.block");
    /// `mcp.error-result`
    pub const MCP_ERROR_RESULT: Self = Self::named("mcp.error-result");
    /// `mcp.fetch-doubled`
    pub const MCP_FETCH_DOUBLED: Self = Self::named("mcp.fetch-doubled");
    /// `mcp.fetch-missing`
    pub const MCP_FETCH_MISSING: Self = Self::named("mcp.fetch-missing");
    /// `mcp.malformed`
    pub const MCP_MALFORMED: Self = Self::named("mcp.malformed");
    /// `mcp.no-manifest`
    pub const MCP_NO_MANIFEST: Self = Self::named("mcp.no-manifest");
    /// `mcp.set-disagrees`
    pub const MCP_SET_DISAGREES: Self = Self::named("mcp.set-disagrees");
    /// `mcp.source-attested`
    pub const MCP_SOURCE_ATTESTED: Self = Self::named("mcp.source-attested");
    /// `mcp.source-other`
    pub const MCP_SOURCE_OTHER: Self = Self::named("mcp.source-other");
    /// `mcp.source-unattested`
    pub const MCP_SOURCE_UNATTESTED: Self = Self::named("mcp.source-unattested");
    /// `mcp.uncovered`
    pub const MCP_UNCOVERED: Self = Self::named("mcp.uncovered");
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
    /// `request.other`
    pub const REQUEST_OTHER: Self = Self::named("request.other");
    /// `request.other-nonce`
    pub const REQUEST_OTHER_NONCE: Self = Self::named("request.other-nonce");
    /// `request.same`
    pub const REQUEST_SAME: Self = Self::named("request.same");
    /// `request.same-call`
    pub const REQUEST_SAME_CALL: Self = Self::named("request.same-call");
    /// `result.missing`
    pub const RESULT_MISSING: Self = Self::named("result.missing");
    /// `result.not-compared`
    pub const RESULT_NOT_COMPARED: Self = Self::named("result.not-compared");
    /// `result.not-given`
    pub const RESULT_NOT_GIVEN: Self = Self::named("result.not-given");
    /// `result.other`
    pub const RESULT_OTHER: Self = Self::named("result.other");
    /// `result.same`
    pub const RESULT_SAME: Self = Self::named("result.same");
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
    /// `sigstore.artifact`
    pub const SIGSTORE_ARTIFACT: Self = Self::named("sigstore.artifact");
    /// `sigstore.artifact-not-given`
    pub const SIGSTORE_ARTIFACT_NOT_GIVEN: Self = Self::named("sigstore.artifact-not-given");
    /// `sigstore.digest-needed`
    pub const SIGSTORE_DIGEST_NEEDED: Self = Self::named("sigstore.digest-needed");
    /// `sigstore.identity`
    pub const SIGSTORE_IDENTITY: Self = Self::named("sigstore.identity");
    /// `sigstore.identity-not-given`
    pub const SIGSTORE_IDENTITY_NOT_GIVEN: Self = Self::named("sigstore.identity-not-given");
    /// `sigstore.key-given`
    pub const SIGSTORE_KEY_GIVEN: Self = Self::named("sigstore.key-given");
    /// `sigstore.key-not-given`
    pub const SIGSTORE_KEY_NOT_GIVEN: Self = Self::named("sigstore.key-not-given");
    /// `sigstore.member`
    pub const SIGSTORE_MEMBER: Self = Self::named("sigstore.member");
    /// `sigstore.no-certificate`
    pub const SIGSTORE_NO_CERTIFICATE: Self = Self::named("sigstore.no-certificate");
    /// `sigstore.no-statement`
    pub const SIGSTORE_NO_STATEMENT: Self = Self::named("sigstore.no-statement");
    /// `sigstore.not-applicable`
    pub const SIGSTORE_NOT_APPLICABLE: Self = Self::named("sigstore.not-applicable");
    /// `sigstore.other-artifact`
    pub const SIGSTORE_OTHER_ARTIFACT: Self = Self::named("sigstore.other-artifact");
    /// `sigstore.other-digest`
    pub const SIGSTORE_OTHER_DIGEST: Self = Self::named("sigstore.other-digest");
    /// `sigstore.other-identity`
    pub const SIGSTORE_OTHER_IDENTITY: Self = Self::named("sigstore.other-identity");
    /// `sigstore.other-issuer`
    pub const SIGSTORE_OTHER_ISSUER: Self = Self::named("sigstore.other-issuer");
    /// `sigstore.signature`
    pub const SIGSTORE_SIGNATURE: Self = Self::named("sigstore.signature");
    /// `sigstore.signature-valid`
    pub const SIGSTORE_SIGNATURE_VALID: Self = Self::named("sigstore.signature-valid");
    /// `source.reported`
    pub const SOURCE_REPORTED: Self = Self::named("source.reported");
    /// `time.attested-in-future`
    pub const TIME_ATTESTED_IN_FUTURE: Self = Self::named("time.attested-in-future");
    /// `time.before-manifest`
    pub const TIME_BEFORE_MANIFEST: Self = Self::named("time.before-manifest");
    /// `time.delayed`
    pub const TIME_DELAYED: Self = Self::named("time.delayed");
    /// `time.fetched-in-future`
    pub const TIME_FETCHED_IN_FUTURE: Self = Self::named("time.fetched-in-future");
    /// `time.in-future`
    pub const TIME_IN_FUTURE: Self = Self::named("time.in-future");
    /// `time.key-unbound`
    pub const TIME_KEY_UNBOUND: Self = Self::named("time.key-unbound");
    /// `time.missing`
    pub const TIME_MISSING: Self = Self::named("time.missing");
    /// `time.not-checked`
    pub const TIME_NOT_CHECKED: Self = Self::named("time.not-checked");
    /// `time.too-old`
    pub const TIME_TOO_OLD: Self = Self::named("time.too-old");
    /// `time.trusted`
    pub const TIME_TRUSTED: Self = Self::named("time.trusted");
    /// `timestamp.batch-unmatched`
    pub const TIMESTAMP_BATCH_UNMATCHED: Self = Self::named("timestamp.batch-unmatched");
    /// `timestamp.expired`
    pub const TIMESTAMP_EXPIRED: Self = Self::named("timestamp.expired");
    /// `timestamp.holds`
    pub const TIMESTAMP_HOLDS: Self = Self::named("timestamp.holds");
    /// `timestamp.malformed`
    pub const TIMESTAMP_MALFORMED: Self = Self::named("timestamp.malformed");
    /// `timestamp.not-checked`
    pub const TIMESTAMP_NOT_CHECKED: Self = Self::named("timestamp.not-checked");
    /// `timestamp.other-certificate`
    pub const TIMESTAMP_OTHER_CERTIFICATE: Self = Self::named("timestamp.other-certificate");
    /// `timestamp.other-key`
    pub const TIMESTAMP_OTHER_KEY: Self = Self::named("timestamp.other-key");
    /// `timestamp.other-signature`
    pub const TIMESTAMP_OTHER_SIGNATURE: Self = Self::named("timestamp.other-signature");
    /// `timestamp.outside-window`
    pub const TIMESTAMP_OUTSIDE_WINDOW: Self = Self::named("timestamp.outside-window");
    /// `timestamp.refused`
    pub const TIMESTAMP_REFUSED: Self = Self::named("timestamp.refused");
    /// `timestamp.signature`
    pub const TIMESTAMP_SIGNATURE: Self = Self::named("timestamp.signature");
    /// `timestamp.unknown-authority`
    pub const TIMESTAMP_UNKNOWN_AUTHORITY: Self = Self::named("timestamp.unknown-authority");
    /// `timestamp.weak`
    pub const TIMESTAMP_WEAK: Self = Self::named("timestamp.weak");
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
    /// `witness.quorum`
    pub const WITNESS_QUORUM: Self = Self::named("witness.quorum");

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
