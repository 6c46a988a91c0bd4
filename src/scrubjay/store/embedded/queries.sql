-- Every statement the embedded bank runs. Lists of numbers or names are passed as one JSON array.
-- Names in braces are lists of a unit's columns (tables/sql.py).

-- name: get_meta
SELECT value FROM meta WHERE key = ?

-- name: set_meta
INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: delete_meta
DELETE FROM meta WHERE key = ?

-- name: last_row
SELECT seq FROM sqlite_sequence WHERE name = 'units'

-- name: last_term
SELECT COALESCE(MAX(id), 0) FROM terms

-- name: insert_unit
INSERT INTO units ({columns}, entities, postings, digest) VALUES ({places}, ?, ?, ?)

-- name: insert_tag
INSERT OR IGNORE INTO unit_tags (tag, row) VALUES (?, ?)

-- name: insert_vector
INSERT INTO vectors (row, vector, late) VALUES (?, ?, ?)

-- name: find_terms
SELECT term, id FROM terms WHERE term IN (SELECT value FROM json_each(?))

-- name: insert_term
INSERT INTO terms (id, term, holders) VALUES (?, ?, ?)

-- name: count_holders
UPDATE terms SET holders = MIN(holders + ?2, ?3) WHERE id IN (SELECT value FROM json_each(?1)) AND holders < ?3
RETURNING id, holders

-- name: terms_of_numbers
SELECT id, term FROM terms WHERE id IN (SELECT value FROM json_each(?))

-- name: holders_of_terms
SELECT id, holders FROM terms WHERE id IN (SELECT value FROM json_each(?))

-- name: delete_term
DELETE FROM terms WHERE id = ?

-- name: known_by_identity
SELECT id, row, identity, key FROM units WHERE identity IN (SELECT value FROM json_each(?))

-- name: known_by_key
SELECT id, row, identity, key FROM units WHERE key IN (SELECT value FROM json_each(?))

-- name: rows_of_ids
SELECT id, row FROM units WHERE id IN (SELECT value FROM json_each(?))

-- name: ids_of_rows
SELECT row, id FROM units WHERE row IN (SELECT value FROM json_each(?))

-- name: hydrate
SELECT u.row, u.entities, s.name, {selected}
FROM units AS u LEFT JOIN sessions AS s ON s.id = u.session
WHERE u.row IN (SELECT value FROM json_each(?))

-- name: texts_of_rows
SELECT u.row, u.text FROM json_each(?) AS n CROSS JOIN units AS u ON u.row = n.value

-- name: lines_of_rows
SELECT u.row, u.supersedes, u.superseded_by
FROM json_each(?) AS n CROSS JOIN units AS u ON u.row = n.value

-- name: rows_after
SELECT row FROM units WHERE row > ? ORDER BY row LIMIT ?

-- name: columns_after
SELECT {indexed}
FROM units WHERE row > ? ORDER BY row

-- name: postings_after
SELECT row, length, postings FROM units WHERE row > ? ORDER BY row

-- name: postings_of_rows
SELECT row, length, postings FROM units WHERE row IN (SELECT value FROM json_each(?)) ORDER BY row

-- name: vectors_after
SELECT v.row, u.type, v.vector FROM vectors AS v JOIN units AS u ON u.row = v.row WHERE v.row > ? ORDER BY v.row

-- name: records_of_rows
SELECT u.row, u.identity, v.vector, l.packed, v.late FROM units AS u
LEFT JOIN vectors AS v ON v.row = u.row LEFT JOIN links AS l ON l.row = u.row
WHERE u.row IN (SELECT value FROM json_each(?))

-- name: links_of_rows
SELECT row, packed FROM links WHERE row IN (SELECT value FROM json_each(?))

-- name: put_links
INSERT INTO links (row, packed, updating) VALUES (?, ?, ?)
ON CONFLICT (row) DO UPDATE SET packed = excluded.packed, updating = excluded.updating

-- name: updating_rows
SELECT row FROM links WHERE updating AND row < ?

-- name: entities_of_rows
SELECT row, entities FROM units WHERE row IN (SELECT value FROM json_each(?)) AND entities IS NOT NULL

-- name: set_unit_entities
UPDATE units SET entities = ? WHERE row = ?

-- name: entity_names
SELECT e.id, e.name FROM json_each(?) AS n CROSS JOIN entities AS e ON e.id = n.value

-- name: entity_totals
SELECT id, mentions FROM entities WHERE id IN (SELECT value FROM json_each(?))

