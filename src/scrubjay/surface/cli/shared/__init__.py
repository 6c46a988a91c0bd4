"""What all commands share: their options, their output and how they end."""
