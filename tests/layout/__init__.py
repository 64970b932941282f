"""Checks of the tree itself: names, folders, imports, commit subjects."""
