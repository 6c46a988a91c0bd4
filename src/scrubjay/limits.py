"""Bounds that must hold, each with the harm it prevents."""

from __future__ import annotations

# A unit longer than this is cut into several; the encoders read about 512 tokens, and a page
# of text answers a question better than a book.
UNIT_CHARACTERS_MAX = 2_000

# One `retain` of more text than this is refused: 10 MB of prose is a file to import, and
# cutting, embedding and committing it in one transaction would hold the bank for minutes.
TEXT_CHARACTERS_MAX = 5_000_000

# Labels are for filtering; a unit with thousands of them is a mistake in the caller's loop.
TAGS_MAX = 100
TAG_CHARACTERS_MAX = 200
ENTITIES_PER_UNIT_MAX = 200
RELATIONS_PER_UNIT_MAX = 200
# Told ones first, then the newest; of a hub, a walk would otherwise read the whole bank.
RELATIONS_PER_ENTITY_MAX = 200
CAUSES_PER_UNIT_MAX = 200

# Metadata rides along with every hydrated row.
METADATA_BYTES_MAX = 65_536
METADATA_DEPTH_MAX = 32

SHORT_TEXT_CHARACTERS_MAX = 2_000  # predicate, context
NAME_CHARACTERS_MAX = 200  # key, session, speaker, entity

# A name is a folder on some stores and part of a URL on others.
BANK_NAME_CHARACTERS_MAX = 100

# Years the date arithmetic can shift without leaving the calendar.
YEAR_MIN = 1000
YEAR_MAX = 3000

# Items and tokens of one answer: more is a listing, which has pages.
RECALL_ITEMS_MAX = 1_000
RECALL_TOKENS_MAX = 10_000_000
# Banks of one recall; each is searched as if it had been asked alone.
BANKS_PER_RECALL_MAX = 20
# Units that one recall may be told to visit along links: each costs look-ups of its own.
GRAPH_NODES_MAX = 10_000
# How long one recall may be told to take, in milliseconds.
RECALL_DEADLINE_MS_MAX = 3_600_000

# Units in one call of `retain`; larger imports are cut into batches by the importer.
UNITS_PER_CALL_MAX = 10_000

# Units of a lineage that are shown; a fact that changed more often is a counter.
LINEAGE_UNITS_MAX = 200

# Spans of one histogram: more than a screen has columns for.
HISTOGRAM_BUCKETS_MAX = 400

# Nodes of one neighbourhood: more is a ball of wool.
NEIGHBOURHOOD_NODES_MAX = 200

# Units that wait to be approved: what nobody could go through is refused, not piled up.
PENDING_UNITS_MAX = 10_000

# Rows on one page of a listing.
PAGE_UNITS_MAX = 1_000

# Incoming links kept per unit and kind, newest first, so that a popular unit stays cheap to expand.
INCOMING_LINKS_MAX = 50

# Characters of a question that are read; the rest is dropped by the parser.
QUESTION_CHARACTERS_MAX = 10_000

# Characters of one term; a longer word is found by its beginning, and by its parts. Base64 and
# the like are nobody's words, and each would be a key of its own in the dictionary.
TERM_CHARACTERS_MAX = 256

# Words that the beginning of a typed one may stand for; on a server, blocks of their postings. A
# letter that nearly every word of a large bank begins with would have all of its index read.
TYPED_WORDS_MAX = 20_000

# Parts of a version that are indexed from its first on (16, 16.2, 16.2.1). One term for each part
# of a text that is a single long version made a store a thousand times as large as the text.
VERSION_PARTS_MAX = 8

# Quotations of one question; each is looked for in every candidate's text. More count as words.
PHRASES_PER_QUESTION_MAX = 50

# Times that are tried in one text; more are a table or junk, and each costs as much as a sentence.
TIMES_PER_TEXT_MAX = 200

# Accents in a row on one letter, as Unicode's stream-safe format has it: to put them in order
# takes the square of their number, and no language has more than a few.
COMBINING_MARKS_MAX = 30

# How deep a search goes for the sake of many items. To five times its limit a recall of 300 had
# 1,500 of each retriever fetched, fused and weighed to show 300. Who asks for more items than this
# gets as many, and a preset's own `at_least` stands.
SEARCH_DEPTH_MAX = 500
