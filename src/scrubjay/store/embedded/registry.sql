-- The list of banks in a store; each bank is a folder of its own.
CREATE TABLE banks (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
);
