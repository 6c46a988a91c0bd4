"""Embedders and rerankers behind HTTP endpoints."""
