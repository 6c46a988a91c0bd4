"""Embedders and rerankers that run inside this process."""
