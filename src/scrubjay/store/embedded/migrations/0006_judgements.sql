-- What was said of answers: for each question, asked at a time, the units that were of use in the
-- answer or that it lacked. By their ids, which stay when units change; what is said of a unit goes
-- with it, and a question goes with the last of its units.
CREATE TABLE judgements (
    asked_at INTEGER NOT NULL,
    question TEXT NOT NULL,
    unit     TEXT NOT NULL,
    missed   INTEGER NOT NULL,
    PRIMARY KEY (asked_at, question, unit)
) WITHOUT ROWID;
CREATE INDEX judgements_by_unit ON judgements (unit);
