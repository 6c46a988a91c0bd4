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
WHERE bank_id = {bank} AND type = {type} AND vector_dims(vector) = {dimension}

-- name: hide_graph
ALTER INDEX {name} ALTER COLUMN 1 SET STATISTICS 0

-- name: drop_graph
DROP INDEX CONCURRENTLY IF EXISTS {name}

-- name: analyze
ANALYZE {table}

-- name: graphs_of_bank
SELECT n.nspname || '.' || c.relname FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind = 'i' AND n.nspname = 'scrubjay' AND c.relname LIKE $1 ESCAPE '!'

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
SELECT relfrozenxid::TEXT::BIGINT, pg_has_role(relowner, 'USAGE') FROM pg_class
WHERE oid = to_regclass($1)

-- name: partitioned_tables
SELECT c.relname FROM pg_class AS c
WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE AND c.relkind = 'p' ORDER BY 1

-- name: flatten
ALTER TABLE scrubjay.{table} RENAME TO {table}_parted;
CREATE TABLE scrubjay.{table} (LIKE scrubjay.{table}_parted INCLUDING ALL);
INSERT INTO scrubjay.{table} SELECT * FROM scrubjay.{table}_parted

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
DROP POLICY {policy} ON scrubjay.{table};
ALTER TABLE scrubjay.{table} NO FORCE ROW LEVEL SECURITY;
ALTER TABLE scrubjay.{table} DISABLE ROW LEVEL SECURITY

-- name: grant_app
GRANT SELECT, INSERT, UPDATE, DELETE ON scrubjay.{table} TO scrubjay_app

-- name: forget_graphs
UPDATE scrubjay.bank_state SET graphs = '{}' WHERE graphs <> '{}'

-- name: citus_available
SELECT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'citus')

-- name: citus_there
SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus')

-- name: spread_already
SELECT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('scrubjay.bank_state'))

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

-- name: make_citus
CREATE EXTENSION IF NOT EXISTS citus

-- name: foreign_keys
SELECT c.conrelid::REGCLASS::TEXT, c.conname, pg_get_constraintdef(c.oid) FROM pg_constraint AS c
WHERE c.connamespace = 'scrubjay'::REGNAMESPACE AND c.contype = 'f' AND c.conparentid = 0 ORDER BY 1, 2

-- name: drop_foreign_key
ALTER TABLE {table} DROP CONSTRAINT {name}

-- name: add_foreign_key
ALTER TABLE {table} ADD CONSTRAINT {name} {definition}

-- name: distribute_names
SELECT create_reference_table('scrubjay.banks')

-- name: distribute_first
SELECT create_distributed_table('scrubjay.bank_state', 'bank_id', shard_count := 64)

-- name: distribute_beside
SELECT create_distributed_table('scrubjay.{table}', 'bank_id', colocate_with := 'scrubjay.bank_state')

-- name: search_settings
DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET hnsw.ef_search = 200', current_database());
    EXECUTE format('ALTER DATABASE %I SET hnsw.iterative_scan = relaxed_order', current_database());
END $$
