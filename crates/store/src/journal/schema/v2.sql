-- What became of a manifest on its way into a log: the place in the log, the number of attempts, when the next one is
-- due (milliseconds since 1970), what the last one met, and when this last changed.
ALTER TABLE entry ADD COLUMN log_id TEXT;
ALTER TABLE entry ADD COLUMN log_attempts INTEGER NOT NULL DEFAULT 0 CHECK (log_attempts >= 0);
ALTER TABLE entry ADD COLUMN log_due_ms INTEGER;
ALTER TABLE entry ADD COLUMN log_detail TEXT;
ALTER TABLE entry ADD COLUMN log_changed_at TEXT;

CREATE INDEX entry_to_log ON entry (log_due_ms) WHERE log_state IN ('queued', 'sent');
