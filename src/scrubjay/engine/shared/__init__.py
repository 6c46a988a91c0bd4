"""What more than one stage needs."""
