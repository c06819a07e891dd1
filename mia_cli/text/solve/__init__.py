"""What ``mia solve`` says."""
