"""What match records tell: summaries of many, and the review of one.

Loads NumPy; import it only where a figure is needed.
"""
