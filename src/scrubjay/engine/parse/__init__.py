"""Reads a question: when, about whom, in which words."""
