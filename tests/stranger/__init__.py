"""A stranger's path: the built wheels in an empty environment, and everything a first day has."""
