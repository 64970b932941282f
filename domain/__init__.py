"""The games: facts, commands, and the rules that judge them. Pure, but for the store and its recorders."""
