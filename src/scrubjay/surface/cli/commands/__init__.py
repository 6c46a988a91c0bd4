"""The commands, grouped by topic; they declare options and call the memory, nothing more."""
