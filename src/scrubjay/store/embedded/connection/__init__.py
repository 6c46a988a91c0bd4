"""A bank's file: connections to it, and what it can refuse."""
