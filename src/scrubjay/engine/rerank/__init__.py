"""Reorders the best candidates: the cross-encoder, then the boosts."""
