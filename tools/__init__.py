"""Programs for those who work on scrubjay."""
