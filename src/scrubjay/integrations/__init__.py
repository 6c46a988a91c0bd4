"""Where agents live: adapters of coding agents and agent frameworks, each over plain banks."""
