"""What the tutorial says: its frame, the sentences of its steps, reasons and facts."""
