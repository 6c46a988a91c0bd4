"""Processes that answer questions beside the one that listens and writes."""
