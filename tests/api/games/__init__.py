"""Games, moves and lists over HTTP."""
