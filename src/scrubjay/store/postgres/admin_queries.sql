-- The statements of upkeep and administration, run in the owner's role. Names in braces are
-- filled in with numbers and with names the server itself gave.

-- name: graph_of
SELECT c.relname, i.indisvalid FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
WHERE i.indrelid = to_regclass($1) AND c.relname LIKE $2 ESCAPE '!'

-- name: lock_graph
SELECT pg_try_advisory_lock(415882331, $1)

-- name: make_graph
CREATE INDEX CONCURRENTLY {name} ON {table}
USING hnsw ((vector::HALFVEC({dimension})) halfvec_ip_ops) WITH (m = 16, ef_construction = 100)
WHERE bank_id = {bank}{of_type} AND vector_dims(vector) = {dimension}

-- name: hide_graph
ALTER INDEX scrubjay.{name} ALTER COLUMN 1 SET STATISTICS 0

-- name: drop_graph
DROP INDEX CONCURRENTLY IF EXISTS {name}

-- name: analyze
ANALYZE {table}

-- name: vectors_of_bank
SELECT c.oid::REGCLASS::TEXT FROM pg_class AS c
LEFT JOIN pg_inherits AS i ON i.inhrelid = c.oid
WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE AND c.relkind = 'r'
AND (c.relname = 'vectors' OR i.inhparent = 'scrubjay.vectors'::REGCLASS
    AND satisfies_hash_partition(i.inhparent, 64, substring(c.relname FROM '[0-9]+$')::INTEGER, $1::BIGINT))

-- name: tables_of_bank
SELECT c.oid::REGCLASS::TEXT FROM pg_class AS c
LEFT JOIN pg_inherits AS i ON i.inhrelid = c.oid
WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE AND c.relkind = 'r' AND c.relname <> 'migrations'
AND (i.inhparent IS NULL
    OR satisfies_hash_partition(i.inhparent, 64, substring(c.relname FROM '[0-9]+$')::INTEGER, $1::BIGINT))
ORDER BY c.relname <> 'bank_state', 1

-- name: rewrite
VACUUM (FULL, ANALYZE) {table}

-- name: next_transaction
SELECT pg_snapshot_xmax(pg_current_snapshot())::TEXT::BIGINT

-- name: oldest_kept
SELECT relfrozenxid || ' ' || pg_has_role(relowner, 'USAGE') FROM pg_class
WHERE oid = to_regclass('{table}')

-- name: partitioned_tables
SELECT c.relname FROM pg_class AS c
WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE AND c.relkind = 'p' ORDER BY 1

-- name: drop_parted
DROP TABLE scrubjay.{table}_parted

-- name: hide_columns
DO $$
DECLARE
    told NAME;
BEGIN
    FOR told IN
        SELECT a.attname FROM pg_attribute AS a
        JOIN pg_attribute AS b ON b.attname = a.attname AND b.attrelid = 'scrubjay.{table}_parted'::REGCLASS
        WHERE a.attrelid = 'scrubjay.{table}'::REGCLASS AND a.attnum > 0 AND b.attstattarget = 0
    LOOP
        EXECUTE format('ALTER TABLE scrubjay.{table} ALTER COLUMN %I SET STATISTICS 0', told);
    END LOOP;
END $$

-- name: policies
SELECT c.relname, p.polname FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid
WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE AND NOT c.relispartition ORDER BY 1, 2

-- name: drop_policy
DROP POLICY {policy} ON scrubjay.{table}

-- name: expose
ALTER TABLE scrubjay.{table} NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY

-- name: grant_app
GRANT SELECT, INSERT, UPDATE, DELETE ON scrubjay.{table} TO scrubjay_app

-- name: forget_graphs
UPDATE scrubjay.bank_state SET graphs = '{}' WHERE graphs <> '{}'

-- name: protected_tables
SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity AND EXISTS (
        SELECT 1 FROM pg_policy AS p WHERE p.polrelid = c.oid AND p.polname = 'own_bank')
    AND NOT EXISTS (SELECT 1 FROM pg_policy AS p WHERE p.polrelid = c.oid AND p.polpermissive
        AND p.polname <> 'own_bank' AND c.relname <> 'banks')
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'bank_id'
WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE AND c.relkind IN ('r', 'p')
ORDER BY c.relispartition, c.relname

-- name: some_banks
SELECT bank_id FROM scrubjay.banks ORDER BY bank_id LIMIT 2

-- name: role_at_work
SELECT r.rolname, r.rolsuper OR r.rolbypassrls, pg_has_role(r.rolname, c.relowner, 'USAGE')
FROM pg_roles AS r, pg_class AS c
WHERE r.rolname = current_user AND c.oid = 'scrubjay.units'::REGCLASS

-- name: readable
SELECT has_table_privilege('scrubjay.' || $1::TEXT, 'SELECT')

-- name: rows_of_others
SELECT EXISTS (SELECT 1 FROM scrubjay.{table}
    WHERE bank_id IS DISTINCT FROM NULLIF(current_setting('scrubjay.bank_id', true), '')::BIGINT)

-- name: delete_others
DELETE FROM scrubjay.banks
WHERE bank_id IS DISTINCT FROM NULLIF(current_setting('scrubjay.bank_id', true), '')::BIGINT
RETURNING true

-- name: sampled_columns
SELECT c.relname || '.' || a.attname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE AND c.relname <> 'migrations' AND a.attnum > 0
AND NOT a.attisdropped AND COALESCE(a.attstattarget, -1) <> 0
AND (c.relkind IN ('r', 'p') AND (a.attname = 'identity' OR a.atttypid NOT IN ('bigint'::REGTYPE,
        'integer'::REGTYPE, 'smallint'::REGTYPE, 'boolean'::REGTYPE, 'double precision'::REGTYPE,
        'integer[]'::REGTYPE, 'smallint[]'::REGTYPE))
    OR c.relkind = 'i' AND c.relname LIKE 'graph!_%' ESCAPE '!')
ORDER BY 1

-- name: samples_readable
SELECT has_table_privilege('pg_catalog.pg_statistic', 'SELECT')

-- name: samples_kept
SELECT c.relname || '.' || a.attname FROM pg_statistic AS s JOIN pg_class AS c ON c.oid = s.starelid
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = s.staattnum
WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE AND a.attstattarget = 0 ORDER BY 1

-- name: foreign_keys
SELECT c.conrelid::REGCLASS::TEXT, c.conname, pg_get_constraintdef(c.oid) FROM pg_constraint AS c
WHERE c.connamespace = 'scrubjay'::REGNAMESPACE AND c.contype = 'f' AND c.conparentid = 0 ORDER BY 1, 2
