"""The tables of a bank: what is read from them and written to them."""
