"""The rules of gamerz Pitch."""
