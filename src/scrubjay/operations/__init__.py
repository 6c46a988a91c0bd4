"""Everything that can be done with banks: here by a function, on a server at an address."""
