-- What to do about what the last attempt met (`detail` is its code), in a sentence for people.
ALTER TABLE submission ADD COLUMN hint TEXT;
ALTER TABLE certificate ADD COLUMN hint TEXT;
