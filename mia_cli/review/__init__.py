"""One finished match, decision by decision."""
