BEGIN TRANSACTION;
CREATE TABLE banks (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
);
INSERT INTO "banks" VALUES(1,'default');
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('banks',1);
COMMIT;
PRAGMA user_version=1;
