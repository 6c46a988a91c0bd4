"""The embedded store: one directory, no server."""
