"""The optimizer: decides, as data, which retrievers run, how deep, and why."""
