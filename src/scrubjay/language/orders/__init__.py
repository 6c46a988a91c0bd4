"""What someone is told to do: now, by a request, or from now on, by an instruction."""
