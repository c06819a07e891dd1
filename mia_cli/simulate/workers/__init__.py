"""Who plays the blocks of a run: this process, several, or a Dask cluster."""
