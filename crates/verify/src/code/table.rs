//! The table: code, meaning, advice. The order is the rank.

use super::Row;

const fn row(code: &'static str, meaning: &'static str, advice: &'static str) -> Row {
    Row { code, meaning, advice }
}

const ASK: &str = "Ask whoever gave you the file for the original; do not repair it by hand.";
const FORGED: &str = "Treat the manifest as forged or damaged until its signer says otherwise.";
const EVIDENCE_FORGED: &str = "This evidence is forged or damaged, whoever did it: ask for the bundle again, or for the manifest without it.";
const BUNDLE_FORGED: &str =
    "Treat the bundle as forged or damaged until its signer says otherwise.";
const KEY: &str = "Get the signer's key from the signer, not from the file, and give it with --key, --signer or --trust.";
const PRODUCER: &str = "Whoever made the manifest has to correct it and sign again.";
const EVIDENCE: &str = "Ask for the evidence again, or for the manifest without it.";
const PUBLIC_KEY: &str =
    "Give a public key as PEM (SPKI), JWK or JWK Set, or the signer's certificate as PEM.";
const KIT: &str =
    "Give a trust kit that holds it with --trust; the one that you have may be older.";
const LATER: &str = "A later version of this program checks it; until then do not count on it.";

pub(super) const ROWS: &[Row] = &[
    // Not JSON as it is accepted.
    row("json.too-large", "The file is larger than anything of its kind may be.", ASK),
    row(
        "json.byte-order-mark",
        "The file begins with a byte order mark, which JSON does not allow.",
        "Save it again as UTF-8 without BOM, if you saved it yourself.",
    ),
    row("json.invalid-utf8", "The file is not UTF-8 text.", ASK),
    row("json.syntax", "The file is not JSON.", ASK),
    row(
        "json.unexpected-end",
        "The file ends in the middle: it was probably cut off.",
        "Get the whole file again.",
    ),
    row("json.trailing-data", "Something follows after the JSON value.", ASK),
    row("json.too-deep", "The JSON is nested deeper than any manifest or bundle.", ASK),
    row(
        "json.duplicate-member",
        "An object names a member twice, so that two readers can read two different things.",
        FORGED,
    ),
    row(
        "json.control-character",
        "A string holds a raw control character, which JSON does not allow.",
        ASK,
    ),
    row("json.invalid-escape", "A string holds an escape sequence that JSON does not know.", ASK),
    row(
        "json.lone-surrogate",
        "A string holds half a character, which programs read differently.",
        ASK,
    ),
    row("json.noncharacter", "A string holds a code point that is no character.", ASK),
    row("json.invalid-number", "A number is written as JSON does not allow.", ASK),
    row(
        "json.fraction",
        "A number has a fraction or an exponent, which nothing here uses and programs read differently.",
        ASK,
    ),
    row("json.integer-range", "A number is too large for all programs to read it alike.", ASK),
    // JSON, but no manifest or bundle.
    row("manifest.malformed", "The manifest breaks a rule of its format.", PRODUCER),
    row("manifest.too-large", "The manifest is larger than 64 KiB.", PRODUCER),
    row(
        "manifest.missing-member",
        "A member that every manifest or bundle has is missing.",
        PRODUCER,
    ),
    row("manifest.wrong-type", "A member has a value of the wrong type.", PRODUCER),
    row(
        "manifest.digest",
        "A digest is not written as 64 lower-case hexadecimal digits.",
        PRODUCER,
    ),
    row("manifest.time", "A time is not written in UTC as the format wants it.", PRODUCER),
    row("manifest.word", "A member has a word that the format does not know.", PRODUCER),
    row(
        "manifest.text",
        "A text is empty, too long, or holds a character that cannot stand there.",
        PRODUCER,
    ),
    row("manifest.range", "A number is outside the range of its member.", PRODUCER),
    row("manifest.header", "A header is not a pair of name and value.", PRODUCER),
    row("manifest.nonce", "The nonce is not 1 to 128 visible ASCII characters.", PRODUCER),
    row(
        "manifest.request",
        "The member request names neither a tool with its arguments nor a resource.",
        PRODUCER,
    ),
    row(
        "manifest.key-id",
        "The signer's name is neither a DID URL with fragment nor a URI.",
        PRODUCER,
    ),
    row(
        "manifest.log-id",
        "The pointer to a log entry is not written as the format wants it.",
        PRODUCER,
    ),
    row(
        "manifest.ct-log-proof",
        "The certificate transparency member is in neither of its two forms.",
        PRODUCER,
    ),
    row("manifest.extension-name", "A member of somebody's own has no reverse-DNS name.", PRODUCER),
    row(
        "manifest.url.character",
        "A URL holds a character that must be percent-encoded.",
        PRODUCER,
    ),
    row(
        "manifest.url.fragment",
        "A URL has a fragment, which is never sent to a server.",
        PRODUCER,
    ),
    row("manifest.url.host", "A URL has no valid host.", PRODUCER),
    row("manifest.url.not-absolute", "A URL is not absolute.", PRODUCER),
    row(
        "manifest.url.percent",
        "A URL has a percent sign without two hexadecimal digits.",
        PRODUCER,
    ),
    row("manifest.url.too-long", "A URL is longer than 8 KiB.", PRODUCER),
    row(
        "manifest.url.user-info",
        "A URL holds a user name or password, which would be published with the manifest.",
        PRODUCER,
    ),
    row(
        "bundle.media-type",
        "The file is no provenance bundle of a version that this program knows.",
        ASK,
    ),
    row(
        "bundle.unsupported-version",
        "The bundle is of a later version than this program knows.",
        "Use a newer version of this program.",
    ),
    row("evidence.base64", "Evidence in the bundle is not base64.", EVIDENCE),
    row(
        "evidence.count",
        "The bundle holds more than 32 items of evidence, or --evidence adds more than 32.",
        EVIDENCE,
    ),
    row(
        "evidence.members",
        "An item of evidence lacks members of its type, or has too many.",
        EVIDENCE,
    ),
    row(
        "mcp.malformed",
        "The saved result contradicts itself or breaks a rule of the protocol.",
        "Save the whole result again, as the client received it.",
    ),
    // The signature's form.
    row("jws.alg.none", "The signature says of itself that nothing is signed.", FORGED),
    row("jws.alg.missing", "The signature does not name its algorithm.", PRODUCER),
    row(
        "jws.alg.unsupported",
        "The signature names an algorithm other than ES256 and EdDSA.",
        PRODUCER,
    ),
    row("jws.alg.mismatch", "The signature names another algorithm than its key has.", FORGED),
    row(
        "jws.header.key-reference",
        "The signature brings its own key along, which proves nothing.",
        FORGED,
    ),
    row(
        "jws.header.crit",
        "The signature demands an extension of the format that is not allowed here.",
        FORGED,
    ),
    row(
        "jws.header.b64",
        "The signature demands another encoding of the payload, which is not allowed here.",
        FORGED,
    ),
    row("jws.header.duplicate-member", "The signature's header names a member twice.", FORGED),
    row(
        "jws.header.unknown-member",
        "The signature's header has a member that the format does not know.",
        PRODUCER,
    ),
    row(
        "jws.header.wrong-type",
        "The signature's header has a member of the wrong type.",
        PRODUCER,
    ),
    row("jws.header.not-object", "The signature's header is no JSON object.", PRODUCER),
    row("jws.header.json", "The signature's header is not JSON.", PRODUCER),
    row(
        "jws.header.encoding",
        "The signature's header is not base64url without padding.",
        PRODUCER,
    ),
    row("jws.header.too-long", "The signature's header is longer than it may be.", PRODUCER),
    row("jws.header.x5c", "The signature's certificates are not a list of base64 texts.", PRODUCER),
    row("jws.header.x5t", "The signature's certificate digest is not one.", PRODUCER),
    row(
        "jws.header.x5t-mismatch",
        "The signature's certificate digest is that of another certificate.",
        FORGED,
    ),
    row("jws.typ.missing", "The signature does not say that it signs a manifest.", PRODUCER),
    row("jws.typ.other", "The signature was made for something else than a manifest.", FORGED),
    row("jws.kid.missing", "The signature does not name its signer.", PRODUCER),
    row("jws.kid.malformed", "The signature's name for its signer is no key id.", PRODUCER),
    row("jws.kid.mismatch", "The signature names another signer than the manifest does.", FORGED),
    row("jws.key.unsupported", "The key is of a kind that signs no manifests.", KEY),
    row("jws.parts", "The signature does not have its three parts.", PRODUCER),
    row(
        "jws.json-serialization",
        "The signature is in a form that can hold several signatures; only the compact form is accepted.",
        PRODUCER,
    ),
    row("jws.too-long", "The signature is longer than it may be.", PRODUCER),
    row("jws.payload.encoding", "The attached payload is not base64url without padding.", PRODUCER),
    row("jws.payload.mismatch", "The signature carries another payload than the manifest.", FORGED),
    row(
        "jws.payload.missing",
        "The signature carries no payload where one must be attached.",
        PRODUCER,
    ),
    row(
        "jws.signature.der",
        "The signature value is in the form of certificates (DER), not in that of JWS.",
        PRODUCER,
    ),
    row(
        "jws.signature.encoding",
        "The signature value is not base64url without padding.",
        PRODUCER,
    ),
    row("jws.signature.length", "The signature value has the wrong length.", PRODUCER),
    row("jws.signature.malformed", "The signature value is no signature of its algorithm.", FORGED),
    // The signature.
    row(
        "jws.signature.mismatch",
        "The signature does not fit: the manifest was changed or damaged, or another key signed it.",
        "First make sure that you have this signer's key; if so, treat the manifest as forged or damaged.",
    ),
    row(
        "signature.invalid",
        "The signature could not be verified under any key of the signer.",
        FORGED,
    ),
    row(
        "manifest.unsupported-version",
        "The manifest is of a later version than this program knows.",
        "Use a newer version of this program.",
    ),
    row(
        "batch.unsupported-version",
        "The batch statement is of a later version than this program knows.",
        "Use a newer version of this program.",
    ),
    row(
        "signature.valid",
        "The signature is valid: whoever holds the key signed exactly this manifest.",
        "",
    ),
    // The signer.
    row(
        "signer.revoked",
        "The signer's key was revoked, and nothing proves that the signature is older.",
        "Do not rely on what it signed; the key may have been stolen.",
    ),
    row(
        "signer.content-log-key",
        "The key is one that signs contents for a log: others choose what it signs, so that it signs no manifests.",
        FORGED,
    ),
    row(
        "chain.revoked",
        "A certificate of the signer is on the trust kit's list of revoked certificates.",
        "Do not rely on the manifest.",
    ),
    row(
        "chain.other-key",
        "A certificate that came along belongs to another key than the one that signed.",
        FORGED,
    ),
    row(
        "chain.other-certificate",
        "A certificate that came along is another one than the signature names.",
        FORGED,
    ),
    row(
        "chain.other-id",
        "The certificate does not name this signer, or its authority may not certify this name.",
        FORGED,
    ),
    row(
        "chain.unknown-issuer",
        "The signer's certificate does not lead to an authority in the trust kit.",
        FORGED,
    ),
    row("chain.signature", "A signature in the signer's certificate chain does not hold.", FORGED),
    row(
        "chain.not-for-signing",
        "The signer's certificate is not meant for signing.",
        "The signer needs a certificate for signing.",
    ),
    row(
        "chain.constraints",
        "The signer's certificate chain breaks a constraint of an issuer.",
        "The signer needs another certificate.",
    ),
    row("chain.malformed", "The signer's certificate chain cannot be read.", EVIDENCE),
    row("key-id.fragment", "The signer's name does not point at the key that it contains.", FORGED),
    row("key-id.key", "The signer's name contains something that is no public key.", FORGED),
    row(
        "key-id.key-unsupported",
        "The signer's name contains a key of a kind that signs no manifests.",
        PRODUCER,
    ),
    row(
        "key-id.multicodec",
        "The signer's name contains a key of a kind that is not known here.",
        PRODUCER,
    ),
    row("key-id.base58", "The signer's name is not base58 where it has to be.", PRODUCER),
    row("key-id.base64url", "The signer's name is not base64url where it has to be.", PRODUCER),
    row("key-id.certificate", "The signer's certificate cannot be read.", EVIDENCE),
    row(
        "key-id.not-in-certificate",
        "The signer's name does not stand in the certificate.",
        FORGED,
    ),
    row(
        "key-id.other-key",
        "The signer's name contains another key than the one that was given for it.",
        FORGED,
    ),
    row(
        "key-id.document.controller",
        "A key in the DID document is controlled by somebody else.",
        KEY,
    ),
    row(
        "key-id.document.duplicate-method",
        "The DID document names two keys alike, so that nobody can say which is meant.",
        KEY,
    ),
    row(
        "key-id.document.end-time",
        "A key in the DID document has an end time that cannot be read.",
        KEY,
    ),
    row(
        "key-id.document.key-material",
        "A key in the DID document is given twice, or not at all.",
        KEY,
    ),
    row("key-id.document.method-missing", "The DID document has no key of this name.", KEY),
    row(
        "key-id.document.not-for-assertion",
        "The key in the DID document is not meant for statements such as manifests.",
        KEY,
    ),
    row("key-id.document.shape", "The DID document does not have the shape of one.", KEY),
    row(
        "signer.key-not-in-document",
        "The DID document in your trust kit does not list the key that the manifest names.",
        "Get the signer's current DID document and add it to the trust kit.",
    ),
    row("signer.unknown", "Nothing that you gave says who this signer is.", KEY),
    row(
        "signer.not-trusted",
        "The signature is valid, but you did not say that you trust its key under this name: anybody can make such a key.",
        KEY,
    ),
    row(
        "signer.chain-missing",
        "The signer's certificate did not come along.",
        "Ask for the bundle with the certificate chain (evidence x509-chain).",
    ),
    row(
        "chain.expired",
        "The signer's certificate was not valid when the manifest was signed, or is no longer, and no trusted time helps.",
        "Ask for a timestamp (RFC 3161) of the manifest.",
    ),
    row(
        "chain.uri-constraints-unsupported",
        "An authority limits which names it certifies in a way that this program cannot check.",
        "Check by hand whether the authority may certify this name.",
    ),
    row(
        "chain.signature-not-checked",
        "A signature in the certificate chain is of a kind that this build cannot check.",
        "For RSA use the ordinary build of verify; otherwise ask for a timestamp with SHA-256, SHA-384 or SHA-512.",
    ),
    row(
        "signer.retired",
        "The signer's key is marked as retired or past its end, and nothing proves that the signature is older.",
        "Ask for a timestamp (RFC 3161) or log entry from before the end of the key.",
    ),
    row(
        "signer.outside-window",
        "A time in the manifest lies outside the period of the signer's key.",
        "Ask the signer which key was in use then.",
    ),
    row(
        "signer.source-not-covered",
        "The signer is trusted for other sources, not for this one.",
        "Add the source to the signer's sources in the trust kit if you want to trust it for this one too.",
    ),
    row(
        "signature.not-checked",
        "The signature was not checked, for want of a key to check it with.",
        KEY,
    ),
    row("signer.trusted", "The key belongs to a signer whom you said you trust.", ""),
    row(
        "signer.id-claimed",
        "You gave a bare key: it is trusted, but the name beside it is only a claim.",
        "Use a trust kit, which ties names to keys, if the name matters.",
    ),
    row("chain.not-used", "A certificate chain came along that nothing here rests on.", ""),
    // Contradictions and what is not known.
    row(
        "time.attested-before-fetched",
        "The manifest says that it was signed before the content was fetched.",
        FORGED,
    ),
    row(
        "manifest.certificate-without-tls",
        "The manifest names a TLS certificate for an answer that, as it says itself, came without TLS.",
        FORGED,
    ),
    row(
        "manifest.decoded-without-coding",
        "The manifest states a decoded digest, but no coding that was undone.",
        PRODUCER,
    ),
    row(
        "manifest.file-not-local",
        "The manifest names a file, but does not say that it is local.",
        PRODUCER,
    ),
    row(
        "manifest.final-url-repeated",
        "The manifest states a final URL that is the requested one.",
        PRODUCER,
    ),
    row(
        "manifest.recorded-not-web",
        "The manifest says that it recorded a fetch of something that is not on the web.",
        PRODUCER,
    ),
    row(
        "manifest.redirect-chain",
        "The redirects in the manifest do not lead from the requested URL to the final one, or one of them is no redirect.",
        FORGED,
    ),
    row(
        "manifest.range-not-partial",
        "The manifest names a range, but does not say that the content is a part.",
        PRODUCER,
    ),
    row(
        "manifest.unknown-member",
        "The manifest has a signed member that this version does not know: a newer program may have written it.",
        "Use a newer version of this program.",
    ),
    row(
        "bundle.unknown-member",
        "The bundle has a member that this version does not know; it is not signed and nothing rests on it.",
        "",
    ),
    // The result of a tool.
    row(
        "result.other",
        "The result is not the one that was signed.",
        "Treat the result as changed, by whoever passed it on or saved it; ask for it again.",
    ),
    row(
        "mcp.set-disagrees",
        "Manifests of one signer in one result speak of different results or calls.",
        "Do not rely on this result: call the tool again, and tell the server's author.",
    ),
    row(
        "mcp.fetch-doubled",
        "Two manifests of one result are about the same fetch of it.",
        "Do not rely on this result: call the tool again, and tell the server's author.",
    ),
    row(
        "request.other",
        "The result answers another call than the given one.",
        "Look whether the right request was given; if it was, the result belongs to another call.",
    ),
    row(
        "request.other-nonce",
        "The result answers another call than the given one: the nonce differs, or is on one side only.",
        "An answer to an earlier call may have been given again: call the tool anew.",
    ),
    row(
        "mcp.source-other",
        "A source that the result shows has another time or digest than the manifest of its URL.",
        "Do not rely on what the result says of this source.",
    ),
    row(
        "mcp.no-manifest",
        "Nobody stands behind the result: no manifest came with it.",
        "Save results with their _meta; if there was none, the server attests nothing.",
    ),
    row(
        "mcp.error-result",
        "The call failed: an error proves nothing about a source.",
        "Call the tool again.",
    ),
    row(
        "mcp.fetch-missing",
        "The result was made of more fetches than there are manifests.",
        "Save the whole result again, as the client received it.",
    ),
    row(
        "mcp.block",
        "A content block is of a type or form that nothing covers.",
        "Do not count on what stands in it.",
    ),
    row(
        "mcp.uncovered",
        "The result has a member that the signed digest does not cover.",
        "Do not count on what stands in it.",
    ),
    row(
        "mcp.source-unattested",
        "The result shows a source that no manifest is about.",
        "Do not count on this source.",
    ),
    row(
        "result.not-compared",
        "The result could not be compared with the one that was signed.",
        "See what else is said of the result.",
    ),
    row("result.same", "The whole result is the one that was signed.", ""),
    row(
        "mcp.source-attested",
        "A source that the result shows is one that a manifest is about.",
        "",
    ),
    row("request.same-call", "The result answers this very call.", ""),
    row("request.same", "The result answers this tool with these arguments.", ""),
    // The content.
    row(
        "content.shorter",
        "The content is shorter than the manifest says: it was probably cut off.",
        "Get the whole file, for example by copying it again.",
    ),
    row(
        "content.other-bytes",
        "The content is not the one that the manifest describes: its bytes are others.",
        "Look for the saved original; content fetched again may have changed meanwhile.",
    ),
    row(
        "content.other-length",
        "The content has the stated fingerprint and not the stated length: the manifest contradicts itself.",
        PRODUCER,
    ),
    row(
        "content.not-found",
        "The content was looked for, and no file with these bytes was found.",
        "Give the saved file with --body.",
    ),
    row(
        "content.partial",
        "The signer fetched a part, not the whole document.",
        "Ask for a manifest of the whole document, or allow parts in the policy.",
    ),
    row(
        "content.not-given",
        "No file was given, so the content was not compared.",
        "Give the saved file with --body.",
    ),
    row(
        "content.matches",
        "The content is, byte for byte, the one that the manifest describes.",
        "",
    ),
    row(
        "content.matches-decoded",
        "The content is, byte for byte, the decoded form of the one that the manifest describes.",
        "",
    ),
    row(
        "content.unverifiable",
        "The server did not say where the content ends, so that a cut could have gone unnoticed.",
        "",
    ),
    // Times.
    row(
        "time.fetched-in-future",
        "The fetch is dated in the future.",
        "Check the clock of this machine; otherwise ask the signer.",
    ),
    row(
        "time.attested-in-future",
        "The signature is dated in the future.",
        "Check the clock of this machine; otherwise ask the signer.",
    ),
    row("time.too-old", "The fetch is older than the policy allows.", "Fetch again."),
    row(
        "time.not-checked",
        "A timestamp came along that was not checked, because the signature was not.",
        "Give the signer's key, so that signature and timestamp can be checked.",
    ),
    // The source.
    row(
        "class.local",
        "The content is a local file: the manifest says nothing about a source.",
        "Use model or file signing for files that have no upstream.",
    ),
    row(
        "class.realtime",
        "The source is a reading of the moment: nobody can fetch it again, so that all rests on the signer's word.",
        "",
    ),
    row(
        "request.caller-made",
        "The request itself may have made the content, as an echo page would.",
        "Look at the request; allow such requests in the policy (allow_requests) if they are expected.",
    ),
    row(
        "request.credentials",
        "Credentials were sent: others may not see what this signer saw.",
        "",
    ),
    row(
        "redirect.cross-site",
        "The request was redirected to another site than the one that was asked.",
        "Decide whether the other site may answer for this one.",
    ),
    row(
        "redirect.downgrade",
        "The request was redirected from an encrypted to an unencrypted connection.",
        "",
    ),
    row(
        "http.status",
        "The server did not answer with success; the content is what it sent instead.",
        "",
    ),
    row("source.reported", "Another program made the request and told the signer the facts.", ""),
    row("revision.stated", "The manifest states the source's revision.", ""),
    row(
        "revision.missing",
        "No revision of the source is stated.",
        "Ask for a manifest with source_revision.",
    ),
    // The connection.
    row(
        "tls-chain.other-certificate",
        "The certificate chain in the bundle belongs to another certificate than the signed one.",
        EVIDENCE,
    ),
    row(
        "tls-chain.unstated",
        "The bundle holds a certificate chain, but the manifest states no certificate.",
        EVIDENCE,
    ),
    row(
        "tls-chain.other-key",
        "The certificate has another key than the manifest states.",
        EVIDENCE_FORGED,
    ),
    row(
        "tls-chain.other-issuer",
        "The certificate has another issuer than the manifest states.",
        EVIDENCE_FORGED,
    ),
    row("tls-chain.host", "The certificate is not for the host of the final URL.", EVIDENCE_FORGED),
    row(
        "tls-chain.validity",
        "The certificate was not valid when the content was fetched.",
        EVIDENCE_FORGED,
    ),
    row(
        "tls-chain.issuer-not-ca",
        "The certificate's issuer may not issue certificates.",
        EVIDENCE_FORGED,
    ),
    row("tls-chain.signature", "The issuer did not sign the certificate.", EVIDENCE_FORGED),
    row("tls-chain.malformed", "The certificate chain cannot be read.", EVIDENCE),
    row(
        "tls-chain.issuer-missing",
        "The issuer's certificate is not in the chain, so that its signature was not checked.",
        "Ask for the whole chain.",
    ),
    row(
        "tls-chain.signature-not-checked",
        "The certificate's signature is of a kind that this build cannot check.",
        "Use the ordinary build of verify, which can check RSA.",
    ),
    row(
        "tls-chain.holds",
        "The fingerprint in the manifest is of a certificate that was issued for this host; it says nothing about URL or content.",
        "",
    ),
    row(
        "tls-chain.self-signed",
        "The server's certificate is signed by itself: nobody vouches for it.",
        "",
    ),
    row(
        "tls-certificate.not-public",
        "The signer did not find the server's certificate to be one of a public authority.",
        "Expect this of a server inside an organisation, or behind an inspecting proxy.",
    ),
    row(
        "tls-certificate.missing",
        "No certificate of the server is stated.",
        "Ask for a manifest of a fetch over https.",
    ),
    row(
        "tls-certificate.public",
        "The manifest says that a public authority vouched for the server's certificate.",
        "",
    ),
    row("tls.proxy", "The request went through a proxy.", ""),
    row("ct.malformed", "The list of certificate timestamps cannot be read.", PRODUCER),
    row(
        "ct.signature",
        "A promise of a certificate transparency log is not signed by that log.",
        EVIDENCE_FORGED,
    ),
    row(
        "ct.in-future",
        "A promise of a certificate transparency log is dated after the fetch.",
        "Compare the clocks of signer and log; it does not count.",
    ),
    row("ct.proof-malformed", "A certificate transparency proof cannot be read.", EVIDENCE),
    row(
        "ct.proof-checkpoint",
        "The checkpoint in a certificate transparency proof does not hold.",
        EVIDENCE_FORGED,
    ),
    row(
        "ct.proof-inclusion",
        "The certificate transparency log does not hold this certificate where the proof says.",
        EVIDENCE_FORGED,
    ),
    row(
        "ct.chain-missing",
        "Certificate transparency evidence is stated, and the certificate that it is about did not come along.",
        "Ask for the bundle with the server's certificate chain (evidence tls-chain).",
    ),
    row(
        "ct.no-log-list",
        "Certificate transparency evidence is stated, and your trust kit holds no list of such logs.",
        "Add a log list to the trust kit (genten trust add-ct).",
    ),
    row(
        "ct.proof-unknown-log",
        "A certificate transparency proof is of a log that your trust kit does not hold, or does not rely on.",
        KIT,
    ),
    row(
        "ct.nothing-verified",
        "No promise of a certificate transparency log could be verified with the logs of your trust kit.",
        KIT,
    ),
    row(
        "ct.one-operator",
        "Only logs of one operator have promised to include the certificate; two are wanted.",
        "",
    ),
    row(
        "ct.promised",
        "Public logs of at least two operators have promised to include the server's certificate.",
        "",
    ),
    row("ct.included", "A public log holds the server's certificate.", ""),
    row(
        "ct.missing",
        "No certificate transparency evidence is stated.",
        "Ask for a manifest with ct_log_proof.",
    ),
    // Sigstore bundles.
    row("sigstore.member", "A member of the Sigstore bundle is missing or malformed.", ASK),
    row(
        "sigstore.content",
        "The Sigstore bundle holds not exactly one thing that is signed, and one key or certificate.",
        ASK,
    ),
    row("sigstore.chain-empty", "The Sigstore bundle's certificate chain is empty.", ASK),
    row(
        "sigstore.signatures",
        "The Sigstore bundle's envelope has not exactly one signature.",
        ASK,
    ),
    row(
        "sigstore.too-many",
        "The Sigstore bundle holds more log entries or timestamps than any does.",
        ASK,
    ),
    row(
        "sigstore.signature",
        "The signature in the Sigstore bundle does not hold.",
        "First make sure that you have this signer's key and the right file; if so, treat the bundle as forged or damaged.",
    ),
    row(
        "sigstore.other-digest",
        "The Sigstore bundle states another digest than the file has that it signs.",
        BUNDLE_FORGED,
    ),
    row(
        "sigstore.other-artifact",
        "The Sigstore bundle is about another file.",
        "Give the file that it is about with --artifact: for an export of Genten that is NAME.signing-input.",
    ),
    row("certificate.malformed", "The signer's certificate cannot be read.", ASK),
    row(
        "certificate.root-in-chain",
        "The bundle brings along the root that it wants to be believed under.",
        BUNDLE_FORGED,
    ),
    row(
        "certificate.not-for-signing",
        "The signer's certificate is not meant for signing.",
        BUNDLE_FORGED,
    ),
    row("certificate.path", "The signer's certificate chain breaks a rule.", BUNDLE_FORGED),
    row(
        "certificate.not-valid-then",
        "The signer's certificate was not valid at a trusted time of the signature.",
        BUNDLE_FORGED,
    ),
    row(
        "certificate.issuer-not-valid",
        "A certificate of the authority was not valid at a trusted time of the signature.",
        BUNDLE_FORGED,
    ),
    row(
        "certificate.sct-invalid",
        "The promise of a certificate transparency log in the signer's certificate is not signed by that log.",
        BUNDLE_FORGED,
    ),
    row(
        "certificate.sct-malformed",
        "The promises of certificate transparency logs in the signer's certificate cannot be read.",
        BUNDLE_FORGED,
    ),
    row(
        "certificate.identity",
        "The signer's certificate does not name its holder in a way that can be read.",
        BUNDLE_FORGED,
    ),
    row(
        "sigstore.other-identity",
        "The signer's certificate names somebody else.",
        "Look whom it names; if that is whom you expect, give that name.",
    ),
    row(
        "sigstore.other-issuer",
        "Somebody else vouched for the name in the signer's certificate.",
        "Look who did; if that is whom you expect, give that URL.",
    ),
    row(
        "log.other-kind",
        "A log entry is of a kind that such signatures are not logged as.",
        EVIDENCE,
    ),
    row(
        "sigstore.unknown-version",
        "The Sigstore bundle is of a version that this program does not know.",
        "Use a newer version of this program.",
    ),
    row("sigstore.signature-valid", "The signature in the Sigstore bundle is valid.", ""),
    row("sigstore.artifact", "The Sigstore bundle is about the file that you gave.", ""),
    row("sigstore.key-given", "The signature was made with a key that you gave.", ""),
    row(
        "certificate.holds",
        "The signer's certificate was issued by an authority of your trusted root and was valid then.",
        "",
    ),
    row("sigstore.identity", "The certificate names whom you expect.", ""),
    // Logs and other evidence.
    row(
        "external.other-manifest",
        "An item of external evidence belongs to another manifest.",
        EVIDENCE,
    ),
    row(
        "external.contradicts",
        "Evidence of another kind contradicts the manifest, as the checker for it says.",
        EVIDENCE,
    ),
    row(
        "external.digest",
        "An item of external evidence is not the bytes that it says it is.",
        EVIDENCE,
    ),
    row(
        "log.other-digest",
        "A log entry that came along is about something else than this manifest.",
        EVIDENCE,
    ),
    row(
        "log.content.other-digest",
        "A log entry that came along is about another content than this manifest states.",
        EVIDENCE,
    ),
    row(
        "log.other-signature",
        "A log entry that came along holds another signature than the one it came with.",
        EVIDENCE,
    ),
    row(
        "log.other-certificate",
        "A log entry that came along holds a certificate of somebody else.",
        EVIDENCE,
    ),
    row(
        "log.other-key",
        "A log entry that came along holds another key than the one that signed.",
        EVIDENCE,
    ),
    row(
        "log.batch-unmatched",
        "A log entry is said to be about a batch, and no batch that holds this manifest is the one.",
        EVIDENCE,
    ),
    row("log.duplicate-entry", "The same log entry came along twice.", EVIDENCE),
    row(
        "log.pointer",
        "The manifest points at another log entry than those that came along.",
        EVIDENCE,
    ),
    row(
        "log.signature-invalid",
        "The signature in a log entry does not hold: no log takes such an entry.",
        EVIDENCE_FORGED,
    ),
    row("log.key-details", "A log entry calls its key something that it is not.", EVIDENCE_FORGED),
    row(
        "log.body-kind",
        "The body of a log entry says that it is of another kind than the entry.",
        EVIDENCE_FORGED,
    ),
    row(
        "log.body-not-canonical",
        "The body of a log entry is spelled otherwise than the log spells it.",
        EVIDENCE_FORGED,
    ),
    row("log.body-malformed", "The body of a log entry cannot be read.", EVIDENCE),
    row("log.body-missing", "A log entry came along without its body.", EVIDENCE),
    row(
        "log.kind-unsupported",
        "A log entry is of a kind that nothing here is logged as.",
        EVIDENCE,
    ),
    row("log.negative-index", "A log entry has a negative index.", EVIDENCE),
    row("log.entry-malformed", "A log entry cannot be read.", EVIDENCE),
    row(
        "log.other-log-id",
        "A log entry names another log than the one that signed its checkpoint.",
        EVIDENCE_FORGED,
    ),
    row(
        "log.checkpoint-unsigned",
        "The log's checkpoint has no signature of the log.",
        EVIDENCE_FORGED,
    ),
    row(
        "log.checkpoint-key-id",
        "The log's checkpoint is signed under the log's name by a key that is not the log's.",
        EVIDENCE_FORGED,
    ),
    row(
        "log.checkpoint-signature",
        "The signature on the log's checkpoint does not hold.",
        EVIDENCE_FORGED,
    ),
    row(
        "log.checkpoint-origin",
        "The checkpoint is of another log than the entry.",
        EVIDENCE_FORGED,
    ),
    row(
        "log.checkpoint-origin-missing",
        "The log's checkpoint does not say of which log it is.",
        EVIDENCE_FORGED,
    ),
    row(
        "log.checkpoint-size",
        "The log's checkpoint does not state how many entries the log has.",
        EVIDENCE_FORGED,
    ),
    row(
        "log.checkpoint-root",
        "The log's checkpoint does not state the root of the log's tree.",
        EVIDENCE_FORGED,
    ),
    row("log.checkpoint-malformed", "The log's checkpoint cannot be read.", EVIDENCE),
    row(
        "log.cosignature",
        "A signature of a known witness on the log's checkpoint does not hold.",
        EVIDENCE_FORGED,
    ),
    row(
        "log.inclusion",
        "The proof does not lead from the log entry to the log's checkpoint.",
        EVIDENCE_FORGED,
    ),
    row(
        "log.proof-index",
        "The proof is for another entry than the one that came along.",
        EVIDENCE_FORGED,
    ),
    row(
        "log.proof-size",
        "The proof states another size of the log than its checkpoint.",
        EVIDENCE_FORGED,
    ),
    row(
        "log.proof-root",
        "The proof states another root than the log's checkpoint.",
        EVIDENCE_FORGED,
    ),
    row(
        "log.proof-missing",
        "A log entry came along without proof that the log holds it.",
        "Ask for the entry with its inclusion proof; nothing is fetched here.",
    ),
    row(
        "log.checkpoint-missing",
        "A proof came along without the checkpoint of the log that it leads to.",
        "Ask for the entry with its checkpoint; nothing is fetched here.",
    ),
    row("log.promise", "The log's promise to include the entry does not hold.", EVIDENCE_FORGED),
    row("batch.statement", "The statement of a batch cannot be read.", EVIDENCE),
    row(
        "batch.other-signer",
        "The batch was signed under another name than the manifest.",
        EVIDENCE,
    ),
    row(
        "batch.signature",
        "The batch was not signed with the key that signed the manifest.",
        EVIDENCE_FORGED,
    ),
    row("batch.proof", "The manifest is not in the batch.", EVIDENCE),
    row(
        "batch.before-manifest",
        "The batch is dated before the manifest that is said to be in it.",
        EVIDENCE_FORGED,
    ),
    row(
        "timestamp.malformed",
        "A timestamp cannot be read, or breaks a rule of its format.",
        EVIDENCE,
    ),
    row(
        "timestamp.refused",
        "What came along is an authority's refusal to stamp, no timestamp.",
        EVIDENCE,
    ),
    row(
        "timestamp.other-signature",
        "A timestamp that came along is over something else than the manifest's signature.",
        EVIDENCE,
    ),
    row(
        "timestamp.batch-unmatched",
        "A timestamp is said to be over a batch, and no batch that holds this manifest is the one.",
        EVIDENCE,
    ),
    row("timestamp.signature", "The signature of a timestamp does not hold.", EVIDENCE_FORGED),
    row(
        "timestamp.other-certificate",
        "A timestamp brings a certificate along that is not its authority's.",
        EVIDENCE_FORGED,
    ),
    row("timestamp.weak", "A timestamp rests on an algorithm that is broken.", EVIDENCE),
    row(
        "timestamp.expired",
        "A certificate of the timestamp authority was not valid at the time of the stamp.",
        EVIDENCE,
    ),
    row(
        "time.before-manifest",
        "A trusted time lies before the manifest says that it was made.",
        "The signer's clock was wrong, or the manifest's times are invented: ask the signer.",
    ),
    row(
        "log.unknown",
        "A log entry is of a log that your trust kit does not hold: the kit may be older than the proof.",
        KIT,
    ),
    row(
        "log.quorum-not-met",
        "Too few of the witnesses that your trust kit asks for have seen the log's checkpoint.",
        "Ask for the entry with the cosignatures of more witnesses.",
    ),
    row(
        "log.key-unbound",
        "A log entry is signed with a key that nothing in your trust kit ties to the signer.",
        "Ask the signer whether it is one of its log keys, and add it to the trust kit if so.",
    ),
    row(
        "log.signature-not-checked",
        "The signature in a log entry is of a kind that this build cannot check.",
        "Use the ordinary build of verify, which can check RSA.",
    ),
    row(
        "log.unwitnessed",
        "The log stands in no trusted root and no witnesses stand behind it: that it was logged is its owner's own word.",
        "Ask for an entry in a public log, or give the log's witnesses in the trust kit (tlog_policies).",
    ),
    row(
        "log.key-window",
        "At every trusted time the log's key was not in use, by your trust kit.",
        "Ask which key the log used then, or get a current trust kit.",
    ),
    row(
        "timestamp.unknown-authority",
        "A timestamp is of an authority that your trust kit does not hold.",
        KIT,
    ),
    row(
        "timestamp.other-key",
        "A timestamp is over a signature by another key than the manifest's: it says nothing of when the manifest was signed.",
        "Ask for a timestamp over the manifest's own signature.",
    ),
    row(
        "timestamp.outside-window",
        "A timestamp lies outside the time for which your trust kit relies on its authority.",
        KIT,
    ),
    row(
        "timestamp.not-checked",
        "A timestamp rests on an algorithm that this build cannot check.",
        "Use the ordinary build of verify, which can check RSA.",
    ),
    row(
        "time.in-future",
        "The trusted time lies in the future.",
        "Check the clock of this machine.",
    ),
    row(
        "time.delayed",
        "The trusted time lies later after signing than the policy allows.",
        "Ask the signer why; a key could have been used long after the stated time.",
    ),
    row(
        "time.key-unbound",
        "A timestamp is there, but nothing shows that the signer's key is older than it.",
        "State in the trust kit since when the key is in use (valid_from), if you know.",
    ),
    row(
        "sigstore.artifact-not-given",
        "The file that the Sigstore bundle is about was not given.",
        "Give it with --artifact.",
    ),
    row(
        "sigstore.no-statement",
        "The Sigstore bundle's envelope holds no in-toto statement, so that nothing ties it to the file.",
        "Read the payload with a tool that knows its type.",
    ),
    row(
        "sigstore.digest-needed",
        "The digest of the file that was given is not the one that this signature needs.",
        "Give the file itself with --artifact.",
    ),
    row(
        "sigstore.key-not-given",
        "The Sigstore bundle was signed with a bare key, and none was given.",
        "Get the signer's key from the signer and give it with --key.",
    ),
    row(
        "sigstore.no-certificate",
        "You said whom the certificate must name, and the Sigstore bundle was signed with a bare key: nothing says whose it is.",
        "If you know whose key it is, leave out --certificate-identity and --certificate-oidc-issuer.",
    ),
    row(
        "sigstore.not-applicable",
        "The policy asks for something that no Sigstore bundle holds.",
        "Use --policy basic, or a policy that asks for signature, signer, content, log, witness and time only.",
    ),
    row(
        "sigstore.identity-not-given",
        "The certificate holds, but you did not say whose it must be.",
        "Give --certificate-identity and --certificate-oidc-issuer.",
    ),
    row(
        "certificate.unknown-issuer",
        "The signer's certificate is of no authority in your trusted root.",
        KIT,
    ),
    row(
        "certificate.authority-window",
        "The signer's certificate was used at a time for which your trusted root does not rely on its authority.",
        KIT,
    ),
    row(
        "certificate.sct-missing",
        "The signer's certificate has no promise of a certificate transparency log that can be read.",
        "Ask the signer how the certificate was issued: public authorities put such a promise in.",
    ),
    row(
        "certificate.sct-unknown-log",
        "The promise in the signer's certificate is of a certificate transparency log that your trusted root does not hold.",
        KIT,
    ),
    row(
        "certificate.sct-log-window",
        "The promise in the signer's certificate is from a time for which your trusted root does not rely on the log.",
        KIT,
    ),
    row(
        "certificate.not-checked",
        "The signer's certificate chain holds a signature of a kind that this build cannot check.",
        "Use the ordinary build of verify, which can check RSA.",
    ),
    row(
        "certificate.sct-not-checked",
        "The promise in the signer's certificate is of a kind that this build cannot check.",
        "Use the ordinary build of verify, which can check RSA.",
    ),
    row(
        "certificate.no-time",
        "Nothing that you trust says when the signature existed, so that a short-lived certificate shows nothing.",
        "Ask for a bundle with a timestamp.",
    ),
    row(
        "time.missing",
        "Nothing but the signer's word says when this was.",
        "Ask for a timestamp (RFC 3161) of the manifest.",
    ),
    row(
        "log.missing",
        "No entry of a transparency log came along.",
        "Ask for the bundle with its log entry.",
    ),
    row(
        "log.not-checked",
        "A log entry came along that was not checked, because the signature was not.",
        "Give the signer's key, so that signature and entry can be checked.",
    ),
    row(
        "log.content.missing",
        "No log entry for the content came along.",
        "Ask for the bundle with the content's log entry.",
    ),
    row(
        "log.content.not-checked",
        "A log entry for the content came along that was not checked, because the signature was not.",
        "Give the signer's key, so that signature and entry can be checked.",
    ),
    row(
        "log.pointer-not-checked",
        "The manifest points at a log entry; the pointer is not signed and was not checked.",
        "",
    ),
    row(
        "witness.missing",
        "No log checkpoint came along that enough of the witnesses have seen.",
        "Ask for the bundle with its log entry.",
    ),
    row(
        "log.included",
        "A transparency log holds the signature, or that of a batch with this manifest in it.",
        "",
    ),
    row(
        "log.promised",
        "A transparency log has promised to hold the signature, and nothing here shows that it does.",
        "",
    ),
    row("log.content.included", "A transparency log holds the digest of the content.", ""),
    row("batch.holds", "The manifest is in a batch that its signer signed.", ""),
    row(
        "timestamp.holds",
        "A timestamp authority of your trust kit says that the signature existed then.",
        "",
    ),
    row(
        "time.trusted",
        "Somebody other than the signer says that the signature existed by this time.",
        "",
    ),
    row(
        "witness.quorum",
        "The witnesses that your trust kit asks for have seen the log's checkpoint.",
        "",
    ),
    row(
        "archive.missing",
        "No archived copy came along.",
        "Ask for the bundle with the archive's manifest.",
    ),
    row(
        "archive.not-checked",
        "An archived copy came along that does not count.",
        "Look at the reason beside it.",
    ),
    row("external.missing", "No evidence of other kinds came along.", "Ask the signer for it."),
    row(
        "external.not-checked",
        "Evidence of another kind came along that nothing here can judge.",
        "Use the tool that it is made for; it is bound to this manifest.",
    ),
    row(
        "external.holds",
        "Evidence of another kind supports the manifest, as the checker for it says.",
        "",
    ),
    row("archive.holds", "An archive holds the same content, as somebody says whom you trust.", ""),
    row(
        "result.not-given",
        "The manifest is bound to a result of a tool, which was not given.",
        "Verify the saved result instead of the bare manifest.",
    ),
    row(
        "result.missing",
        "The manifest is not bound to a result of a tool.",
        "Ask the server's author to bind its manifests to its results.",
    ),
    row(
        "request.not-given",
        "The manifest is bound to a call, which was not compared.",
        "Give the call with --request.",
    ),
    row(
        "request.missing",
        "The manifest is not bound to a call.",
        "Ask the server's author to bind its manifests to its calls.",
    ),
    row(
        "evidence.unknown-type",
        "An item of evidence is of a type that this version does not know.",
        "Use a newer version of this program.",
    ),
    row(
        "evidence.did-document",
        "A DID document came along; it is shown, and believed only where your trust kit holds it.",
        "",
    ),
    row(
        "evidence.did-document-in-kit",
        "A DID document came along that your trust kit holds too.",
        "",
    ),
    row(
        "kit.old",
        "The trust kit is old: keys may have been retired or revoked meanwhile.",
        "Get a current trust kit.",
    ),
    // What prevents a verdict.
    row("input.empty", "The input is empty.", "Give a manifest, a bundle, or a folder of them."),
    row(
        "input.unknown-kind",
        "The input is JSON, but nothing that can be verified.",
        "Give a manifest, a provenance bundle, JSON Lines of them, or a Sigstore bundle.",
    ),
    row("input.not-yet", "The input is of a kind that this version does not verify yet.", LATER),
    row(
        "input.artifact-digest",
        "--artifact names no file, and its digest is malformed.",
        "Copy the whole digest, as sha256:HEX, or name the file.",
    ),
    row(
        "input.call",
        "The file given with --request holds no call of a tool or resource.",
        "Give the JSON-RPC request that was sent, or its parameters.",
    ),
    row(
        "input.not-result",
        "A request was given, and the input is no saved MCP result.",
        "Verify the saved result, or leave --request out.",
    ),
    row(
        "input.not-sigstore",
        "Options for Sigstore bundles were given, and the input is none.",
        "Give the content of a provenance manifest with --body.",
    ),
    row("input.not-found", "There is no such file or folder.", "Look at the spelling of its name."),
    row(
        "input.unreadable",
        "The operating system does not let the file be read.",
        "Look at its permissions, and whether it is still there.",
    ),
    row(
        "input.not-regular",
        "Only regular files are verified: a pipe or device could block for ever, or never end.",
        "Send it to standard input and give `-` as the file.",
    ),
    row(
        "input.one-body",
        "One file of content was given for what can be several manifests.",
        "Give one manifest, or a folder of bodies with --bodies.",
    ),
    row(
        "key.private",
        "The file holds a private key, which nobody but its owner should have.",
        "Keep it private, tell its owner if you are not, and give the public key.",
    ),
    row(
        "key.certificate-authority",
        "The certificate is one of an authority, which signs certificates and no manifests.",
        "Add it to a trust kit under signer_authorities.",
    ),
    row("key.certificate", "The certificate cannot be read.", PUBLIC_KEY),
    row("key.empty", "The key set holds no keys.", PUBLIC_KEY),
    row("key.format", "The file holds no public key in a form that is known here.", PUBLIC_KEY),
    row("key.json", "The file holds no JSON as it is accepted here.", PUBLIC_KEY),
    row("key.malformed", "The public key cannot be read.", PUBLIC_KEY),
    row(
        "key.signer-id",
        "The text is no signer id that contains a key.",
        "Give a did:key:… or did:jwk:… with --signer; other signers need --key or --trust.",
    ),
    row("key.too-large", "The file is larger than any key file.", PUBLIC_KEY),
    row(
        "kit.malformed",
        "The trust kit is broken, and a verdict must not rest on a guess.",
        "Correct the trust kit; `genten trust check` says what is wrong.",
    ),
    row(
        "policy.malformed",
        "The policy is broken, and a verdict must not rest on a guess.",
        "Correct the policy file.",
    ),
    row(
        "policy.unknown",
        "There is no policy of this name, and no file.",
        "Use basic, mcp11 or high-trust, or the path of a policy file.",
    ),
    row("explain.unknown-code", "There is no such code.", "`verify --explain` lists all codes."),
    row("output.failed", "The answer could not be written.", "Look whether the disk is full."),
];
