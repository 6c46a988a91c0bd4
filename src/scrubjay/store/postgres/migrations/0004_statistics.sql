-- The server samples columns and keeps what it found for its planner: the words and vectors of
-- units among it, and for a partitioned table also in a sample of the whole, which nothing ever
-- renews. What was forgotten would live on there. From here on only numbers are sampled.
DO $$
DECLARE
    told RECORD;
BEGIN
    FOR told IN
        SELECT c.oid, c.relname AS name, a.attname AS column, format_type(a.atttypid, -1) AS type,
            COALESCE((SELECT format(' COLLATE %s', l.oid::REGCOLLATION) FROM pg_collation AS l
                WHERE l.oid = a.attcollation AND l.collname <> 'default'), '') AS collation
        FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE AND c.relkind IN ('r', 'p')
        AND NOT c.relispartition AND c.relname <> 'migrations' AND a.attnum > 0
        AND NOT a.attisdropped
        AND (a.attname = 'identity' OR a.atttypid NOT IN ('bigint'::REGTYPE, 'integer'::REGTYPE,
            'smallint'::REGTYPE, 'boolean'::REGTYPE, 'double precision'::REGTYPE,
            'integer[]'::REGTYPE, 'smallint[]'::REGTYPE))
        ORDER BY c.relname, a.attnum
    LOOP
        EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS 0', told.name, told.column);
        -- What there is goes. Before PostgreSQL 18 only a superuser may take it away as such; for
        -- others it goes when a column is given a type, be it the same. Only tables that were
        -- sampled have any. Vectors with graphs are left, for those would all be built anew:
        -- `scrubjay admin check` names them if anything is kept.
        CONTINUE WHEN NOT EXISTS (
            SELECT 1 FROM pg_class AS p LEFT JOIN pg_inherits AS i ON i.inhrelid = p.oid
            WHERE (p.oid = told.oid OR i.inhparent = told.oid) AND p.reltuples >= 0);
        IF current_setting('server_version_num')::INTEGER >= 180000 THEN
            PERFORM pg_clear_attribute_stats('scrubjay', p.relname::TEXT, told.column, w.whole)
            FROM pg_class AS p LEFT JOIN pg_inherits AS i ON i.inhrelid = p.oid
            CROSS JOIN (VALUES (false), (true)) AS w (whole)
            WHERE p.oid = told.oid OR i.inhparent = told.oid;
        ELSIF current_setting('is_superuser') = 'on' THEN
            DELETE FROM pg_catalog.pg_statistic AS s USING pg_catalog.pg_attribute AS a
            WHERE a.attrelid = s.starelid AND a.attnum = s.staattnum AND a.attname = told.column
            AND (s.starelid = told.oid
                OR s.starelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = told.oid));
        ELSIF told.column <> 'vector' OR NOT EXISTS (
            SELECT 1 FROM pg_class AS g WHERE g.relnamespace = 'scrubjay'::REGNAMESPACE
            AND g.relkind = 'i' AND g.relname LIKE 'graph!_%' ESCAPE '!')
        THEN
            EXECUTE format('ALTER TABLE %I ALTER COLUMN %I TYPE %s%s', told.name, told.column,
                told.type, told.collation);
        END IF;
    END LOOP;
    -- A graph is an index on an expression, which is sampled too.
    FOR told IN
        SELECT c.oid, c.relname AS name, a.attname AS column
        FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = 1
        WHERE c.relnamespace = 'scrubjay'::REGNAMESPACE AND c.relkind = 'i'
        AND c.relname LIKE 'graph!_%' ESCAPE '!'
    LOOP
        EXECUTE format('ALTER INDEX %I ALTER COLUMN 1 SET STATISTICS 0', told.name);
        IF current_setting('server_version_num')::INTEGER >= 180000 THEN
            PERFORM pg_clear_attribute_stats('scrubjay', told.name::TEXT, told.column, false);
        ELSIF current_setting('is_superuser') = 'on' THEN
            DELETE FROM pg_catalog.pg_statistic AS s WHERE s.starelid = told.oid;
        END IF;
    END LOOP;
END $$;
