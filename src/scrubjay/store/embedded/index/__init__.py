"""Derived indexes: words, vectors and columns in memory, rebuilt from the rows when in doubt."""
