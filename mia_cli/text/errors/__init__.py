"""The sentence for every error code."""
