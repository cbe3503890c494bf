-- What the last attempt met, in its own words: where, and what was answered.
ALTER TABLE submission ADD COLUMN words TEXT;
ALTER TABLE certificate ADD COLUMN words TEXT;

-- What people were told that speaks against the logs of a certificate, each on a line.
ALTER TABLE certificate ADD COLUMN told TEXT NOT NULL DEFAULT '';

-- A person has given up the log that has the entry: the log of this name may be another one now, which has it not.
-- `renewed`: it was queued once more since.
ALTER TABLE submission ADD COLUMN given_up INTEGER NOT NULL DEFAULT 0 CHECK (given_up IN (0, 1));
ALTER TABLE submission ADD COLUMN renewed INTEGER NOT NULL DEFAULT 0 CHECK (renewed IN (0, 1));

-- Bundles and manifests that a person has named to be logged, beside those that the journal has an entry for. `to_place`:
-- evidence is here that the file lacks.
CREATE TABLE brought (
    id INTEGER PRIMARY KEY,
    manifest_id TEXT NOT NULL CHECK (length(manifest_id) = 64),
    bundle_path ANY NOT NULL,
    to_place INTEGER NOT NULL DEFAULT 0 CHECK (to_place IN (0, 1)),
    UNIQUE (manifest_id, bundle_path)
) STRICT;

CREATE INDEX brought_to_place ON brought (id) WHERE to_place = 1;
