"""Language and nothing else: catalogues, words, numbers, widths, spelling, tables."""
