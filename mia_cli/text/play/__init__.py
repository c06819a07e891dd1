"""What is said in a match: events told, prompts and answers to questions, names and hearts."""
