"""The rules of Corellian Pitch."""
