"""Lets `python -m scrubjay.surface.cli` stand in for the `scrubjay` script."""

from scrubjay.surface.cli import main

main()
