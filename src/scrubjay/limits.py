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

# Units in one call of `retain`; larger imports are cut into batches by the importer.
UNITS_PER_CALL_MAX = 10_000

# Rows on one page of a listing.
PAGE_UNITS_MAX = 1_000

# Incoming links kept per unit and kind, newest first, so that a popular unit stays cheap to expand.
INCOMING_LINKS_MAX = 50

# Characters of a question that are read; the rest is dropped by the parser.
QUESTION_CHARACTERS_MAX = 10_000
