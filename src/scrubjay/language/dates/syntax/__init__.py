"""Cuts text into tokens and matches them against a language's words and patterns."""
