"""The stages of writing: what was told becomes units ready to be saved."""