-- name: newest_mentions
SELECT e.value, (SELECT group_concat(row) FROM
    (SELECT row FROM mentions WHERE entity = e.value ORDER BY row DESC LIMIT ?2)),
    (SELECT mentions FROM entities WHERE id = e.value)
FROM json_each(?1) AS e

-- name: all_mentions
SELECT row FROM mentions WHERE entity = ?

-- name: insert_mention
INSERT OR IGNORE INTO mentions (entity, row) VALUES (?, ?)

-- name: delete_mention
DELETE FROM mentions WHERE entity = ? AND row = ?

-- name: insert_entity
INSERT INTO entities (name, kind, explicit, mentions) VALUES (?, ?, ?, 0)

-- name: entities_after
SELECT id, name, kind, explicit FROM entities WHERE id > ? ORDER BY id LIMIT ?

-- name: put_entity
INSERT OR IGNORE INTO entities (id, name, kind, explicit, mentions) VALUES (?, ?, ?, ?, 0)

-- name: alias_confidences
SELECT alias, confidence FROM aliases WHERE entity = ? ORDER BY confidence DESC, alias

-- name: mark_entity_explicit
UPDATE entities SET explicit = 1 WHERE id = ? AND explicit = 0

-- name: rename_entity
-- What it was called before stays among its aliases.
UPDATE entities SET name = ? WHERE id = ?

-- name: count_mentions
UPDATE entities SET mentions = mentions + ? WHERE id = ?

-- name: recount_mentions
UPDATE entities SET mentions = (SELECT COUNT(*) FROM mentions WHERE entity = entities.id) WHERE id = ?

-- name: insert_alias
INSERT INTO aliases (alias, entity, confidence) VALUES (?, ?, ?)
ON CONFLICT (alias, entity) DO UPDATE SET confidence = MAX(confidence, excluded.confidence)

-- name: few_aliases
SELECT a.alias, a.entity, e.name, e.kind, a.confidence, e.mentions
FROM json_each(?1) AS n CROSS JOIN aliases AS a ON a.alias = n.value CROSS JOIN entities AS e ON e.id = a.entity
LIMIT ?2

-- name: lookup_aliases
SELECT a.alias, a.entity, e.name, e.kind, a.confidence, e.mentions
FROM json_each(?1) AS n CROSS JOIN aliases AS a ON a.alias = n.value CROSS JOIN entities AS e ON e.id = a.entity
WHERE a.entity IN (SELECT b.entity FROM aliases AS b WHERE b.alias = n.value ORDER BY b.confidence DESC LIMIT ?2)

-- name: whole_names
-- Of many short names, most of which are only parts of some.
SELECT n.value FROM json_each(?1) AS n
WHERE EXISTS (SELECT 1 FROM aliases AS a WHERE a.alias = n.value AND a.confidence = 1)

-- name: aliases_of_entity
SELECT alias FROM aliases WHERE entity = ? ORDER BY confidence DESC, alias

-- name: get_entity
SELECT id, name, kind, mentions FROM entities WHERE id = ?

-- name: list_entities
SELECT id, name, kind, mentions FROM entities
WHERE ?1 IS NULL OR id IN (SELECT entity FROM aliases WHERE instr(alias, ?1) > 0)
ORDER BY mentions DESC, id LIMIT ?2 OFFSET ?3

-- name: orphan_entities
SELECT id FROM entities AS e
WHERE id IN (SELECT value FROM json_each(?1)) AND mentions = 0 AND (explicit = 0 OR ?2)
AND NOT EXISTS (SELECT 1 FROM relations WHERE subject = e.id OR object = e.id)

-- name: delete_entities
DELETE FROM entities WHERE id IN (SELECT value FROM json_each(?))

-- name: delete_aliases
DELETE FROM aliases WHERE entity IN (SELECT value FROM json_each(?))

-- name: move_aliases
UPDATE OR IGNORE aliases SET entity = ? WHERE entity = ?

-- name: put_relation
INSERT INTO relations (subject, relation, object, class, confidence, valid_from, valid_to, told, row)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (subject, relation, object, COALESCE(row, 0)) DO UPDATE SET class = excluded.class,
    confidence = excluded.confidence, valid_from = excluded.valid_from, valid_to = excluded.valid_to,
    told = MAX(told, excluded.told)
RETURNING id

-- name: relations_after
SELECT r.id, r.subject, r.object, s.name, r.relation, o.name, r.class, r.confidence, r.valid_from, r.valid_to, r.told,
    u.id
FROM relations AS r JOIN entities AS s ON s.id = r.subject JOIN entities AS o ON o.id = r.object
LEFT JOIN units AS u ON u.row = r.row
WHERE r.id > ? ORDER BY r.id LIMIT ?

