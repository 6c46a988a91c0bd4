"""The HTTP server: `scrubjay serve`."""
