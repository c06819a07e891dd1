"""The tutorial: lessons as data, scripted play on the engine of real matches, and progress.

Nothing here has a sentence in it: ``mia_cli.text`` has them, by the ids of lessons and steps. Ids
are kept in the person's progress and must not change their meaning.
"""
