"""Memory for coding agents: a hook for each event, and one local server behind all of them."""