-- name: copy_relation
INSERT OR IGNORE INTO relations (id, subject, relation, object, class, confidence, valid_from, valid_to, told, row)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT row FROM units WHERE id = ?))

-- name: delete_relations_of_rows
DELETE FROM relations WHERE row IN (SELECT value FROM json_each(?)) RETURNING subject, object

-- name: delete_read_relations
DELETE FROM relations WHERE row IN (SELECT value FROM json_each(?)) AND told = 0 RETURNING subject, object

-- name: move_relation_subjects
UPDATE OR IGNORE relations SET subject = ? WHERE subject = ?

-- name: move_relation_objects
UPDATE OR IGNORE relations SET object = ? WHERE object = ?

-- name: delete_relations_of_entity
DELETE FROM relations WHERE subject = ?1 OR object = ?1 RETURNING subject, object

-- name: unmentioned_by_alias
SELECT e.id FROM aliases AS a JOIN entities AS e ON e.id = a.entity WHERE a.alias = ? AND e.mentions = 0

-- name: unmentioned_by_number
SELECT id FROM entities WHERE id = ? AND mentions = 0

-- name: move_relation_rows
UPDATE relations SET row = ? WHERE row = ?

-- name: relations_touching
SELECT 1, r.subject, r.object, e.name, r.relation, r.class, r.confidence, r.valid_from, r.valid_to, r.told, r.row, r.id
FROM json_each(?1) AS n CROSS JOIN relations AS r ON r.id IN
    (SELECT x.id FROM relations AS x WHERE x.subject = n.value ORDER BY x.told DESC, x.id DESC LIMIT ?2)
CROSS JOIN entities AS e ON e.id = r.object
UNION ALL
SELECT 0, r.object, r.subject, e.name, r.relation, r.class, r.confidence, r.valid_from, r.valid_to, r.told, r.row, r.id
FROM json_each(?1) AS n CROSS JOIN relations AS r ON r.id IN
    (SELECT x.id FROM relations AS x WHERE x.object = n.value ORDER BY x.told DESC, x.id DESC LIMIT ?2)
CROSS JOIN entities AS e ON e.id = r.subject
ORDER BY 1 DESC, 12

-- name: list_relations
SELECT r.subject, r.object, r.id, r.relation, r.class, r.confidence, r.valid_from, r.valid_to, r.told, u.id
FROM relations AS r LEFT JOIN units AS u ON u.row = r.row ORDER BY r.id LIMIT ? OFFSET ?

-- name: relation_said_by
SELECT r.id FROM units AS u JOIN relations AS r ON r.row = u.row
WHERE u.id = ? AND r.relation = ? ORDER BY r.told DESC, r.id DESC LIMIT 1

-- name: touch_session
INSERT INTO sessions (name, started_at, last_at) VALUES (?1, ?2, ?2)
ON CONFLICT (name) DO UPDATE SET started_at = MIN(started_at, excluded.started_at), last_at = MAX(last_at, excluded.last_at)
RETURNING id

-- name: sessions_of_rows
SELECT DISTINCT session FROM units WHERE row IN (SELECT value FROM json_each(?)) AND session IS NOT NULL

-- name: delete_empty_sessions
DELETE FROM sessions WHERE (id IN (SELECT value FROM json_each(?1)) OR name = ?2)
AND NOT EXISTS (SELECT 1 FROM units WHERE session = sessions.id)

-- name: find_session
SELECT id FROM sessions WHERE name = ?

-- name: start_session
INSERT INTO sessions (name, started_at, last_at) VALUES (?1, ?2, ?2)
ON CONFLICT (name) DO UPDATE SET ended_at = NULL

-- name: end_session
UPDATE sessions SET ended_at = MAX(?2, started_at), last_at = MAX(last_at, ?2) WHERE name = ?1

-- name: get_session
SELECT s.name, s.started_at, s.last_at, s.ended_at, (SELECT COUNT(*) FROM units WHERE session = s.id)
FROM sessions AS s WHERE s.name = ?

-- name: list_sessions
SELECT s.name, s.started_at, s.last_at, s.ended_at, (SELECT COUNT(*) FROM units WHERE session = s.id)
FROM (SELECT * FROM sessions ORDER BY ?1 * started_at, ?1 * id LIMIT ?2 OFFSET ?3) AS s
ORDER BY ?1 * s.started_at, ?1 * s.id

