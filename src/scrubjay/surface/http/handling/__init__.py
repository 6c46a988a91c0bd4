"""How a request becomes an answer: who asks, what for, how long it may take."""
