"""The command line: one file per command, the prompts of a person, output formats."""
