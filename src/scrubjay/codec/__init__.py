"""JSON, checks and schemas of declared shapes, all compiled from the declaration."""