-- name: session_times
SELECT name, started_at, COALESCE(ended_at, last_at), ended_at IS NULL FROM sessions ORDER BY started_at, id

-- name: session_rows
SELECT row FROM units WHERE session = (SELECT id FROM sessions WHERE name = ?) ORDER BY row DESC LIMIT ?

-- name: tagged_rows
SELECT row FROM unit_tags WHERE tag = ?

-- name: rows_with_metadata
SELECT u.row FROM units AS u
WHERE u.metadata IS NOT NULL AND NOT EXISTS (SELECT 1 FROM json_each(?) AS m
    WHERE NOT EXISTS (SELECT 1 FROM json_each(u.metadata) AS s
        WHERE s.key = m.key AND s.value IS m.value
        AND (s.type = m.type OR (s.type IN ('integer', 'real') AND m.type IN ('integer', 'real')))))

-- name: put_pending
INSERT OR IGNORE INTO pending (id, identity, created_at, unit) VALUES (?, ?, ?, ?)

-- name: list_pending
SELECT id, identity, created_at, unit FROM pending ORDER BY id LIMIT ? OFFSET ?

-- name: find_pending
SELECT id, identity, created_at, unit FROM pending WHERE id IN (SELECT value FROM json_each(?1))
UNION SELECT id, identity, created_at, unit FROM pending WHERE identity IN (SELECT value FROM json_each(?2))
ORDER BY id

-- name: drop_pending
DELETE FROM pending WHERE id IN (SELECT value FROM json_each(?))

-- name: count_pending
SELECT COUNT(*) FROM pending

-- name: rows_by_author
SELECT row FROM units WHERE author = ?

-- name: rows_from_origin
SELECT row FROM units WHERE origin = ?

-- name: row_of_key
SELECT row FROM units WHERE key = ?

-- name: mentioning_rows
SELECT row FROM mentions WHERE entity IN (SELECT value FROM json_each(?))

-- name: terms_between
SELECT id FROM terms WHERE term >= ? AND term < ? LIMIT ?

-- name: close_validity
UPDATE units SET valid_to = ?, closed_at = ?, superseded_by = ? WHERE id = ? RETURNING row

-- name: begin_validity
UPDATE units SET supersedes = ?2, valid_from = CASE WHEN valid_from IS NULL AND COALESCE(valid_to >= ?3, true) THEN ?3 ELSE valid_from END
WHERE id = ?1 RETURNING row, valid_from

-- name: in_lineage
SELECT id FROM units WHERE id IN (SELECT value FROM json_each(?)) AND (supersedes IS NOT NULL OR superseded_by IS NOT NULL)

-- name: bridge_superseded
UPDATE units SET superseded_by = (SELECT superseded_by FROM units WHERE id = ?1) WHERE superseded_by = ?1
RETURNING id

-- name: bridge_superseding
UPDATE units SET supersedes = (SELECT supersedes FROM units WHERE id = ?1) WHERE supersedes = ?1

-- name: without_successor
SELECT id FROM units WHERE id IN (SELECT value FROM json_each(?)) AND superseded_by IS NULL ORDER BY row

-- name: unlink_superseding
UPDATE units SET supersedes = NULL WHERE supersedes = ?

-- name: delete_units
DELETE FROM units WHERE row IN (SELECT value FROM json_each(?))

-- name: delete_tags
DELETE FROM unit_tags WHERE row IN (SELECT value FROM json_each(?))

-- name: delete_vectors
DELETE FROM vectors WHERE row IN (SELECT value FROM json_each(?))

-- name: delete_next_vectors
DELETE FROM vectors_next WHERE row IN (SELECT value FROM json_each(?))

-- name: delete_links
DELETE FROM links WHERE row IN (SELECT value FROM json_each(?))

-- name: log_erased
INSERT INTO erased (row) SELECT value FROM json_each(?)

-- name: erased_after
SELECT seq, row FROM erased WHERE seq > ? ORDER BY seq

-- name: last_erased
SELECT COALESCE(MAX(seq), 0) FROM erased

-- name: ended_units
SELECT row, valid_to, closed_at FROM units WHERE valid_to IS NOT NULL

-- name: succeeding_units
SELECT row, valid_from FROM units WHERE supersedes IS NOT NULL AND valid_from IS NOT NULL

-- name: count_units
SELECT COUNT(*) FROM units

-- name: count_by_type
SELECT type, COUNT(*) FROM units GROUP BY type ORDER BY type

-- name: count_entities
SELECT COUNT(*) FROM entities

-- name: count_relations
SELECT COUNT(*) FROM relations

-- name: count_sessions
SELECT COUNT(*) FROM sessions

