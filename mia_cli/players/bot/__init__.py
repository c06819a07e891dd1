"""Programs as players: the protocol ``mia.bot/1``, its processes and their faults."""
