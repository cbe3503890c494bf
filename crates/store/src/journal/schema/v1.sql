-- One row per manifest. Times are texts as in the manifest; fetched_ms is fetched_at in milliseconds since 1970, for
-- order. Digests are 64 hexadecimal digits. URLs are as displayed: values of secret parameters are masked. Paths are
-- texts, or bytes where they are not valid Unicode.
CREATE TABLE entry (
    id INTEGER PRIMARY KEY,
    manifest_id TEXT NOT NULL UNIQUE CHECK (length(manifest_id) = 64),
    recorded_at TEXT NOT NULL,
    fetched_at TEXT NOT NULL,
    fetched_ms INTEGER NOT NULL,
    attested_at TEXT,
    url TEXT NOT NULL,
    final_url TEXT,
    revision TEXT,
    source_class TEXT,
    capture TEXT NOT NULL,
    key_id TEXT NOT NULL,
    content_sha256 TEXT NOT NULL CHECK (length(content_sha256) = 64),
    content_bytes INTEGER CHECK (content_bytes >= 0),
    body_place TEXT NOT NULL CHECK (body_place IN ('none', 'store', 'path')),
    body_path ANY CHECK ((body_path IS NOT NULL) = (body_place = 'path')),
    bundle_path ANY,
    manifest TEXT,
    log_state TEXT NOT NULL DEFAULT 'none'
        CHECK (log_state IN ('none', 'queued', 'sent', 'logged', 'rejected'))
) STRICT;

CREATE INDEX entry_by_time ON entry (fetched_ms);
CREATE INDEX entry_by_url ON entry (url);
CREATE INDEX entry_by_final_url ON entry (final_url) WHERE final_url IS NOT NULL;
CREATE INDEX entry_by_content ON entry (content_sha256);
