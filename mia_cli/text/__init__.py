"""Everything a person reads: the message catalogue, sentences, tables, and words a person types."""