-- name: count_vectors
SELECT COUNT(*) FROM vectors

-- name: count_terms
SELECT COUNT(*) FROM terms

-- name: link_bytes
SELECT COALESCE(SUM(LENGTH(packed)), 0) FROM links

-- name: told_bytes
SELECT COALESCE(SUM({told_bytes}), 0) FROM units

-- name: told_bytes_of_rows
SELECT COALESCE(SUM({told_bytes}), 0) FROM units WHERE row IN (SELECT value FROM json_each(?))

-- name: count_bytes
UPDATE meta SET value = CAST(value AS INTEGER) + ? WHERE key = 'told_bytes'

-- name: uncount_bytes
UPDATE meta SET value = CAST(value AS INTEGER) - (SELECT COALESCE(SUM({told_bytes}), 0) FROM units
    WHERE row IN (SELECT value FROM json_each(?))) WHERE key = 'told_bytes'

-- name: pending_bytes
SELECT COALESCE(SUM(LENGTH(CAST(unit AS BLOB))), 0) FROM pending

-- name: told_bounds
SELECT MIN(told_at), MAX(told_at) FROM units

-- name: newest_told
SELECT MAX(told_at) FROM units

-- name: rows_without_vector
SELECT u.row FROM units AS u LEFT JOIN vectors AS v ON v.row = u.row WHERE v.row IS NULL AND u.row > ? ORDER BY u.row LIMIT ?

-- name: rows_not_reembedded
SELECT u.row FROM units AS u LEFT JOIN vectors_next AS v ON v.row = u.row WHERE v.row IS NULL AND u.row > ? ORDER BY u.row LIMIT ?

-- name: put_next_vector
INSERT INTO vectors_next (row, vector, late) SELECT row, ?2, ?3 FROM units WHERE row = ?1
ON CONFLICT (row) DO UPDATE SET vector = excluded.vector, late = excluded.late

-- name: clear_next_vectors
DELETE FROM vectors_next

-- name: adopt_next_vectors
INSERT INTO vectors (row, vector, late) SELECT row, vector, late FROM vectors_next

-- name: late_of_rows
SELECT row, late FROM vectors WHERE row IN (SELECT value FROM json_each(?)) AND late IS NOT NULL

-- name: put_late
UPDATE vectors SET late = ?2 WHERE row = ?1

-- name: clear_late
UPDATE vectors SET late = NULL WHERE late IS NOT NULL

-- name: clear_next_late
UPDATE vectors_next SET late = NULL WHERE late IS NOT NULL

-- name: clear_vectors
DELETE FROM vectors

-- name: units_to_check
SELECT row, length, entities, postings FROM units ORDER BY row

-- name: units_to_verify
SELECT row, digest, {digested}
FROM units WHERE digest IS NOT NULL ORDER BY row

-- name: all_holders
SELECT id, holders FROM terms

-- name: entity_numbers
SELECT id FROM entities

-- name: vector_rows
SELECT row FROM vectors ORDER BY row

-- name: all_mention_pairs
SELECT entity, row FROM mentions ORDER BY row, entity

-- name: mention_counts_wrong
SELECT id, mentions, (SELECT COUNT(*) FROM mentions WHERE entity = entities.id) AS counted
FROM entities WHERE mentions <> (SELECT COUNT(*) FROM mentions WHERE entity = entities.id)

-- name: vectors_without_unit
SELECT v.row FROM vectors AS v LEFT JOIN units AS u ON u.row = v.row WHERE u.row IS NULL

-- name: links_without_unit
SELECT l.row FROM links AS l LEFT JOIN units AS u ON u.row = l.row WHERE u.row IS NULL

-- name: all_links
SELECT row, packed FROM links ORDER BY row

-- name: frequent_terms
SELECT term FROM terms WHERE id IN (SELECT value FROM json_each(?))

-- name: lineage
SELECT supersedes, superseded_by, created_at FROM units WHERE row = ?

-- name: put_judgement
INSERT INTO judgements (asked_at, question, unit, missed) VALUES (?, ?, ?, ?)
ON CONFLICT (asked_at, question, unit) DO UPDATE SET missed = excluded.missed

-- name: judgements
SELECT asked_at, question, unit, missed FROM judgements ORDER BY asked_at, question, unit

-- name: delete_judgements
-- All that was said of an answer goes with any unit it names: its question may tell what that unit did.
DELETE FROM judgements WHERE (asked_at, question) IN (
    SELECT asked_at, question FROM judgements WHERE unit IN (SELECT value FROM json_each(?)))
