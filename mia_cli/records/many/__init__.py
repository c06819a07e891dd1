"""Many records at speed: files, folders and logs, read in bytes and several processes."""
