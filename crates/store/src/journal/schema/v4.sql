-- What to do about what the last attempt met (`detail` is its code), in a sentence for people.
ALTER TABLE submission ADD COLUMN hint TEXT;
ALTER TABLE certificate ADD COLUMN hint TEXT;

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
