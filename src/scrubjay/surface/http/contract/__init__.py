"""What goes in and out: schemas, the check against them, and what they become."""
