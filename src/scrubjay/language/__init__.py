"""Turns text into words, dates, names, causes and types; used by writing and reading alike."""
