"""Routes about the strong bot: how it chose, and what it would do."""
