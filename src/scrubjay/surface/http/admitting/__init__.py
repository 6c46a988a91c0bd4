"""What lets callers in: connections there is room for, keys that are good, work that fits."""
