"""Measures how well recall finds labelled evidence."""
