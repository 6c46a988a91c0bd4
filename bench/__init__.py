"""Benchmarks of this checkout: each module with a `main` is a command of `scrubjay bench`."""
