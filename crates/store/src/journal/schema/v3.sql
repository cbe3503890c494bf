-- What is to stand in logs. A submission is one entry of one log: its body (hashedrekord 0.0.2, canonical JSON) holds digest,
-- signature and key, so that the very same bytes can be sent again. `log` names the log for the one who sends. `since`: the
-- size of the home's own log before the entry was first written, which stands nowhere below. `followed`: the tree that the entry was shown in
-- has been found again in a later one. An entry without `log_id` was answered by the log and is not believed yet.
-- `detail` is the code of what the last attempt met, `hint` what to do about it, in a sentence for people.
CREATE TABLE submission (
    id INTEGER PRIMARY KEY,
    log TEXT NOT NULL,
    subject TEXT NOT NULL CHECK (subject IN ('batch', 'content', 'manifest')),
    body BLOB NOT NULL,
    statement TEXT CHECK ((statement IS NOT NULL) = (subject = 'batch')),
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'logged', 'rejected')),
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    due_ms INTEGER NOT NULL,
    since INTEGER CHECK (since >= 0),
    detail TEXT,
    hint TEXT,
    changed_at TEXT NOT NULL,
    entry BLOB,
    log_id TEXT,
    token BLOB,
    followed INTEGER NOT NULL DEFAULT 0 CHECK (followed IN (0, 1)),
    UNIQUE (log, body)
) STRICT;

CREATE INDEX submission_to_send ON submission (log, due_ms) WHERE state = 'queued';
CREATE INDEX submission_under_way ON submission (log) WHERE state = 'sent';

-- Which manifest a submission is for, at most one of each subject in each log. Without a submission the manifest waits for a
-- batch of its signer (the thumbprint of the key). `hashes` is the proof of its place in the batch, 32 bytes each. `to_place`: the
-- evidence is here, the manifest's bundle is on disk, and lacks it.
CREATE TABLE member (
    id INTEGER PRIMARY KEY,
    manifest_id TEXT NOT NULL CHECK (length(manifest_id) = 64),
    log TEXT NOT NULL,
    subject TEXT NOT NULL CHECK (subject IN ('batch', 'content', 'manifest')),
    submission INTEGER REFERENCES submission (id),
    signer TEXT CHECK ((submission IS NULL) <= (signer IS NOT NULL)),
    signed_ms INTEGER NOT NULL,
    queued_ms INTEGER NOT NULL,
    position INTEGER CHECK (position >= 0),
    hashes BLOB CHECK (length(hashes) % 32 = 0),
    to_place INTEGER NOT NULL DEFAULT 0 CHECK (to_place IN (0, 1)),
    UNIQUE (manifest_id, log, subject)
) STRICT;

CREATE INDEX member_by_submission ON member (submission);
CREATE INDEX member_waiting ON member (log, signer) WHERE submission IS NULL;
CREATE INDEX member_to_place ON member (id) WHERE to_place = 1;

-- The last checkpoint of each log that entries went into: of the home's own, by its origin, since what was signed once must be
-- continued; of others, by origin and key id, since what they have shown once must never be taken back.
CREATE TABLE log_head (
    origin TEXT PRIMARY KEY,
    note BLOB NOT NULL,
    size INTEGER NOT NULL CHECK (size >= 0),
    changed_at TEXT NOT NULL
) STRICT;

-- What is known of each log that is followed, by origin and key id, and the entries in it that are by watched keys. `accepted`: a person knows of
-- the entry although the journal does not. `key_use`: whether the entry shows that the key was used.
CREATE TABLE followed (
    origin TEXT PRIMARY KEY,
    state BLOB NOT NULL
) STRICT;

CREATE TABLE sighting (
    origin TEXT NOT NULL,
    entry INTEGER NOT NULL CHECK (entry >= 0),
    key TEXT NOT NULL,
    digest BLOB NOT NULL,
    signature_sha256 TEXT NOT NULL,
    key_use TEXT NOT NULL CHECK (key_use IN ('forged', 'proven', 'unchecked')),
    seen_at TEXT NOT NULL,
    accepted INTEGER NOT NULL DEFAULT 0 CHECK (accepted IN (0, 1)),
    PRIMARY KEY (origin, entry, key)
) STRICT;

-- What stood beside the manifest in its bundle, so that the bundle can be made again: items of evidence (JSON), each kept
-- once however many manifests have it.
CREATE TABLE item (
    sha256 TEXT PRIMARY KEY CHECK (length(sha256) = 64),
    json BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE entry_item (
    manifest_id TEXT NOT NULL,
    sha256 TEXT NOT NULL REFERENCES item (sha256),
    PRIMARY KEY (manifest_id, sha256)
) STRICT, WITHOUT ROWID;

-- Servers' certificates that a log of Certificate Transparency has promised to hold at a place, and the proofs that it does. One
-- row serves all manifests with the certificate: its SHA-256, and the promises that came beside it (empty for none). `item` is
-- an item of evidence that holds the chain.
CREATE TABLE certificate (
    id INTEGER PRIMARY KEY,
    leaf TEXT NOT NULL CHECK (length(leaf) = 64),
    scts BLOB NOT NULL,
    item TEXT NOT NULL REFERENCES item (sha256),
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'proven', 'failed')),
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    due_ms INTEGER NOT NULL,
    detail TEXT,
    hint TEXT,
    changed_at TEXT NOT NULL,
    proof BLOB CHECK ((proof IS NOT NULL) = (state = 'proven')),
    log_id TEXT CHECK ((log_id IS NOT NULL) = (state = 'proven')),
    UNIQUE (leaf, scts)
) STRICT;

CREATE INDEX certificate_to_prove ON certificate (due_ms) WHERE state = 'queued';

-- The certificate of a manifest. `to_place`: the proof is here, the manifest's bundle is on disk, and lacks it.
CREATE TABLE certified (
    id INTEGER PRIMARY KEY,
    manifest_id TEXT NOT NULL UNIQUE CHECK (length(manifest_id) = 64),
    certificate INTEGER NOT NULL REFERENCES certificate (id),
    to_place INTEGER NOT NULL DEFAULT 0 CHECK (to_place IN (0, 1))
) STRICT;

CREATE INDEX certified_by_certificate ON certified (certificate);
CREATE INDEX certified_to_place ON certified (id) WHERE to_place = 1;

-- Logs that a person has given up, so that they are known anew. What was known of one is in the file `evidence`.
CREATE TABLE forgotten (
    id INTEGER PRIMARY KEY,
    log TEXT NOT NULL,
    origin TEXT NOT NULL,
    forgotten_at TEXT NOT NULL,
    evidence TEXT NOT NULL
) STRICT;

-- Logs that take no more entries. What waits for the log of this name is due as soon as the name stands for another service
-- than the one that said so.
CREATE TABLE frozen (
    log TEXT PRIMARY KEY,
    service TEXT NOT NULL
) STRICT;
