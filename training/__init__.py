"""Trains scrubjay's own encoder: from permissive question-passage pairs to int8 weights."""
