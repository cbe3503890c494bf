//! Classes, requests and redirects.

use serde_json::{Value, json};

use super::world::{Named, draft, trusting};
use crate::common::case::Case;
use crate::common::manifest::{Draft, sha256};

pub(crate) fn cases() -> Vec<Case> {
    [classes(), requests(), redirects()].concat()
}

fn signed(draft: Draft) -> Case {
    trusting(draft.sign())
}

fn classes() -> Vec<Case> {
    let by_class = "[require]\n\
        default = [\"signature\", \"signer\"]\n\
        static = [\"signature\", \"signer\", \"revision\"]\n\
        [classes]\n\
        \"https://www.rfc-editor.org/*\" = \"static\"\n";
    let regulated = "[require]\n\
        default = [\"signature\", \"signer\"]\n\
        regulated = [\"signature\", \"signer\", \"tls-certificate\"]\n\
        [classes]\n\
        \"https://www.rfc-editor.org/*\" = [\"regulated\", \"revisioned\"]\n";
    let redirected = draft().with("/source_url", "https://a.example/").with(
        "/http",
        json!({"status": 200, "final_url": "https://www.rfc-editor.org/", "redirects": [
            {"url": "https://a.example/", "status": 302, "location": "https://www.rfc-editor.org/"}]}),
    );
    let local = draft()
        .without("capture")
        .with("/source_class", "local")
        .with("/source_url", "file:///srv/a.csv");
    vec![
        signed(draft()).policy_file(by_class).reviewed(
            "class-left-out",
            "No class stated, so that less would be asked; the policy's own view counts.",
            "revision.missing",
        ),
        signed(draft().with("/source_class", "realtime")).policy_file(by_class).reviewed(
            "class-other",
            "Another class stated than the policy's.",
            "revision.missing",
        ),
        signed(
            draft().with("/source_url", "HTTPS://WWW.rfc-editor.org:443/x/%2e%2E/rfc/rfc8890.txt"),
        )
        .policy_file(by_class)
        .reviewed(
            "class-other-spelling",
            "Another spelling of a URL that the policy knows, made to slip past its patterns.",
            "revision.missing",
        ),
        signed(redirected).policy_file(by_class).reviewed(
            "class-of-final-url",
            "Asked for at another site, redirected to one that the policy knows.",
            "revision.missing",
        ),
        signed(draft().with(
            "/http",
            json!({"status": 200, "final_url": "https://a.example/", "redirects": [
                {"url": "https://www.rfc-editor.org/rfc/rfc8890.txt", "status": 302, "location": "https://a.example/"}]}),
        ))
        .policy_file(by_class)
        .reviewed(
            "class-of-source-url",
            "Asked for at a site that the policy knows, redirected to another one.",
            "revision.missing",
        ),
        signed(draft()).policy_file(regulated).reviewed(
            "class-regulated",
            "A class of the policy only.",
            "tls-certificate.missing",
        ),
        signed(local.clone()).policy("mcp11").reviewed(
            "class-local-mcp11",
            "A local file under mcp11.",
            "class.local",
        ),
        signed(local)
            .policy_file("base = \"mcp11\"\n[require]\ndefault = [\"signature\", \"signer\"]\n")
            .reviewed(
                "class-local-derived",
                "A local file under a policy that stands on mcp11.",
                "class.local",
            ),
    ]
}

/// Requests that could have made the content.
fn requests() -> Vec<Case> {
    let request = |members: Value| signed(draft().with_http().with("/http/request", members));
    let code = "request.caller-made";
    vec![
        request(json!({"method": "POST", "credentials": false, "body_sha256": sha256(b"echo")})).reviewed(
            "request-post-echo",
            "A POST to an echo page.",
            code,
        ),
        request(json!({"method": "PUT", "credentials": false})).reviewed("request-put", "A PUT.", code),
        request(json!({"method": "get", "credentials": false})).reviewed(
            "request-method-case",
            "A method in small letters, which servers may take for another.",
            code,
        ),
        request(json!({"method": "GET", "credentials": false, "body_sha256": sha256(b"echo")})).reviewed(
            "request-get-body",
            "A GET with a body.",
            code,
        ),
        request(json!({"method": "GET", "credentials": false, "headers": [["x-echo", ""]]})).reviewed(
            "request-header",
            "A header of the caller's, its value withheld.",
            code,
        ),
        request(json!({"method": "GET", "credentials": false, "headers": [["accept", "x".repeat(257)]]})).reviewed(
            "request-long-accept",
            "An Accept header long enough to be the content.",
            code,
        ),
        request(json!({"method": "GET", "credentials": false, "headers": [["user-agent", ""]]})).reviewed(
            "request-long-user-agent",
            "A User-Agent that was too long to be written, and so long enough to be the content.",
            code,
        ),
        request(json!({"method": "GET", "credentials": false, "headers": [["accept", "x".repeat(256)]]})).accepted(
            "good-request-accept",
            "An Accept header of the length that is still harmless.",
            &[],
        ),
        request(json!({"method": "HEAD", "credentials": true, "headers": [["authorization", ""], ["user-agent", "x"]]}))
            .accepted("good-request-credentials", "Credentials were sent: named, no more.", &["request.credentials"]),
    ]
}

fn redirects() -> Vec<Case> {
    let deny = "[require]\ndefault = [\"signature\", \"signer\"]\n[limits]\ncross_site_redirects = \"deny\"\n";
    let to = |location: &str| {
        draft().with(
            "/http",
            json!({"status": 200, "final_url": location, "redirects": [
                {"url": "https://www.rfc-editor.org/rfc/rfc8890.txt", "status": 302, "location": location}]}),
        )
    };
    let through = draft().with(
        "/http",
        json!({"status": 200, "redirects": [
            {"url": "https://www.rfc-editor.org/rfc/rfc8890.txt", "status": 302, "location": "https://evil.example/"},
            {"url": "https://evil.example/", "status": 302, "location": "https://www.rfc-editor.org/rfc/rfc8890.txt"}]}),
    );
    let code = "redirect.cross-site";
    vec![
        signed(to("https://evil.example/")).policy_file(deny).reviewed(
            "redirect-cross-site",
            "A redirect to another site, which the policy denies.",
            code,
        ),
        signed(to("https://docs.rfc-editor.org/")).policy_file(deny).reviewed(
            "redirect-sibling",
            "A redirect to a sibling host: without a list of public suffixes another site.",
            code,
        ),
        signed(through).policy_file(deny).reviewed(
            "redirect-through",
            "A redirect through another site and back.",
            code,
        ),
        signed(to("https://cdn.www.rfc-editor.org/")).policy_file(deny).accepted(
            "good-redirect-below",
            "A redirect to a host below the one that was asked.",
            &[],
        ),
        signed(to("http://www.rfc-editor.org/x")).accepted(
            "good-redirect-downgrade",
            "A redirect from https to http is named.",
            &["redirect.downgrade"],
        ),
    ]
}
