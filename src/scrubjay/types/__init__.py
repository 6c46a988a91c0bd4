"""The frozen data that is written and read back, a module for each kind."""
