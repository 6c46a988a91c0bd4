"""Similarity search over vectors: codes, exhaustive scans, graphs, and their files."""
