"""What all of the server needs: its refusals and its numbers."""
