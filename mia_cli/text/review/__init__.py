"""What ``mia review`` says."""
