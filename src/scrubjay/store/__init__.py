"""Stores keep what was told; every store keeps the same promises (see base.py)."""
