"""What each address does: one module per subject, one table of them all."""
