"""What ``mia simulate`` says."""
