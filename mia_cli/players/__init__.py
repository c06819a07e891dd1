"""CPU players: levels as tables of probabilities, and a registry of them."""
