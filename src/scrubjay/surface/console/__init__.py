"""The web console: static modules that a browser runs, and what serves them."""
