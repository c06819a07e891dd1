"""How well others can read a person: what an opponent who learned would win."""
