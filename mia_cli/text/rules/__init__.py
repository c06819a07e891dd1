"""What is said of the rules: the page, the sheet to print, what decides now, and the presets."""
