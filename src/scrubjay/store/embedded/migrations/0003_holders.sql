-- How many units hold a word, so that one is never erased by what memory believes; 8 stands for
-- many, and for what nobody has counted.
ALTER TABLE terms ADD COLUMN holders INTEGER NOT NULL DEFAULT 8;
