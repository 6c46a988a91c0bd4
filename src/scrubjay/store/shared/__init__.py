"""What both stores do alike, once."""
