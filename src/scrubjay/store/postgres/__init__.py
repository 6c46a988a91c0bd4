"""The PostgreSQL store: many machines, one behaviour."""
