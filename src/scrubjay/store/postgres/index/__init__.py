"""The searches of a bank: by words, by meaning and by what units carry."""
