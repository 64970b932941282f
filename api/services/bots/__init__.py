"""The strong bot on the server: it plays in the heavy lane, explains its choices after the reveal, and gives hints."""
