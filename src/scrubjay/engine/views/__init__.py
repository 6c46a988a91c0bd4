"""What a bank looks like to who looks at it, instead of asking it."""
