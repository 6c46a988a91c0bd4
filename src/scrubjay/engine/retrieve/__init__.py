"""The retrievers, one module each, and the fan-out that runs them at the same time."""
