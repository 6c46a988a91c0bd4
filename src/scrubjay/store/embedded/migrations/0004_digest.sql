-- A checksum of what a unit was told, since SQLite keeps none: `doctor` says when a row is another.
-- NULL: told before there was one.
ALTER TABLE units ADD COLUMN digest INTEGER;
