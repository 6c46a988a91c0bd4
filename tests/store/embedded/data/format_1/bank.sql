BEGIN TRANSACTION;
CREATE TABLE aliases (
    alias      TEXT NOT NULL,
    entity     INTEGER NOT NULL REFERENCES entities (id),
    confidence REAL NOT NULL,
    PRIMARY KEY (alias, entity)
) WITHOUT ROWID;
INSERT INTO "aliases" VALUES('agnes',1,1.0);
INSERT INTO "aliases" VALUES('bertil',2,1.0);
INSERT INTO "aliases" VALUES('mill',3,0.95);
INSERT INTO "aliases" VALUES('the mill',3,1.0);
CREATE TABLE entities (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    kind     TEXT NOT NULL,
    explicit INTEGER NOT NULL,
    mentions INTEGER NOT NULL
);
INSERT INTO "entities" VALUES(1,'Agnes','person',0,1);
INSERT INTO "entities" VALUES(2,'Bertil','person',0,1);
INSERT INTO "entities" VALUES(3,'the mill','name',0,1);
CREATE TABLE erased (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    row INTEGER NOT NULL
);
CREATE TABLE links (
    row    INTEGER PRIMARY KEY,
    packed BLOB NOT NULL
);
INSERT INTO "links" VALUES(2,X'03000000830038');
INSERT INTO "links" VALUES(3,X'02000000020038');
CREATE TABLE mentions (
    entity INTEGER NOT NULL,
    row    INTEGER NOT NULL,
    PRIMARY KEY (entity, row)
) WITHOUT ROWID;
INSERT INTO "mentions" VALUES(1,2);
INSERT INTO "mentions" VALUES(2,2);
INSERT INTO "mentions" VALUES(3,2);
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "meta" VALUES('created_at','1772443800000000');
INSERT INTO "meta" VALUES('settings','{"analysis": "standard", "link_floor": 0.7, "links_per_entity_max": 50, "links_per_unit_max": 5, "recent_days": 30, "timezone": "UTC", "types": ["fact", "preference", "event", "entity", "opinion", "experience", "message"], "widen_below": 5}');
CREATE TABLE relations (
    id         INTEGER PRIMARY KEY,
    subject    INTEGER NOT NULL REFERENCES entities (id),
    relation   TEXT NOT NULL,
    object     INTEGER NOT NULL REFERENCES entities (id),
    class      TEXT NOT NULL,
    confidence REAL NOT NULL,
    valid_from INTEGER,
    valid_to   INTEGER,
    row        INTEGER,
    UNIQUE (subject, relation, object)
);
INSERT INTO "relations" VALUES(1,1,'runs',3,'structural',0.9,1768035600000000,NULL,2);
CREATE TABLE sessions (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    started_at INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,
    ended_at   INTEGER
);
INSERT INTO "sessions" VALUES(1,'s1',1768035600000000,1768035600000000,NULL);
CREATE TABLE terms (
    id   INTEGER PRIMARY KEY,
    term TEXT NOT NULL UNIQUE
);
INSERT INTO "terms" VALUES(1,'freez');
INSERT INTO "terms" VALUES(2,'froze');
INSERT INTO "terms" VALUES(3,'mill');
INSERT INTO "terms" VALUES(4,'pond');
INSERT INTO "terms" VALUES(5,'the');
INSERT INTO "terms" VALUES(6,'agn');
INSERT INTO "terms" VALUES(7,'agnes');
INSERT INTO "terms" VALUES(8,'bertil');
INSERT INTO "terms" VALUES(9,'run');
INSERT INTO "terms" VALUES(10,'runs');
INSERT INTO "terms" VALUES(11,'becaus');
INSERT INTO "terms" VALUES(12,'because');
INSERT INTO "terms" VALUES(13,'break');
INSERT INTO "terms" VALUES(14,'broke');
INSERT INTO "terms" VALUES(15,'frost');
INSERT INTO "terms" VALUES(16,'of');
INSERT INTO "terms" VALUES(17,'weir');
INSERT INTO "terms" VALUES(18,'after');
INSERT INTO "terms" VALUES(19,'sentenc');
INSERT INTO "terms" VALUES(20,'sentence');
INSERT INTO "terms" VALUES(21,'900');
INSERT INTO "terms" VALUES(22,'is');
INSERT INTO "terms" VALUES(23,'rent');
INSERT INTO "terms" VALUES(24,'950');
CREATE TABLE unit_tags (
    tag TEXT NOT NULL,
    row INTEGER NOT NULL,
    PRIMARY KEY (tag, row)
) WITHOUT ROWID;
INSERT INTO "unit_tags" VALUES('mill',2);
INSERT INTO "unit_tags" VALUES('work',2);
CREATE TABLE units (
    row            INTEGER PRIMARY KEY AUTOINCREMENT,
    id             TEXT NOT NULL UNIQUE,
    type           INTEGER NOT NULL,
    told_at        INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    occurred_start INTEGER,
    occurred_end   INTEGER,
    valid_from     INTEGER,
    valid_to       INTEGER,
    session        INTEGER REFERENCES sessions (id),
    tokens         INTEGER NOT NULL,
    length         INTEGER NOT NULL,
    identity       INTEGER NOT NULL,
    key            TEXT,
    speaker        TEXT,
    predicate      TEXT,
    context        TEXT,
    tags           TEXT,
    metadata       TEXT,
    document       TEXT,
    document_start INTEGER,
    document_end   INTEGER,
    supersedes     TEXT,
    superseded_by  TEXT,
    entities       BLOB,
    postings       BLOB NOT NULL,
    text           TEXT NOT NULL
);
INSERT INTO "units" VALUES(1,'06gy1ywvs9n4mvva23jd',2,1772443800000000,1772443800000000,NULL,NULL,NULL,NULL,NULL,5,5,4679747312318836253,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,X'05000000030000000400000002000000010000000101010101','The mill pond froze.');
INSERT INTO "units" VALUES(2,'06gy1ywvw17jn4cw8bpr',0,1768035600000000,1772443800000000,1768035600000000,1768035600000000,1768035600000000,1793955600000000,1,5,9,4876722945168782222,'agnes','Bertil','runs','work','["mill", "work"]','{"a": "é", "b": [1, 2.5, null]}',NULL,NULL,NULL,NULL,NULL,X'010000000200000003000000',X'0800000007000000060000000A00000009000000050000000300000001010105050101','Agnes runs the mill.');
INSERT INTO "units" VALUES(3,'06gy1ywvx289fckngzh6',2,1772443800000000,1772443800000000,NULL,NULL,NULL,NULL,NULL,8,9,5291568782696597980,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,X'05000000110000000E0000000D0000000C0000000B000000100000000F0000000201010101010101','The weir broke because of the frost.');
INSERT INTO "units" VALUES(4,'06gy1ywvyae5bec12g6h',0,1772443800000000,1772443800000000,NULL,NULL,NULL,NULL,NULL,320,400,3713419765751658762,NULL,NULL,NULL,NULL,NULL,NULL,'7d95ede353d788b7e60052a4',0,2000,NULL,NULL,NULL,X'140000001300000012000000A0A050','Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. ');
INSERT INTO "units" VALUES(5,'06gy1ywvybemw1shnmdt',0,1772443800000000,1772443800000000,NULL,NULL,NULL,NULL,NULL,160,200,-2559553054048773668,NULL,NULL,NULL,NULL,NULL,NULL,'7d95ede353d788b7e60052a4',2000,3000,NULL,NULL,NULL,X'140000001300000012000000505028','Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. Sentence after sentence. ');
INSERT INTO "units" VALUES(6,'06gy1ywvyzkx819fwa2z',0,1768035600000000,1772443800000000,NULL,NULL,NULL,1769763600000000,NULL,5,4,-4934470398046677491,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'06gy1ywvzcbkte7cz85n',NULL,X'0500000017000000160000001500000001010101','The rent is 900.');
INSERT INTO "units" VALUES(7,'06gy1ywvzcbkte7cz85n',0,1772703000000000,1772703000000000,NULL,NULL,1769763600000000,NULL,NULL,5,4,-9146454347983672504,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'06gy1ywvyzkx819fwa2z',NULL,NULL,X'0500000017000000160000001800000001010101','The rent is 950.');
CREATE TABLE vectors (
    row    INTEGER PRIMARY KEY,
    vector BLOB NOT NULL
);
CREATE TABLE vectors_next (
    row    INTEGER PRIMARY KEY,
    vector BLOB NOT NULL
);
CREATE INDEX units_by_identity ON units (identity);
CREATE UNIQUE INDEX units_by_key ON units (key) WHERE key IS NOT NULL;
CREATE INDEX units_by_time ON units (occurred_start) WHERE occurred_start IS NOT NULL;
CREATE INDEX units_by_end ON units (valid_to) WHERE valid_to IS NOT NULL;
CREATE INDEX units_by_told_at ON units (told_at);
CREATE INDEX units_by_session ON units (session) WHERE session IS NOT NULL;
CREATE INDEX aliases_by_entity ON aliases (entity);
CREATE INDEX aliases_by_confidence ON aliases (alias, confidence DESC);
CREATE INDEX relations_by_object ON relations (object);
CREATE INDEX relations_by_row ON relations (row) WHERE row IS NOT NULL;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('units',7);
COMMIT;
PRAGMA user_version=1;
