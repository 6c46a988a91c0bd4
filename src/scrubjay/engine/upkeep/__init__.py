"""What is done to a whole bank: comparing it with its texts, and giving it other vectors."""
