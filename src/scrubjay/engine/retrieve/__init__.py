"""The four retrievers, and the fan-out that runs them at the same time."""
