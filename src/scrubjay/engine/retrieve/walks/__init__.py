"""The ways the graph retriever walks from unit to unit."""
