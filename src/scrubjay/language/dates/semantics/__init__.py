"""What words about time mean: stretches of the calendar, seen from a moment."""
