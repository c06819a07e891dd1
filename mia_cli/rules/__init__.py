"""The rules of Mia: pure values and functions.

No I/O, no randomness, no clock, standard library only. Every other package takes the order of
rolls, the odds, "does the claim hold", the loss and the next leader from here.

Nothing is re-exported at package level: ``mia rank 55 44`` imports ``rolls`` alone, and every
further module would be paid for at each of its starts.
"""
