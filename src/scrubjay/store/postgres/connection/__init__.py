"""How the store talks to its server: addresses, pools, transactions, errors."""
